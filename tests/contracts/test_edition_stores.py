"""One suite for what installations keep of an edition: laid out and dropped again and again, beside a live one."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from headwater.clients.static_model import StaticModel
from headwater.domain import edition as steps
from headwater.domain.edition import Edition, Phase, RolloutRefusedError
from headwater.domain.treatment import Treatment
from headwater.embedded.home import Home
from headwater.embedded.home_editions import HomeEditions
from headwater.embedded.models import WEIGHTS
from headwater.embedded.product import Product
from headwater.rollout.operations import EditionStores, Rollout
from headwater.stack import Running
from headwater.stores.catalog import Repository
from headwater.stores.edition_registry import EditionRegistry
from support.weights import shorter_model

_STACK = (pytest.mark.stack, pytest.mark.xdist_group("stack"))


class Bench:
    """A live edition of the program's model, and stores for another one."""

    def __init__(self, registry: EditionRegistry, stores: EditionStores, weights: Path) -> None:
        self.registry, self.stores = registry, stores
        self.rollout = Rollout(registry, stores)
        self.version, self.source = StaticModel(weights).version, {WEIGHTS: str(weights)}
        live = registry.read().live
        assert live is not None
        self.live: Edition = live
        stores.catalog(live).add_repository(Repository("r", "/r"))

    def start(self) -> Edition:
        return self.rollout.start(self.version, self.source)


@pytest.fixture(params=["home", pytest.param("deployed", marks=_STACK)])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    weights = shorter_model(tmp_path / "weights", 24, f"w{uuid4().hex[:6]}")
    with ExitStack() as opened:
        made = _home if request.param == "home" else _deployed
        yield Bench(*made(request, tmp_path, opened), weights)


def _home(_request: pytest.FixtureRequest, folder: Path, opened: ExitStack) -> tuple[EditionRegistry, EditionStores]:
    product = opened.enter_context(Product(Home(folder / "home"), Treatment()))
    return product.registry, HomeEditions(product)


def _deployed(
    request: pytest.FixtureRequest, _folder: Path, opened: ExitStack
) -> tuple[EditionRegistry, EditionStores]:
    from headwater.deployment.deployed_editions import DeployedEditions
    from headwater.deployment.parts.editions import open_catalog, open_registry

    postgres: Running = request.getfixturevalue("postgres")
    milvus: Running = request.getfixturevalue("milvus")
    server, name = f"postgresql://app@127.0.0.1:{postgres.ports['sql']}", f"editions_{uuid4().hex[:8]}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    environ = {
        "HEADWATER_CATALOG_URL": f"{server}/{name}",
        "HEADWATER_MILVUS_ADDRESS": f"http://{milvus.address('grpc')}",
        "HEADWATER_MILVUS_VECTOR": "float",
        "HEADWATER_MILVUS_CONSISTENCY": "Strong",
    }
    open_catalog(environ, StaticModel().version).close()
    registry = opened.enter_context(closing(open_registry(environ)))
    return registry, opened.enter_context(closing(DeployedEditions(environ)))


def again(step: Callable[[], object]) -> None:
    """As after a crash at its end."""
    step()
    step()


def test_a_shadow_is_laid_out_empty_with_the_live_ones_repositories(bench: Bench) -> None:
    shadow = bench.start()
    again(lambda: bench.stores.lay_out(shadow, bench.live))
    assert bench.stores.catalog(shadow).repositories() == bench.stores.catalog(bench.live).repositories()
    assert bench.stores.catalog(shadow).views() == []
    assert bench.stores.vectors(shadow) == 0


def test_what_is_written_to_one_is_not_in_the_other(bench: Bench) -> None:
    shadow = bench.start()
    bench.stores.catalog(shadow).mark_embedded(["ab" * 16])
    assert bench.stores.catalog(bench.live).embedded(["ab" * 16]) == set()


def test_a_start_that_was_cut_off_is_gone_on_with(bench: Bench) -> None:
    bench.registry.change(steps.start(bench.version, bench.source, 1.0))
    assert bench.rollout.status()[1].edition.phase is Phase.STARTING
    assert bench.start().phase is Phase.BUILDING


def test_a_release_that_was_cut_off_is_gone_on_with(bench: Bench) -> None:
    shadow = bench.start()
    bench.stores.follow(bench.live)
    bench.registry.change(steps.release(2.0))
    again(lambda: bench.stores.drop(shadow))
    assert bench.rollout.release().phase is Phase.RELEASED
    assert bench.registry.read().other is None
    with pytest.raises(RolloutRefusedError, match="nothing to release"):
        bench.rollout.release()
    assert bench.start().number == shadow.number + 1
    bench.rollout.release()


def test_the_live_one_is_followed_again_and_again(bench: Bench) -> None:
    again(lambda: bench.stores.follow(bench.live))
    bench.start()
    bench.rollout.cut_over("a test")
    again(bench.rollout.follow)
    bench.rollout.roll_back()
    bench.rollout.release()
    assert [e.phase for e in bench.registry.read().rows] == [Phase.LIVE, Phase.RELEASED]
