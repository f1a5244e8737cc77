"""Pointers-only mode needs a key that nobody guesses, and leaves no dumps."""

import subprocess
import sys

import pytest

from headwater.deployment.parts.git import GitSettings, git_source, in_place
from headwater.deployment.parts.treatment import deployed_treatment
from headwater.domain.tree import TreeUnreadableError
from headwater.settings import SettingsError

ON = {"HEADWATER_INDEXING_POINTERS_ONLY": "true"}
KEY = {"HEADWATER_INDEXING_TERM_KEY": "sixteen characters"}


def test_a_key_is_required_in_the_mode_and_only_there() -> None:
    assert not deployed_treatment({}).pointers_only
    assert deployed_treatment(ON | KEY).term_key == "sixteen characters"
    for short in ({}, {"HEADWATER_INDEXING_TERM_KEY": "short"}):
        with pytest.raises(SettingsError, match="TERM_KEY"):
            deployed_treatment(ON | short)


def test_differ_and_chunker_of_different_modes_never_agree() -> None:
    plain, pointers, other = (
        deployed_treatment(environ).content.variant
        for environ in ({}, ON | KEY, ON | {"HEADWATER_INDEXING_TERM_KEY": "another one, as long"})
    )
    assert len({plain, pointers, other}) == 3


def test_a_process_in_the_mode_may_not_dump_its_memory() -> None:
    program = (
        "import resource\n"
        "from headwater.deployment.parts.treatment import deployed_treatment, without_dumps\n"
        f"without_dumps(deployed_treatment({ON | KEY!r}))\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(0, 0)"


def test_what_a_url_names_is_not_read_under_the_service_s_credentials() -> None:
    location = {"acme/shop": "https://git.example/acme/shop.git"}.get
    read = in_place(git_source(GitSettings(), location, 0.0, blobs=False), location)
    with pytest.raises(TreeUnreadableError, match="HEADWATER_ACCESS_GIT_HOST"):
        read("acme/shop", ["0" * 40])
