"""LangGraph: each `interrupt()` of a graph becomes a question, and its answer resumes the graph.

    answer = interrupt({"text": "Which database?", "choices": ["PostgreSQL", "SQLite"]})   # in a node
    state = run(graph, {"topic": "storage"}, {"configurable": {"thread_id": "t1"}}, ab)     # in your program

An agent of LangChain is a graph, too. The calls that its `HumanInTheLoopMiddleware` wants reviewed become yes/no questions.

Survives kill -9 with a checkpointer that does (SQLite, PostgreSQL): call `run` again with the same thread id. Note that
LangGraph runs the node of an interrupt again from its top.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any, Mapping, Sequence

from langgraph.types import Command

from ._agents import approval
from ._client import Askback, Inquiry
from ._errors import NoAnswer, Stopped
from ._kinds import Kind

if [int(it) for it in re.findall(r"\d+", version("langgraph"))[:3]] < [1, 2, 20]:
    raise ImportError("install langgraph 1.2.20 or newer: older ones cannot tell the interrupts of a node apart")


def run(graph: Any, value: Any, config: Any, ab: Askback) -> Any:
    """Invokes a graph and asks its interrupts until it ends. A thread that has not ended continues; `value` is for a new
    one. Without an answer raises `NoAnswer`; the graph stays interrupted then."""
    thread = config["configurable"]["thread_id"]
    if graph.get_state(config).next:
        value = None
    result = None
    while True:
        interrupts = graph.get_state(config).interrupts
        if interrupts:
            asked = [(it, _start(ab, f"{thread}/{it.id}", it.value)) for it in interrupts]
            value = Command(resume={it.id: _answer(it.value, inquiry) for it, inquiry in asked})
        result = graph.invoke(value, config)
        if not graph.get_state(config).next:
            return result
        value = None


def _start(ab: Askback, key: str, value: Any) -> Inquiry[Any]:
    """The value of an interrupt has calls, or is the text of a question, or a question as the HTTP API has it."""
    calls, form = _calls(value), {}
    for number, it in enumerate(calls, 1):
        # Two questions of a form may not have the same text.
        which = f" ({number} of {len(calls)})" if len(calls) > 1 else ""
        form[f"call_{number}"] = approval(it["name"] + which, it["args"])
    if form:
        review = Kind({}, lambda **allowed: _decisions(value, [allowed[name] for name in form]), form)
        return ab.start("Allow the calls?", review, key=key)
    fields = dict(value) if isinstance(value, Mapping) else {"text": str(value)}
    fields.setdefault("kind", "choice" if "choices" in fields else "text")
    return ab.start(fields["text"], Kind(fields, lambda answer: answer), key=key)


def _answer(value: Any, inquiry: Inquiry[Any]) -> Any:
    """Without an answer, such as after the deadline, calls are not allowed."""
    try:
        return inquiry.wait()
    except NoAnswer as reason:
        calls = _calls(value)
        if isinstance(reason, Stopped) or not calls:
            raise
        return _decisions(value, [False for _ in calls])


def _calls(value: Any) -> list[Any]:
    """The calls that the middleware wants reviewed: all of a turn, or one, as its `interrupt_mode` says."""
    if not isinstance(value, Mapping):
        return []
    return [value] if value.get("type") == "tool_approval" else list(value.get("action_requests", []))


def _decisions(value: Any, allowed: Sequence[bool]) -> Any:
    decisions = [{"type": "approve" if it else "reject"} for it in allowed]
    return {"decisions": decisions} if "action_requests" in value else decisions[0]
