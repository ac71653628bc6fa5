"""A client uses only paths, parameters and fields that schemas/openapi.json has."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Iterator, List, Literal, Optional, Tuple

import documented_server
import pytest

from askback import Askback, Event, choice, question

EVENT = Event("inquiry", {"change": "asked", "sequence": 7, "inquiry": {"id": "inq_0", "status": "pending"}}, "7")


@pytest.fixture()
def url() -> Iterator[str]:
    server = documented_server.start()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    assert documented_server.Handler.found == []


@pytest.mark.parametrize(
    "method, path, query, body",
    [
        ("POST", "/questions", [], {}),
        ("DELETE", "/inquiries", [], None),
        ("GET", "/inquiries/inq_1", ["patience"], None),
        ("POST", "/inquiries", [], {"idempotency_key": "k"}),
        ("POST", "/inquiries", [], {"questions": [{"text": "Go?", "kind": "confirm", "hint": "yes"}]}),
        ("POST", "/inquiries", [], {"questions": [{"text": "How many?", "kind": "number", "several": True}]}),
        ("POST", "/inquiries", [], {"questions": [{"text": "What?", "kind": "riddle"}]}),
        ("POST", "/inquiries", [], {"questions": [{"text": "Which?", "choices": [{"name": "a"}]}]}),
        ("POST", "/inquiries/inq_1/links", [], {"lifetime": "1h"}),
    ],
)
def test_what_is_not_documented_is_found(method: str, path: str, query: list[str], body: Any) -> None:
    with pytest.raises(documented_server.Undocumented):
        documented_server.check_request(method, path, query, body)


@dataclass
class Tour:
    confirmed: bool
    amount: Annotated[int, question("How many?", min=1, max=9, step=1, message="1 to 9.")]
    name: Annotated[str, question("Name?", min_length=1, max_length=20, pattern=".*", placeholder="Ada")]
    day: Annotated[date, question("Day?", min=date(2027, 1, 1))]
    days: Tuple[date, date]
    database: Literal["PostgreSQL", "SQLite"]
    regions: List[Literal["eu", "us"]]
    comment: Optional[str]


def test_python_client_uses_what_is_documented(url: str) -> None:
    ab = Askback(url, "token", source="tour")
    given = ab.ask(
        "All kinds.", Tour, key="tour", header="Tour", expires_in="2h", recipient="zoe", metadata={"build": 42},
        webhook="https://ci.example/askback", assumption="Nobody objects.", timeout=30,
    )  # fmt: skip
    days = (date(2027, 3, 27), date(2027, 3, 28))
    assert given == Tour(True, 1, "some text", days[0], days, "PostgreSQL", ["eu"], None)
    started = ab.start("Withdraw me?", bool)
    assert started.link("1h") == "http://127.0.0.1/link"
    assert started.withdraw()
    other = ab.start("Either?", choice("a", {"label": "b", "value": "b", "description": "The other"}, own=True))
    assert ab.wait_any([other]).wait() == "a"
    assert next(iter(ab.events("6"))) == EVENT


def test_typescript_client_uses_what_is_documented(url: str) -> None:
    tour = Path(__file__).parents[1] / "typescript/tests/tour.mjs"
    environment = {**os.environ, "ASKBACK_URL": url, "ASKBACK_TOKEN": "token"}
    run = subprocess.run(["node", str(tour)], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    got = json.loads(run.stdout)
    days = {"start": "2027-03-27", "end": "2027-03-28"}
    assert got["values"] == {
        "confirmed": True, "amount": 1, "name": "some text", "day": "2027-03-27", "days": days,
        "database": "PostgreSQL", "regions": ["eu"], "comment": None,
    }  # fmt: skip
    assert (got["link"], got["isWithdrawn"], got["first"]) == ("http://127.0.0.1/link", True, "a")
    assert got["event"] == {"type": EVENT.type, "data": EVENT.data, "id": EVENT.id}
