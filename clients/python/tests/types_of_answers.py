"""What type checkers know about an answer. This file is only checked, not run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, List, Literal, Optional

from typing_extensions import assert_type

from askback import Askback, AsyncAskback, AsyncInquiry, Inquiry, choice, question, several


@dataclass
class Plan:
    replicas: int


def answers(ab: Askback) -> None:
    assert_type(ab.ask("Sure?", bool, key="sure", timeout=3), bool)
    assert_type(ab.ask("When?", date, min=date(2027, 1, 1)), date)
    assert_type(ab.ask("Which?", ["a", "b"]), str)
    assert_type(ab.ask("Which?", choice("a", {"label": "b"}, own=True)), str)
    assert_type(ab.ask("Which?", several("a", "b")), "list[str]")
    assert_type(ab.ask("Plan?", Plan), Plan)
    assert_type(ab.ask("Where?", List[Literal["eu", "us"]]), List[Literal["eu", "us"]])
    region: Literal["eu", "us"] = ab.ask("Where?", Literal["eu", "us"])
    count: Optional[int] = ab.ask("How many?", Optional[int])
    at_least_one: int = ab.ask("How many?", Annotated[int, question("", min=1)])
    print(region, count, at_least_one)
    started = ab.run("deploy-42").start("How many?", int, expires_in="2h")
    assert_type(started, Inquiry[int])
    assert_type(ab.wait_any([started], timeout=3).wait(timeout=3), int)
    assert_type(started.withdraw(), bool)
    assert_type(started.link("1h"), str)
    ab.ask("Sure?", bool, keys="sure")  # type: ignore[call-arg]


async def async_answers(ab: AsyncAskback) -> None:
    assert_type(await ab.ask("Sure?", bool), bool)
    started = await ab.run("deploy-42").start("How many?", int)
    assert_type(started, AsyncInquiry[int])
    assert_type(await (await ab.wait_any([started])).wait(timeout=3), int)
    assert_type(await started.link(), str)
