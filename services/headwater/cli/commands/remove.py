"""`headwater remove`: take a repository or a private view out of the index."""

import argparse

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json, say
from headwater.cli.repositories import catalogs, is_deployed, named_repository
from headwater.cli.worktrees import known_copy
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.working_copies import WorkingCopies, forget


def run(arguments: argparse.Namespace) -> int:
    """Prints {"removed": name}: a repository's, or a private view's ref."""
    if bool(arguments.repo) == bool(arguments.worktree):
        raise CommandError("name a repository, or a working copy with --worktree", ExitStatus.USAGE, "INVALID_FIELD")
    if arguments.repo and is_deployed():
        with catalogs() as found:
            names = [named_repository(catalog.repositories(), arguments.repo).name for catalog in found]
            for catalog, name in zip(found, names, strict=True):
                catalog.remove_repository(name)
        _say(arguments, names[0] if names else arguments.repo)
        return ExitStatus.OK
    with Product(Home.default()) as product:
        for folder in arguments.worktree:
            copy = known_copy(product.home, folder, arguments.owner)
            forget(product, copy)
            _say(arguments, copy.view.ref)
        if arguments.repo:
            name = named_repository(product.catalog.repositories(), arguments.repo).name
            product.catalog.remove_repository(name)
            WorkingCopies(product.home).remove_of(name)
            product.collect(thorough=True)
            _say(arguments, name)
    return ExitStatus.OK


def _say(arguments: argparse.Namespace, removed: str) -> None:
    if arguments.json:
        print_json({"removed": removed})
    else:
        say(f"{removed} removed")
