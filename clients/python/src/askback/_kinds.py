"""Which questions a Python type asks, and how their answers become a value of this type."""

from __future__ import annotations

import dataclasses
import enum
import types
from datetime import date
from typing import Any, Callable, Generic, Iterator, Literal, Mapping, Sequence, Tuple, Type, TypedDict, TypeVar, Union
from typing import get_args, get_origin, get_type_hints

from ._errors import Incomplete, Json

T = TypeVar("T")
Choice = Union[str, Mapping[str, Any]]
"""A label, or `{"label", "value", "description", "recommended", "preview"}`."""


class QuestionOptions(TypedDict, total=False):
    """What may be said about a question besides its text and type."""

    header: str
    context: str
    placeholder: str
    own: bool
    min: float | date
    max: float | date
    step: float
    min_length: int
    max_length: int
    pattern: str
    message: str


class Kind(Generic[T]):
    """A kind of question whose answer is a `T`."""

    def __init__(self, fields: Json, read: Callable[[Any], T]) -> None:
        self.fields = fields
        self.read = read


Typed = Union[Type[T], Kind[T], Sequence[T]]


def choice(*choices: Choice, own: bool = False) -> Kind[str]:
    """One of these; with `own`, the person may write something else."""
    return Kind({"kind": "choice", "choices": list(choices), "own": own}, str)


def several(*choices: Choice, own: bool = False) -> Kind[list[str]]:
    """Any number of these."""
    return Kind({"kind": "choice", "choices": list(choices), "own": own, "several": True}, list)


class question:
    """The question for a field of a form: `replicas: Annotated[int, question("Replicas?", min=1)]`."""

    def __init__(self, text: str, **options: Any) -> None:
        self.text = text
        self.options = options


class _Field:
    """One question, and how to read its answer."""

    def __init__(self, name: str, text: str, hint: Any, options: Mapping[str, Any], has_default: bool = False) -> None:
        self.name = name
        self.has_default = has_default
        self.kind = _optional(_kind_of(hint)) if has_default else _kind_of(hint)
        rules = {name: it.isoformat() if isinstance(it, date) else it for name, it in options.items()}
        self.question = {"id": name, "text": text, **self.kind.fields, **rules}


class Form(Generic[T]):
    """The questions of one inquiry, and how to make a value of their answers."""

    def __init__(self, fields: list[_Field], make: Callable[..., T]) -> None:
        self.questions = [it.question for it in fields]
        self._fields = fields
        self._make = make

    def read(self, inquiry: Json) -> T:
        """The value of an answered inquiry."""
        answers = {answer["question"]: answer.get("value") for answer in inquiry["outcome"]["answers"]}
        if any(answers.get(it["id"]) is None and "optional" not in it for it in self.questions):
            raise Incomplete(inquiry)
        left_out = {it.name for it in self._fields if it.has_default and answers.get(it.name) is None}
        return self._make(**{it.name: it.kind.read(answers.get(it.name)) for it in self._fields if it.name not in left_out})


def form_of(text: str, hint: Any, options: Mapping[str, Any]) -> Form[Any]:
    """A dataclass or a pydantic model asks a question for each field; any other type asks one."""
    if not isinstance(hint, type) or not (dataclasses.is_dataclass(hint) or hasattr(hint, "model_fields")):
        return Form([_Field("answer", text, hint, options)], lambda answer: answer)
    form = Form(list(_fields_of(hint)), hint)
    form.questions[0] = {"context": text, **options, **form.questions[0]}
    return form


def _fields_of(model: Any) -> Iterator[_Field]:
    if hasattr(model, "model_fields"):
        for name, it in model.model_fields.items():
            yield _described_field(it.alias or name, it.annotation, not it.is_required(), it.metadata, it.description)
        return
    plain, annotated = get_type_hints(model), get_type_hints(model, include_extras=True)
    for it in dataclasses.fields(model):
        metadata = getattr(annotated[it.name], "__metadata__", ())
        yield _described_field(it.name, plain[it.name], it.default is not it.default_factory, metadata)


def _described_field(
    name: str, hint: Any, has_default: bool, metadata: Sequence[Any], text: str | None = None
) -> _Field:
    """The metadata may have the question, and limits such as those of pydantic's `Field(ge=1)`."""
    text, options = text or name.replace("_", " ").capitalize() + "?", Json()
    for it in metadata:
        if isinstance(it, question):
            text, options = it.text, {**options, **it.options}
        limits = {ours: getattr(it, theirs, None) for theirs, ours in _LIMITS.items()}
        options.update({name: limit for name, limit in limits.items() if limit is not None})
    return _Field(name, text, hint, options, has_default)


_LIMITS = {"ge": "min", "le": "max", "multiple_of": "step"}
_LIMITS.update({it: it for it in ("min_length", "max_length", "pattern")})


def _kind_of(hint: Any) -> Kind[Any]:
    if isinstance(hint, Kind):
        return hint
    if isinstance(hint, (list, tuple)):
        return choice(*hint)
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _one_of(hint.__members__, lambda it: it.value if isinstance(it.value, str) else it.name)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _one_of({str(it): it for it in arguments}, str)
    if origin is list and _kind_of(arguments[0]).fields["kind"] == "choice":
        one = _kind_of(arguments[0])
        return Kind({**one.fields, "several": True}, lambda values: [one.read(it) for it in values])
    if origin in (Union, getattr(types, "UnionType", Union)) and len(arguments) == 2 and type(None) in arguments:
        return _optional(_kind_of(arguments[arguments[0] is type(None)]))
    raise TypeError(f"askback cannot ask for {hint!r}")


def _optional(kind: Kind[Any]) -> Kind[Any]:
    return Kind({**kind.fields, "optional": True}, lambda value: None if value is None else kind.read(value))


def _one_of(members: Mapping[str, Any], label: Callable[[Any], str]) -> Kind[Any]:
    """Choices with the names as values. What is none of them is the person's own text."""
    choices = [{"label": label(it), "value": name} for name, it in members.items()]
    return Kind({"kind": "choice", "choices": choices}, lambda name: members.get(name, name))


_DATE_RANGE = Kind({"kind": "date_range"}, lambda it: tuple(date.fromisoformat(it[end]) for end in ("start", "end")))
_SIMPLE: dict[Any, Kind[Any]] = {
    bool: Kind({"kind": "confirm"}, bool),
    int: Kind({"kind": "number", "integer": True}, int),
    float: Kind({"kind": "number"}, float),
    str: Kind({"kind": "text"}, str),
    date: Kind({"kind": "date"}, date.fromisoformat),
    Tuple[date, date]: _DATE_RANGE,
    tuple[date, date]: _DATE_RANGE,
}
