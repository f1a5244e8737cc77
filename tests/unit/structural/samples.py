"""One snippet a language with most constructs, each on a line of its own."""

JAVA = """package p;
class A extends B {
  private String s = "x";
  int f(int a, String b) {
    foo(a, bar(b));
    x.foo("x");
    for (int i = 0; i < n(); i++) {
      a += foo(i);
      if (a == i) break;
    }
    for (String q : s.split(",")) {
      bar(q + foo());
    }
    while (more(1)) {
      int z = foo(1, 2, 3);
      if (!done()) continue;
      else bar();
    }
    do {
      z = foo();
    } while (last(2));
    switch (a) {
      case 1:
        foo();
        break;
      default:
        bar("y");
    }
    try {
      foo(p[3]);
    } catch (IOException e) {
      throw new Error("x", e);
    } finally {
      a++;
    }
    if (a == 1 && b.foo("x").bar()) {
      return foo();
    }
    return a + 1;
  }
  void g() { }
}
"""
PYTHON = """class A(B):
    s = "x"
    def f(self, a, b):
        foo(a, bar(b))
        x.foo("x")
        for i in n():
            a += foo(i)
            if a == i:
                break
        while more(1):
            z = foo(1, 2, 3)
            if not done():
                continue
            else:
                bar()
        try:
            foo(p[3])
        except IOError as e:
            raise Error("x", e)
        finally:
            bar("y")
        if a == 1 and b.foo("x").bar():
            return foo()
        return a + 1
def g():
    pass
"""
JAVASCRIPT = """class A extends B {
  f(a, b) {
    foo(a, bar(b));
    x.foo("x");
    for (let i = 0; i < n(); i++) {
      a += foo(i);
      if (a == i) break;
    }
    for (const q of s.split(",")) {
      bar(q + foo());
    }
    while (more(1)) {
      const z = foo(1, 2, 3);
      if (!done()) continue;
      else bar();
    }
    do {
      z = foo();
    } while (last(2));
    switch (a) {
      case 1:
        foo();
        break;
      default:
        bar("y");
    }
    try {
      foo(p[3]);
    } catch (e) {
      throw new Error("x", e);
    } finally {
      a++;
    }
    if (a == 1 && b.foo("x").bar()) {
      return foo();
    }
    return a + 1;
  }
}
function g() { }
"""
GO = """package p
type A struct {
  s string
}
func (r *A) f(a int, b string) int {
  foo(a, bar(b))
  x.foo("x")
  for i := 0; i < n(); i++ {
    a += foo(i)
    if a == i {
      break
    }
  }
  for _, q := range split(s) {
    bar(q + foo())
  }
  for more(1) {
    z := foo(1, 2, 3)
    if !done() {
      continue
    } else {
      bar()
    }
  }
  z = foo()
  switch a {
  case 1:
    foo(p[3])
  default:
    bar("y")
  }
  if a == 1 && b.foo("x").bar() {
    return foo()
  }
  return a + 1
}
func g() { }
"""
SAMPLES = {"java": JAVA, "python": PYTHON, "javascript": JAVASCRIPT, "typescript": JAVASCRIPT, "go": GO}
