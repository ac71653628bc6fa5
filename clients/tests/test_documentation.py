"""The code in the documentation of the clients runs as it is written, and so do the snippets that their design began with."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from askback_server import ROOT, TIMEOUT, Respondent, Server, wait_for

from askback import Askback

VALUES: dict[str, Any] = {"confirm": True, "number": 2, "text": "some text", "date": "2027-03-27"}

PRELUDE = {
    "python": """
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, Optional, Tuple, List
from askback import Askback, Declined, Pending, question
work = lambda: None
other = Askback().start("Another one?", bool)
""",
    "typescript": """
import { Askback, choice, confirm, date, form, NoAnswer, number, optional, several, text } from '@askback/client';
const { signal } = new AbortController();
const other = await new Askback().start('Another one?', confirm());
""",
}

SNIPPETS = {
    "python": """
ab = Askback(source="deploy job")
print(ab.ask("Which database?", ["PostgreSQL", "SQLite"]))
if ab.ask("Roll out 4.2?", bool, key="deploy-4.2/rollout", context="canary is green"): print("rolls out")
n = ab.ask("Replicas?", int, min=1, max=9); regions = ab.ask("Regions?", List[Literal["eu", "us", "ap"]]); print(n, regions)
try: print(ab.ask("Late?", bool, key="late-1", timeout=60))
except Pending as p: print("still open:", p.id)
except Declined: print("declined")
@dataclass
class Plan:
    database: Literal["PostgreSQL", "SQLite"]
    replicas: int
print(ab.ask("Plan?", Plan, key="plan-1"))
q = ab.start("Ship on Friday?", bool, key="ship"); work(); print(q.withdraw() in (True, False))
""",
    "typescript": """
const ab = new Askback({ source: 'deploy job' });
console.log(await ab.ask('Which database?', choice('PostgreSQL', 'SQLite')));
if (await ab.ask('Deploy?', confirm(), { key: 'deploy-42' })) console.log('rolls out');
const plan = await ab.ask('Plan?', form({ name: ['Name?', text({ max_length: 20 })], regions: ['Regions?', several('eu', 'us')],
  replicas: ['Replicas?', number({ min: 1, integer: true })], launch: ['Launch?', optional(date())] }), { key: 'plan-1' });
console.log(JSON.stringify(plan));
const q = await ab.start('Slow?', confirm(), { key: 'slow' }); console.log((await q.wait({ timeoutMs: 60000 })).status);
console.log(await ab.ask('Abort?', confirm(), { signal, key: 'abort' }));
try { console.log(await ab.ask('Really?', confirm())); } catch (e) { if (!(e instanceof NoAnswer)) throw e; }
""",
}
EXPECTED = {
    "python": ["PostgreSQL", "rolls out", "2 ['eu']", "True", "Plan(database='PostgreSQL', replicas=2)", "True"],
    "typescript": ["PostgreSQL", "rolls out", '{"name":"some text","regions":["eu"],"replicas":2,"launch":"2027-03-27"}'] + ["answered"] + ["true"] * 2,
}


def answer_for(inquiry: Any) -> dict[str, Any]:
    """The first choice, or what suits the kind."""
    answers = {}
    for question in inquiry["questions"]:
        first = question["choices"][0].get("value", question["choices"][0]["label"]) if question["kind"] == "choice" else None
        value = first or VALUES[question["kind"]]
        answers[question["id"]] = [value] if question.get("several") else value
    return answers


def blocks(language: str, file: str) -> str:
    """All code of a page, as one program. What it imports is imported before."""
    fence = "ts" if language == "typescript" else language
    code = "".join(re.findall(rf"^```{fence}\n(.*?)^```", (ROOT / file).read_text(), re.MULTILINE | re.DOTALL))
    if language == "typescript":
        return re.sub("^import .*$", "", code, flags=re.MULTILINE).replace("const ab", "var ab")
    return code if sys.version_info >= (3, 10) else code.replace("date | None", "Optional[date]")


def program(language: str, code: str, directory: Path) -> list[str]:
    if language == "python":
        (directory / "program.py").write_text(PRELUDE["python"] + code)
        return [sys.executable, "-u", str(directory / "program.py")]
    (directory / "node_modules/@askback").mkdir(parents=True)
    (directory / "node_modules/@askback/client").symlink_to(ROOT / "clients/typescript")
    (directory / "program.mjs").write_text(PRELUDE["typescript"] + code)
    return ["node", str(directory / "program.mjs")]


def run_until(command: list[str], is_done: Callable[[str], bool], log: Path) -> str:
    """Runs a program until it printed this, or ends. Others ask something in the meantime."""
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=os.environ)
    ab = Askback()

    def done() -> bool:
        ab.start("Something else?", bool)
        return process.poll() is not None or is_done(log.read_text())

    wait_for(done)
    process.kill()
    process.wait(TIMEOUT)
    return log.read_text()


@pytest.mark.parametrize("language", SNIPPETS)
def test_snippets(language: str, server: Server, tmp_path: Path) -> None:
    command = program(language, SNIPPETS[language], tmp_path)
    with Respondent(server, answer_for):
        ran = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    assert (ran.stdout.splitlines(), ran.stderr) == (EXPECTED[language], "")


@pytest.mark.parametrize(
    "language, file, last",
    [
        ("python", "clients/python/README.md", "rolling out"),
        ("python", "docs/python.md", "asked inq_"),
        ("typescript", "clients/typescript/README.md", ""),
        ("typescript", "docs/typescript.md", "asked"),
    ],
)
def test_code_of_the_documentation(language: str, file: str, last: str, server: Server, tmp_path: Path) -> None:
    """The pages end with a program that prints events without end."""
    command = program(language, blocks(language, file), tmp_path)
    with Respondent(server, answer_for):
        printed = run_until(command, lambda text: bool(last) and last in text, tmp_path / "log")
    assert last in printed and "Error" not in printed and "Traceback" not in printed, printed
