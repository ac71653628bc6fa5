"""An agent whose scripted model asks the user and calls a tool that needs approval: pydantic_ai_agent.py FILE"""

import asyncio
import sys

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from askback import AsyncAskback
from askback.pydantic_ai import ask_user, run


def script(messages, _):
    """Asks the user, then calls `remove`, then says what both returned."""
    parts = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    asked = {"question": "Which backups?", "choices": ["old", "all"]}
    calls = [ToolCallPart("ask_user", asked, "call_0"), ToolCallPart("remove", {"which": "old"}, "call_1")]
    if len(parts) < len(calls):
        return ModelResponse([calls[len(parts)]])
    return ModelResponse([TextPart(" / ".join(str(it.content) for it in parts))])


agent = Agent(FunctionModel(script), output_type=[str, DeferredToolRequests], toolsets=[ask_user()])


@agent.tool_plain(requires_approval=True)
def remove(which: str) -> str:
    return f"removed {which}"


print(asyncio.run(run(agent, "Clean up.", AsyncAskback(), name="r1", path=sys.argv[1])).output)
