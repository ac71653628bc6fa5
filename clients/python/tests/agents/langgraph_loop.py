"""A node with several interrupts of the same text: langgraph_loop.py FILE"""

import sys
from typing import TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from askback import Askback
from askback.langgraph import run


class State(TypedDict):
    answers: list


builder = StateGraph(State)
builder.add_node("more", lambda _: {"answers": [interrupt("More?") for _ in range(3)]})
builder.add_edge(START, "more")
with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    graph = builder.compile(checkpointer=saver)
    print(run(graph, {"answers": []}, {"configurable": {"thread_id": "t1"}}, Askback())["answers"])
