"""A proxy that refuses, cuts and repeats requests and responses: each question is asked once, and each answer arrives."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator

import httpx
import pytest
from askback_server import TIMEOUT, Respondent, Server
from test_kill_rounds import ASKERS, QUESTIONS, answer_for

PAGE, PROBLEM = ("text/html", b"<h1>No</h1>"), ("application/problem+json", b'{"code": "overloaded", "detail": "Later."}')
REFUSALS = {"429": PROBLEM, "503": PROBLEM, "502": PAGE, "504": PAGE, "200": PAGE}
FAULTS = [*REFUSALS, "closed", "lost", "cut", "half", "twice"]


class Proxy(BaseHTTPRequestHandler):
    """Has one fault after the other, with a good response after each, for the requests that ask and for those that wait. The
    first request of a client has none, because a server that never responded is soon given up."""

    server_url, token = "", ""
    faults: dict[str, Iterator[str]] = {}
    met: set[tuple[str, str]] = set()

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        fault = "" if b'-0?"' in body else next(self.faults[self.command])
        self.met.add((self.command, fault))
        if fault in REFUSALS:
            media_type, page = REFUSALS[fault]
            self.respond(int(fault), media_type, page, len(page))
        if fault in (*REFUSALS, "closed"):
            return
        for _ in range(2 if fault == "twice" else 1):
            headers = {"authorization": self.headers["authorization"], "content-type": "application/json"}
            url = self.server_url + self.path.replace("wait=50s", "wait=100ms")
            response = httpx.request(self.command, url, content=body, headers=headers, timeout=TIMEOUT)
        content, length = response.content, len(response.content)
        if fault in ("cut", "half"):
            content = content[: length // 2]
        if fault != "lost":
            self.respond(response.status_code, response.headers["content-type"], content, None if fault == "half" else length)

    do_POST = do_GET

    def respond(self, status: int, media_type: str, content: bytes, length: int | None) -> None:
        """Without a length, a response ends where the connection ends."""
        self.send_response(status)
        self.send_header("content-type", media_type)
        if length is not None:
            self.send_header("content-length", str(length))
        self.end_headers()
        self.wfile.write(content)


@pytest.mark.parametrize("client", ASKERS)
def test_each_question_is_asked_once_and_answered(client: str, server: Server) -> None:
    found = json.loads((server.directory / "server.json").read_text())
    Proxy.server_url, Proxy.met = found["address"], set()
    Proxy.faults = {method: itertools.cycle(it for fault in FAULTS for it in (fault, "")) for method in ("GET", "POST")}
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    where = {"ASKBACK_URL": f"http://127.0.0.1:{proxy.server_port}", "ASKBACK_TOKEN": found["token"]}
    with Respondent(server, answer_for):
        for number in itertools.count():
            command = [*ASKERS[client], str(number), str(QUESTIONS)]
            ran = subprocess.run(command, env={**os.environ, **where}, capture_output=True, text=True, timeout=TIMEOUT)
            assert ran.stdout.split() == [str(number * 100 + it) for it in range(QUESTIONS)], ran.stderr
            if len(Proxy.met) == 2 * len(FAULTS) + 2:
                break
    proxy.shutdown()
    assert len(server.all()) == (number + 1) * QUESTIONS
