"""What the adapters for agent frameworks share: questions that a model writes, approvals, and saved runs."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any, List, Optional, Union

from ._client import AsyncAskback, Client
from ._errors import Json, NoAnswer, Problem, Stopped
from ._kinds import Kind, choice, several

ASK_USER = (
    "Ask the user one question and wait for the answer. "
    "Give choices where you can; the user can also write something else."
)

CALL_CHARACTERS_MAX = 9_000
"""The context of a question has at most 10,000."""


async def ask_for_model(
    ab: Client, key: str, question: str, choices: Optional[List[str]], select_several: bool
) -> str:
    """Asks a question that a model wrote, and returns what the model gets: the answer, or why there is none.

    `Stopped` ends the run.
    """
    kind: Kind[Any] = Kind({"kind": "text"}, str)
    if choices:
        kind = several(*choices, own=True) if select_several else choice(*choices, own=True)
    try:
        answer = await ab._ask(question, kind, key=key)
    except Stopped:
        raise
    except NoAnswer as reason:
        return str((reason.inquiry.get("result") or {}).get("content", reason))
    except Problem as problem:
        if problem.code != "invalid_input":
            raise
        return problem.detail  # Such as two equal choices. It says what the model has to change.
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def approval(tool: str, arguments: Any) -> Kind[bool]:
    """Whether to allow a call of a tool. Shows the call, and says how much of a long one is missing."""
    if isinstance(arguments, str):
        with contextlib.suppress(ValueError):  # A model may write no JSON. Then its text is shown.
            arguments = json.loads(arguments or "{}")
    call = json.dumps(arguments, ensure_ascii=False, indent=2)
    shown, rest = call[:CALL_CHARACTERS_MAX], len(call) - CALL_CHARACTERS_MAX
    context = f"```json\n{shown}\n```" + (f"\n{rest} more characters are not shown." if rest > 0 else "")
    return Kind({"kind": "confirm", "text": f"Allow {tool}?", "context": context}, bool)


async def approve(ab: AsyncAskback, key: str, tool: str, arguments: Any) -> bool:
    """Whether the person allows a call of a tool.

    Without an answer, such as after the deadline, the call is not allowed. `Stopped` ends the run.
    """
    kind = approval(tool, arguments)
    try:
        return await ab.ask(kind.fields["text"], kind, key=key)
    except Stopped:
        raise
    except NoAnswer:
        return False


class SavedRun:
    """A run in a file. It is saved before its questions are asked, so that a killed program finds them again."""

    def __init__(self, path: Union[str, Path, None]) -> None:
        self._path = Path(path) if path else None

    def load(self) -> Optional[Json]:
        if self._path is None or not self._path.exists():
            return None
        loaded: Json = json.loads(self._path.read_text())
        return loaded

    def save(self, state: Json) -> None:
        """Replaces the file as a whole, so that a kill leaves the old state or the new one."""
        if self._path is not None:
            new = self._path.with_name(f"{self._path.name}.new")
            with new.open("w") as file:
                json.dump(state, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)

    def remove(self) -> None:
        if self._path is not None:
            self._path.unlink(missing_ok=True)
