"""The Python client against the real server: answers, outcomes, restarts, and programs that are not the server."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, List, Literal, Optional, Tuple

import pytest
from askback_server import TIMEOUT, Server, wait_for

from askback import Askback, AsyncAskback, Declined, Expired, Gone, Pending, Problem, Stopped, Unreachable, _server, webhooks
from askback._agents import ask_for_model


def test_each_type_comes_back(server: Server) -> None:
    ab = Askback(source="test")
    cases: list[tuple[Any, Any, Any]] = [
        (bool, False, False),
        (int, 3, 3),
        (float, 2.5, 2.5),
        (str, "Ada", "Ada"),
        (date, "2027-03-27", date(2027, 3, 27)),
        (Tuple[date, date], {"start": "2027-03-27", "end": "2027-03-28"}, (date(2027, 3, 27), date(2027, 3, 28))),
        (["PostgreSQL", "SQLite"], "SQLite", "SQLite"),
        (List[Literal["eu", "us", "ap"]], ["us", "ap"], ["us", "ap"]),
        (Optional[int], None, None),
    ]
    for number, (kind, given, expected) in enumerate(cases):
        text = f"Question {number}?"
        with ThreadPoolExecutor() as pool:
            asked = pool.submit(ab.ask, text, kind)
            server.answer(text, given)
            value = asked.result()
        assert (value, type(value)) == (expected, type(expected))


def test_each_other_outcome_is_an_exception(server: Server) -> None:
    ab = Askback()
    for way, expected in [("decline", Declined), ("reject", Stopped), ("cancel", Stopped)]:
        inquiry = ab.start(f"{way}?", bool)
        server.request("POST", f"/inquiries/{inquiry.id}/{way}", {})
        with pytest.raises(expected):
            inquiry.wait()
    with pytest.raises(Expired):
        ab.ask("Expire?", bool, expires_in="200ms")
    withdrawn = ab.start("Withdraw?", bool)
    assert withdrawn.withdraw()
    assert not withdrawn.withdraw()
    with pytest.raises(Gone):
        withdrawn.wait()


def test_key_resumes_after_pending(server: Server) -> None:
    ab = Askback()
    with pytest.raises(Pending) as late:
        ab.ask("Late?", bool, key="late-1", timeout=0.1)
    server.answer("Late?", True)
    assert Askback().ask("Late?", bool, key="late-1", timeout=30) is True
    assert [it["id"] for it in server.all()] == [late.value.id]
    with pytest.raises(Problem) as other:
        ab.ask("Another question?", bool, key="late-1")
    assert other.value.code == "idempotency_mismatch"


def test_wait_goes_on_over_a_killed_server(server: Server) -> None:
    inquiry = Askback().start("Survive?", bool, key="survive")
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(inquiry.wait)
        server.kill()
        server.start()
        server.answer("Survive?", True)
        assert waiting.result() is True


def test_time_to_wait_ends_without_a_server(server: Server) -> None:
    """Nobody knows then whether a question is asked, so that it is not `Pending`."""
    ab = Askback()
    inquiry = ab.start("Alone?", bool)
    server.kill()
    with pytest.raises(Pending):
        inquiry.wait(0.3)
    with pytest.raises(Unreachable, match="ask again with key='later'"):
        ab.ask("Later?", bool, key="later", timeout=0.3)
    with pytest.raises(Unreachable, match="ask again with key="):
        ab.start("Later?", bool, timeout=0.3)
    server.start()
    ab.start("Later?", bool, key="later")
    assert len(server.all()) == 2


def test_run_gives_the_same_answers_again(server: Server) -> None:
    for _ in range(2):
        run = Askback().run("deploy-42")
        first, second = run.start("Go on?", bool), run.start("Go on?", bool)
        assert first.id != second.id
    assert len(server.all()) == 2


def test_wait_any_returns_the_first(server: Server) -> None:
    ab = Askback()
    slow, fast = ab.start("Slow?", bool), ab.start("Fast?", bool)
    with pytest.raises(Pending):
        ab.wait_any([slow, fast], timeout=0.1)
    server.answer("Fast?", True)
    assert ab.wait_any([slow, fast]) is fast
    assert fast.wait() is True


def test_link_opens_the_question(server: Server) -> None:
    inquiry = Askback().start("Linked?", bool)
    assert inquiry.link().startswith("http://127.0.0.1:")


def test_events_resume_after_a_restart(server: Server) -> None:
    ab = Askback()
    events = ab.events("0")
    first = ab.start("First?", bool)
    assert next(it for it in events if it.type == "inquiry").data["inquiry"]["id"] == first.id
    server.kill()
    server.start()
    second = ab.start("Second?", bool)
    asked = (it.data["inquiry"]["id"] for it in events if it.type == "inquiry" and it.data["change"] == "asked")
    assert next(asked) == second.id


def test_fifty_askers_with_one_key_ask_once(server: Server) -> None:
    async def ask_all() -> List[str]:
        ab = AsyncAskback()
        asked = await asyncio.gather(*(ab.start("Same?", bool, key="same") for _ in range(50)))
        return [it.id for it in asked]

    assert set(asyncio.run(ask_all())) == {it["id"] for it in server.all()}


def test_model_is_told_what_is_wrong_with_its_question(server: Server) -> None:
    asked = ask_for_model(AsyncAskback(), "run/call", "Which one?", ["same", "same"], False)
    assert "has the label of an earlier choice" in asyncio.run(asked)
    assert server.all() == []


def test_request_that_is_too_large_is_refused(server: Server) -> None:
    """The server closes the connection before it is sent, which looks like a server that will be back."""
    with pytest.raises(Problem, match="413 too_large"):
        Askback().start("Go?", bool, context="x" * 50_000_000)


def test_cancelled_task_leaves_the_question_open(server: Server) -> None:
    async def cancel() -> None:
        task = asyncio.ensure_future(AsyncAskback().ask("Cancelled?", bool))
        await asyncio.get_running_loop().run_in_executor(None, server.asked, "Cancelled?")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert len(server.pending()) == 1


@pytest.mark.parametrize("secret, error", [("guess", "is not the server"), ("very-secret", "closed the connection")])
def test_token_is_sent_only_on_the_connection_with_the_proof(
    secret: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_server, "FIRST_RESPONSE_SECONDS", 0.2)
    seen: list[str] = []

    class Impostor(BaseHTTPRequestHandler):
        """Closes the connection after each response, as a server that is killed after its proof."""

        def do_GET(self) -> None:
            seen.append(f"{self.path} {self.headers}")
            nonce = self.path.partition("nonce=")[2]
            message = f"askback server proof 1\nhttp://127.0.0.1:{impostor.server_port}\n{nonce}"
            proof = hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"proof": proof}).encode())

        do_POST = do_GET

        def log_message(self, *_: Any) -> None:
            pass

    impostor = serve(Impostor)
    file = tmp_path / "server.json"
    file.write_text(json.dumps({"address": f"http://127.0.0.1:{impostor.server_port}", "token": "very-secret"}))
    os.chmod(file, 0o600)
    with pytest.raises(Unreachable, match=error):
        Askback(data=str(tmp_path)).ask("Secret?", bool)
    impostor.shutdown()
    assert seen and "very-secret" not in "".join(seen)


def serve(handler: type[BaseHTTPRequestHandler]) -> HTTPServer:
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def test_proxy_never_gets_the_token_of_a_server_on_this_machine(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(str(self.headers))
            self.send_error(502)

        do_POST = do_GET

        def log_message(self, *_: Any) -> None:
            pass

    proxy = serve(Proxy)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.server_port}")
    found = json.loads((server.directory / "server.json").read_text())
    for number, client in enumerate([Askback(), Askback(found["address"], found["token"])]):
        assert client.start(f"Directly {number}?", bool).inquiry["status"] == "pending"
    proxy.shutdown()
    assert seen == []


@pytest.mark.parametrize("status, media_type", [(200, "text/html"), (301, "text/html"), (204, ""), (521, "text/html")])
def test_page_of_another_program_is_no_response(status: int, media_type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_server, "FIRST_RESPONSE_SECONDS", 0.2)

    class Portal(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.send_header("content-type", media_type)
            self.send_header("location", "http://127.0.0.1:1/")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    portal = serve(Portal)
    with pytest.raises(Unreachable, match=f"responded with {status} .*is that an askback server"):
        Askback(f"http://127.0.0.1:{portal.server_port}", "token").ask("Anybody?", bool)
    portal.shutdown()


def test_server_that_is_busy_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_server, "FIRST_RESPONSE_SECONDS", 0.0)
    responses = iter([(503, "problem+json", b"{}"), (429, "problem+json", b"{}"), (201, "json", b'{"id": "inq_1"}')])

    class Busy(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, media_type, content = next(responses)
            self.send_response(status)
            self.send_header("content-type", f"application/{media_type}")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    busy = serve(Busy)
    assert Askback(f"http://127.0.0.1:{busy.server_port}", "token").start("Anybody?", bool).id == "inq_1"
    busy.shutdown()


def test_missing_token_is_named_by_the_server(server: Server) -> None:
    with pytest.raises(Problem, match="401 unauthorized: Send a valid token"):
        Askback(json.loads((server.directory / "server.json").read_text())["address"]).ask("Anybody?", bool)


def test_feed_reads_any_text_that_an_agent_may_write(server: Server) -> None:
    ab = Askback()
    key = "line\u2028paragraph\u2029next\x85 \U0001f642"
    asked = ab.start("Any text?", bool, key=key)
    event = next(it for it in ab.events("0") if it.type == "inquiry")
    assert event.data["inquiry"]["key"] == key
    assert ab.start("Any text?", bool, key=key).id == asked.id


def test_key_that_is_none_counts_as_missing(server: Server) -> None:
    """Without any key, a request that is repeated would ask twice."""
    ab = Askback()
    keys = [ab.start("No key?", bool, key=None).inquiry["key"] for _ in range(2)]  # type: ignore[arg-type]
    assert None not in keys and len(set(keys)) == 2


def test_program_ends_while_it_holds_events(server: Server) -> None:
    Askback().start("Asked?", bool)
    program = "from askback import Askback; events = Askback().events('0'); print(next(events).type)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=TIMEOUT)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "inquiry\n", "")


def test_forked_processes_and_threads_share_a_client(server: Server) -> None:
    ab = Askback()
    asked = ab.start("Shared?", bool, key="shared")
    with ThreadPoolExecutor(8) as pool:
        assert {it.id for it in pool.map(lambda _: ab.start("Shared?", bool, key="shared"), range(16))} == {asked.id}
    process = os.fork()
    if process == 0:
        os._exit(0 if ab.start("Shared?", bool, key="shared").id == asked.id else 1)
    assert os.waitpid(process, 0)[1] == 0


def test_webhook_of_the_server_is_genuine(tmp_path: Path) -> None:
    received: list[tuple[bytes, str]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append((body, self.headers["askback-signature"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    receiver = serve(Receiver)
    (tmp_path / "data").mkdir(mode=0o700)
    secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODk="
    settings = {"ASKBACK_WEBHOOK_SECRET": secret}
    server = Server(tmp_path / "data", "--webhook-allow", "127.0.0.1", environment=settings)
    ab = Askback(data=str(server.directory))
    ab.start("Deliver?", bool, webhook=f"http://127.0.0.1:{receiver.server_port}/")
    server.answer("Deliver?", True)
    body, signature = wait_for(lambda: received and received[0])
    server.kill()
    receiver.shutdown()
    delivery = webhooks.verify(body, signature, secret)
    assert delivery["type"] == "inquiry_resolved"
    assert delivery["inquiry"]["outcome"]["answers"][0]["value"] is True


def test_missing_server_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_server, "FIRST_RESPONSE_SECONDS", 0.2)
    with pytest.raises(Unreachable, match="askback serve"):
        Askback(data=str(tmp_path / "nothing")).ask("Anybody?", bool)
