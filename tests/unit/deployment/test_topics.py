"""Topics of an installation that needs more partitions than by default."""

import pytest

from headwater.deployment.topics import sized
from headwater.settings import SettingsError
from headwater.streaming.topic_settings import topic_settings


def test_only_what_is_asked_for_changes() -> None:
    before = {t.name: t.partitions for t in topic_settings()}
    after = {t.name: t.partitions for t in sized(topic_settings(), ("file-changed=24", "chunk-changed-bulk=48"))}
    assert after == {**before, "file-changed": 24, "chunk-changed-bulk": 48}


@pytest.mark.parametrize("entry", ["file-changed", "nothing=4", "file-changed=0", "file-changed=-1", "file-changed=x"])
def test_a_wrong_entry_is_named(entry: str) -> None:
    with pytest.raises(SettingsError, match=entry):
        sized(topic_settings(), (entry,))
