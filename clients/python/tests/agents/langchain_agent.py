"""A graph whose scripted model calls the tool `ask_user`: langchain_agent.py FILE"""

import sys

from langchain_core.messages import AIMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from askback import Askback
from askback.langchain import ask_user

CALL = {"name": "ask_user", "args": {"question": "Database?", "choices": ["SQLite", "Redis"]}, "id": "call_1"}
builder = StateGraph(MessagesState)
builder.add_node("model", lambda _: {"messages": [AIMessage("", tool_calls=[CALL])]})
builder.add_node("tools", ToolNode([ask_user(Askback(), run="t1")]))
builder.add_edge(START, "model")
builder.add_edge("model", "tools")
with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    graph = builder.compile(checkpointer=saver)
    config = {"configurable": {"thread_id": "t1"}}
    started = graph.get_state(config).next
    print(graph.invoke(None if started else {"messages": [("user", "Set up storage.")]}, config)["messages"][-1].content)
