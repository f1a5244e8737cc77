"""Which texts are taken for secrets. Samples are put together here, so that this file is none."""

import pytest

from headwater.ast_chunker.secret_scan import find_secret
from headwater.domain.treatment import ContentRules

BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"
LONG = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdEfGhIjKlMnOpQ"


def pem(kind: str, body: str = BODY, head: str = "") -> str:
    return f"-----BEGIN {kind}-----\n{head}{body}\n-----END {kind}-----\n"


PRIVATE = "PRIVATE" + " KEY"


@pytest.mark.parametrize(
    "text",
    [
        pem(PRIVATE),
        pem(f"RSA {PRIVATE}"),
        pem(f"EC {PRIVATE}"),
        pem(f"OPENSSH {PRIVATE}"),
        pem(f"ENCRYPTED {PRIVATE}"),
        pem(f"PGP {PRIVATE} BLOCK", BODY, "Version: GnuPG v2\n\n"),
        pem(f"RSA {PRIVATE}", BODY, "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n"),
        pem(PRIVATE).replace("\n", "\r\n"),
        '{"private_key": "' + pem(PRIVATE).replace("\n", "\\n") + '"}',
        "".join(f'  "{line}\\n" +\n' for line in pem(PRIVATE).splitlines()),
        f"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n{BODY}\n",
    ],
)
def test_private_keys(text: str) -> None:
    assert find_secret(f"x\n\n{text}".encode(), ContentRules()).startswith("private key on line ")


@pytest.mark.parametrize(
    "text",
    [
        f"if '-----BEGIN {PRIVATE}-----' in text:\n    return read_private_key_from_the_file(text)\n",
        pem(PRIVATE, "A" * 200),
        pem(PRIVATE, "…"),
        pem("CERTIFICATE"),
        pem("PUBLIC KEY"),
        pem("PGP PUBLIC KEY BLOCK"),
        "AKIA" + "IOSFODNN7EXAMPLE",
        "ghp_" + "x" * 36,
        "xghp_" + LONG[:36],
        "the npm_config_registry_setting_of_the_package_manager",
        "hf_hub_download_with_a_long_name_is_a_function",
        "",
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert find_secret(text.encode(), ContentRules()) == ""


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("AKIA" + "Q3EGRJ7PZ2K5XWTB", "AWS access key"),
        ("ghp_" + LONG[:36], "GitHub token"),
        ("github_pat_" + LONG + LONG[:34], "GitHub token"),
        ("glpat-" + LONG[:20], "GitLab token"),
        ("xoxb-" + "123456789012-" + LONG[:24], "Slack token"),
        ("AIza" + LONG[:35], "Google API key"),
        ("sk_live_" + LONG[:24], "Stripe key"),
        ("npm_" + LONG[:36], "npm token"),
        ("pypi-AgEI" + LONG + LONG, "PyPI token"),
        ("sk-ant-" + LONG, "model provider key"),
    ],
)
def test_tokens_are_named_with_their_line(token: str, name: str) -> None:
    assert find_secret(f"a = 1\nkey = '{token}'\n".encode(), ContentRules()) == f"{name} on line 2"


def test_kinds_can_be_chosen_and_patterns_added() -> None:
    text = pem(PRIVATE) + "ghp_" + LONG[:36] + "\ncorp-0042\n"
    assert find_secret(text.encode(), ContentRules(secrets=())) == ""
    assert find_secret(text.encode(), ContentRules(secrets=("token",))) == "GitHub token on line 4"
    own = ContentRules(secrets=(), secret_patterns=(r"nothing", r"corp-\d{4}"))
    assert find_secret(text.encode(), own) == "configured pattern 2 on line 5"
