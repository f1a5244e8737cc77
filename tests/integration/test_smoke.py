"""What `helm test` and the canary ask over real loopback servers: with no identity, a token or a certificate."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from headwater.clients.static_model import StaticModel
from headwater.deployment.parts.caller import CallerSettings, connect
from headwater.deployment.smoke import run
from headwater.metrics import Metrics
from headwater.query.caller import allow_all
from headwater.query.engine import Engine, Parts
from headwater.query.identity.compose import access_control
from headwater.query.identity.settings import AccessSettings
from headwater.query.server import QueryServer, ServerSettings
from headwater.reconciler.canary import Canary
from headwater.settings import SettingsError
from support.chart import environment, least, pods
from support.loopback import Authority, Issuer, http_server
from support.small_index import SmallIndex

FILES = {"store.py": "def save_order(order):\n    return order\n"}
POLICY = "version: 1\ngrants:\n  - {to: ['user:canary', 'cert:canary'], repositories: ['**']}\n"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, StaticModel())
    yield made
    made.close()


@contextmanager
def served(index: SmallIndex, settings: AccessSettings) -> Iterator[str]:
    """The server's address."""
    control = access_control(settings, "127.0.0.1:0", lambda: ["shop"])
    engine = Engine(Parts(reader=index.catalog))
    own = ServerSettings(address="127.0.0.1:0", grace_s=1, credentials=control.credentials)
    with QueryServer(engine, own, control.authorise or allow_all) as server:
        yield f"127.0.0.1:{server.port}"
    engine.close()


def test_a_question_is_asked_and_its_answer_judged(index: SmallIndex) -> None:
    with served(index, AccessSettings()) as place:
        address = {"HEADWATER_SMOKE_ADDRESS": place}
        assert run(address) == 0
        assert run({**address, "HEADWATER_SMOKE_RESULTS": "true"}) == 1, "nothing is published yet"
        index.commit(FILES)
        found = {**address, "HEADWATER_SMOKE_RESULTS": "true", "HEADWATER_SMOKE_QUESTION": "save_order"}
        assert run(found) == 0
        assert run({**found, "HEADWATER_SMOKE_QUESTION": "zzzyyyxxx"}) == 1
    assert run({**address, "HEADWATER_SMOKE_SECONDS": "1"}) == 1, "nobody listens any more"


def test_the_canary_sings_only_as_who_may_read(index: SmallIndex, tmp_path: Path) -> None:
    index.commit(FILES)
    policy, token, issuer = tmp_path / "policy.yaml", tmp_path / "token", Issuer()
    policy.write_text(POLICY)
    with http_server(issuer.answer) as issuer.url:
        access = AccessSettings(oidc_issuer=issuer.url, oidc_audience="headwater", policy=str(policy))
        with served(index, access) as address:
            caller = CallerSettings(token_file=str(token))
            canary = Canary(index.catalog, partial(connect, address, caller), Metrics())
            with pytest.raises(SettingsError, match="token"):
                canary.look()
            for subject, failures in (("nobody", 1), ("canary", 0)):
                token.write_text(issuer.token(subject))
                assert canary.look() == failures
            assert Canary(index.catalog, partial(connect, address, CallerSettings()), Metrics()).look() == 1


def test_the_pod_of_helm_test_runs_as_it_is_rendered(index: SmallIndex, tmp_path: Path) -> None:
    """Its command and its environment, with the folders of its Secrets elsewhere."""
    index.commit(FILES)
    authority = Authority(tmp_path)
    files = {"server": authority.issue("server"), "caller": authority.issue("canary")}
    for name, (key, chain) in files.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "tls.key").write_bytes(key)
        (tmp_path / name / "tls.crt").write_bytes(chain)
    (tmp_path / "ca").mkdir()
    (tmp_path / "ca" / "ca.crt").write_bytes(authority.file.read_bytes())
    (tmp_path / "policy.yaml").write_text(POLICY)
    access = AccessSettings(
        tls_certificate=str(tmp_path / "server" / "tls.crt"),
        tls_key=str(tmp_path / "server" / "tls.key"),
        client_ca=str(authority.file),
        policy=str(tmp_path / "policy.yaml"),
    )
    values = {"anonymous": False, "tls": {"existingSecret": "tls", "clientCa": True}, "caSecret": "ca"}
    asked = {"question": "save_order", "results": True}
    pod = pods(least(access=values, canary={"existingSecret": "c", "identity": "certificate"}, test=asked))[
        "test-search"
    ]
    with served(index, access) as address:
        given = {name: value.replace("/etc/headwater", str(tmp_path)) for name, value in environment(pod).items()}
        assert given["HEADWATER_SMOKE_ADDRESS"] == "demo-headwater-query:7070"
        given["HEADWATER_SMOKE_ADDRESS"] = address
        command = [sys.executable, *pod["containers"][0]["command"][1:]]
        environ = {**os.environ, **given}
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        assert "1 results as of" in done.stderr
        environ.pop("HEADWATER_CALLER_CERTIFICATE")
        environ.pop("HEADWATER_CALLER_KEY")
        environ["HEADWATER_SMOKE_SECONDS"] = "1"
        refused = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
        assert refused.returncode == 1
