class File:
    def close(self) -> None: ...

def helper(thing):
    return thing

def run(x: "File | None") -> None:
    y = x or File()
    [z for z in [y]][0].close()
    helper(y).close()
