"""Looks up a topic in a directory of Markdown files, asks which finds matter, and writes a report.

    python research.py TOPIC DIRECTORY REPORT

Kill it while it waits and start it again: LangGraph has the state, askback has the question and its answer.
Needs `pip install askback-client[langgraph] langgraph-checkpoint-sqlite`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from askback import Askback
from askback.langgraph import run


class State(TypedDict, total=False):
    topic: str
    directory: str
    found: dict[str, str]
    chosen: list[str]
    report: str


def search(state: State) -> State:
    """Finds the paragraphs about the topic, by file. A real agent would let a model search."""
    found = {}
    for file in sorted(Path(state["directory"]).glob("*.md")):
        paragraphs = re.split(r"\n\s*\n", file.read_text())
        about = [it.strip() for it in paragraphs if state["topic"].lower() in it.lower()]
        if about:
            found[file.name] = max(about, key=lambda it: it.lower().count(state["topic"].lower()))
    return {"found": found}


def choose(state: State) -> State:
    choices = [{"label": name, "description": text[:120]} for name, text in list(state["found"].items())[:20]]
    if len(choices) < 2:
        return {"chosen": list(state["found"])}
    text = f"What of this belongs into the report about {state['topic']}?"
    return {"chosen": interrupt({"text": text, "kind": "choice", "choices": choices, "several": True})}


def write(state: State) -> State:
    parts = [f"## {name}\n\n{state['found'][name]}" for name in state["chosen"]]
    return {"report": "\n\n".join([f"# {state['topic']}", *parts]) + "\n"}


def main(topic: str, directory: str, report: str) -> None:
    builder = StateGraph(State)
    builder.add_node("search", search)
    builder.add_node("choose", choose)
    builder.add_node("write", write)
    for start, end in [(START, "search"), ("search", "choose"), ("choose", "write"), ("write", END)]:
        builder.add_edge(start, end)
    with SqliteSaver.from_conn_string(f"{report}.db") as saver:
        graph = builder.compile(checkpointer=saver)
        config = {"configurable": {"thread_id": f"research/{topic}"}}
        state = run(graph, {"topic": topic, "directory": directory}, config, Askback(source="research agent"))
    Path(report).write_text(state["report"])
    print(f"wrote {report}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
