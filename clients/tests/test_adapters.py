"""Each adapter with its framework and a scripted model, killed between asking and answering."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from askback_server import TIMEOUT, Server, wait_for

CLIENTS = Path(__file__).parents[1]
NODE_MODULES = CLIENTS / "typescript/node_modules"


class Agent:
    """A program that asks, which can be killed and started again."""

    def __init__(self, server: Server, *command: str) -> None:
        self._server = server
        self._command = command
        self.start()

    def start(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            self._command, env=self._server.environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True
        )

    def asks(self, text: str) -> Any:
        """Waits until this question is pending. A program that ends before fails."""

        def pending() -> Any:
            ended = self._process.poll() is not None
            found = self._server.pending_question(text)
            assert found or not ended, self._process.communicate()
            return found

        return wait_for(pending)

    def kill_while_asking(self, text: str) -> None:
        """kill -9 of it and its children as soon as the question is pending; then starts it again."""
        self.asks(text)
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()
        self.start()

    def ended(self) -> int:
        self._process.communicate(timeout=TIMEOUT)
        return self._process.returncode

    def printed(self) -> str:
        printed, errors = self._process.communicate(timeout=TIMEOUT)
        assert self._process.returncode == 0, errors
        return printed.strip()

    def failed(self) -> str:
        printed, errors = self._process.communicate(timeout=TIMEOUT)
        assert self._process.returncode != 0, printed
        return errors


def python_agent(server: Server, tmp_path: Path, name: str, *arguments: str) -> Agent:
    program = str(CLIENTS / f"python/tests/agents/{name}.py")
    return Agent(server, sys.executable, program, str(tmp_path / "run"), *arguments)


def node_agent(server: Server, tmp_path: Path, name: str) -> Agent:
    return Agent(server, "node", str(CLIENTS / f"typescript/tests/agents/{name}.mjs"), str(tmp_path / "run"))


def asked(server: Server) -> list[str]:
    return sorted(question["text"] for it in server.all() for question in it["questions"])


SHOWN = '```json\n{\n  "which": "old"\n}\n```'
"""The call that a person allows."""


def decline(server: Server, text: str) -> None:
    """The person leaves the decision to the program, so the call is not allowed."""
    server.request("POST", f"/inquiries/{server.asked(text)['id']}/decline", {})


def needs(module: str) -> Any:
    missing = importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"{module} is not installed")


def needs_package(package: str) -> Any:
    missing = not (NODE_MODULES / package).exists()
    return pytest.mark.skipif(missing, reason=f"{package} is not installed")


LONG_CALL = [
    pytest.param(
        [sys.executable, "-c"],
        """import asyncio; from askback import AsyncAskback; from askback._agents import approve
print(asyncio.run(approve(AsyncAskback(), "run/call", "write", {"text": "\U0001f642" * 20_000})))""",
        id="python",
    ),
    pytest.param(
        ["node", "--input-type=module", "-e"],
        f"""import {{ approve }} from '{CLIENTS}/typescript/dist/adapters/agents.js';
