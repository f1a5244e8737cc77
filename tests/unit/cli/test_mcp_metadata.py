"""A remote caller says who it is by the tokens of its environment, and nothing where there are none."""

from headwater.cli.commands.mcp import caller_metadata


def test_each_token_has_its_own_place() -> None:
    assert caller_metadata({}) == ()
    assert caller_metadata({"HEADWATER_TOKEN": "a"}) == (("authorization", "Bearer a"),)
    assert caller_metadata({"HEADWATER_HOST_TOKEN": "b"}) == (("x-git-token", "b"),)
    both = caller_metadata({"HEADWATER_TOKEN": "a", "HEADWATER_HOST_TOKEN": "b"})
    assert both == (("authorization", "Bearer a"), ("x-git-token", "b"))
