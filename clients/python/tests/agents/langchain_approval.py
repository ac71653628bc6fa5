"""An agent of LangChain whose scripted model calls a tool twice that needs approval: langchain_approval.py FILE MODE"""

import sys

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.sqlite import SqliteSaver

from askback import Askback
from askback.langgraph import run


class ScriptedModel(BaseChatModel):
    """Calls `remove` twice in one turn, then says what that returned."""

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, *_, **__):
        results = [it.content for it in messages if isinstance(it, ToolMessage)]
        calls = [{"name": "remove", "args": {"which": it}, "id": f"call_{it}"} for it in ("old", "new")]
        reply = AIMessage(" / ".join(results)) if results else AIMessage("", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=reply)])


def remove(which: str) -> str:
    """Removes backups."""
    return f"removed {which}"


with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    review = HumanInTheLoopMiddleware(interrupt_on={"remove": True}, interrupt_mode=sys.argv[2])
    agent = create_agent(ScriptedModel(), [remove], middleware=[review], checkpointer=saver)
    asked = {"messages": [("user", "Clean up.")]}
    print(run(agent, asked, {"configurable": {"thread_id": "t1"}}, Askback())["messages"][-1].content)
