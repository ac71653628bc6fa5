"""A server for each test that wants one."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

import pytest
from askback_server import Server


@pytest.fixture()
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    (tmp_path / "data").mkdir(mode=0o700)
    for name in ("ASKBACK_URL", "ASKBACK_TOKEN", "ASKBACK_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    server = Server(tmp_path / "data")
    monkeypatch.setenv("ASKBACK_DATA", str(server.directory))
    yield server
    server.kill()
