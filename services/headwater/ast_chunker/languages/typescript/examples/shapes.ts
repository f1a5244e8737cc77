import type { Shape } from './shape';
import * as ns from './ns';
import fs = require('fs');
export { area as size } from './area';

export interface Named<T> extends ns.Base<T> {
  readonly name: string;
  rename(to: string): Named<T>;
  [key: string]: unknown;
}

export type Keys<T> = { [P in keyof T]: T[P] } | (T extends infer R ? R : never);
export type ValueOf<T> = T extends { value: infer V } ? V : T extends (of: infer W) => any ? W : never;
export enum Color { Red, Blue = 'b' }

/** A circle. Round. */
@Register({ tag: 'circle' })
export abstract class Circle<T extends Shape> extends ns.Figure<T> implements Named<T>, Disposable {
  private static count = 0;
  name!: string;
  constructor(private radius: number, readonly color = Color.Red) {
    super();
    Circle.count += 1;
  }
  get area(): number { return this.radius ** 2; }
  scale(by: number): this;
  scale(by: string): this;
  scale(by: any) { return this; }
  abstract draw(canvas?: Canvas): Promise<void>;
}

export const make = async <T>({ radius, color: tint }: Options, ...more: T[]): Promise<Circle<any>> => {
  const options = { radius, tint, build: () => new Impl(radius) };
  return options.build() as unknown as Circle<any>;
};

namespace Geometry {
  export function isCircle(value: any): value is Circle<any> { return value.radius !== undefined; }
}
declare module 'shapes' { function register(tag: string): void; }
