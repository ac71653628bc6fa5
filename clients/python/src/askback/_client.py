"""`AsyncAskback` asks, and waits for the answer over restarts of the server. `Askback` does the same without asyncio."""

from __future__ import annotations

import asyncio
import copy
import functools
import hashlib
import itertools
import os
import threading
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Coroutine, Generic, Iterator, Sequence, _SpecialForm

from ._errors import OUTCOMES, Json, Pending, Problem, Unreachable
from ._kinds import Kind, QuestionOptions, T, kind_of
from ._server import Event, Transport

if TYPE_CHECKING:
    import typing_extensions as ext

    P = ext.ParamSpec("P")
    A = ext.TypeVar("A", default=Any)
    AnyInquiry = ext.TypeVar("AnyInquiry", bound="_Inquiry[Any]")
    Typed = ext.Union[ext.TypeForm[A], Kind[A], Sequence[A], _SpecialForm]
    """A type, or choices. mypy knows no more of `Literal` and `Optional` than that they are special forms."""


class Options(QuestionOptions, total=False):
    """What may be said about the inquiry as a whole, besides the options of a question."""

    timeout: float | None
    key: str
    source: str
    expires_in: str
    recipient: str
    metadata: Json
    webhook: str
    assumption: str
    conversation_id: str


class _Inquiry(Generic[T]):
    """What `Inquiry` and `AsyncInquiry` share. Its coroutines are their methods."""

    def __init__(self, transport: Transport, kind: Kind[T], inquiry: Json) -> None:
        self._transport, self._kind, self.id = transport, kind, str(inquiry["id"])
        self.inquiry = inquiry
        """What the server said last: `status`, `questions`, `outcome` with notes, `answered_by` and so on."""

    async def _wait(self, timeout: float | None = None) -> T:
        """Waits for the answer. After `timeout` seconds raises `Pending`; the question stays open."""
        await _wait_any([self], timeout)
        if no_answer := OUTCOMES[self.inquiry["status"]]:
            raise no_answer(self.inquiry)
        return self._kind.read_answers(self.inquiry)

    async def _withdraw(self) -> bool:
        """Ends the question without an answer. False if it had ended before."""
        try:
            self.inquiry = await self._transport.send("POST", f"/inquiries/{self.id}/withdraw", {"key": os.urandom(16).hex()})
            return True
        except Problem as problem:
            if problem.code in ("not_pending", "not_found"):
                return False
            raise

    async def _link(self, expires_in: str = "1d") -> str:
        """The address of a page on which anybody who has it can answer this question."""
        return str((await self._transport.send("POST", f"/inquiries/{self.id}/links", {"expires_in": expires_in}))["url"])

    async def _resolve(self) -> ext.Self:
        while self.inquiry["status"] not in OUTCOMES:
            try:
                self.inquiry = await self._transport.send("GET", f"/inquiries/{self.id}?wait=50s")
            except Problem as problem:
                if problem.code != "not_found":
                    raise
                self.inquiry = {**self.inquiry, "status": "withdrawn"}
            if self.inquiry["status"] not in OUTCOMES:
                await asyncio.sleep(0.5)  # The server does not wait for a status that is new to this client.
        return self


async def _first(coroutines: Sequence[Coroutine[Any, Any, T]], timeout: float | None) -> T | None:
    """The result of the first that ends; None after `timeout` seconds. Ends the others."""
    tasks = [asyncio.ensure_future(it) for it in coroutines]
    seconds = None if timeout is None else max(timeout, 1.0)  # Even without time to wait, the server is asked once.
    try:
        ended, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return ended.pop().result() if ended else None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _wait_any(inquiries: Sequence[AnyInquiry], timeout: float | None = None) -> AnyInquiry:
    """The first of several inquiries that has its outcome. After `timeout` seconds raises `Pending`."""
    if resolved := await _first([it._resolve() for it in inquiries], timeout):
        return resolved
    raise Pending(inquiries[0].inquiry)


class AsyncInquiry(_Inquiry[T]):
    """An inquiry that was asked with `AsyncAskback.start`."""

    wait = _Inquiry[T]._wait
    withdraw = _Inquiry[T]._withdraw
    link = _Inquiry[T]._link


