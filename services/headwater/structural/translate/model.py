"""The language model as a translator: asks, re-asks with the error when the answer is invalid, mends the target."""

import logging

import msgspec

from headwater.limits import Limits, limits
from headwater.metrics import METRICS
from headwater.structural.admission import decode
from headwater.structural.deadline import Remaining, check, unlimited
from headwater.structural.query import Construct, Query
from headwater.structural.translate.chat import Chat, ChatError, Message
from headwater.structural.translate.checks import targets_agree
from headwater.structural.translate.prompt import invalid_message, question_message, system_message, target_message
from headwater.structural.translate.retrieve import Example

LOG = logging.getLogger(__name__)
_ATTEMPTS = 3
_SHOWN = 1_000  # of what is wrong with an answer


class ChatModel:
    """Implements the translator's `Model` over a chat. An unreachable endpoint gives no translation."""

    def __init__(self, chat: Chat, allowed: Limits | None = None) -> None:
        self._chat, self._allowed = chat, allowed or limits()

    def translate(
        self, question: str, examples: list[Example], problems: tuple[str, ...], remaining: Remaining = unlimited
    ) -> Query | None:
        talk = _Talk(self._chat, self._allowed, remaining)
        try:
            made = talk.valid(question, examples, problems)
            if made is None or problems:
                return made
            asked = talk.target(question)
            if targets_agree(asked, made.target.construct):
                return made
            problem = f"it finds a {made.target.construct}, but the question asks for a {asked}"
            return talk.valid(question, examples, (problem,)) or made
        except ChatError as error:
            METRICS.count("headwater_structural_model_requests_total", outcome="failed")
            LOG.warning("no translation by the language model: %s", error)
            return None


class _Talk:
    """One translation's requests, within its time."""

    def __init__(self, chat: Chat, allowed: Limits, remaining: Remaining) -> None:
        self._chat, self._allowed, self._remaining = chat, allowed, remaining

    def valid(self, question: str, examples: list[Example], problems: tuple[str, ...]) -> Query | None:
        messages = [
            Message("system", system_message()),
            Message("user", question_message(question, examples, problems)),
        ]
        for _ in range(_ATTEMPTS):
            said = self._ask(messages)
            try:
                return decode(_object(said), self._allowed)
            except (msgspec.MsgspecError, ValueError) as error:
                METRICS.count("headwater_structural_model_invalid_total")
                messages += [
                    Message("assistant", said[: self._allowed.structural_text_bytes]),
                    Message("user", invalid_message(str(error)[:_SHOWN])),
                ]
        return None

    def target(self, question: str) -> Construct | None:
        said = self._ask([Message("user", target_message(question))]).strip().strip(".").lower()
        return Construct(said) if said in set(Construct) else None

    def _ask(self, messages: list[Message]) -> str:
        check(self._remaining)
        reply = self._chat.ask(messages, self._remaining)
        METRICS.count("headwater_structural_model_requests_total", outcome="answered")
        METRICS.count("headwater_structural_model_tokens_total", reply.prompt_tokens, kind="prompt")
        METRICS.count("headwater_structural_model_tokens_total", reply.completion_tokens, kind="completion")
        METRICS.observe("headwater_structural_model_seconds", reply.seconds)
        return reply.content


def _object(said: str) -> str:
    """From the first brace to the last, since models like to say more than they were asked for."""
    start, end = said.find("{"), said.rfind("}")
    return said[start : end + 1] if 0 <= start < end else said
