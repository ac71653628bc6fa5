"""LangChain: a tool with which a model asks the user.

    agent = create_agent(model, tools=[ask_user(ab, run="thread-1")])

The key of a question is `run` and the id of the tool call. After kill -9, the question and its answer are found again if the
framework repeats the same call, as LangGraph does with a checkpointer. Otherwise the model asks anew.
"""

from __future__ import annotations

from typing import Annotated, List, Optional

from langchain_core.tools import BaseTool, InjectedToolCallId, tool

from ._agents import ASK_USER, ask_for_model
from ._client import Askback, block_on


def ask_user(ab: Askback, run: str) -> BaseTool:
    """The tool. `run` names the run of the agent, such as a thread id."""

    @tool("ask_user", description=ASK_USER)
    def ask(
        question: str,
        tool_call_id: Annotated[str, InjectedToolCallId],
        choices: Optional[List[str]] = None,
        several: bool = False,
    ) -> str:
        return block_on(ask_for_model(ab, f"{run}/{tool_call_id}", question, choices, several))

    return ask
