"""What needs no server: statuses, the proof, signatures of webhooks, events as they arrive, and what an import loads."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import hashlib
import hmac
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, AsyncIterator

import httpx
import pytest

from askback import Askback, Event, Gone, NoAnswer, Pending, Problem, Stopped, Superseded, Unreachable, webhooks
from askback._server import Server, Transport, find_server

BODY, SECRET = b'{"type": "inquiry_resolved", "inquiry": {}}', "whsec_c2VjcmV0"


def signature(time: int, secret: str = SECRET) -> str:
    mac = hmac.new(secret.encode(), f"{time}.".encode() + BODY, hashlib.sha256)
    return f"t={time},v1={mac.hexdigest()}"


def test_genuine_webhook_is_returned_as_json() -> None:
    assert webhooks.verify(BODY, signature(1000), SECRET, now=1100)["type"] == "inquiry_resolved"
    during_rotation = signature(1000, "whsec_new") + "," + signature(1000).split(",")[1]
    assert webhooks.verify(BODY, during_rotation, SECRET, now=1000)["inquiry"] == {}


@pytest.mark.parametrize(
    "header, now",
    [("", 0), ("t=x,v1=0", 0), (signature(1000, "other"), 1000), (signature(1000), 1400), ("t=1000", 1000)],
)
def test_forged_or_old_webhook_is_refused(header: str, now: float) -> None:
    with pytest.raises(ValueError):
        webhooks.verify(BODY, header, SECRET, now=now)


def test_delivery_without_a_signature_is_refused() -> None:
    with pytest.raises(ValueError):
        webhooks.verify(BODY, None, SECRET)


class ScriptedTransport(Transport):
    """A server that responds with these statuses, and answers with 7."""

    def __init__(self, *statuses: str) -> None:
        super().__init__(None, None, None)
        self._statuses = iter(statuses)

    async def send(self, method: str, path: str, body: Any = None) -> Any:
        answers = [{"question": "answer", "value": 7}]
        return {"id": "inq_1", "status": next(self._statuses), "outcome": {"answers": answers}}


def ask(*statuses: str) -> int:
    ab = Askback()
    ab._transport = ScriptedTransport(*statuses)
    return ab.ask("How many?", int)


def test_unknown_status_counts_as_pending() -> None:
    assert ask("pending", "thinking_about_it", "answered") == 7


@pytest.mark.parametrize("status, error", [("rejected", Stopped), ("superseded", Superseded), ("undeliverable", Gone)])
def test_each_outcome_without_an_answer_is_an_exception(status: str, error: type[NoAnswer]) -> None:
    with pytest.raises(error, match=f"inq_1 is {status}"):
        ask("pending", status)


@pytest.mark.parametrize("secret, is_genuine", [(b"secret", True), (b"guess", False), (None, False)])
def test_only_who_knows_the_token_proves_it(secret: bytes | None, is_genuine: bool) -> None:
    server = Server("http://127.0.0.1:7777", "secret", is_from_file=True)

    def respond(request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        message = f"askback server proof 1\nhttp://127.0.0.1:7777\n{request.url.params.get('nonce')}".encode()
        proof = hmac.new(secret, message, hashlib.sha256).hexdigest() if secret else None
        return httpx.Response(200, content=f'{{"proof": "{proof}"}}' if secret else "no JSON")

    async def request() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(respond)) as http:
            await server.prove(http)

    with contextlib.nullcontext() if is_genuine else pytest.raises(Unreachable, match="is not the server"):
        asyncio.run(request())


def test_server_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="askback serve"):
        find_server(None, None, str(tmp_path))
    file = tmp_path / "server.json"
    file.write_text('{"address": "http://127.0.0.1:1", "token": "t"}')
    os.chmod(file, 0o644)
    with pytest.raises(Unreachable, match="mode 600"):
        find_server(None, None, str(tmp_path))
    os.chmod(file, 0o600)
    assert find_server(None, None, str(tmp_path)) == Server("http://127.0.0.1:1", "t", is_from_file=True)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"7", b"null", b'{"token": "secret"}', b"\xff secret"])
def test_damaged_server_file_is_no_server_and_its_content_is_not_shown(content: bytes, tmp_path: Path) -> None:
    """A wait goes on when the file is replaced while it is read."""
    file = tmp_path / "server.json"
    file.write_bytes(content)
    os.chmod(file, 0o600)
    with pytest.raises(Unreachable, match="cannot read .*server.json") as error:
        find_server(None, None, str(tmp_path))
    assert "secret" not in str(error.value)


def test_token_with_line_breaks_is_usable_and_never_in_an_error() -> None:
    assert find_server("http://127.0.0.1:1/", " to\nken\r\n", None).token == "token"


def test_missing_token_file_is_named_and_looked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    monkeypatch.setenv("ASKBACK_TOKEN_FILE", str(file))
    with pytest.raises(Unreachable, match=f"cannot read {file}"):
        find_server("http://127.0.0.1:1", None, None)
    file.write_text("token\n")
    assert find_server("http://127.0.0.1:1", None, None).token == "token"


class ScriptedFeed(Transport):
    """A feed of these lines, after which the server is gone."""

    def __init__(self, *lines: str) -> None:
        super().__init__(None, None, None)
        self._responses = iter([httpx.Response(200, text="\n".join(lines))])
        self.headers: list[dict[str, str]] = []

    @contextlib.asynccontextmanager
    async def _stream(self, method: str, path: str, **request: Any) -> AsyncIterator[httpx.Response]:
        self.headers.append(request["headers"])
        yield next(self._responses)


def test_events_are_read_from_lines_and_resume_after_the_last_id() -> None:
    a_line = 'data: {"key": "a\u2028b\u2029c\x85d"}'
    feed = ScriptedFeed("id: 7", "", ": comment", "", "event: inquiry", "id:8", a_line, "", "event: half")

    async def read() -> list[Event]:
        events = []
        with pytest.raises(RuntimeError):  # No second response.
            async for event in feed.events("6"):
                events.append(event)
        return events

    assert asyncio.run(read()) == [Event("inquiry", {"key": "a\u2028b\u2029c\x85d"}, "8")]
    assert feed.headers == [{"last-event-id": "6"}, {"last-event-id": "8"}]


def test_wait_for_no_inquiry_is_refused() -> None:
    with pytest.raises(ValueError):
        Askback().wait_any([])


def test_exceptions_come_back_from_other_processes() -> None:
    pending = pickle.loads(pickle.dumps(Pending({"id": "inq_1", "status": "pending"})))
    assert (str(pending), pending.id, pending.inquiry["status"]) == ("inq_1 is pending", "inq_1", "pending")
    problem = copy.copy(Problem(409, {"code": "not_pending", "detail": "It has ended."}))
    assert (str(problem), problem.code) == ("409 not_pending: It has ended.", "not_pending")


def test_import_leaves_httpx_for_the_first_question() -> None:
    """httpx takes longer to import than everything else together."""
    loaded = "import sys, askback; print('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "False\n"
