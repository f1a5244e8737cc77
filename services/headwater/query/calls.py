"""Every call of every service: its place, turns and waits; one record and a clear status, whatever its end."""

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from contextlib import ExitStack, nullcontext, suppress
from functools import partial
from typing import Any

import grpc
from grpc_status import rpc_status

from headwater.domain.query_error import QueryError, UnavailableError, UnexpectedError
from headwater.limits import limits
from headwater.query.call import Call
from headwater.query.caller import Authorise, allow_all, caller_of
from headwater.query.capacity import Capacity
from headwater.query.deadline import cancelled, deadline_passed
from headwater.query.engine import Engine
from headwater.query.freshness import RECHECK_S, NotYetError
from headwater.query.identity.audit import AuditLog
from headwater.query.method import Method
from headwater.query.workers import Lane, Workers
from headwater.rpc.status import status_of

LOG = logging.getLogger(__name__)
LOOKS_AT_ONCE = 4
MANY = 1 << 30


class Calls:
    """One for a server, made and used on its event loop."""

    def __init__(
        self,
        engine: Engine,
        workers: Workers,
        threads: int,
        most: int,
        authorise: Authorise = allow_all,
        audit: AuditLog | None = None,
    ) -> None:
        """`most` calls of a kind are taken on, `threads` of them work at once."""
        self._engine, self._workers, self._authorise, self._audit = engine, workers, authorise, audit
        bounds = limits()
        self._lanes = {
            "": Lane(threads, most),
            "structural": Lane(bounds.structural_questions, most),
            "operations": Lane(bounds.operations_at_once, most),
        }
        self._looks = Lane(LOOKS_AT_ONCE, MANY)
        self._waiting = Capacity(bounds.waiting_callers, bounds.waiting_callers_each, "waiting_callers")
        self._streams = Capacity(bounds.open_streams, bounds.open_streams_each, "open_streams")
        self._under_way: set[Call] = set()
        self._stopping = False
        self._woken: set[asyncio.Event] = set()  # by what those who wait are woken

    def stop(self) -> None:
        """Who waits is told to go; what works goes on."""
        self._stopping = True
        for moved in self._woken:
            moved.set()

    def abandon(self) -> None:
        """Whatever still works is told that nobody waits for it."""
        for call in self._under_way:
            call.cancellation.cancel()

    def handler(self, method: Method) -> grpc.RpcMethodHandler:
        if method.streams:
            return grpc.unary_stream_rpc_method_handler(partial(self._stream, method))
        return grpc.unary_unary_rpc_method_handler(partial(self._unary, method))

    async def _unary(self, method: Method, raw: bytes, context: grpc.aio.ServicerContext) -> bytes:
        call = Call(method, raw, caller_of(context), self._authorise, self._audit, context.time_remaining())
        error = await self._ended(call, self._answered(call))
        if error is not None:
            await _abort(context, error)
        return call.sent

    async def _stream(self, method: Method, raw: bytes, context: grpc.aio.ServicerContext) -> None:
        call = Call(method, raw, caller_of(context), self._authorise, self._audit, context.time_remaining())
        error = await self._ended(call, self._streamed(call, context))
        if error is not None:
            await _abort(context, error)

    async def _answered(self, call: Call) -> None:
        await self._turn(call)

    async def _streamed(self, call: Call, context: grpc.aio.ServicerContext) -> None:
        """The next part is looked for only once the last has left: a slow reader holds no thread."""
        with ExitStack() as held:
            while await self._turn(call):
                if call.parts == 1:
                    held.enter_context(self._streams.place(call.counted_as))
                await context.write(call.sent)

    async def _turn(self, call: Call) -> bool:
        """The call's next message, after whatever it waits for; False when there is none."""
        lane, begun = self._lanes[call.method.lane], call.parts > 0
        while True:
            try:
                with nullcontext() if begun else lane.place():  # whoever was taken on once isn't refused later
                    return await self._workers.run(call.advance, lane)
            except NotYetError as late:
                if call.deadline.passed:
                    raise
                call.wait_for(late.views)
                begun = True
            with self._waiting.place(call.counted_as):
                await self._until_held(call)

    async def _until_held(self, call: Call) -> None:
        """Until the index holds what the call waits for, or its time is up. Each look is under grants of now."""
        moved, loop = asyncio.Event(), asyncio.get_running_loop()
        self._woken.add(moved)
        try:
            with self._engine.arrivals.told(lambda: loop.call_soon_threadsafe(moved.set)):
                while not call.deadline.passed:
                    if self._stopping:
                        raise UnavailableError("STOPPING", "the service is being stopped: ask again, of another one")
                    moved.clear()
                    if await self._workers.run(partial(call.holds, self._engine), self._looks):
                        return
                    with suppress(TimeoutError):
                        await asyncio.wait_for(moved.wait(), min(RECHECK_S, call.deadline.remaining()))
        finally:
            self._woken.discard(moved)

    async def _ended(self, call: Call, work: Coroutine[Any, Any, None]) -> QueryError | None:
        """Runs it to its end and keeps a record of that end."""
        self._under_way.add(call)
        try:
            async with asyncio.timeout(call.method.longest_s) as longest:
                await work
            return None
        except QueryError as error:
            return await _recorded(call, error)
        except asyncio.CancelledError:
            call.cancellation.cancel()
            asyncio.get_running_loop().run_in_executor(None, call.failed, cancelled())
            raise
        except Exception as error:
            if isinstance(error, TimeoutError) and longest.expired():
                return await _recorded(call, deadline_passed())
            number = secrets.token_hex(6)  # found in the log by the id that the caller is told
            LOG.exception("%s failed unexpectedly: %s", call.method.name, number)
            return await _recorded(call, UnexpectedError(number))
        finally:
            self._under_way.discard(call)
            call.cancellation.cancel()


async def _recorded(call: Call, error: QueryError) -> QueryError:
    await asyncio.get_running_loop().run_in_executor(None, call.failed, error)
    return error


async def _abort(context: grpc.aio.ServicerContext, error: QueryError) -> None:
    status = rpc_status.to_status(status_of(error))
    await context.abort(status.code, status.details, status.trailing_metadata)
