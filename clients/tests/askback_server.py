"""The real server for tests: started, killed and asked over HTTP, and a person who answers its questions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Callable, Optional

import httpx

ROOT = Path(__file__).parents[2]
BINARY = os.environ.get("ASKBACK_BIN", str(ROOT / "target/debug/askback"))
TIMEOUT = 120.0
"""The machine may be busy."""


def wait_for(condition: Callable[[], Any]) -> Any:
    """Returns what the condition returns as soon as that is true."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{condition} did not become true")


class Server:
    """`askback serve` with a data directory of its own. A restarted server has another port."""

    def __init__(self, directory: Path, *arguments: str, environment: Optional[dict[str, str]] = None) -> None:
        self.directory = directory
        self._arguments = arguments
        self._environment = environment or {}
        self._process: Optional[subprocess.Popen[bytes]] = None
        self.start()

    def start(self) -> None:
        file = self.directory / "server.json"
        file.unlink(missing_ok=True)
        command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--data", str(self.directory), *self._arguments]
        log = (self.directory.parent / "server.log").open("ab")
        environment = {**os.environ, "HOME": str(self.directory.parent), **self._environment}
        self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    @property
    def environment(self) -> dict[str, str]:
        """For a program that asks this server."""
        return {**os.environ, **self._environment, "ASKBACK_DATA": str(self.directory)}

    def request(self, method: str, path: str, body: Any = None) -> Any:
        found = json.loads((self.directory / "server.json").read_text())
        headers = {"authorization": f"Bearer {found['token']}"}
        response = httpx.request(method, found["address"] + path, json=body, headers=headers, timeout=60)
        response.raise_for_status()
        return response.json() if response.content else None

    def pending(self) -> list[Any]:
        items: list[Any] = self.request("GET", "/inquiries?status=pending&limit=200")["items"]
        return items

    def all(self) -> list[Any]:
        items: list[Any] = self.request("GET", "/inquiries?limit=200")["items"]
        return items

    def pending_question(self, text: str) -> Any:
        """The inquiry that starts with this question, or None."""
        return next((it for it in self.pending() if it["questions"][0]["text"] == text), None)

    def asked(self, text: str) -> Any:
        """Waits until this question is pending."""
        return wait_for(lambda: self.pending_question(text))

    def answer(self, text: str, *values: Any) -> Any:
        """Waits until a question is pending, and answers it and those that follow in the same inquiry."""
        inquiry = self.asked(text)
        answers = {it["id"]: value for it, value in zip(inquiry["questions"], values)}
        return self.request("POST", f"/inquiries/{inquiry['id']}/answer", {"answers": answers})


class Respondent:
    """A person who answers every question. `answer_for` gets the inquiry and returns the values by question id."""

    def __init__(self, server: Server, answer_for: Callable[[Any], dict[str, Any]]) -> None:
        self._server = server
        self._answer_for = answer_for
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Respondent:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(0.02):
            try:
                for inquiry in self._server.pending():
                    body = {"answers": self._answer_for(inquiry), "key": f"answer/{inquiry['id']}"}
                    self._server.request("POST", f"/inquiries/{inquiry['id']}/answer", body)
            except (httpx.HTTPError, OSError, ValueError):
                pass  # The server was killed; it comes back.
