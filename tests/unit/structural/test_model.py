"""The language model: asked again until it fits, over a real endpoint, recorded, replayed, counted."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from headwater.metrics import METRICS
from headwater.structural.deadline import OutOfTimeError, Remaining, unlimited
from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.query import Construct, Name, Node, Query, Related, Relation, encode, query
from headwater.structural.translate.chat import ChatError, HttpChat, Message, RecordingChat, ReplayChat, Reply
from headwater.structural.translate.model import ChatModel
from headwater.structural.translate.prompt import commented, system_message
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.translator import Translator

CODE = b"class A { void f(Reader in) { while (true) { in.read(); } close(); foo(); } }"
SYMBOLS = Symbols([build(BY_NAME["java"], CODE)])
READ = query(Node(Construct.CALL, (Name("read"), Related(Relation.INSIDE, Node(Construct.WHILE)))))
LOOP = query(Node(Construct.WHILE))


class Endpoint:
    """An OpenAI-compatible server that gives its answers in turn and keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                endpoint.keys.append(self.headers["Authorization"])
                endpoint.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                known = self.path == "/v1/chat/completions" and bool(endpoint.answers)
                self.send_response(200 if known else 500)
                self.end_headers()
                if known:
                    message = {"role": "assistant", "content": endpoint.answers.pop(0)}
                    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
                    self.wfile.write(json.dumps({"choices": [{"message": message}], "usage": usage}).encode())

            def log_message(self, format: str, *args: object) -> None:
                return

        self.server = HTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def model(self, *answers: str) -> ChatModel:
        self.answers += answers
        return ChatModel(HttpChat(self.url, "m", key="k"))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def _json(made: Query) -> str:
    return encode(made).decode()


def counted(name: str, **labels: str) -> float:
    return METRICS.registry.get_sample_value(name, labels) or 0.0


def test_the_endpoint_is_asked_when_the_grammar_fails(endpoint: Endpoint) -> None:
    model = endpoint.model(f"Here: {_json(READ)}", "call")
    made = Translator(SYMBOLS, lambda made: True, model=model).translate("frobnicate the wibble")
    assert (made.query, made.source) == (READ, "model")
    assert endpoint.asked[0]["messages"][0] == {"role": "system", "content": system_message()}
    assert (endpoint.asked[0]["model"], endpoint.asked[0]["temperature"]) == ("m", 0)
    assert set(endpoint.keys) == {"Bearer k"}


