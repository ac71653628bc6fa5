"""LangGraph: each `interrupt()` of a graph becomes a question, and its answer resumes the graph.

    answer = interrupt({"text": "Which database?", "choices": ["PostgreSQL", "SQLite"]})   # in a node
    state = run(graph, {"topic": "storage"}, {"configurable": {"thread_id": "t1"}}, ab)     # in your program

Survives kill -9 with a checkpointer that does (SQLite, PostgreSQL): call `run` again with the same thread id. Note that
LangGraph runs the node of an interrupt again from its top.
"""

from __future__ import annotations

from typing import Any, Mapping

from langgraph.types import Command, Interrupt

from ._client import Askback, Inquiry
from ._kinds import Kind


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
            asked = {it.id: _start(ab, thread, it) for it in interrupts}
            value = Command(resume={name: inquiry.wait() for name, inquiry in asked.items()})
        result = graph.invoke(value, config)
        if not graph.get_state(config).next:
            return result
        value = None


def _start(ab: Askback, thread: str, interrupt: Interrupt) -> Inquiry[Any]:
    """The value of an interrupt is the text of a question, or a question as the HTTP API has it."""
    fields = dict(interrupt.value) if isinstance(interrupt.value, Mapping) else {"text": str(interrupt.value)}
    text = fields.pop("text")
    fields.setdefault("kind", "choice" if "choices" in fields else "text")
    return ab.start(text, Kind(fields, lambda answer: answer), key=f"{thread}/{interrupt.id}")
