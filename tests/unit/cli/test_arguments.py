"""Every command of the grammar has its module, and every command prints JSON on demand."""

import argparse
from importlib import import_module

import pytest

from headwater.cli.arguments import parser


def commands() -> dict[str, argparse.ArgumentParser]:
    (action,) = [a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(action.choices)


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_a_module_and_json(name: str) -> None:
    assert callable(import_module(f"headwater.cli.commands.{name}").run)
    assert "--json" in commands()[name].format_help()


def test_an_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        parser().parse_args(["find"])
    assert stop.value.code == 2
    assert "invalid choice: 'find'" in capsys.readouterr().err
