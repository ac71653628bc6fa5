"""What needs no server: the proof, signatures of webhooks, statuses, and events as they arrive."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
from pathlib import Path
from typing import AsyncIterator

import pytest

from askback import Event, Pending, Stopped, Unreachable, webhooks
from askback._async import _read_events
from askback._errors import is_resolved, no_answer
from askback._server import Proof, Server, find_server

BODY, SECRET = b'{"type": "inquiry.resolved", "inquiry": {}}', "whsec_c2VjcmV0"


def signature(time: int, secret: str = SECRET) -> str:
    mac = hmac.new(secret.encode(), f"{time}.".encode() + BODY, hashlib.sha256)
    return f"t={time},v1={mac.hexdigest()}"


def test_genuine_webhook_is_returned_as_json() -> None:
    assert webhooks.verify(BODY, signature(1000), SECRET, now=1100)["type"] == "inquiry.resolved"
    during_rotation = signature(1000, "whsec_new") + "," + signature(1000).split(",")[1]
    assert webhooks.verify(BODY, during_rotation, SECRET, now=1000)["inquiry"] == {}


@pytest.mark.parametrize(
    "header, now",
    [("", 0), ("t=x,v1=0", 0), (signature(1000, "other"), 1000), (signature(1000), 1400), ("t=1000", 1000)],
)
def test_forged_or_old_webhook_is_refused(header: str, now: float) -> None:
    with pytest.raises(webhooks.InvalidSignature):
        webhooks.verify(BODY, header, SECRET, now=now)


def test_unknown_status_counts_as_pending() -> None:
    inquiry = {"id": "inq_1", "status": "thinking_about_it"}
    assert not is_resolved(inquiry)
    assert type(no_answer(inquiry)) is Pending
    assert type(no_answer({"id": "inq_1", "status": "rejected"})) is Stopped


def test_server_without_the_token_cannot_prove_itself() -> None:
    server = Server("http://127.0.0.1:7777", "secret", must_prove=True)
    proof = Proof(server)
    nonce = proof.path.split("=")[1]
    message = f"askback server proof 1\nhttp://127.0.0.1:7777\n{nonce}".encode()
    proof.check({"proof": hmac.new(b"secret", message, hashlib.sha256).hexdigest()})
    for reply in [None, {}, {"proof": "00"}, {"proof": hmac.new(b"guess", message, hashlib.sha256).hexdigest()}]:
        with pytest.raises(Unreachable, match="is not the server"):
            proof.check(reply)


def test_server_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="askback serve"):
        find_server(None, None, str(tmp_path))
    file = tmp_path / "server.json"
    file.write_text('{"address": "127.0.0.1:1", "token": "t"}')
    os.chmod(file, 0o644)
    with pytest.raises(Unreachable, match="mode 600"):
        find_server(None, None, str(tmp_path))
    os.chmod(file, 0o600)
    assert find_server(None, None, str(tmp_path)) == Server("http://127.0.0.1:1", "t", must_prove=True)


def test_events_are_read_from_lines() -> None:
    async def lines() -> AsyncIterator[str]:
        for line in ["id: 7", "", ": comment", "", "event: inquiry", "id:8", 'data: {"a": 1}', "", "event: half"]:
            yield line

    async def read() -> list[Event]:
        return [event async for event in _read_events(lines())]

    assert asyncio.run(read()) == [Event("", {}, "7"), Event("inquiry", {"a": 1}, "8")]
