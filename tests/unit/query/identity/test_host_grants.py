"""How long an answer of the git host counts."""

from headwater.query.identity.host_grants import HostGrants

REPOSITORIES = [f"o/{n}" for n in range(30)]


class _Host:
    def __init__(self) -> None:
        self.readable, self.asked, self.broken = {"o/1", "o/2"}, 0, False

    def reads(self, token: str, repository: str, timeout_s: float) -> bool:
        self.asked += 1
        if self.broken:
            raise RuntimeError("broken")
        return token == "t" and repository in self.readable


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_f14_revoked_within_the_stated_time() -> None:
    host, clock = _Host(), _Clock()
    grants = HostGrants(host, ttl_s=45, wait_s=5, clock=clock)
    assert grants.readable("t", REPOSITORIES) == {"o/1", "o/2"}
    host.readable.discard("o/1")
    clock.now = 44
    assert grants.readable("t", REPOSITORIES) == {"o/1", "o/2"}
    assert host.asked == len(REPOSITORIES)
    clock.now = 45
    assert grants.readable("t", REPOSITORIES) == {"o/2"}
    grants.close()


def test_one_callers_answers_are_not_anothers() -> None:
    grants = HostGrants(_Host())
    assert grants.readable("t", REPOSITORIES)
    assert not grants.readable("u", REPOSITORIES)
    grants.close()


def test_a_failing_host_grants_nothing() -> None:
    host = _Host()
    host.broken = True
    grants = HostGrants(host)
    assert grants.readable("t", REPOSITORIES) == frozenset()
    grants.close()
