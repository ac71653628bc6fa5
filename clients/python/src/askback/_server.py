"""Finds the server, and sends requests to it until there is a reply."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import secrets
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterator, NamedTuple

from ._errors import Json, Problem, Unreachable

if TYPE_CHECKING:
    import httpx

FIRST_REPLY_SECONDS = 5.0
"""How long to look for a server that never replied. One that did is waited for without end."""
SILENCE_SECONDS_MAX = 60.0
"""A connection without a byte for so long is dead: the feed has a comment every 15 seconds, and a wait ends after 50."""
TRY_AGAIN = (408, 429, 502, 503, 504)


class Event(NamedTuple):
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
        """Lets whoever listens there prove that it knows the token."""
        nonce = secrets.token_hex(32)
        reply = await http.get(f"{self.url}/server/proof?nonce={nonce}")
        message = f"askback server proof 1\n{self.url}\n{nonce}".encode()
        proof = hmac.new(self.token.encode(), message, "sha256").hexdigest()
        if f'"{proof}"' not in reply.text:
            raise Unreachable(f"the program at {self.url} is not the server of the data directory")


async def _refuse_connection(step: str, _: Any) -> None:
    """httpx tells each step that it takes. A new connection would lead to whoever listens there by now."""
    if step == "connection.connect_tcp.started":
        raise Unreachable("the server closed the connection after its proof")


def find_server(url: str | None, token: str | None, data: str | None) -> Server:
    environment = os.environ.get
    url, token_file = url or environment("ASKBACK_URL"), environment("ASKBACK_TOKEN_FILE")
    if url and not data:
        token = token or environment("ASKBACK_TOKEN") or (Path(token_file).read_text().strip() if token_file else "")
        return Server(url.rstrip("/"), token, is_from_file=False)
    home = environment("XDG_DATA_HOME") or Path.home() / ".local/share"
    file = Path(data or environment("ASKBACK_DATA") or Path(home, "askback"), "server.json")
    if not file.exists():
        raise Unreachable(f"no server runs for {file.parent}: start `askback serve`, or set ASKBACK_URL")
    if os.name == "posix" and file.stat().st_mode & 0o077:
        raise Unreachable(f"other users can read {file}: make it private (mode 600)")
    found = json.loads(file.read_text())
    return Server(found["address"], found["token"], is_from_file=True)


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
                    return json.loads(await reply.aread())
            except Unreachable:
                if not self._has_replied and time.monotonic() > give_up_at:
                    raise
            await asyncio.sleep(pause)
            pause = min(pause * 2, 5)

    async def events(self, after: str | None) -> AsyncGenerator[Event, None]:
        while True:
            fields: dict[str, str] = {}
            try:
                async with self._stream("GET", "/events", headers={"last-event-id": after} if after else {}) as reply:
                    async for line in reply.aiter_lines():
                        name, _, value = line.partition(":")
                        fields[name] = value.removeprefix(" ")
                        if not line:  # The frame ends. One without data only tells the position.
                            after = fields.get("id", after)
                            if "data" in fields:
                                yield Event(fields["event"], json.loads(fields["data"]), fields.get("id"))
                            fields = {}
            except Unreachable:
                await asyncio.sleep(1)

    @asynccontextmanager
    async def _stream(self, method: str, path: str, **request: Any) -> AsyncIterator[httpx.Response]:
        """A reply to one request, which succeeded."""
        import httpx  # Takes longer than to import all of this package, and a program may never ask.

        server = find_server(*self._where)
        settings: Json = {"trust_env": not server.is_from_file, "verify": server.url.startswith("https:")}
        try:
            async with httpx.AsyncClient(timeout=SILENCE_SECONDS_MAX, **settings) as http:
                if server.is_from_file:
                    await server.prove(http)
                    request["extensions"] = {"trace": _refuse_connection}  # The token is sent on the same connection.
                http.headers["authorization"] = f"Bearer {server.token}"
                async with http.stream(method, server.url + path, **request) as reply:
                    if reply.status_code in TRY_AGAIN:
                        raise Unreachable(f"the server at {server.url} replied {reply.status_code}")
                    self._has_replied = True
                    if reply.status_code >= 400:
                        is_problem = reply.headers.get("content-type") == "application/problem+json"
                        raise Problem(reply.status_code, json.loads(await reply.aread()) if is_problem else {})
                    yield reply
        except httpx.TransportError as error:
            raise Unreachable(f"{server.url} cannot be reached ({error!r}): is `askback serve` running?") from error
