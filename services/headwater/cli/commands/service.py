"""`headwater service`: run one service of the streaming system in this process."""

import argparse
import os

from headwater.cli.output import print_json, say
from headwater.deployment.services import run_service, service_settings


def run(arguments: argparse.Namespace) -> int:
    """Until SIGTERM. With --settings prints [{"variable", "description", "default", "required"}] instead."""
    if not arguments.settings:
        return run_service(arguments.name, os.environ)
    rows = service_settings(arguments.name)
    if arguments.json:
        print_json(rows)
        return 0
    for row in rows:
        value = "required" if row.required else f"default {row.default}" if row.default else "default empty"
        say(f"{row.variable}\n    {row.description} ({value})")
    return 0
