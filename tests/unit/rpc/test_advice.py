"""What to do after an error is said in the words of the surface that is used, and of no other."""

import pytest

from headwater.cli.command_error import command_error_of
from headwater.domain.query_error import NotFoundError
from headwater.mcp_server.advice import advice
from headwater.rpc.requests import error_of
from headwater.rpc.status import NEXT, status_of
from headwater.web.response import failure

GRPC = ("ListViews", "GetFileStatus", "Grep ", "page_token")
COMMANDS = ("headwater ", "--")
TOOLS = ("call freshness", "call search", "in repos", "in refs")


@pytest.mark.parametrize("reason", sorted(NEXT))
def test_r5_each_surface_advises_in_its_own_words(reason: str) -> None:
    error = NotFoundError(reason, "no such thing", ("near", "by"))
    status = status_of(error)
    said = {
        GRPC: status.message,
        COMMANDS: str(command_error_of(error)),
        TOOLS: advice(error),
        (): failure(error).body.decode(),
    }
    for own, message in said.items():
        assert "no such thing" in message
        assert len(message) > len("no such thing: ")
        foreign = [word for words in said if words != own for word in words]
        assert not [word for word in foreign if word in message] or reason == "NOTHING_INDEXED", message


@pytest.mark.parametrize("reason", [*sorted(NEXT), "OTHER"])
def test_r5_advice_for_grpc_callers_goes_no_further_than_they(reason: str) -> None:
    passed_on = error_of(status_of(NotFoundError(reason, "no such thing: really")))
    assert (passed_on.reason, passed_on.message) == (reason, "no such thing: really")
