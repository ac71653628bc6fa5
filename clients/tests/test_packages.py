"""The packages in new projects: from the installation to an answered question in five lines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from askback_server import Server
from test_adapters import Agent

PACKAGES = Path(os.environ.get("ASKBACK_PACKAGES", ""))
pytestmark = pytest.mark.skipif("ASKBACK_PACKAGES" not in os.environ, reason="the packages are not built")

PYTHON = """
from askback import Askback

ab = Askback(source="deploy job")
if ab.ask("Roll out 4.2?", bool, key="deploy-4.2"):
    print("rolling out")
"""
JAVASCRIPT = """
import { Askback, confirm } from '@askback/client';

const ab = new Askback({ source: 'deploy job' });
if (await ab.ask('Roll out 4.2?', confirm(), { key: 'deploy-4.2' })) {
  console.log('rolling out');
}
"""


def run(*command: str, cwd: Path) -> None:
    environment = {name: it for name, it in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(command, cwd=cwd, env=environment, check=True)


def test_wheel(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    run(sys.executable, "-m", "venv", "venv", cwd=tmp_path)
    python = str(tmp_path / "venv/bin/python")
    run(python, "-m", "pip", "install", "--quiet", str(next(PACKAGES.glob("*.whl"))), cwd=tmp_path)
    (tmp_path / "deploy.py").write_text(PYTHON)
    program = Agent(server, python, str(tmp_path / "deploy.py"))
    server.answer("Roll out 4.2?", True)
    assert program.printed() == "rolling out"


def test_npm_package(server: Server, tmp_path: Path) -> None:
    package = str(next(PACKAGES.glob("askback-client-*.tgz")))
    run("npm", "install", "--silent", "--no-audit", "--no-fund", package, cwd=tmp_path)
    assert [it.name for it in (tmp_path / "node_modules").iterdir() if it.is_dir()] == ["@askback"]
    (tmp_path / "deploy.mjs").write_text(JAVASCRIPT)
    program = Agent(server, "node", str(tmp_path / "deploy.mjs"))
    server.answer("Roll out 4.2?", True)
    assert program.printed() == "rolling out"
