"""Addresses are what people mean, or refused with a line that says what to give."""

import pytest

from headwater.domain.address import AddressError, parse_address


@pytest.mark.parametrize(
    ("text", "host", "port", "loopback"),
    [
        ("127.0.0.1:7070", "127.0.0.1", 7070, True),
        ("localhost:0", "localhost", 0, True),
        ("[::1]:65535", "::1", 65535, True),
        ("0.0.0.0:80", "0.0.0.0", 80, False),
        ("code.example.com:443", "code.example.com", 443, False),
        ("127.0.0.1.evil.example:1", "127.0.0.1.evil.example", 1, False),
    ],
)
def test_addresses(text: str, host: str, port: int, loopback: bool) -> None:
    found = parse_address(text)
    assert (found.host, found.port, found.is_loopback, str(found)) == (host, port, loopback, text)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "7070", ":7070", "localhost", "localhost:", "localhost:http", "localhost:-1", "localhost:99999"),
        *("localhost:65536", "localhost:+80", "localhost: 80", "localhost:8 0", "localhost:٧٠", "localhost:0x50"),
        *("::1:7070", "[::1]", "[::1", "[]:80", "[localhost]:80", "[127.0.0.1]:80", "http://localhost:80"),
        *("a b:80", "host/path:80", "user@host:80", "-x:80", "host\n:80", "localhost:" + "9" * 5000),
    ],
)
def test_s18_what_is_no_address_is_refused_with_what_to_give(text: str) -> None:
    with pytest.raises(AddressError, match=r"give HOST:PORT, such as 127\.0\.0\.1:7070"):
        parse_address(text)
