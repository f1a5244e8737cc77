"""A dead letter keeps everything: written, read and sent again it is the same message."""

from headwater.streaming.dead_letter import DeadLetter
from headwater.streaming.message import Partition, Received, ToSend


def stored(message: ToSend) -> Received:
    return Received(Partition(message.topic, 0), 3, message.key, message.value, dict(message.headers))


def test_it_survives_writing_and_reading() -> None:
    original = Received(Partition("file-changed-bulk", 4), 17, b"k", b"\xff{", {"lane": b"bulk", "traceparent": b"00"})
    letter = DeadLetter.of(original, "not JSON: línea", 3, "ast-chunker")
    written = letter.message()
    assert written.topic == "file-changed-dlq"
    assert DeadLetter.read(stored(written)) == letter
    assert letter.original() == ToSend("file-changed-bulk", b"k", b"\xff{", (("lane", b"bulk"), ("traceparent", b"00")))


def test_a_replayed_letter_that_fails_again_has_one_set_of_own_headers() -> None:
    first = DeadLetter.of(Received(Partition("heartbeat", 0), 1, None, b"x", {}), "a", 1, "reconciler")
    again = Received(Partition("heartbeat", 0), 9, None, b"x", dict(first.original().headers))
    second = DeadLetter.of(again, "b", 1, "reconciler").message()
    assert [name for name, _ in second.headers].count("dlq-reason") == 1
