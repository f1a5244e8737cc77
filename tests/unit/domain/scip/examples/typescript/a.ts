export interface Shape { area(): number; }
export class Square implements Shape { area() { return 1; } }
export function call(this: Square, f: (this: Square) => number) { return f.call(this); }
/* é𝒳 */ export const sum = (shapes: Shape[]) => shapes.map((x) => x.area());
call.call(new Square(), function () { return this.area(); });
