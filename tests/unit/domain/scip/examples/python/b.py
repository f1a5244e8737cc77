from pkg.a import File as F

class Sub(F):
    def close(self) -> None:
        super().close()
