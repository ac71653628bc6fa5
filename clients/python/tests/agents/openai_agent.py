"""An agent whose scripted model calls a tool that needs approval: openai_agent.py FILE"""

import asyncio
import sys

from agents import Agent, Model, ModelResponse, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from askback import AsyncAskback
from askback.openai_agents import ask_user, run

set_tracing_disabled(True)


class ScriptedModel(Model):
    """Asks the user, then calls `remove`, then says what both returned."""

    async def get_response(self, system_instructions, input, *_, **__):
        items = input if isinstance(input, list) else []
        outputs = [it["output"] for it in items if it.get("type") == "function_call_output"]
        calls = [("ask_user", '{"question": "Which backups?", "choices": ["old", "all"]}'), ("remove", '{"which": "old"}')]
        if len(outputs) < len(calls):
            name, arguments = calls[len(outputs)]
            call = ResponseFunctionToolCall(
                type="function_call", call_id=f"call_{len(outputs)}", name=name, arguments=arguments
            )
            return ModelResponse(output=[call], usage=Usage(), response_id=None)
        text = ResponseOutputText(type="output_text", text=" / ".join(outputs), annotations=[])
        message = ResponseOutputMessage(
            id="m1", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError


@function_tool(needs_approval=True)
def remove(which: str) -> str:
    return f"removed {which}"


async def main() -> None:
    ab = AsyncAskback()
    agent = Agent("janitor", model=ScriptedModel(), tools=[remove, ask_user(ab, "r1")])
    print((await run(agent, "Clean up.", ab, name="r1", path=sys.argv[1])).final_output)


asyncio.run(main())
