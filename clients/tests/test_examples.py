"""Each program in examples/ does what it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from askback_server import BINARY, ROOT, TIMEOUT, Server, wait_for
from test_adapters import CLIENTS, NODE_MODULES, Agent, needs, needs_package

EXAMPLES = ROOT / "examples"


@pytest.fixture()
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a release, and `askback` in the PATH."""
    (tmp_path / "site/releases/4.2").mkdir(parents=True)
    monkeypatch.setenv("PATH", f"{Path(BINARY).parent}:{os.environ['PATH']}")
    return tmp_path / "site"


def test_deploy_gate_switches_to_the_release_after_yes(server: Server, releases: Path) -> None:
    script = Agent(server, str(EXAMPLES / "deploy-gate/deploy.sh"), "4.2", str(releases))
    script.kill_while_asking("Roll out 4.2?")
    server.answer("Roll out 4.2?", "Yes")
    assert script.printed().endswith("4.2 is live")
    assert (releases / "current").resolve() == releases / "releases/4.2"


def test_deploy_gate_in_ci_stops_after_no(server: Server, releases: Path) -> None:
    command = re.findall(r"- run: (.*)", (EXAMPLES / "deploy-gate/ci.yml").read_text())
    environment = {**server.environment, "VERSION": "4.2", "DIRECTORY": str(releases)}
    job = subprocess.Popen(["sh", "-ec", command[0]], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    server.answer("Roll out 4.2?", "No")
    assert job.wait(TIMEOUT) != 0
    assert not (releases / "current").exists()


@needs("langgraph")
def test_research_agent_survives_a_kill_and_writes_its_report(server: Server, tmp_path: Path) -> None:
    sources, report = tmp_path / "sources", tmp_path / "report.md"
    sources.mkdir()
    for name in ("lease", "cache", "other"):
        about = "" if name == "other" else " and timeouts"
        (sources / f"{name}.md").write_text(f"# {name}\n\nAll about the {name}{about}.\n")
    agent = Agent(server, sys.executable, str(EXAMPLES / "research-agent/research.py"), "timeouts", str(sources), str(report))
    text = "What of this belongs into the report about timeouts?"
    agent.kill_while_asking(text)
    server.answer(text, ["lease.md"])
    assert agent.printed() == f"wrote {report}"
    assert report.read_text() == "# timeouts\n\n## lease.md\n\nAll about the lease and timeouts.\n"


def test_on_call_question_escalates_and_deletes_what_was_chosen(tmp_path: Path) -> None:
    disk, data = tmp_path / "disk", tmp_path / "data"
    disk.mkdir()
    data.mkdir(mode=0o700)
    for name, size in (("cache", 700), ("logs", 500)):
        (disk / name).write_text("x" * size)
    settings = (EXAMPLES / "on-call/askback.toml").read_text().replace("pages.log", str(tmp_path / "pages.log"))
    (tmp_path / "askback.toml").write_text(settings)
    (tmp_path / "askback.toml").chmod(0o600)
    server = Server(data, "--config", str(tmp_path / "askback.toml"))
    try:
        program = Agent(server, sys.executable, str(EXAMPLES / "on-call/on_call.py"), str(disk), "1000", "12s")
        text = f"{disk} has 1200 bytes, 1000 are allowed. What may be deleted?"
        assert server.asked(text)["recipient"] == "first-line"
        pages = tmp_path / "pages.log"
        wait_for(lambda: pages.exists() and "ben: " in pages.read_text())
        server.answer(text, ["cache"])
        assert program.printed() == "deleted cache"
        assert [it.name for it in disk.iterdir()] == ["logs"]
    finally:
        server.kill()


def test_batch_form_is_one_inquiry_of_twelve_questions(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "customer.json"
    command = [sys.executable, str(EXAMPLES / "batch-form/batch.py"), "Acme", str(file)]
    job = Agent(server, *command)
    job.kill_while_asking("Legal name?")
    trial = {"start": "2027-01-01", "end": "2027-01-31"}
    values: list[Any] = ["Acme Inc", "Ada", "TEAM", 10, 2.5, ["eu", "us"], "2027-02-01", trial, "yearly", True, False, None]
    inquiry = server.answer("Legal name?", *values)
    assert len(inquiry["questions"]) == 12
    assert job.printed() == f"wrote {file}"
    assert json.loads(file.read_text()) == {
        "name": "Acme Inc", "contact": "Ada", "plan": "TEAM", "seats": 10, "discount": 2.5, "regions": ["eu", "us"],
        "start": "2027-02-01", "trial": ["2027-01-01", "2027-01-31"], "invoice": "yearly", "has_contract": True,
        "is_reference": False, "comment": "",
    }  # fmt: skip
    assert Agent(server, *command).printed() == f"wrote {file}"
    assert len(server.all()) == 1


@needs_package("ai")
@pytest.mark.skipif(not (ROOT / "web/node_modules/playwright-core").exists(), reason="the browser tests are not installed")
def test_chat_shows_the_question_of_the_model_in_the_page(tmp_path: Path) -> None:
    chat, data = tmp_path / "chat", tmp_path / "data"
    shutil.copytree(EXAMPLES / "chat", chat)
    (chat / "node_modules/@askback").mkdir(parents=True)
    (chat / "node_modules/@askback/client").symlink_to(CLIENTS / "typescript")
    (chat / "node_modules/ai").symlink_to(NODE_MODULES / "ai")
    data.mkdir(mode=0o700)
    # The server must know the origin of the page when it starts; the page looks for the server when it asks.
    environment = {**os.environ, "ASKBACK_DATA": str(data)}
    page = subprocess.Popen(["node", "server.mjs", "0"], cwd=chat, env=environment, stdout=subprocess.PIPE, text=True)
    assert page.stdout is not None
    origin = page.stdout.readline().strip()
    server = Server(data, "--allow-origin", origin)
    try:
        found = json.loads((data / "server.json").read_text())
        url = f"{origin}/#{found['address']}#{found['token']}"
        browser = subprocess.run(
            ["node", str(CLIENTS / "tests/chat-in-browser.mjs"), url], capture_output=True, text=True, timeout=TIMEOUT
        )
        assert browser.stdout.strip() == "Then we go by bicycle.", browser.stderr
    finally:
        page.kill()
        server.kill()


def test_rust_host_keeps_the_question_over_a_kill(tmp_path: Path) -> None:
    """crates/domain/askback-core/examples/host.rs, which needs no server. The tests of Rust build it."""
    pipe = subprocess.PIPE

    def start() -> subprocess.Popen[str]:
        host = Path(BINARY).parent / "examples/host"
        return subprocess.Popen([str(host)], cwd=tmp_path, stdin=pipe, stdout=pipe, text=True)

    killed = start()
    kept = tmp_path / "pending-call.json"
    wait_for(lambda: kept.exists() and kept.read_text().endswith("}"))
    killed.kill()
    killed.communicate()
    printed, _ = start().communicate("SQLite\n", timeout=TIMEOUT)
    assert printed.startswith("Which database?\n  - PostgreSQL\n  - SQLite\n")
    assert json.loads(printed.partition("tool result: ")[2]) == {"answers": {"Which database?": "SQLite"}}
    assert not kept.exists()
