"""`Askback`: the same as `AsyncAskback` for programs without asyncio."""

from __future__ import annotations

import asyncio
import os
import threading
from typing import TYPE_CHECKING, Any, Coroutine, Generic, Iterator, Optional, Sequence, TypeVar, overload

from ._async import AskOptions, AsyncAskback, AsyncInquiry, Event, StartOptions, Typed
from ._errors import Json
from ._kinds import Choice

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")


class _Loop:
    """An event loop in a thread of its own, so that this works in notebooks and beside other loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._process = 0

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(coroutine, self._running())
        try:
            return future.result()
        except BaseException:  # Such as Ctrl+C: do not leave the wait behind.
            future.cancel()
            raise

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # A forked process has the loop, but not its thread.
            if self._loop is None or self._process != os.getpid():
                self._loop, self._process = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="askback", daemon=True).start()
            return self._loop


LOOP = _Loop()


class Inquiry(Generic[T]):
    """An inquiry that was asked with `Askback.start`."""

    def __init__(self, inquiry: AsyncInquiry[T]) -> None:
        self._async = inquiry

    @property
    def id(self) -> str:
        return self._async.id

    @property
    def inquiry(self) -> Json:
        """What the server said last: `status`, `questions`, `outcome` with notes, `answered_by` and so on."""
        return self._async.inquiry

    def value(self) -> T:
        """The answer that is known; without one, raises the exception that says why."""
        return self._async.value()

    def wait(self, timeout: Optional[float] = None) -> T:
        """Waits for the answer. After `timeout` seconds raises `Pending`; the question stays open."""
        return LOOP.run(self._async.wait(timeout))

    def withdraw(self) -> bool:
        """Ends the question without an answer. False if it had ended before."""
        return LOOP.run(self._async.withdraw())

    def link(self, expires_in: str = "1d") -> str:
        """The address of a page on which anybody who has it can answer this question."""
        return LOOP.run(self._async.link(expires_in))


class Askback:
    """Asks a person, and waits for the answer. Several threads may use one client."""

    def __init__(
        self, url: Optional[str] = None, token: Optional[str] = None, *,
        data: Optional[str] = None, source: Optional[str] = None,
    ) -> None:  # fmt: skip
        """Without `url` (`ASKBACK_URL`), uses the server of the data directory `data` (`ASKBACK_DATA`).

        `source` says who asks, as text for the person.
        """
        self._async = AsyncAskback(url, token, data=data, source=source)

    def run(self, name: str) -> Askback:
        """A client that gives each question a key by its order and text: see `AsyncAskback.run`."""
        client = Askback()
        client._async = self._async.run(name)
        return client

    @overload
    def ask(self, question: str, kind: Typed[T], **options: Unpack[AskOptions]) -> T: ...
    @overload
    def ask(self, question: str, kind: Sequence[Choice], **options: Unpack[AskOptions]) -> str: ...
    @overload
    def ask(self, question: str, kind: Any, **options: Unpack[AskOptions]) -> Any: ...
    def ask(self, question: str, kind: Any, **options: Any) -> Any:
        """Asks and waits for the answer, in the type that `kind` says: see `AsyncAskback.ask`."""
        return LOOP.run(self._async.ask(question, kind, **options))

    @overload
    def start(self, question: str, kind: Typed[T], **options: Unpack[StartOptions]) -> Inquiry[T]: ...
    @overload
    def start(self, question: str, kind: Sequence[Choice], **options: Unpack[StartOptions]) -> Inquiry[str]: ...
    @overload
    def start(self, question: str, kind: Any, **options: Unpack[StartOptions]) -> Inquiry[Any]: ...
    def start(self, question: str, kind: Any, **options: Any) -> Inquiry[Any]:
        """Asks and does not wait."""
        return Inquiry(LOOP.run(self._async.start(question, kind, **options)))

    def wait_any(self, inquiries: Sequence[Inquiry[T]], timeout: Optional[float] = None) -> Inquiry[T]:
        """The first of several inquiries that has its outcome; its `value()` is the answer."""
        first = LOOP.run(self._async.wait_any([it._async for it in inquiries], timeout))
        return next(it for it in inquiries if it._async is first)

    def events(self, after: Optional[str] = None) -> Iterator[Event]:
        """All events from now on, or after an earlier one: see `AsyncAskback.events`."""
        events = self._async.events(after)
        try:
            while True:
                yield LOOP.run(events.__anext__())  # type: ignore[arg-type]
        finally:
            LOOP.run(events.aclose())  # type: ignore[attr-defined]
