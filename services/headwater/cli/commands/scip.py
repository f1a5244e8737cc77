"""`headwater scip import`: compile-accurate answers for one commit."""

import argparse
from pathlib import Path

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json
from headwater.domain.scip.wire import WireError
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.scip_import import NotIndexedError, import_scip


def run(arguments: argparse.Namespace) -> int:
    """Prints a ScipReport."""
    with Product(Home.default()) as product:
        try:
            report = import_scip(product, arguments.repo, arguments.commit, Path(arguments.file))
        except NotIndexedError as error:
            raise CommandError(str(error), ExitStatus.NOT_FOUND, "NOT_FOUND") from error
        except (WireError, OSError) as error:
            raise CommandError(f"{arguments.file} is no SCIP index: {error}", ExitStatus.USAGE, "SCIP") from error
    if arguments.json:
        print_json(report)
    else:
        print(f"{report.repo} at {report.commit[:12]}: {report.files} files, {report.occurrences} occurrences")
        if report.left_out:
            print(f"{report.left_out} files of the index are not in this commit")
    return ExitStatus.OK
