"""The tools: one per intent, read-only, every answer with its commit."""

import time
from typing import Annotated

from pydantic import Field

from headwater.domain.asking import Asker
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FreshnessQuestion,
    GrepQuestion,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.mcp_server.age import view_state
from headwater.mcp_server.answering import Answering
from headwater.mcp_server.arguments import (
    TOKENS,
    Languages,
    Limit,
    MaxTokens,
    Page,
    Paths,
    Refs,
    Repos,
    Symbol,
    selected,
    subject,
)
from headwater.mcp_server.budget import OVERHEAD_TOKENS
from headwater.mcp_server.reply import Freshness, Reply

VIEW_TOKENS = 40
CONTEXT_SHARE = 0.85  # of the budget: the rest is for places and what is true of the answer


class Tools:
    """Methods are the tools; their docstrings are what the model reads."""

    def __init__(self, asker: Asker) -> None:
        self._asker, self._answering = asker, Answering(asker)

    def search(
        self,
        query: Annotated[str, Field(description='a name, a question in words, a path, or "quoted text"')],
        repos: Repos = (),
        refs: Refs = (),
        paths: Paths = (),
        languages: Languages = (),
        limit: Limit = 10,
        page: Page = "",
        max_tokens: MaxTokens = TOKENS,
    ) -> Reply:
        """Find code by meaning or by name. Best first call when you don't know where something is. For every use of a
        known name call usages; for exact text call grep; for whole definitions to read call context."""
        shared = selected(repos, refs, paths, languages)
        question = SearchQuestion(query=query, limit=limit, page_token=page, **shared)
        return self._answering.paged(self._asker.search, question, max_tokens)

    def definitions(
        self,
        symbol: Symbol,
        repos: Repos = (),
        refs: Refs = (),
        paths: Paths = (),
        languages: Languages = (),
        limit: Limit = 20,
        page: Page = "",
        max_tokens: MaxTokens = TOKENS,
    ) -> Reply:
        """Where a symbol is defined, with its code. An unknown name is an error with near names, never a guess."""
        shared = selected(repos, refs, paths, languages)
        question = DefinitionsQuestion(limit=limit, page_token=page, **subject(symbol), **shared)
        return self._answering.paged(self._asker.definitions, question, max_tokens)

    def usages(
        self,
        symbol: Symbol,
        kinds: Annotated[
            tuple[str, ...], Field(description="only these: call, type, import, read, write, override; empty: all")
        ] = (),
        repos: Repos = (),
        refs: Refs = (),
        paths: Paths = (),
        languages: Languages = (),
        limit: Limit = 500,
        skip: Annotated[int, Field(description="leave out the first so many, seen before", ge=0)] = 0,
        max_tokens: MaxTokens = TOKENS,
    ) -> Reply:
        """Every use of a symbol: callers, reads, writes, imports, overrides. Complete for the commit named unless
        `complete` is false. '[by name only]' marks uses that could not be tied to one definition: check those."""
        shared = selected(repos, refs, paths, languages)
        answer = self._asker.usages(UsagesQuestion(kinds=kinds, **subject(symbol), **shared))
        return self._answering.usages(answer, refs, skip, limit, max_tokens)

    def grep(
        self,
        pattern: Annotated[str, Field(description="text as written, or an RE2 expression with regex")],
        regex: bool = False,
        ignore_case: bool = False,
        multiline: Annotated[bool, Field(description="matches may span lines")] = False,
        repos: Repos = (),
        refs: Refs = (),
        paths: Paths = (),
        languages: Languages = (),
        limit: Limit = 50,
        page: Page = "",
        max_tokens: MaxTokens = TOKENS,
    ) -> Reply:
        """Find text exactly as written (error messages, literals, configuration), or by regular expression."""
        shared = selected(repos, refs, paths, languages)
        question = GrepQuestion(
            pattern=pattern,
            regex=regex,
            ignore_case=ignore_case,
            multiline=multiline,
            limit=limit,
            page_token=page,
            **shared,
        )
        return self._answering.paged(self._asker.grep, question, max_tokens)

    def context(
        self,
        query: Annotated[str, Field(description="a task or question, or a name")],
        repos: Repos = (),
        refs: Refs = (),
        paths: Paths = (),
        languages: Languages = (),
        max_tokens: MaxTokens = TOKENS,
    ) -> Reply:
        """Whole definitions to read before changing code: those that answer the query and what they call, in reading
        order, filled up to max_tokens."""
        shared = selected(repos, refs, paths, languages)
        room = int((max_tokens - OVERHEAD_TOKENS) * CONTEXT_SHARE)
        answer = self._asker.context(ContextQuestion(query=query, max_tokens=room, **shared))
        return self._answering.context(answer, refs)

    def structural(
        self,
        words: Annotated[
            str, Field(description="constructs and how they relate: 'calls of close not inside a finally block'")
        ],
        repos: Repos = (),
        refs: Refs = (),
        paths: Paths = (),
        languages: Languages = (),
        limit: Limit = 100,
        max_tokens: MaxTokens = TOKENS,
    ) -> Reply:
        """Find code by its shape: calls, loops, try blocks, assignments and how they are nested, controlled or used.
        The notes say which query was run and what was not understood: check them. Java, Python, JavaScript,
        TypeScript and Go."""
        shared = selected(repos, refs, paths, languages)
        report = self._asker.structural(StructuralQuestion(words=words, limit=limit, **shared))
        return self._answering.structural(report, refs, max_tokens)

    def freshness(
        self,
        repos: Repos = (),
        refs: Refs = (),
        min_commit: Annotated[
            str, Field(description="wait until this commit (7 to 40 hex digits) is searchable, e.g. after a push")
        ] = "",
        timeout_s: Annotated[float, Field(description="how long to wait for min_commit", gt=0, le=120)] = 10.0,
        max_tokens: MaxTokens = TOKENS,
    ) -> Freshness:
        """What is indexed: every repository and ref with its commit and age. Call it to learn repository names, or
        with min_commit to wait for a commit."""
        question = FreshnessQuestion(repos=repos, refs=refs, min_commit=min_commit, timeout_s=timeout_s)
        answer = (self._asker.freshness if min_commit else self._asker.views)(question)
        most = max(1, (max_tokens - OVERHEAD_TOKENS) // VIEW_TOKENS)
        now = time.time()
        return Freshness(
            views=[view_state(view, now) for view in answer.views[:most]],
            total=len(answer.views),
            truncated=len(answer.views) > most,
            notes=["narrow with repos to see the others"] if len(answer.views) > most else [],
        )
