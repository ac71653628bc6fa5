"""A graph with two interrupts at once: langgraph_agent.py FILE"""

import operator
import sys
from typing import Annotated, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from askback import Askback
from askback.langgraph import run


class State(TypedDict):
    answers: Annotated[list, operator.add]


builder = StateGraph(State)
builder.add_node("database", lambda _: {"answers": [interrupt({"text": "Database?", "choices": ["SQLite", "Redis"]})]})
builder.add_node("name", lambda _: {"answers": [interrupt("Name?")]})
builder.add_edge(START, "database")
builder.add_edge(START, "name")
with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    graph = builder.compile(checkpointer=saver)
    print(sorted(run(graph, {"answers": []}, {"configurable": {"thread_id": "t1"}}, Askback())["answers"]))