class Client:
    """What `Askback` and `AsyncAskback` share. Its coroutines are their methods."""

    def __init__(
        self, url: str | None = None, token: str | None = None, *, data: str | None = None, source: str | None = None
    ) -> None:
        """Asks the server at `url` (`ASKBACK_URL`) or of the directory `data` (`ASKBACK_DATA`). `source` says who asks."""
        self._transport, self._source = Transport(url, token, data), source
        self._key_of: Callable[[str], str] = lambda _: os.urandom(16).hex()

    def run(self, name: str) -> ext.Self:
        """A client for one run of a program, which gives each question a key by its order and text. A program that starts
        again with the same name gets the answers that it had, as long as it asks the same questions in the same order."""
        client, numbers = copy.copy(self), itertools.count(1)
        client._key_of = lambda text: f"{name}/{next(numbers)}/{hashlib.sha256(text.encode()).hexdigest()[:8]}"
        return client

    async def _ask(self, question: str, kind: Typed[A], **options: ext.Unpack[Options]) -> A:
        """Asks and waits for the answer, in the type that `kind` says; without one raises a `NoAnswer`, and `Pending` after
        `timeout` seconds. With a `key`, a program that was killed asks again and gets the same question and its answer."""
        end = asyncio.get_running_loop().time() + (options.get("timeout") or 0)
        inquiry = await self._start(question, kind, **options)
        return await inquiry.wait(options.get("timeout") and end - asyncio.get_running_loop().time())

    async def _start(self, question: str, kind: Typed[A], **options: ext.Unpack[Options]) -> AsyncInquiry[A]:
        """Asks and does not wait for the answer. Raises `Unreachable` without a response in `timeout` seconds."""
        asked: Kind[A] = kind_of(kind)
        body: Json = {"source": self._source, **options}
        key = body["key"] = self._key_of(question) if body.get("key") is None else body["key"]
        of_question = {name: body.pop(name) for name in QuestionOptions.__annotations__ if name in body}
        body["questions"] = asked.questions(question, of_question)
        timeout = body.pop("timeout", None)
        if (inquiry := await _first([self._transport.send("POST", "/inquiries", body)], timeout)) is None:
            raise Unreachable(f"no response in time, so that it may be asked or not: ask again with key={key!r}")
        return AsyncInquiry(self._transport, asked, inquiry)


class AsyncAskback(Client):
    """Asks a person. Cancelling a task ends its wait, never the question."""

    ask = Client._ask
    start = Client._start
    wait_any = staticmethod(_wait_any)

    def events(self, after: str | None = None) -> AsyncIterator[Event]:
        """All events from now on, or after an earlier one. Reconnects, and resumes after the last one that had an id."""
        return self._transport.events(after)


@functools.lru_cache(maxsize=None)
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """An event loop in a thread of its own, so that this works in notebooks, beside other loops and in forked processes."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="askback", daemon=True).start()
    return loop


def block_on(coroutine: Coroutine[Any, Any, T]) -> T:
    future = asyncio.run_coroutine_threadsafe(coroutine, _loop(os.getpid()))
    try:
        return future.result()
    finally:
        future.cancel()  # Such as after Ctrl+C: do not leave the wait behind.


def _blocking(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    @functools.wraps(method)
    def call(*arguments: P.args, **options: P.kwargs) -> T:
        return block_on(method(*arguments, **options))

    return call


class Inquiry(_Inquiry[T]):
    """An inquiry that was asked with `Askback.start`."""

    wait = _blocking(_Inquiry[T]._wait)
    withdraw = _blocking(_Inquiry[T]._withdraw)
    link = _blocking(_Inquiry[T]._link)


class Askback(Client):
    """Asks a person, and waits for the answer: as `AsyncAskback`. Several threads may use one client."""

    ask = _blocking(Client._ask)
    wait_any = staticmethod(_blocking(_wait_any))

    def start(self, question: str, kind: Typed[A], **options: ext.Unpack[Options]) -> Inquiry[A]:
        """Asks and does not wait for the answer: see `AsyncAskback.start`."""
        started = block_on(self._start(question, kind, **options))
        return Inquiry(started._transport, started._kind, started.inquiry)

    def events(self, after: str | None = None) -> Iterator[Event]:
        """All events from now on, or after an earlier one: see `AsyncAskback.events`."""
        events = self._transport.events(after)

        async def following() -> Event:
            return await events.__anext__()  # Called in the loop, which closes the connection when nobody needs it.

        while True:
            yield block_on(following())
