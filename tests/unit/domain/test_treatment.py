"""Settings of what is indexed, and the names under which their effects are kept."""

import pytest

from headwater.domain.treatment import ContentRules, Treatment, treatment_from
from headwater.settings import SettingsError


def test_the_defaults_have_no_name() -> None:
    assert treatment_from({}) == Treatment()
    assert (Treatment().rules, Treatment().content.variant) == ("", "")


def test_ignore_patterns_change_the_rules_but_no_document() -> None:
    treatment = treatment_from({"HEADWATER_INDEXING_IGNORE": "*.min.js,vendor/"})
    assert treatment.ignore == ("*.min.js", "vendor/")
    assert treatment.rules
    assert treatment.content.variant == ""


def test_content_rules_name_the_documents_made_under_them() -> None:
    one, other = ContentRules(max_bytes=5), ContentRules(secrets=())
    assert len({one.variant, other.variant, ""}) == 3
    assert Treatment(max_bytes=5).content == one


@pytest.mark.parametrize(
    ("name", "value"), [("MAX_BYTES", "0"), ("SECRETS", "everything"), ("SECRET_PATTERNS", "("), ("IGNOER", "x")]
)
def test_bad_settings_are_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"HEADWATER_INDEXING_{name}"):
        treatment_from({f"HEADWATER_INDEXING_{name}": value})
