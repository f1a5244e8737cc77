"""What a tool gives an agent: places and code within a token budget, and what is true of the answer as a whole."""

from pydantic import BaseModel, Field


class Hit(BaseModel):
    """One place in the code."""

    at: str = Field(description="path:line, or path:first-last; lines count from 1")
    what: str = Field(description="kind and qualified name; of a usage, its kind and the definition it means")
    view: str = Field("", description="repository@ref, where the answer is about more than one")
    code: str = Field("", description="the code there; cut code ends with a line that says so")


class Reply(BaseModel):
    """`complete`: nothing is missing but what `truncated` and `next_page` say."""

    as_of: list[str] = Field(description="repository, ref, commit and age of the index that the answer is exact for")
    results: list[Hit] = Field(default_factory=list)
    total: int = Field(0, description="results in all; a lower bound if not complete")
    complete: bool = Field(True, description="false: a limit, a deadline or a missing part of the index cut the search")
    truncated: bool = Field(False, description="true: results were left out to keep within max_tokens or limit")
    next_page: str = Field("", description="pass as `page` with the same arguments to go on")
    notes: list[str] = Field(default_factory=list, description="what else to know, and what to do next")


class ViewState(BaseModel):
    """How far the index is with one branch, tag or commit."""

    view: str = Field(description="repository@ref")
    commit: str = Field(description="the commit that is searchable; empty before the first")
    age: str = Field(description="how long ago it became searchable")
    proven: bool = Field(description="the index's own Merkle root equals the commit's tree")
    default: bool = Field(description="answers when no ref is named")
    indexing: str = Field("", description="a newer commit that is being indexed now")


class Freshness(BaseModel):
    """What is indexed and how fresh it is."""

    views: list[ViewState]
    total: int
    truncated: bool = False
    notes: list[str] = Field(default_factory=list)
