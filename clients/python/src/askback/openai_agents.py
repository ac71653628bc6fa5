"""OpenAI Agents: tools with `needs_approval` ask the user, and models ask with the tool `ask_user`.

    result = await run(agent, "Delete the old backups.", ab, name="backups-42", path="backups-42.json")

Approvals survive kill -9 if there is a `path`: the run is saved before it asks, and continues when it is called again.
A question of `ask_user` does not, because the SDK saves no state while a tool runs: the model is called again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, List, Optional, Union

from agents import Agent, FunctionTool, Runner, RunResult, RunState, function_tool
from agents.tool_context import ToolContext

from ._agents import ASK_USER, SavedRun, approve, ask_for_model
from ._client import AsyncAskback


async def run(
    agent: Agent[Any], input: str, ab: AsyncAskback, *, name: str, path: Union[str, Path, None] = None, **options: Any
) -> RunResult:
    """`Runner.run` until no call waits for approval. `name` is unique for each run; `options` go to the runner."""
    saved = SavedRun(path)
    stored = saved.load()
    state: Union[str, RunState[Any, Agent[Any]]] = await RunState.from_json(agent, stored) if stored else input
    while True:
        if isinstance(state, RunState):
            for call in state.get_interruptions():
                key = f"{name}/{call.call_id}"
                if await approve(ab, key, call.name or "the tool", call.arguments):
                    state.approve(call)
                else:
                    state.reject(call)
        result = await Runner.run(agent, state, **options)
        if not result.interruptions:
            saved.remove()
            return result
        state = result.to_state()
        saved.save(state.to_json())


def ask_user(ab: AsyncAskback, name: str) -> FunctionTool:
    """A tool with which the model asks the user. `name` is unique for each run."""

    # Without the function, the model is told of a stop, and goes on.
    @function_tool(name_override="ask_user", description_override=ASK_USER, failure_error_function=None)
    async def ask(context: ToolContext[Any], question: str, choices: Optional[List[str]], several: bool = False) -> str:
        return await ask_for_model(ab, f"{name}/{context.tool_call_id}", question, choices, several)

    return ask
