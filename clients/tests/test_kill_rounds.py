"""Kills the asker or the server at random points: each key has one inquiry, and each run gets the same answers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from askback_server import TIMEOUT, Respondent, Server

QUESTIONS = 4
ROUNDS = 100 if os.environ.get("ASKBACK_TEST_FULL") else 2
CLIENTS = Path(__file__).parents[1]
ASKERS = {
    "python": [sys.executable, str(CLIENTS / "python/tests/asker.py")],
    "typescript": ["node", str(CLIENTS / "typescript/tests/asker.mjs")],
}


def answer_for(inquiry: Any) -> dict[str, Any]:
    """The answer to `Question 7-2?` is 702."""
    texts = {it["id"]: it["text"].removeprefix("Question ").removesuffix("?") for it in inquiry["questions"]}
    return {name: int(text.split("-")[0]) * 100 + int(text.split("-")[1]) for name, text in texts.items()}


def count(server: Server) -> int:
    count, cursor = 0, ""
    while cursor is not None:
        page = server.request("GET", f"/inquiries?limit=200{cursor and '&cursor='}{cursor}")
        count += len(page["items"])
        cursor = page["next"]
    return count


@pytest.mark.parametrize("client", ASKERS)
def test_nothing_is_asked_twice_or_lost(client: str, server: Server) -> None:
    seed = int(os.environ.get("ASKBACK_SEED", random.randrange(1_000_000)))
    print(f"{client}: seed {seed}, {ROUNDS} rounds")
    chance = random.Random(seed)
    kills = {"asker": 0, "server": 0}
    with Respondent(server, answer_for):
        for number in range(ROUNDS):
            command = [*ASKERS[client], str(number), str(QUESTIONS)]
            while True:
                asker = subprocess.Popen(command, env=server.environment, stdout=subprocess.PIPE, text=True)
                victims = chance.sample(["asker", "server"], chance.choice([0, 1, 1, 2]))
                time.sleep(chance.uniform(0.0, 1.0))
                for victim in victims:
                    kills[victim] += 1
                    asker.kill() if victim == "asker" else server.kill()
                if "server" in victims:
                    server.start()
                printed, _ = asker.communicate(timeout=TIMEOUT)
                if asker.returncode == 0:
                    break
                assert "asker" in victims, printed
            assert printed.split() == [str(number * 100 + it) for it in range(QUESTIONS)]
            asked = [server.request("GET", f"/inquiries?key={number}/{it}")["items"] for it in range(QUESTIONS)]
            assert [len(it) for it in asked] == [1] * QUESTIONS
    assert count(server) == ROUNDS * QUESTIONS
    print(f"{client}: {kills['asker']} kills of the asker, {kills['server']} of the server")