def test_an_invalid_answer_is_asked_again_with_the_error(endpoint: Endpoint) -> None:
    model = endpoint.model('{"version":1,"target":{"construct":"banana"}}', _json(READ), "call")
    assert model.translate("frobnicate", [], ()) == READ
    roles = [message["role"] for message in endpoint.asked[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "banana" in endpoint.asked[1]["messages"][-1]["content"]


def test_another_target_is_asked_again(endpoint: Endpoint) -> None:
    model = endpoint.model(_json(LOOP), "call", _json(READ))
    assert model.translate("calls of read in a while loop", [], ()) == READ
    assert "asks for a call" in endpoint.asked[2]["messages"][-1]["content"]


def test_a_query_that_finds_nothing_is_refined(endpoint: Endpoint) -> None:
    model = endpoint.model(_json(LOOP), "while", _json(READ))
    made = Translator(SYMBOLS, lambda made: made == READ, model=model).translate("frobnicate the wibble")
    assert (made.query, made.problems) == (READ, ())
    assert "the query matches nothing" in endpoint.asked[2]["messages"][-1]["content"]


def test_three_invalid_answers_give_nothing(endpoint: Endpoint) -> None:
    assert endpoint.model("a", "b", "c").translate("x", [], ()) is None


def test_tokens_time_and_failures_are_counted(endpoint: Endpoint) -> None:
    names = ("headwater_structural_model_requests_total", "headwater_structural_model_tokens_total")
    before = (
        counted(names[0], outcome="answered"),
        counted(names[1], kind="prompt"),
        counted(names[1], kind="completion"),
    )
    invalid = counted("headwater_structural_model_invalid_total")
    timed, failed = counted("headwater_structural_model_seconds_count"), counted(names[0], outcome="failed")
    model = endpoint.model("no query", _json(READ), "call")
    assert model.translate("x", [], ()) == READ
    assert model.translate("x", [], ()) is None  # out of answers: the endpoint says 500
    after = (
        counted(names[0], outcome="answered"),
        counted(names[1], kind="prompt"),
        counted(names[1], kind="completion"),
    )
    assert [b - a for a, b in zip(before, after, strict=True)] == [3, 21, 6]
    assert counted("headwater_structural_model_invalid_total") == invalid + 1
    assert counted("headwater_structural_model_seconds_count") == timed + 3
    assert counted(names[0], outcome="failed") == failed + 1


def test_the_deadline_ends_the_talk(endpoint: Endpoint) -> None:
    left = iter([5.0, 5.0, 0.0])
    with pytest.raises(OutOfTimeError):
        endpoint.model("a", "b", "c").translate("x", [], (), lambda: next(left))
    assert len(endpoint.asked) == 1


def test_an_unknown_path_of_the_endpoint_is_an_error(endpoint: Endpoint) -> None:
    with pytest.raises(ChatError):
        HttpChat(f"{endpoint.url}/v2", "m").ask([Message("user", "hello")])


def test_examples_carry_comments() -> None:
    assert commented(READ).startswith("// the target: a call\n// of which holds: ")


def test_recorded_conversation_is_replayed(endpoint: Endpoint, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    endpoint.answers += [_json(READ), "call"]
    recorded = ChatModel(RecordingChat(HttpChat(endpoint.url, "m"), path)).translate("q", [], ())
    assert ChatModel(ReplayChat(path)).translate("q", [], ()) == recorded == READ
    with pytest.raises(ChatError, match="record it anew"):
        ReplayChat(path).ask([Message("user", "never asked")])


def test_an_unreachable_endpoint_leaves_the_grammar_s_answer() -> None:
    model = ChatModel(HttpChat("http://127.0.0.1:1/v1", "m"))
    made = Translator(SYMBOLS, lambda made: True, model=model).translate("tainted calls to read")
    assert (made.source, made.not_understood) == ("grammar", ("tainted",))


@pytest.mark.parametrize(
    "answer",
    [
        b"[]",
        b"{}",
        b'{"choices":[]}',
        b'{"choices":[{"message":{"content":5}}]}',
        b'{"choices":[{"message":{"content":"x"}}],"usage":[1]}',
        b'{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":-1}}',
        b"[" * 100_000,
        b'{"choices":[{"message":{"content":"' + b"x" * 300_000 + b'"}}]}',
    ],
)
def test_s7_what_is_no_chat_completion_or_too_long_is_no_translation(answer: bytes) -> None:
    with answering(b"HTTP/1.0 200 OK\r\n\r\n" + answer) as url, pytest.raises(ChatError, match="model endpoint"):
        HttpChat(url, "m").ask([Message("user", "hello")])


def test_s7_a_redirect_of_the_endpoint_is_not_followed() -> None:
    with (
        answering(b"HTTP/1.0 307 Go\r\nLocation: http://127.0.0.1:9/\r\n\r\n") as url,
        pytest.raises(ChatError, match="307"),
    ):
        HttpChat(url, "m", key="secret").ask([Message("user", "hello")])


def test_s7_an_endpoint_that_trickles_is_left_once_the_time_is_up() -> None:
    looks = iter([1.0, 1.0])
    with answering(b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\n{", hold=True) as url, pytest.raises(ChatError):
        HttpChat(url, "m").ask([Message("user", "hello")], lambda: next(looks, 0.0))


@pytest.mark.parametrize(
    "said", ["{" * 200_000, '{"version":1,"target":' * 5_000, '{"version":1,"version":1}', "\ud800{}"]
)
def test_s16_what_the_model_says_is_read_as_strictly_as_a_caller_s_query(said: str) -> None:
    class Saying:
        def ask(self, messages: list[Message], remaining: Remaining = unlimited) -> Reply:
            return Reply(said)

    assert ChatModel(Saying()).translate("x", [], ()) is None


@pytest.mark.parametrize("url", ["ftp://model/v1", "model", "http://u:p@localhost/v1", "http://models.example/v1"])
def test_s7_a_key_is_given_to_an_address_over_tls_or_of_this_machine(url: str) -> None:
    with pytest.raises(ValueError, match="model's"):
        HttpChat(url, "m", key="secret")


@contextmanager
def answering(raw: bytes, *, hold: bool = False) -> Iterator[str]:
    """A server that answers one request with these bytes, and keeps the connection when it should `hold`."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        done = threading.Event()

        def serve() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.recv(65_536)
                connection.sendall(raw)
                if hold:
                    done.wait()
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65_536):  # closing on what is unread would take the answer back
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        finally:
            done.set()
            thread.join()
