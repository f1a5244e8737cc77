"""The language model as a translator: asks, re-asks with the error when the answer is invalid, mends the target."""

import logging
import re

import msgspec

from headwater.metrics import METRICS
from headwater.structural.deadline import Remaining, check, unlimited
from headwater.structural.query import Construct, Query, decode
from headwater.structural.translate.chat import Chat, ChatError, Message
from headwater.structural.translate.checks import targets_agree
from headwater.structural.translate.prompt import invalid_message, question_message, system_message, target_message
from headwater.structural.translate.retrieve import Example

LOG = logging.getLogger(__name__)
_ATTEMPTS = 3
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class ChatModel:
    """Implements the translator's `Model` over a chat. An unreachable endpoint gives no translation."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    def translate(
        self, question: str, examples: list[Example], problems: tuple[str, ...], remaining: Remaining = unlimited
    ) -> Query | None:
        talk = _Talk(self._chat, remaining)
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

    def __init__(self, chat: Chat, remaining: Remaining) -> None:
        self._chat, self._remaining = chat, remaining

    def valid(self, question: str, examples: list[Example], problems: tuple[str, ...]) -> Query | None:
        messages = [
            Message("system", system_message()),
            Message("user", question_message(question, examples, problems)),
        ]
        for _ in range(_ATTEMPTS):
            said = self._ask(messages)
            found = _OBJECT.search(said)
            try:
                return decode(found.group() if found is not None else said)
            except msgspec.DecodeError as error:
                METRICS.count("headwater_structural_model_invalid_total")
                messages += [Message("assistant", said), Message("user", invalid_message(str(error)))]
        return None

    def target(self, question: str) -> Construct | None:
        said = self._ask([Message("user", target_message(question))]).strip().strip(".").lower()
        return Construct(said) if said in set(Construct) else None

    def _ask(self, messages: list[Message]) -> str:
        check(self._remaining)
        reply = self._chat.ask(messages, self._remaining())
        METRICS.count("headwater_structural_model_requests_total", outcome="answered")
        METRICS.count("headwater_structural_model_tokens_total", reply.prompt_tokens, kind="prompt")
        METRICS.count("headwater_structural_model_tokens_total", reply.completion_tokens, kind="completion")
        METRICS.observe("headwater_structural_model_seconds", reply.seconds)
        return reply.content
