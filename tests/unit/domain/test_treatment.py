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
    ("name", "value"),
    [
        ("MAX_BYTES", "0"),
        ("SECRETS", "everything"),
        ("SECRET_PATTERNS", "("),
        ("IGNOER", "x"),
        *(
            (name, pattern)
            for name in ("IGNORE", "ONLY")
            for pattern in ("./secrets/", "secrets\\", "[x", "!a//b", "{a/")
        ),
        ("LIMITS", '[{"repositories": ["a"], "ignore": ["/"]}]'),
        ("LIMITS", '[{"repositories": ["a//b"], "max_bytes": 5}]'),
        ("LIMITS", "{}"),
        ("LIMITS", '[{"repositories": ["a"], "max_byte": 5}]'),
        ("LIMITS", '[{"repositories": [], "max_bytes": 5}]'),
    ],
)
def test_s9_bad_settings_are_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"HEADWATER_INDEXING_{name}"):
        treatment_from({f"HEADWATER_INDEXING_{name}": value})


def test_limits_hold_for_the_repositories_that_they_name() -> None:
    text = (
        '[{"repositories": ["acme/*"], "max_bytes": 9, "ignore": ["b/"]},'
        ' {"repositories": ["acme/app"], "max_bytes": 5, "max_files": 3}]'
    )
    treatment = treatment_from({"HEADWATER_INDEXING_LIMITS": text, "HEADWATER_INDEXING_IGNORE": "a/"})
    app, lib, other = (treatment.of(name) for name in ("acme/app", "acme/lib", "else/acme/lib"))
    assert (app.max_bytes, app.max_files, app.ignore) == (5, 3, ("a/", "b/"))
    assert (lib.max_bytes, lib.max_files, lib.ignore) == (9, 0, ("a/", "b/"))
    assert other.rules == treatment_from({"HEADWATER_INDEXING_IGNORE": "a/"}).rules


def test_only_limits_that_matter_to_a_file_name_its_document() -> None:
    rules = ContentRules(max_bytes=1000, max_parsed_bytes=300)
    assert rules.for_size(100).variant == ""
    assert rules.for_size(101).variant == ContentRules(max_parsed_bytes=300).variant
    assert rules.for_size(1001) == rules
    assert {rules.for_size(size).variant for size in (0, 100, 101, 1000, 1001, 1 << 40)} <= rules.by_variant().keys()
