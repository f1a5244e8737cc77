"""`headwater dlq`: look at events that were set aside, and send them again once their cause is gone."""

import argparse
import datetime
import os
from typing import Any

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json, say
from headwater.deployment.parts.pipeline import pipeline_index
from headwater.streaming.broker_access import read_properties
from headwater.streaming.dead_letters import LetterId, StoredLetter, list_letters, replay_letters, show_letter
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.refusal import refusal
from headwater.topology import TOPICS


def run(arguments: argparse.Namespace) -> int:
    """Prints {"letters": […]}; `show` adds the key, the headers and the value."""
    edition = pipeline_index(os.environ)
    connection = Connection(_brokers(arguments), read_properties(arguments.kafka_properties), edition)
    if cause := refusal(connection):
        raise CommandError(cause, ExitStatus.BUSY, "KAFKA_UNAVAILABLE")
    if arguments.action == "list":
        _check_topics(arguments.which)
        return _print(arguments, list(list_letters(connection, arguments.which)))
    places = [_place(text) for text in arguments.which]
    if not places:
        raise CommandError(f"name the letters to {arguments.action}, as 'headwater dlq list' prints them", 2, "WHICH")
    if arguments.action == "show":
        found = [letter for place in places if (letter := show_letter(connection, place)) is not None]
    else:
        found = replay_letters(connection, places)
    _print(arguments, found, whole=arguments.action == "show")
    return ExitStatus.OK if len(found) == len(set(places)) else ExitStatus.NOT_FOUND


def _brokers(arguments: argparse.Namespace) -> str:
    brokers: str = arguments.brokers or os.environ.get("HEADWATER_DLQ_BROKERS", "")
    if not brokers:
        raise CommandError("name Kafka's addresses with --brokers or HEADWATER_DLQ_BROKERS", 2, "BROKERS")
    return brokers


def _check_topics(names: list[str]) -> None:
    for name in names:
        if name not in TOPICS:
            raise CommandError(f"{name} is no topic: {', '.join(TOPICS)}", ExitStatus.USAGE, "WHICH")


def _place(text: str) -> LetterId:
    try:
        return LetterId.parse(text)
    except ValueError as error:
        raise CommandError(str(error), ExitStatus.USAGE, "WHICH") from error


def _print(arguments: argparse.Namespace, letters: list[StoredLetter], whole: bool = False) -> int:
    if arguments.json:
        print_json({"letters": [_row(letter, whole) for letter in letters]})
        return ExitStatus.OK
    for letter in letters:
        row = _row(letter, whole)
        say(f"{row['id']}  {row['at']}  {row['stage']}, after {row['attempts']} attempts: {row['reason']}")
        for field in ("source", "key", "headers", "value") if whole else ():
            say(f"    {field}: {row[field]}")
    if not letters:
        say("no dead letters")
    return ExitStatus.OK


def _row(stored: StoredLetter, whole: bool) -> dict[str, Any]:
    letter = stored.letter
    row: dict[str, Any] = {
        "id": str(stored.id),
        "at": datetime.datetime.fromtimestamp(letter.at, datetime.UTC).isoformat(timespec="seconds"),
        "stage": letter.stage,
        "attempts": letter.attempts,
        "reason": letter.reason,
        "source": f"{letter.source.topic}:{letter.source.number}:{letter.offset}",
    }
    if whole:
        row["key"] = _text(letter.key)
        row["headers"] = {name: _text(value) for name, value in letter.headers.items()}
        row["value"] = _text(letter.value)
    return row


def _text(value: bytes | None) -> str:
    return "" if value is None else value.decode("utf-8", "backslashreplace")
