"""Finds the server, and sends requests to it until there is a reply."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import os
import secrets
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, AsyncGenerator, AsyncIterator

import httpx

from ._errors import Json, Problem, Unreachable

FIRST_REPLY_SECONDS = 5.0
"""How long to look for a server that never replied. One that did is waited for without end."""
SILENCE_SECONDS_MAX = 60.0
"""A connection without a byte for so long is dead: the feed has a comment every 15 seconds, and a wait ends after 50."""
TRY_AGAIN = (408, 429, 502, 503, 504)


@dataclass(frozen=True)
class Event:
    """One event. Changes of questions have the type `inquiry`; ignore types that you do not know."""

    type: str
    data: Json
    id: str | None
    """Pass it to `events(after=…)` to continue after this event. Some events have none."""


@dataclass(frozen=True)
class Server:
    """Its address is `ASKBACK_URL`, or from the file `server.json` of the data directory. In the latter case another
    program may listen there by now, which must not get the token."""

    url: str
    token: str = field(repr=False)
    is_from_file: bool

    async def prove(self, http: httpx.AsyncClient) -> None:
        """Lets whoever listens there prove that it knows the token. Nothing secret is sent."""
        nonce = secrets.token_hex(32)
        reply = await http.get("/server/proof", params={"nonce": nonce})
        message = f"askback server proof 1\n{self.url}\n{nonce}".encode()
        expected = hmac.new(self.token.encode(), message, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(expected.encode(), str(_object(reply.content).get("proof")).encode()):
            raise Unreachable(f"the program at {self.url} is not the server of the data directory")


def find_server(url: str | None, token: str | None, data: str | None) -> Server:
    environment = os.environ.get
    url, file = url or environment("ASKBACK_URL"), environment("ASKBACK_TOKEN_FILE")
    if not url or data:
        home = environment("XDG_DATA_HOME") or Path.home() / ".local/share"
        return _running_server(Path(data or environment("ASKBACK_DATA") or Path(home, "askback")))
    token = token or environment("ASKBACK_TOKEN") or (Path(file).read_text().strip() if file else "")
    return Server(url.rstrip("/"), token, is_from_file=False)


def _running_server(directory: Path) -> Server:
    file = directory / "server.json"
    try:
        if os.name == "posix" and file.stat().st_mode & 0o077:
            raise Unreachable(f"other users can read {file}: make it private (mode 600)")
        found = json.loads(file.read_text())
        return Server(str(found["address"]), str(found["token"]), is_from_file=True)
    except FileNotFoundError:
        raise Unreachable(f"no server runs for {directory}: start `askback serve`, or set ASKBACK_URL") from None
    except (OSError, ValueError, KeyError) as error:
        raise Unreachable(f"{file} cannot be read: {error!r}") from None


class Transport:
    """Looks for the server before each request: a restarted one may have another address."""

    def __init__(self, url: str | None, token: str | None, data: str | None) -> None:
        self._where = (url, token, data)
        self._has_replied = False

    async def send(self, method: str, path: str, body: Json | None = None) -> Any:
        """Sends until there is a reply. Every request may be repeated, because it reads or has a key."""
        pause, give_up_at = 0.1, time.monotonic() + FIRST_REPLY_SECONDS
        while True:
            try:
                async with self._stream(method, path, json=body) as reply:
                    content = await reply.aread()
                    self._has_replied = True
                    return json.loads(content)
            except Unreachable:
                if not self._has_replied and time.monotonic() > give_up_at:
                    raise
            await asyncio.sleep(pause)
            pause = min(pause * 2, 5)

    async def events(self, after: str | None) -> AsyncGenerator[Event, None]:
        while True:
            try:
                async with self._stream("GET", "/events", headers={"last-event-id": after} if after else {}) as reply:
                    async for event in read_events(reply.aiter_lines()):
                        after = event.id or after
                        if event.type:
                            yield event
            except Unreachable:
                await asyncio.sleep(1)

    @asynccontextmanager
    async def _stream(self, method: str, path: str, **request: Any) -> AsyncIterator[httpx.Response]:
        """A reply to one request, which succeeded. The token is sent on the connection that gave the proof."""
        server = find_server(*self._where)
        settings: Json = {"trust_env": not server.is_from_file, "verify": server.url.startswith("https:")}
        try:
            async with httpx.AsyncClient(base_url=server.url, timeout=SILENCE_SECONDS_MAX, **settings) as http:
                if server.is_from_file:
                    await server.prove(http)
                    request["extensions"] = {"trace": _refuse_connection}
                http.headers.update({"authorization": f"Bearer {server.token}"} if server.token else {})
                async with http.stream(method, path, **request) as reply:
                    if reply.status_code in TRY_AGAIN:
                        raise Unreachable(f"the server at {server.url} replied {reply.status_code}")
                    if reply.status_code >= 400:
                        self._has_replied = True
                        raise Problem(reply.status_code, _object(await reply.aread()))
                    yield reply
        except httpx.TransportError as error:
            raise Unreachable(f"{server.url} cannot be reached ({error!r}): is `askback serve` running?") from error


async def _refuse_connection(step: str, _: Any) -> None:
    """httpx tells each step that it takes. A new connection would lead to whoever listens there by now."""
    if step == "connection.connect_tcp.started":
        raise Unreachable("the server closed the connection after its proof")


def _object(content: bytes) -> Json:
    """The content as JSON, or nothing if it is no object."""
    try:
        return dict(json.loads(content))
    except (ValueError, TypeError):
        return {}


async def read_events(lines: AsyncIterator[str]) -> AsyncIterator[Event]:
    """The events of a stream. One without data has no type: it only tells the position."""
    fields: dict[str, str] = {}
    async for line in lines:
        name, _, value = line.partition(":")
        if name:
            fields[name] = value[1:] if value.startswith(" ") else value
        elif not line and fields:
            has_data = "data" in fields
            yield Event(fields["event"] if has_data else "", json.loads(fields.get("data", "{}")), fields.get("id"))
            fields = {}
