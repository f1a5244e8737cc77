"""No secret is left in a text, whatever says it, and a long line costs time in proportion to its length."""

import io
import logging
import sys
import threading

import pytest

from headwater.runtime.redact import mask_logs, redacted

SECRET = "s3cr3t/W#rd"
TOKEN = "A1b2C3d4" * 5


@pytest.mark.parametrize(
    "said",
    [
        f"fatal: unable to access 'https://me:{SECRET}@host/x.git/': 403",
        f"https://{TOKEN}@host/x.git",
        f"http:/me:{TOKEN}@host/x.git does not exist",
        f"postgresql://app:{SECRET}@h:5432/db",
        f'invalid dsn: missing "=" after "//app:{TOKEN}@h/db"',
        f"host=h user=u password={SECRET} dbname=d",
        f"host=h password='{SECRET} {TOKEN}'",
        f"https://h/x.git?private_token={TOKEN}&page=1",
        f"GET /?a=1&access_token={TOKEN} HTTP/1.1",
        f"Authorization: token {TOKEN}",
        f"authorization: Basic {TOKEN}, next",
        f'{{"Proxy-Authorization": "Bearer {TOKEN}"}}',
        f"PRIVATE-TOKEN: {TOKEN}",
        f"sasl.password={SECRET}",
        f'{{"sasl.password": "{SECRET}"}}',
        f"HEADWATER_QUERY_PAGE_SECRET={TOKEN}",
        f"sent ghp_{TOKEN}",
        f"sent github_pat_{TOKEN}",
        f"sent glpat-{TOKEN}",
        f"sent eyJhbGciOiJIUzI1.{TOKEN}.{TOKEN}",
        f"-----BEGIN PRIVATE KEY-----\n{TOKEN}\n-----END PRIVATE KEY-----",
    ],
)
def test_s18_secrets_are_masked(said: str) -> None:
    assert SECRET not in redacted(said)
    assert TOKEN not in redacted(said)
    assert redacted(redacted(said)) == redacted(said)


@pytest.mark.parametrize(
    "said",
    [
        "git@host:a/b.git",
        "ssh://git@host/a",
        "3 tokens of 7",
        "def tokenize(x): return x",
        "https://h/a?b=c#d",
        "node_modules/a@1.2/b",
    ],
)
def test_what_is_no_secret_stays(said: str) -> None:
    assert redacted(said) == said


def test_s18_every_record_and_every_traceback_is_masked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = logging.getLogRecordFactory()
    logging.setLogRecordFactory(logging.LogRecord)  # another test may have had them masked already
    monkeypatch.setattr("sys.excepthook", sys.__excepthook__)
    monkeypatch.setattr("threading.excepthook", threading.excepthook)
    logging.setLogRecordFactory(logging.LogRecord)  # as if no other test had masked
    written, own = io.StringIO(), logging.Logger("a library's own")
    own.addHandler(logging.StreamHandler(written))
    try:
        mask_logs()
        own.error("can't fetch %s", f"https://me:{TOKEN}@host")
        try:
            raise ValueError(f"password={TOKEN}")
        except ValueError:
            own.exception("failed")
        failing = threading.Thread(target=lambda: int(f"token={TOKEN}"))
        failing.start()
        failing.join()
    finally:
        logging.setLogRecordFactory(before)
    said = written.getvalue() + capsys.readouterr().err
    assert said.count("***") >= 3
    assert TOKEN not in said
