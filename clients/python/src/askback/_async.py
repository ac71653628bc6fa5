"""`AsyncAskback`: asks, waits over restarts of the server, and follows the feed."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import itertools
import json
import ssl
import time
import uuid
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, Generic, List, Optional, Sequence, Type, TypeVar
from typing import Union, overload

import httpx

from ._errors import Gone, Json, NoAnswer, Pending, Problem, Unreachable, is_resolved, no_answer
from ._kinds import Choice, Form, Kind, QuestionOptions, form_of
from ._server import Proof, find_server

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")
Typed = Union[Type[T], Kind[T]]

WAIT_SECONDS_MAX = 50.0
"""How long one request waits for an outcome. The server allows a minute."""
FIRST_REPLY_SECONDS = 5.0
"""How long to look for a server that never replied. One that did is waited for without end."""
SILENCE_SECONDS_MAX = 60.0
"""The feed has a comment every 15 seconds. Without any, its connection is dead."""
TRY_AGAIN = (408, 429, 502, 503, 504)


class StartOptions(QuestionOptions, total=False):
    """What may be said about the inquiry as a whole, besides the options of a question."""

    key: str
    source: str
    expires_in: str
    recipient: str
    metadata: Json
    webhook: str
    assumption: str
    conversation_id: str


class AskOptions(StartOptions, total=False):
    timeout: float


@dataclass(frozen=True)
class Event:
    """One event. Changes of questions have the type `inquiry`; ignore types that you do not know."""

    type: str
    data: Json
    id: Optional[str]
    """Pass it to `events(after=…)` to continue after this event. Some events have none."""


class AsyncInquiry(Generic[T]):
    """An inquiry that was asked with `AsyncAskback.start`."""

    def __init__(self, client: AsyncAskback, form: Form[T], inquiry: Json) -> None:
        self._client = client
        self._form = form
        self.inquiry = inquiry
        """What the server said last: `status`, `questions`, `outcome` with notes, `answered_by` and so on."""

    @property
    def id(self) -> str:
        return str(self.inquiry["id"])

    def value(self) -> T:
        """The answer that is known; without one, raises the exception that says why."""
        if self.inquiry["status"] != "answered":
            raise no_answer(self.inquiry)
        return self._form.read(self.inquiry)

    async def wait(self, timeout: Optional[float] = None) -> T:
        """Waits for the answer. After `timeout` seconds raises `Pending`; the question stays open."""
        await self._resolve(_Deadline(timeout))
        return self.value()

    async def withdraw(self) -> bool:
        """Ends the question without an answer. False if it had ended before."""
        try:
            self.inquiry = await self._client._post(f"/inquiries/{self.id}/withdraw", {"key": uuid.uuid4().hex})
        except Problem as problem:
            if problem.code not in ("not_pending", "not_found"):
                raise
            return False
        return True

    async def link(self, expires_in: str = "1d") -> str:
        """The address of a page on which anybody who has it can answer this question."""
        return str((await self._client._post(f"/inquiries/{self.id}/links", {"expires_in": expires_in}))["url"])

    async def _resolve(self, deadline: _Deadline) -> None:
        """Waits until the inquiry has its outcome or the time is up."""
        while not is_resolved(self.inquiry):
            sent_at, seconds = time.monotonic(), min(WAIT_SECONDS_MAX, deadline.remaining())
            try:
                path = f"/inquiries/{self.id}?wait={int(seconds * 1000)}ms"
                self.inquiry = await self._client._send("GET", path, None, deadline, seconds + 10)
            except (Problem, Unreachable) as error:
                if isinstance(error, Problem) and error.code == "not_found":
                    raise Gone({**self.inquiry, "status": "withdrawn"}) from error
                if deadline.remaining() > 0 or isinstance(error, Problem) and error.status not in TRY_AGAIN:
                    raise
            if deadline.remaining() == 0:
                return
            if not is_resolved(self.inquiry) and time.monotonic() - sent_at < 1:
                await asyncio.sleep(1)  # The server does not wait for a status that is new to this client.


class AsyncAskback:
    """Asks a person. Cancelling a task ends its wait, never the question."""

    def __init__(
        self, url: Optional[str] = None, token: Optional[str] = None, *,
        data: Optional[str] = None, source: Optional[str] = None,
    ) -> None:  # fmt: skip
        """Without `url` (`ASKBACK_URL`), uses the server of the data directory `data` (`ASKBACK_DATA`).

        `source` says who asks, as text for the person.
        """
        self._where = (url, token, data)
        self._source = {"source": source} if source else {}
        self._has_replied = False
        self._tls: Optional[ssl.SSLContext] = None
        self._key_of: Callable[[str], Json] = lambda _: {"key": uuid.uuid4().hex}

    def run(self, name: str) -> AsyncAskback:
        """A client for one run of a program, which gives each question a key by its order and text.

        A program that starts again with the same name gets the answers that it had, as long as it asks the
        same questions in the same order.
        """
        client, numbers = copy.copy(self), itertools.count(1)
        client._key_of = lambda text: {"key": f"{name}/{next(numbers)}/{hashlib.sha256(text.encode()).hexdigest()[:8]}"}
        return client

    @overload
    async def ask(self, question: str, kind: Typed[T], **options: Unpack[AskOptions]) -> T: ...
    @overload
    async def ask(self, question: str, kind: Sequence[Choice], **options: Unpack[AskOptions]) -> str: ...
    @overload
    async def ask(self, question: str, kind: Any, **options: Unpack[AskOptions]) -> Any: ...
    async def ask(self, question: str, kind: Any, **options: Any) -> Any:
        """Asks and waits for the answer, in the type that `kind` says.

        With a `key`, a program that was killed asks again and gets the same question and its answer. Without an
        answer raises a `NoAnswer`; after `timeout` seconds, this is `Pending`.
        """
        timeout = options.pop("timeout", None)
        return await (await self.start(question, kind, **options)).wait(timeout)

    @overload
    async def start(self, question: str, kind: Typed[T], **options: Unpack[StartOptions]) -> AsyncInquiry[T]: ...
    @overload
    async def start(
        self, question: str, kind: Sequence[Choice], **options: Unpack[StartOptions]
    ) -> AsyncInquiry[str]: ...
    @overload
    async def start(self, question: str, kind: Any, **options: Unpack[StartOptions]) -> AsyncInquiry[Any]: ...
    async def start(self, question: str, kind: Any, **options: Any) -> AsyncInquiry[Any]:
        """Asks and does not wait."""
        names = QuestionOptions.__annotations__
        form = form_of(question, kind, {name: it for name, it in options.items() if name in names})
        others = {name: it for name, it in options.items() if name not in names}
        body = {**self._source, **({} if "key" in others else self._key_of(question)), **others}
        return AsyncInquiry(self, form, await self._post("/inquiries", {**body, "questions": form.questions}))

    async def wait_any(self, inquiries: Sequence[AsyncInquiry[T]], timeout: Optional[float] = None) -> AsyncInquiry[T]:
        """The first of several inquiries that has its outcome; its `value()` is the answer."""
        deadline = _Deadline(timeout)
        tasks = [asyncio.ensure_future(it._resolve(deadline)) for it in inquiries]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for inquiry in inquiries:
            if is_resolved(inquiry.inquiry):
                return inquiry
        raise Pending(inquiries[0].inquiry)

    async def events(self, after: Optional[str] = None) -> AsyncIterator[Event]:
        """All events from now on, or after an earlier one. Reconnects, and resumes after the last one that had an id."""
        while True:
            try:
                headers = {"last-event-id": after} if after else {}
                async with self._connection(SILENCE_SECONDS_MAX) as (http, request):
                    async with http.stream("GET", "/events", **{**request, "headers": {**request["headers"], **headers}}) as reply:
                        if reply.status_code >= 400:
                            raise Problem(reply.status_code, _json_of(await reply.aread()))
                        async for event in _read_events(reply.aiter_lines()):
                            after = event.id or after
                            if event.type:
                                yield event
            except (httpx.TransportError, Unreachable):
                await asyncio.sleep(1)

    async def _post(self, path: str, body: Json) -> Any:
        return await self._send("POST", path, body, _Deadline(None), 30)

    async def _send(self, method: str, path: str, body: Optional[Json], deadline: _Deadline, timeout: float) -> Any:
        """Sends until there is a reply. Every request may be repeated, because it reads or has a key."""
        pause, first_reply = 0.1, _Deadline(FIRST_REPLY_SECONDS)
        while True:
            error: Exception
            try:
                async with self._connection(timeout) as (http, request):
                    reply = await http.request(method, path, json=body, **request)
                self._has_replied = True
                if reply.status_code < 400:
                    return reply.json()
                error = Problem(reply.status_code, _json_of(reply.content))
                if reply.status_code not in TRY_AGAIN:
                    raise error
            except httpx.TransportError as failure:
                error = Unreachable(f"the server cannot be reached ({failure!r}): is `askback serve` running?")
            except Unreachable as failure:
                error = failure
            if deadline.remaining() == 0 or not (self._has_replied or first_reply.remaining()):
                raise error
            await asyncio.sleep(min(pause, deadline.remaining()))
            pause = min(pause * 2, 5)

    @asynccontextmanager
    async def _connection(self, timeout: float) -> AsyncIterator[Any]:
        """A connection for one request, and what to send with it. A server that was found in a file must prove
        that it knows the token before it gets the token, and gets it on the connection that gave the proof."""
        server = find_server(*self._where)
        if server.url.startswith("https:") and self._tls is None:
            self._tls = httpx.create_ssl_context()
        settings: Any = {"base_url": server.url, "timeout": timeout, "verify": self._tls or False}
        async with httpx.AsyncClient(trust_env=not server.is_local, **settings) as http:
            request: Json = {"headers": server.headers}
            if server.must_prove:
                proof = Proof(server)
                reply = await http.get(proof.path)
                proof.check(_json_of(reply.content))
                request["extensions"] = {"trace": _refuse_connection}
            yield http, request


class _Deadline:
    """When to stop waiting; never, if `seconds` is None."""

    def __init__(self, seconds: Optional[float]) -> None:
        self._at = float("inf") if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float:
        return max(0.0, self._at - time.monotonic())


async def _refuse_connection(step: str, _: Any) -> None:
    """httpx tells each step that it takes. A new connection would lead to whoever listens there by now."""
    if step == "connection.connect_tcp.started":
        raise Unreachable("the server closed the connection after its proof")


async def _read_events(lines: AsyncIterator[str]) -> AsyncIterator[Event]:
    """The events of a stream. One without data has no type: it only tells the position."""
    fields: Dict[str, str] = {}
    async for line in lines:
        name, _, value = line.partition(":")
        if name:
            fields[name] = value[1:] if value.startswith(" ") else value
        elif not line and fields:
            has_data = "data" in fields
            yield Event(fields["event"] if has_data else "", json.loads(fields.get("data", "{}")), fields.get("id"))
            fields = {}


def _json_of(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
