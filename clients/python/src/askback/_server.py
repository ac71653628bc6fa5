"""Finds the server, and sends requests to it until there is a response."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import re
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterator, NamedTuple

from ._errors import Json, Problem, Unreachable

if TYPE_CHECKING:
    import httpx

FIRST_RESPONSE_SECONDS = 5.0  # How long to look for a server that never responded. One that did is waited for without end.
SILENCE_SECONDS_MAX = 60.0  # No response is silent for so long: the feed has a comment every 15 seconds, a wait ends after 50.
PAUSE_SECONDS = 0.5  # Between attempts.
TRY_AGAIN = (408, 429, 503)
REPLY_TYPES = ("application/json", "text/event-stream")


class Event(NamedTuple):
    """One event. Changes of questions have the type `inquiry`; ignore types that you do not know."""

    type: str
    data: Json
    id: str | None  # Pass it to `events(after=…)` to continue after this event. Some events have none.


@dataclass(frozen=True)
class Server:
    """If its address is from `server.json`, another program may listen there by now, which must not get the token."""

    url: str
    token: str = field(repr=False)
    is_from_file: bool

    async def prove(self, http: httpx.AsyncClient) -> None:
        """Lets whoever listens there prove that it knows the token."""
        nonce = os.urandom(32).hex()
        response = await http.get(f"{self.url}/server/proof?nonce={nonce}")
        message = f"askback server proof 1\n{self.url}\n{nonce}".encode()
        proof = hmac.new(self.token.encode(), message, "sha256").hexdigest()
        if f'"{proof}"' not in response.text:
            raise Unreachable(f"the program at {self.url} is not the server of the data directory")

    @staticmethod
    async def refuse_connection(step: str, _: Any) -> None:
        if step == "connection.connect_tcp.started":  # It would lead to whoever listens there by now.
            raise Unreachable("the server closed the connection after its proof")


def find_server(url: str | None, token: str | None, data: str | None) -> Server:
    environment = os.environ.get
    url, file = url or environment("ASKBACK_URL"), Path(environment("ASKBACK_TOKEN_FILE") or os.devnull)
    try:
        if url and not data:
            token = token or environment("ASKBACK_TOKEN") or file.read_text()
            token = "".join(filter(str.isprintable, token)).strip()  # httpx shows a header with a line break in its error.
            return Server(url.rstrip("/"), token, is_from_file=False)
        home = environment("XDG_DATA_HOME") or Path.home() / ".local/share"
        file = Path(data or environment("ASKBACK_DATA") or Path(home, "askback"), "server.json")
        if os.name == "posix" and file.stat().st_mode & 0o077:
            raise Unreachable(f"other users can read {file}: make it private (mode 600)")
        found = json.loads(file.read_text())
        return Server(str(found["address"]), str(found["token"]), is_from_file=True)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise Unreachable(f"cannot read {file} ({type(error).__name__}): start `askback serve` or set ASKBACK_URL") from None


class Transport:
    """Looks for the server before each request: a restarted one may have another address."""

    def __init__(self, url: str | None, token: str | None, data: str | None) -> None:
        self._where, self._give_up_at = (url, token, data), 0.0

    async def send(self, method: str, path: str, body: Json | None = None) -> Any:
        """Sends until there is a response. Every request may be repeated: it reads, makes a link or has a key."""
        if len(json.dumps(body, ensure_ascii=False).encode()) > 2 << 20:  # It would close the connection meanwhile.
            raise Problem(413, {"code": "too_large", "detail": "Send at most 2 MiB."})
        while True:
            async with self._patience(), self._stream(method, path, json=body) as response:
                return json.loads(await response.aread())

    async def events(self, after: str | None) -> AsyncGenerator[Event, None]:
        while True:
            rest, position = "", {"last-event-id": after} if after else {}
            async with self._patience(), self._stream("GET", "/events", headers=position) as response:
                async for part in response.aiter_text():
                    *frames, rest = (rest + part).split("\n\n")
                    for frame in frames:  # One without data only tells the position.
                        fields = dict(re.findall("^([a-z]+): ?(.*)$", frame, re.MULTILINE))
                        after = fields.get("id", after)
                        if "data" in fields:
                            yield Event(fields.get("event", ""), json.loads(fields["data"]), fields.get("id"))
            await asyncio.sleep(PAUSE_SECONDS)

    @asynccontextmanager
    async def _patience(self) -> AsyncIterator[None]:
        """Pauses after a failed attempt, or raises what it raised if this server never responded."""
        self._give_up_at = self._give_up_at or time.monotonic() + FIRST_RESPONSE_SECONDS
        try:
            yield
        except Unreachable:
            if time.monotonic() > self._give_up_at:
                raise
            await asyncio.sleep(PAUSE_SECONDS)

    @asynccontextmanager
    async def _stream(self, method: str, path: str, **request: Any) -> AsyncIterator[httpx.Response]:
        """A response to one request, which succeeded."""
        import httpx  # Takes longer than to import all of this package, and a program may never ask.

        server = find_server(*self._where)  # One on this machine is reached without a proxy, which would get its token.
        is_near = server.is_from_file or httpx.URL(server.url).host.startswith(("localhost", "127.", "::1"))
        has_tls, timeout = server.url.startswith("https:"), httpx.Timeout(SILENCE_SECONDS_MAX, connect=5.0)
        try:
            async with httpx.AsyncClient(trust_env=not is_near, verify=has_tls, timeout=timeout) as http:
                if server.is_from_file:
                    await server.prove(http)
                    request["extensions"] = {"trace": server.refuse_connection}  # The token is sent on the same connection.
                if server.token:
                    http.headers["authorization"] = f"Bearer {server.token}"
                async with http.stream(method, server.url + path, **request) as response:
                    status, media_type = response.status_code, response.headers.get("content-type", "")
                    is_own = media_type.startswith(("application/problem+json",) if status >= 400 else REPLY_TYPES)
                    self._give_up_at = float("inf") if is_own else self._give_up_at
                    if status in TRY_AGAIN or not (is_own or 400 <= status < 500):  # Proxies have codes of their own.
                        raise Unreachable(f"{server.url} responded with {status} {media_type}: is that an askback server?")
                    if status >= 400:
                        raise Problem(status, json.loads(await response.aread()) if is_own else {})
                    yield response
        except (httpx.RequestError, json.JSONDecodeError, UnicodeDecodeError) as error:  # A response may be cut off.
            raise Unreachable(f"{server.url} cannot be reached ({error!r}): is `askback serve` running?") from error
