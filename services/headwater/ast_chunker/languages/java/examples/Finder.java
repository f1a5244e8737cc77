package org.example.find;

import java.util.List;
import java.util.function.*;
import static java.lang.Math.max;

/** Finds things. By id or by name. */
@Component("finder")
public class Finder<T extends Number> extends Base<T> implements Closeable, Map.Entry<String, T> {
    private static final int LIMIT = 10;
    List<String> names, others;

    public Finder(List<String> names) {
        super(LIMIT);
        this.names = names;
    }

    /** By id. */
    T find(int id) {
        return find(String.valueOf(id));
    }

    @Override
    public <R> T find(final String name, Object... rest) throws IOException {
        for (String other : names) {
            int size = max(other.length(), LIMIT), next = size;
            others.forEach(n -> log(n + next));
        }
        outer:
        while (true) {
            try (var in = open()) {
                break outer;
            } catch (IOException | RuntimeException e) {
                throw e;
            }
        }
        if (rest[0] instanceof Finder f && f.names != null) {
            Supplier<Finder<T>> s = Finder::new;
        }
        return new Helper<T>(1) {
            void help() { log(name); }
        }.get();
    }

    enum Color { RED(1), BLUE { int value() { return 2; } }; Color(int v) {} Color() {} }

    interface Visitor { int DEPTH = 1; default void visit(Color color) { switch (color) { case RED: break; } } }

    record Point(int x, int y) { Point { log(x); } }

    @interface Marker { int value() default 1; }
}
