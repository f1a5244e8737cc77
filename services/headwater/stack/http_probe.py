"""Asking a loopback server's health page."""

import http.client


def answers(port: int, path: str, body: bytes = b"") -> bool:
    """Whether GET `path` on 127.0.0.1 gives 200 with `body` in it, within two seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        return reply.status == 200 and body in reply.read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
