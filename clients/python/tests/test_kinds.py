"""Each Python type asks the question that it stands for, and its answer comes back in this type."""

from __future__ import annotations

import dataclasses
import enum
from datetime import date
from typing import Annotated, Any, List, Literal, Optional, Tuple

import pydantic
import pytest

from askback import Incomplete, choice, question, several
from askback._kinds import kind_of


class Size(enum.Enum):
    SMALL = "small"
    LARGE = 2


class Color(enum.Enum):
    red = "red"
    crimson = "red"
    blue = "blue"


def answered(values: dict[str, Any]) -> dict[str, Any]:
    answers = [{"question": name, "value": value} for name, value in values.items()]
    return {"id": "inq_1", "status": "answered", "outcome": {"type": "answered", "answers": answers}}


def literal(*values: str) -> list[dict[str, str]]:
    return [{"label": it, "value": it} for it in values]


CASES: list[tuple[Any, dict[str, Any], Any, Any]] = [
    (bool, {"kind": "confirm"}, False, False),
    (int, {"kind": "number", "integer": True}, 3.0, 3),
    (float, {"kind": "number"}, 3, 3.0),
    (str, {"kind": "text"}, "Ada", "Ada"),
    (date, {"kind": "date"}, "2027-03-27", date(2027, 3, 27)),
    (
        Tuple[date, date],
        {"kind": "date_range"},
        {"start": "2027-03-27", "end": "2027-03-28"},
        (date(2027, 3, 27), date(2027, 3, 28)),
    ),
    (["a", "b"], {"kind": "choice", "choices": ["a", "b"], "own": False}, "b", "b"),
    (choice("a", own=True), {"kind": "choice", "choices": ["a"], "own": True}, "mine", "mine"),
    (several("a", "b"), {"kind": "choice", "choices": ["a", "b"], "own": False, "several": True}, ["a"], ["a"]),
    (Literal["eu", "us"], {"kind": "choice", "choices": literal("eu", "us")}, "us", "us"),
    (Literal[1, 2], {"kind": "choice", "choices": literal("1", "2")}, "2", 2),
    (
        Size,
        {"kind": "choice", "choices": [{"label": "small", "value": "SMALL"}, {"label": "LARGE", "value": "LARGE"}]},
        "LARGE",
        Size.LARGE,
    ),
    (
        List[Literal["eu", "us"]],
        {"kind": "choice", "choices": literal("eu", "us"), "several": True},
        ["us", "eu"],
        ["us", "eu"],
    ),
    (Optional[int], {"kind": "number", "integer": True, "optional": True}, None, None),
    (Annotated[str, choice("a")], {"kind": "choice", "choices": ["a"], "own": False}, "a", "a"),
    (Annotated[int, pydantic.Field(ge=1, le=9)], {"kind": "number", "integer": True, "min": 1, "max": 9}, 3, 3),
    (Color, {"kind": "choice", "choices": literal("red", "blue")}, "red", Color.red),
    (Annotated[int, question("Text?", min=1)], {"kind": "number", "integer": True, "min": 1}, 3, 3),
]


@pytest.mark.parametrize("hint, fields, value, expected", CASES, ids=lambda it: str(it)[:30])
def test_type_asks_its_question_and_reads_its_answer(hint: Any, fields: Any, value: Any, expected: Any) -> None:
    kind = kind_of(hint)
    assert kind.questions("Text?", {}) == [{"id": "answer", "text": "Text?", **fields}]
    read = kind.read_answers(answered({"answer": value}))
    assert (read, type(read)) == (expected, type(expected))


@pytest.mark.parametrize("hint", [dict, List[str], "text", Optional["int | str"], bytes])
def test_other_types_are_refused_before_anything_is_asked(hint: Any) -> None:
    with pytest.raises(TypeError, match="askback cannot ask for"):
        kind_of(hint)


def test_limits_are_sent_with_the_question() -> None:
    assert kind_of(date).questions("When?", {"min": date(2027, 1, 1), "header": "Date"}) == [
        {"id": "answer", "text": "When?", "kind": "date", "min": "2027-01-01", "header": "Date"}
    ]


def test_limit_that_the_server_does_not_have_is_sent_so_that_it_refuses_the_question() -> None:
    """Else the person gives an answer that pydantic refuses."""
    assert kind_of(Annotated[int, pydantic.Field(gt=0)]).fields == {"kind": "number", "integer": True, "gt": 0}


def test_own_text_of_a_typed_choice_is_returned_as_it_is() -> None:
    assert kind_of(Size).read_answers(answered({"answer": "huge"})) == "huge"


@dataclasses.dataclass
class Plan:
    database: Literal["PostgreSQL", "SQLite"]
    replicas: Annotated[int, question("How many replicas?", min=1, max=9)]
    launch: Optional[date]
    comment: str = "none"
    steps: List[str] = dataclasses.field(default_factory=list, init=False)


class Order(pydantic.BaseModel):
    item: str = pydantic.Field(description="What shall we order?", max_length=20)
    amount: int = pydantic.Field(ge=1, le=9)
    express: bool = False


def test_dataclass_is_one_form() -> None:
    form = kind_of(Plan)
    assert form.questions("Plan the launch.", {}) == [
        {
            "id": "database",
            "text": "Database?",
            "kind": "choice",
            "choices": literal("PostgreSQL", "SQLite"),
            "context": "Plan the launch.",
        },
        {"id": "replicas", "text": "How many replicas?", "kind": "number", "integer": True, "min": 1, "max": 9},
        {"id": "launch", "text": "Launch?", "kind": "date", "optional": True},
        {"id": "comment", "text": "Comment?", "kind": "text", "optional": True},
    ]
    given = answered({"database": "SQLite", "replicas": 2, "launch": None, "comment": None})
    assert form.read_answers(given) == Plan("SQLite", 2, None, "none")


def test_pydantic_model_is_one_form_with_its_descriptions_and_limits() -> None:
    form = kind_of(Order)
    assert form.questions("Order.", {}) == [
        {"id": "item", "text": "What shall we order?", "kind": "text", "max_length": 20, "context": "Order."},
        {"id": "amount", "text": "Amount?", "kind": "number", "integer": True, "min": 1, "max": 9},
        {"id": "express", "text": "Express?", "kind": "confirm", "optional": True},
    ]
    given = answered({"item": "tea", "amount": 2, "express": True})
    assert form.read_answers(given) == Order(item="tea", amount=2, express=True)


def test_required_question_that_was_left_open_is_no_answer() -> None:
    with pytest.raises(Incomplete):
        kind_of(Plan).read_answers(answered({"database": "SQLite", "replicas": None}))
