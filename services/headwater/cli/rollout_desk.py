"""Where a rollout is carried out: an embedded home, or the streaming system whose stores the environment names."""

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Protocol

import msgspec

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.progress import Bar
from headwater.cli.repositories import is_deployed
from headwater.domain.edition import Edition
from headwater.domain.version import CHUNKER_VERSION, PipelineVersion
from headwater.embedded.answering import parts
from headwater.embedded.catching_up import catch_up
from headwater.embedded.home import Home
from headwater.embedded.home_editions import HomeEditions
from headwater.embedded.models import WEIGHTS
from headwater.embedded.product import Product
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.rollout.operations import Rollout
from headwater.stores.edition_registry import EditionRegistry


class Desk(Protocol):
    """What the commands need of either."""

    rollout: Rollout
    registry: EditionRegistry

    def wanted(self, arguments: argparse.Namespace) -> tuple[PipelineVersion, dict[str, str]]:
        """The version to begin, and where its model is to be had. Raises CommandError when they don't fit."""
        ...

    def fill(self, edition: Edition, quiet: bool) -> str:
        """Bring an edition to where git is, or say who does."""
        ...

    def repositories(self) -> set[str]: ...

    def engine(self, edition: Edition) -> Engine: ...


class HomeDesk:
    """An embedded home."""

    def __init__(self, product: Product) -> None:
        self._product = product
        self.registry: EditionRegistry = product.registry
        self.rollout = Rollout(product.registry, HomeEditions(product))

    def wanted(self, arguments: argparse.Namespace) -> tuple[PipelineVersion, dict[str, str]]:
        models = self._product.models
        if not arguments.weights:
            return _checked(arguments, models.own.version, "this program"), {}
        folder = Path(arguments.weights).resolve()
        try:
            version = models.given(folder).version
        except (OSError, ValueError) as error:
            message = f"{folder} holds no model of this program's kind: {error}"
            raise CommandError(message, ExitStatus.USAGE, "MODEL") from error
        return _checked(arguments, version, str(folder)), {WEIGHTS: str(folder)}

    def fill(self, edition: Edition, quiet: bool) -> str:
        with Bar("indexing", not quiet) as bar:
            catch_up(self._product, self._product.edition(edition.number), progress=bar)
        return ""

    def repositories(self) -> set[str]:
        return {r.name for r in self._product.catalog.repositories()}

    def engine(self, edition: Edition) -> Engine:
        return Engine(parts(self._product, number=edition.number))


class DeployedDesk:
    """The streaming system's stores. Its services do the indexing."""

    def __init__(self, environ: Mapping[str, str], opened: ExitStack) -> None:
        from headwater.deployment.deployed_editions import DeployedEditions
        from headwater.deployment.parts.editions import open_registry

        self._environ, self._opened = environ, opened
        self.registry = opened.enter_context(closing(open_registry(environ)))
        self._stores = opened.enter_context(closing(DeployedEditions(environ)))
        self.rollout = Rollout(self.registry, self._stores)

    def wanted(self, arguments: argparse.Namespace) -> tuple[PipelineVersion, dict[str, str]]:
        from headwater.clients.embedding_model import ModelUnavailableError
        from headwater.deployment.parts.model import SOURCE, model_of
        from headwater.deployment.parts.pipeline import pipeline_version
        from headwater.domain.edition import Phase

        own = pipeline_version(self._environ)
        asked = PipelineVersion(arguments.model or own.model, arguments.dimensions or own.dimensions)
        source = {name: value for name in SOURCE if (value := getattr(arguments, name))}
        made = Edition(number=1, version=asked, phase=Phase.STARTING, source=source)
        with closing(model_of(self._environ, made)) as model:
            try:
                model.check()
            except (ModelUnavailableError, ValueError) as error:
                raise CommandError(f"the model server doesn't serve {asked}: {error}", reason="MODEL") from error
        return _checked(arguments, asked, "this program"), source

    def fill(self, edition: Edition, quiet: bool) -> str:
        version = edition.version
        return (
            f"run its services with HEADWATER_PIPELINE_INDEX={edition.number} HEADWATER_PIPELINE_MODEL={version.model}"
            f" HEADWATER_PIPELINE_DIMENSIONS={version.dimensions}; 'headwater rollout status' shows how far they are"
        )

    def repositories(self) -> set[str]:
        live = self.registry.read().live
        return {r.name for r in self._stores.catalog(live).repositories()} if live is not None else set()

    def engine(self, edition: Edition) -> Engine:
        from headwater.clients.reranker import StaticReranker
        from headwater.clients.static_model import StaticModel
        from headwater.deployment.parts.model import model_of
        from headwater.deployment.parts.vectors import open_vectors

        model = self._opened.enter_context(closing(model_of(self._environ, edition)))
        vectors = VectorSide(model, open_vectors(self._environ, edition.version))
        reader = self._stores.catalog(edition)
        return Engine(Parts(reader=reader, vectors=vectors, reranker=StaticReranker(StaticModel())))


@contextmanager
def desk() -> Iterator[Desk]:
    """The streaming system's when its catalog is configured, else the home's."""
    with ExitStack() as opened:
        if is_deployed():
            yield DeployedDesk(os.environ, opened)
        else:
            yield HomeDesk(opened.enter_context(Product(Home.default())))


def _checked(arguments: argparse.Namespace, found: PipelineVersion, where: str) -> PipelineVersion:
    """Raises CommandError when what was asked for is not what there is."""
    asked = msgspec.structs.replace(
        found,
        model=arguments.model or found.model,
        dimensions=arguments.dimensions or found.dimensions,
        chunker=arguments.chunker or CHUNKER_VERSION,
    )
    if asked != found:
        raise CommandError(f"asked for {asked}, but {where} makes {found}: name what it makes", reason="MISMATCH")
    return found
