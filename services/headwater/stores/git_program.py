"""Runs the git program: bounded in time, without questions to anybody, and without secrets in what it says.

What a repository itself configures (hooks, filters, monitors, helpers, transports) is never run: a repository that
was cloned or unpacked is somebody else's. The configuration of the user or the machine is theirs and holds, so their
credential helpers work. `safe.directory` stays git's: a repository of another user needs it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from headwater.runtime.child_process import ChildTimeoutError, ProgramMissingError, inherited, run
from headwater.runtime.redact import redacted
from headwater.stores.git_store import RepositoryUnreadableError

# What git and its helpers need of the environment: keys, certificates, proxies and where configuration is.
GIT_ENVIRONMENT = (
    *("SSH_AUTH_SOCK", "SSH_AGENT_PID", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_SSL_*", "GIT_HTTP_*", "GIT_PROXY_*"),
    *("*_proxy", "*_PROXY", "SSL_CERT_*", "CURL_CA_BUNDLE", "KRB5*", "DBUS_SESSION_BUS_ADDRESS"),
)
_ALWAYS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",  # a promisor remote is the repository's choice
    "GIT_NO_REPLACE_OBJECTS": "1",  # an id means what has it, here as for libgit2
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",  # and no program named git-remote-…
}
_QUIET = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.autoDetach=false", "-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false", "-c", "submodule.recurse=false", "-c", "fetch.recurseSubmodules=false"),
    *("-c", "fetch.fsckObjects=true", "-c", "diff.ignoreSubmodules=all"),
)
_NOTHING: Mapping[str, str] = MappingProxyType({})


def run_git(arguments: Sequence[str], seconds: float, own: Mapping[str, str] = _NOTHING, given: str = "") -> str:
    """What git prints. Raises RepositoryUnreadableError when it fails or takes longer; secrets are masked."""
    return ran_git(arguments, seconds, own, given)[0]


def ran_git(
    arguments: Sequence[str], seconds: float, own: Mapping[str, str] = _NOTHING, given: str = ""
) -> tuple[str, str]:
    """What it prints, bytes that are no text as surrogates, and what it says beside.

    `own` are further variables, `given` is what it reads.

    Raises RepositoryUnreadableError.
    """
    environ = {"GIT_SSH_COMMAND": "ssh -oBatchMode=yes", **inherited(GIT_ENVIRONMENT), **_ALWAYS, **own}
    try:
        read = given.encode("utf-8", "surrogateescape")
        done = run(["git", *_QUIET, *arguments], seconds=seconds, environ=environ, given=read)
    except (ProgramMissingError, FileNotFoundError) as error:
        raise RepositoryUnreadableError("the git program is not installed: install the package `git`") from error
    except ChildTimeoutError as error:
        raise RepositoryUnreadableError(str(error)) from error
    except OSError as error:
        raise RepositoryUnreadableError(f"the git program can't be started: {error}") from error
    out, said = done.out.decode("utf-8", "surrogateescape"), done.said.decode("utf-8", "replace")
    if done.status:
        raise RepositoryUnreadableError(f"git failed: {redacted(said).strip()[-500:]}")
    return out, said
