"""The HTTP server of the page: static files of the package, /api, strict headers, bounded work."""

import threading
from types import TracebackType
from typing import Self

from headwater.domain.address import AddressError, parse_address
from headwater.domain.asking import Asker
from headwater.runtime.http_connections import Connections, Connections6
from headwater.web.caller import Authorise, Observe, allow_all, unobserved
from headwater.web.handler import Handler
from headwater.web.request import Names
from headwater.web.site import Site


class WebServer:
    """Started by `start`, stopped by `stop`; a context manager does both. Raises OSError for a bad address."""

    def __init__(
        self,
        asker: Asker,
        address: str = "127.0.0.1:8080",
        authorise: Authorise | None = None,
        observe: Observe = unobserved,
        hosts: tuple[str, ...] | None = (),
    ) -> None:
        """Without `authorise` everybody who reaches the address reads everything: only loopback will do then.

        `hosts` are the names that an address beyond loopback goes by; None: any.
        """
        try:
            at = parse_address(address)
        except AddressError as error:
            raise OSError(str(error)) from error
        if authorise is None and not at.is_loopback:
            raise OSError(f"{address} is reachable by others and nothing says who may ask: listen on 127.0.0.1")
        names = Names() if at.is_loopback else Names(hosts, reachable=True)
        handler = type("Handler", (Handler,), {"site": Site(asker, authorise or allow_all, observe, names)})
        try:
            self._server = (Connections6 if ":" in at.host else Connections)(
                (at.host, at.port), handler, "web_connections"
            )
        except OSError as error:
            raise OSError(f"can't listen on {address}: choose another address ({error})") from error
        self._thread = threading.Thread(target=self._server.serve_forever, name="web", daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