import {{ Askback }} from '{CLIENTS}/typescript/dist/index.js';
console.log(await approve(new Askback(), 'run/call', 'write', {{ text: '\U0001f642'.repeat(20_000) }}));""",
        id="typescript",
        marks=needs_package("ai"),
    ),
]


@pytest.mark.parametrize("command, program", LONG_CALL)
def test_call_that_is_too_long_to_be_shown_is_still_asked(command: list[str], program: str, server: Server) -> None:
    agent = Agent(server, *command, program)
    [question] = agent.asks("Allow write?")["questions"]
    call = json.dumps({"text": "\U0001f642" * 20_000}, ensure_ascii=False, indent=2)
    assert question["context"] == f"```json\n{call[:9000]}\n```\n{len(call) - 9000} more characters are not shown."
    server.answer("Allow write?", True)
    assert agent.printed().lower() == "true"


@needs("langgraph")
def test_langgraph(server: Server, tmp_path: Path) -> None:
    agent = python_agent(server, tmp_path, "langgraph_agent")
    server.asked("Name?")
    agent.kill_while_asking("Database?")
    server.answer("Database?", "Redis")
    server.answer("Name?", "Ada")
    assert agent.printed() == "['Ada', 'Redis']"
    assert asked(server) == ["Database?", "Name?"]


@needs("langgraph")
def test_interrupts_of_one_node_are_asked_one_by_one(server: Server, tmp_path: Path) -> None:
    agent = python_agent(server, tmp_path, "langgraph_loop")
    answer_three_times(server, agent)
    assert agent.printed() == "['a', 'b', 'c']"


def answer_three_times(server: Server, agent: Agent) -> None:
    """Answers `More?` with a, b and c, and kills the agent while it asks for the second time. No answer counts twice."""
    server.answer("More?", "a")
    agent.kill_while_asking("More?")
    server.answer("More?", "b")
    server.answer("More?", "c")
    wait_for(lambda: len(server.all()) == 3)


STOPPED = [
    pytest.param("python", "langchain_agent", "Database?", marks=needs("langgraph")),
    pytest.param("python", "openai_agent", "Which backups?", marks=needs("openai")),
    pytest.param("python", "pydantic_ai_agent", "Which backups?", marks=needs("pydantic_ai")),
    pytest.param("node", "ai-sdk", "Which backups?", marks=needs_package("ai")),
    pytest.param("node", "openai", "Which backups?", marks=needs_package("@openai/agents")),
]


@pytest.mark.parametrize("language, name, text", STOPPED)
def test_person_who_rejects_a_question_of_the_model_stops_the_run(
    language: str, name: str, text: str, server: Server, tmp_path: Path
) -> None:
    agent = (python_agent if language == "python" else node_agent)(server, tmp_path, name)
    server.request("POST", f"/inquiries/{server.asked(text)['id']}/reject", {})
    assert re.search("Stopped|NoAnswer", agent.failed())
    assert len(server.all()) == 1


@needs("langgraph")
def test_langchain_tool(server: Server, tmp_path: Path) -> None:
    agent = python_agent(server, tmp_path, "langchain_agent")
    agent.kill_while_asking("Database?")
    server.answer("Database?", "my own text")
    assert agent.printed() == "my own text"
    assert asked(server) == ["Database?"]


@needs("langchain")
def test_langchain_review_of_all_calls_of_a_turn(server: Server, tmp_path: Path) -> None:
    agent = python_agent(server, tmp_path, "langchain_approval", "batched")
    agent.kill_while_asking("Allow remove (1 of 2)?")
    [inquiry] = server.pending()
    assert [it["context"] for it in inquiry["questions"]] == [SHOWN, SHOWN.replace("old", "new")]
    server.answer("Allow remove (1 of 2)?", True, False)
    refused, removed = sorted(agent.printed().split(" / "))
    assert refused.startswith("User rejected the tool call for `remove` with id call_new.")
    assert removed == "removed old"
    assert len(server.all()) == 1


@needs("langchain")
def test_langchain_review_of_each_call(server: Server, tmp_path: Path) -> None:
    agent = python_agent(server, tmp_path, "langchain_approval", "per_call")
    wait_for(lambda: len(server.pending()) == 2)
    agent.kill_while_asking("Allow remove?")
    for inquiry in server.pending():
        is_old = inquiry["questions"][0]["context"] == SHOWN
        way, body = ("answer", {"answers": {"call_1": True}}) if is_old else ("decline", {})
        server.request("POST", f"/inquiries/{inquiry['id']}/{way}", body)
    refused, removed = sorted(agent.printed().split(" / "))
    assert refused.startswith("User rejected the tool call for `remove` with id call_new.")
    assert removed == "removed old"
    assert len(server.all()) == 2


@needs("openai")
def test_openai_agents_in_python(server: Server, tmp_path: Path) -> None:
    agent = python_agent(server, tmp_path, "openai_agent")
    server.answer("Which backups?", "old")
    agent.kill_while_asking("Allow remove?")
    assert server.answer("Allow remove?", True)["questions"][0]["context"] == SHOWN
    assert agent.printed() == "old / removed old"
    assert asked(server) == ["Allow remove?", "Which backups?"]


@needs("pydantic_ai")
def test_pydantic_ai(server: Server, tmp_path: Path) -> None:
    agent = python_agent(server, tmp_path, "pydantic_ai_agent")
    agent.kill_while_asking("Which backups?")
    server.answer("Which backups?", "old")
    agent.kill_while_asking("Allow remove?")
    decline(server, "Allow remove?")
    assert agent.printed() == "old / The tool call was denied."
    assert asked(server) == ["Allow remove?", "Which backups?"]


@needs_package("ai")
def test_ai_sdk(server: Server, tmp_path: Path) -> None:
    agent = node_agent(server, tmp_path, "ai-sdk")
    server.answer("Which backups?", "old")
    agent.kill_while_asking("Allow remove?")
    assert server.answer("Allow remove?", True)["questions"][0]["context"] == SHOWN
    assert agent.printed() == "old / removed old"
    assert asked(server) == ["Allow remove?", "Which backups?"]


@needs_package("@openai/agents")
def test_openai_agents_in_javascript(server: Server, tmp_path: Path) -> None:
    agent = node_agent(server, tmp_path, "openai")
    server.answer("Which backups?", "old")
    agent.kill_while_asking("Allow remove?")
    decline(server, "Allow remove?")
    assert agent.printed() == "old / Tool execution was not approved."
    assert asked(server) == ["Allow remove?", "Which backups?"]


@needs_package("@mastra/libsql")
def test_mastra(server: Server, tmp_path: Path) -> None:
    agent = node_agent(server, tmp_path, "mastra")
    agent.kill_while_asking("Which backups?")
    server.answer("Which backups?", "old")
    agent.kill_while_asking("Allow remove?")
    server.answer("Allow remove?", True)
    assert agent.ended() == -signal.SIGKILL
    for _ in range(2):  # Goes on with its last step, and then is not run again.
        agent.start()
        assert agent.printed() == '["old",true]'
    assert asked(server) == ["Allow remove?", "Which backups?"]


@needs_package("@mastra/libsql")
def test_step_of_a_loop_in_mastra_asks_each_time(server: Server, tmp_path: Path) -> None:
    agent = node_agent(server, tmp_path, "mastra-loop")
    answer_three_times(server, agent)
    assert agent.printed() == '["a","b","c"]'


@needs_package("@mastra/libsql")
def test_approvals_of_mastra(server: Server, tmp_path: Path) -> None:
    agent = node_agent(server, tmp_path, "mastra-approval")
    agent.kill_while_asking("Allow remove?")
    assert server.answer("Allow remove?", True)["questions"][0]["context"] == SHOWN
    assert agent.printed() == "The tool said: removed old"
    assert asked(server) == ["Allow remove?"]
