"""The steps of a translation and their checks, and the language model over recorded conversations."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.generate.pairs import Pair
from headwater.structural.query import Construct, Name, Node, Query, Related, Relation, encode, query
from headwater.structural.translate.chat import ChatError, HttpChat, Message, RecordingChat, ReplayChat, Reply
from headwater.structural.translate.checks import asked_target, targets_agree
from headwater.structural.translate.model import ChatModel
from headwater.structural.translate.prompt import commented, system_message
from headwater.structural.translate.retrieve import PairIndex, fill, mask, shipped_pairs
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.translator import Translator

CODE = b"class A { void f(Reader in) { while (true) { in.read(); } close(); foo(); } }"
SYMBOLS = Symbols.of([build(BY_NAME["java"], CODE)])
READ = query(Node(Construct.CALL, (Name("read"), Related(Relation.INSIDE, Node(Construct.WHILE)))))
PAIR = Pair("Spot whatever of close twirls amid whirls", query(Node(Construct.CALL, (Name("close"),))), "semgrep", "")


class ScriptedChat:
    """Gives the answers in turn and keeps what it was asked."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.asked: list[list[Message]] = []

    def ask(self, messages: list[Message]) -> Reply:
        self.asked.append(list(messages))
        return Reply(self._answers.pop(0), 10, 5, 0.5)


def translator(chat: ScriptedChat | None = None, pairs: list[Pair] | None = None) -> Translator:
    model = ChatModel(chat) if chat is not None else None
    return Translator(SYMBOLS, lambda made: True, PairIndex(pairs or []), model)


def test_grammar_alone_when_it_understands_everything() -> None:
    made = translator().translate("calls to read in a while loop")
    assert (made.query, made.source, made.not_understood, made.problems) == (READ, "grammar", (), ())


def test_nearest_pair_fills_its_slots_when_the_grammar_does_not_understand() -> None:
    made = translator(pairs=[PAIR]).translate("Spot whatever of foo twirls amid whirls")
    assert made.source == "example"
    assert made.query == query(Node(Construct.CALL, (Name("foo"),)))


def test_far_pairs_are_not_used() -> None:
    made = translator(pairs=[PAIR]).translate("frobnicate the wibble")
    assert made.query is None
    assert made.not_understood == ("frobnicate", "wibble")


def test_a_query_that_matches_nothing_is_said() -> None:
    made = Translator(SYMBOLS, lambda made: False).translate("calls to read")
    assert made.problems == ("the query matches nothing",)


def test_shipped_pairs_are_of_both_engines_and_different() -> None:
    pairs = shipped_pairs()
    assert {pair.engine for pair in pairs} == {"flowgraph", "semgrep"}
    assert len({(pair.engine, pair.query) for pair in pairs}) == len(pairs) == 200


def test_masked_pair_and_filled_pair() -> None:
    assert mask(PAIR) == "spot whatever of # twirls amid whirls"
    assert fill(PAIR.query, "calls to read on foo", SYMBOLS) is None


@pytest.mark.parametrize(
    ("question", "construct"),
    [
        ("Find all calls of read in a while loop", Construct.CALL),
        ("for each loops with a call", Construct.FOREACH),
        ("throw new Foo", Construct.THROW),
        ("nothing of the kind", None),
    ],
)
def test_the_target_that_is_asked_for(question: str, construct: Construct | None) -> None:
    assert asked_target(question, SYMBOLS) == construct


def test_like_targets_agree() -> None:
    assert targets_agree(Construct.LOOP, Construct.WHILE)
    assert not targets_agree(Construct.CALL, Construct.WHILE)


def _json(made: Query) -> str:
    return encode(made).decode()


def test_model_is_asked_when_the_grammar_fails() -> None:
    chat = ScriptedChat(f"Here: {_json(READ)}", "call")
    made = translator(chat).translate("frobnicate the wibble")
    assert (made.query, made.source) == (READ, "model")
    assert chat.asked[0][0].content == system_message()


def test_invalid_answer_is_asked_again_with_the_error() -> None:
    chat = ScriptedChat('{"version":1,"target":{"construct":"banana"}}', _json(READ), "call")
    model = ChatModel(chat)
    assert model.translate("frobnicate", [], ()) == READ
    assert "banana" in chat.asked[1][-1].content
    assert (model.spent.requests, model.spent.invalid, model.spent.prompt_tokens) == (3, 1, 30)


def test_other_target_is_asked_again() -> None:
    loop = query(Node(Construct.WHILE))
    chat = ScriptedChat(_json(loop), "call", _json(READ))
    assert ChatModel(chat).translate("calls of read in a while loop", [], ()) == READ
    assert "asks for a call" in chat.asked[2][-1].content


def test_three_invalid_answers_give_nothing() -> None:
    assert ChatModel(ScriptedChat("a", "b", "c")).translate("x", [], ()) is None


def test_examples_carry_comments() -> None:
    assert commented(READ).startswith("// the target: a call\n// of which holds: ")


def test_recorded_conversation_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    recorded = ChatModel(RecordingChat(ScriptedChat(_json(READ), "call"), path)).translate("q", [], ())
    assert ChatModel(ReplayChat(path)).translate("q", [], ()) == recorded == READ
    with pytest.raises(ChatError, match="record it anew"):
        ReplayChat(path).ask([Message("user", "never asked")])


@pytest.fixture
def endpoint() -> Iterator[HTTPServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = {"choices": [{"message": {"content": body["messages"][-1]["content"].upper()}}]}
            answer |= {"usage": {"prompt_tokens": 7, "completion_tokens": 2}}
            raw = json.dumps(answer).encode() if self.path == "/v1/chat/completions" else b"{}"
            self.send_response(200)
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_openai_compatible_endpoint(endpoint: HTTPServer) -> None:
    base = f"http://127.0.0.1:{endpoint.server_port}"
    reply = HttpChat(f"{base}/v1", "m", key="k").ask([Message("user", "hello")])
    assert (reply.content, reply.prompt_tokens, reply.completion_tokens) == ("HELLO", 7, 2)
    with pytest.raises(ChatError):
        HttpChat(f"{base}/v2", "m").ask([Message("user", "hello")])


def test_unreachable_endpoint_leaves_the_grammar_s_answer() -> None:
    class Broken:
        def ask(self, messages: list[Message]) -> Reply:
            raise ChatError("no")

    made = Translator(SYMBOLS, lambda made: True, model=ChatModel(Broken())).translate("tainted calls to read")
    assert made.source == "grammar"
    assert made.not_understood == ("tainted",)
