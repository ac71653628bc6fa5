"""Pydantic AI: tools with `requires_approval` ask the user, and models ask with the toolset `ask_user`.

    agent = Agent(model, output_type=[str, DeferredToolRequests], toolsets=[ask_user()])
    result = await run(agent, "Delete the old backups.", ab, name="backups-42", path="backups-42.json")

Survives kill -9 if there is a `path`: the run is saved before it asks, and continues when it is called again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Union

from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolDefinition
from pydantic_ai.messages import ModelMessagesTypeAdapter, ToolCallPart
from pydantic_ai.run import AgentRunResult
from pydantic_ai.toolsets import ExternalToolset

from ._agents import ASK_USER, SavedRun, approve, ask_for_model
from ._client import AsyncAskback
from ._errors import Json

_REQUESTS = TypeAdapter(DeferredToolRequests)


async def run(
    agent: Agent[Any, Any], prompt: str, ab: AsyncAskback, *, name: str, path: Union[str, Path, None] = None, **options: Any
) -> AgentRunResult[Any]:
    """`agent.run` until nothing waits for the user. `name` is unique for each run; `options` go to the agent."""
    saved = SavedRun(path)
    state = saved.load()
    while True:
        if state is None:
            result = await agent.run(prompt, **options)
        else:
            history = ModelMessagesTypeAdapter.validate_python(state["messages"])
            answers = await _ask(ab, name, _REQUESTS.validate_python(state["requests"]))
            result = await agent.run(message_history=history, deferred_tool_results=answers, **options)
        if not isinstance(result.output, DeferredToolRequests):
            saved.remove()
            return result
        messages = json.loads(result.all_messages_json())
        state = {"messages": messages, "requests": _REQUESTS.dump_python(result.output, mode="json")}
        saved.save(state)


async def _ask(ab: AsyncAskback, name: str, requests: DeferredToolRequests) -> DeferredToolResults:
    results = DeferredToolResults()
    for call in requests.approvals:
        arguments = call.args_as_dict()
        results.approvals[call.tool_call_id] = await approve(ab, f"{name}/{call.tool_call_id}", call.tool_name, arguments)
    for call in requests.calls:
        if call.tool_name == "ask_user":
            results.calls[call.tool_call_id] = await _answer(ab, name, call)
    return results


async def _answer(ab: AsyncAskback, name: str, call: ToolCallPart) -> str:
    asked = call.args_as_dict()
    key, several = f"{name}/{call.tool_call_id}", bool(asked.get("several"))
    return await ask_for_model(ab, key, str(asked.get("question")), asked.get("choices"), several)


def ask_user() -> ExternalToolset[Any]:
    """A toolset with which the model asks the user; `run` asks its calls."""
    properties: Json = {
        "question": {"type": "string"},
        "choices": {"type": "array", "items": {"type": "string"}},
        "several": {"type": "boolean"},
    }
    schema: Json = {"type": "object", "properties": properties, "required": ["question"]}
    return ExternalToolset([ToolDefinition(name="ask_user", description=ASK_USER, parameters_json_schema=schema)])
