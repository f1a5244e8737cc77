"""The language model as a translator: asks, re-asks with the error when the answer is invalid, mends the target."""

import re
from dataclasses import dataclass

import msgspec

from headwater.structural.query import Construct, Query, decode
from headwater.structural.translate.chat import Chat, ChatError, Message
from headwater.structural.translate.checks import targets_agree
from headwater.structural.translate.prompt import invalid_message, question_message, system_message, target_message
from headwater.structural.translate.retrieve import Example

_ATTEMPTS = 3
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(slots=True)
class Spent:
    """Sums over a model's life, for the metrics."""

    requests: int = 0
    invalid: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class ChatModel:
    """Implements the translator's `Model` over a chat. An unreachable endpoint gives no translation."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self.spent = Spent()

    def translate(self, question: str, examples: list[Example], problems: tuple[str, ...]) -> Query | None:
        try:
            made = self._valid(question, examples, problems)
            if made is None or problems:
                return made
            asked = self._target(question)
            if targets_agree(asked, made.target.construct):
                return made
            problem = f"it finds a {made.target.construct}, but the question asks for a {asked}"
            return self._valid(question, examples, (problem,)) or made
        except ChatError:
            return None

    def _valid(self, question: str, examples: list[Example], problems: tuple[str, ...]) -> Query | None:
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
                self.spent.invalid += 1
                messages += [Message("assistant", said), Message("user", invalid_message(str(error)))]
        return None

    def _target(self, question: str) -> Construct | None:
        said = self._ask([Message("user", target_message(question))]).strip().strip(".").lower()
        return Construct(said) if said in set(Construct) else None

    def _ask(self, messages: list[Message]) -> str:
        reply = self._chat.ask(messages)
        self.spent.requests += 1
        self.spent.prompt_tokens += reply.prompt_tokens
        self.spent.completion_tokens += reply.completion_tokens
        self.spent.seconds += reply.seconds
        return reply.content
