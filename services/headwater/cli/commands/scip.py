"""`headwater scip import`: compile-accurate answers for one commit, of a home or of the streaming system."""

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json, say
from headwater.cli.repositories import is_deployed, named_repository
from headwater.domain.scip.wire import WireError
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.stores.compiled_indexes import CompiledIndexes, FolderCompiledIndexes
from headwater.stores.index_reader import TextNotStoredError
from headwater.stores.scip_import import Commits, NotIndexedError, import_scip


def run(arguments: argparse.Namespace) -> int:
    """Prints a ScipReport."""
    with _stores() as (catalog, indexes):
        repo = named_repository(catalog.repositories(), arguments.repo).name
        try:
            report = import_scip(catalog, indexes, repo, arguments.commit, Path(arguments.file))
        except NotIndexedError as error:
            raise CommandError(str(error), ExitStatus.NOT_FOUND, "NOT_FOUND") from error
        except (WireError, OSError) as error:
            raise CommandError(f"{arguments.file} is no SCIP index: {error}", ExitStatus.USAGE, "SCIP") from error
        except TextNotStoredError as error:
            message = f"SCIP positions can't be read in pointers-only mode: {error}"
            raise CommandError(message, ExitStatus.USAGE, "POINTERS_ONLY") from error
    if arguments.json:
        print_json(report)
    else:
        say(f"{report.repo} at {report.commit[:12]}: {report.files} files, {report.occurrences} occurrences")
        if report.left_out:
            say(f"{report.left_out} files of the index are not in this commit")
    return ExitStatus.OK


@contextmanager
def _stores() -> Iterator[tuple[Commits, CompiledIndexes]]:
    """The streaming system's when its catalog is configured, else the home's."""
    if is_deployed():
        with _deployed(os.environ) as stores:
            yield stores
    else:
        with Product(Home.default()) as product:
            yield product.catalog, FolderCompiledIndexes(product.home.compiled)


@contextmanager
def _deployed(environ: Mapping[str, str]) -> Iterator[tuple[Commits, CompiledIndexes]]:
    from headwater.deployment.live_index import LiveIndex
    from headwater.deployment.parts.catalog import open_compiled_indexes

    with closing(LiveIndex(environ)) as index, closing(open_compiled_indexes(environ)) as indexes:
        yield index.catalog(), indexes
