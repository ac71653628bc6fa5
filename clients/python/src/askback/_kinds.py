"""Which questions a Python type asks, and how their answers become a value of this type."""

from __future__ import annotations

import dataclasses
import enum
import types
from datetime import date
from typing import Any, Callable, Dict, Generic, List, Literal, Mapping, Sequence, Tuple, TypedDict, TypeVar, Union
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
    min: Union[float, date]
    max: Union[float, date]
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


def choice(*choices: Choice, own: bool = False) -> Kind[str]:
    """One of these; with `own`, the person may write something else."""
    return Kind({"kind": "choice", "choices": list(choices), "own": own}, str)


def several(*choices: Choice, own: bool = False) -> Kind[List[str]]:
    """Any number of these."""
    return Kind({"kind": "choice", "choices": list(choices), "own": own, "several": True}, list)


class question:
    """The question for a field of a form: `replicas: Annotated[int, question("Replicas?", min=1)]`."""

    def __init__(self, text: str, **options: Any) -> None:
        self.text = text
        self.options = options


class Form(Generic[T]):
    """The questions of one inquiry, and how to read their answers."""

    def __init__(self, questions: List[Json], read: Callable[[Json], T]) -> None:
        self.questions = questions
        self._read = read

    def read(self, inquiry: Json) -> T:
        """The value of an answered inquiry."""
        values = {answer["question"]: answer.get("value") for answer in inquiry["outcome"]["answers"]}
        if any(values.get(it["id"]) is None and "optional" not in it for it in self.questions):
            raise Incomplete(inquiry)
        return self._read(values)


def form_of(text: str, hint: Any, options: Mapping[str, Any]) -> Form[Any]:
    """A dataclass or a pydantic model asks a question for each field; any other type asks one."""
    if isinstance(hint, type) and hasattr(hint, "model_fields"):
        return _model_form(text, hint, options, _pydantic_fields(hint))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _model_form(text, hint, options, _dataclass_fields(hint))
    field = _Field("answer", text, hint, options)
    return Form([field.question()], lambda values: field.read(values))


class _Field:
    """One question, and how to read its answer."""

    def __init__(self, name: str, text: str, hint: Any, options: Mapping[str, Any], has_default: bool = False) -> None:
        self.name = name
        self.has_default = has_default
        self._text = text
        self._options = options
        self._kind, accepts_none = _kind_of(hint)
        self._optional = accepts_none or has_default

    def question(self) -> Json:
        rules = {name: it.isoformat() if isinstance(it, date) else it for name, it in self._options.items()}
        optional = {"optional": True} if self._optional else {}
        return {"id": self.name, "text": self._text, **self._kind.fields, **rules, **optional}

    def read(self, values: Json) -> Any:
        value = values.get(self.name)
        return None if value is None else self._kind.read(value)


def _model_form(text: str, model: Any, options: Mapping[str, Any], fields: List[_Field]) -> Form[Any]:
    """The text is shown above the first question."""
    first, *others = [it.question() for it in fields]

    def read(values: Json) -> Any:
        given = [(it, it.read(values)) for it in fields]
        return model(**{it.name: value for it, value in given if value is not None or not it.has_default})

    return Form([{"context": text, **options, **first}, *others], read)


def _dataclass_fields(model: Any) -> List[_Field]:
    hints = get_type_hints(model, include_extras=True)
    return [
        _field(it.name, hints[it.name], [], has_default=it.default is not it.default_factory)
        for it in dataclasses.fields(model)
    ]


def _pydantic_fields(model: Any) -> List[_Field]:
    return [
        _field(it.alias or name, it.annotation, it.metadata, not it.is_required(), it.description)
        for name, it in model.model_fields.items()
    ]


def _field(name: str, hint: Any, metadata: Sequence[Any], has_default: bool, text: Any = None) -> _Field:
    """Takes the question from the metadata, and limits that pydantic's `Field(ge=1)` or annotated-types left there."""
    if hasattr(hint, "__metadata__"):
        hint, metadata = hint.__origin__, hint.__metadata__
    text = text or name.replace("_", " ").capitalize() + "?"
    options: Json = {}
    for it in metadata:
        if isinstance(it, question):
            text = it.text
            options.update(it.options)
        for theirs, ours in _LIMITS.items():
            options.update({ours: getattr(it, theirs)} if getattr(it, theirs, None) is not None else {})
    return _Field(name, text, hint, options, has_default)


_LIMITS = {"ge": "min", "le": "max", "multiple_of": "step"}
_LIMITS.update({it: it for it in ("min_length", "max_length", "pattern")})


def _kind_of(hint: Any) -> Tuple[Kind[Any], bool]:
    """The kind that a type stands for, and whether it accepts None."""
    if get_origin(hint) in (Union, getattr(types, "UnionType", Union)):
        rest = [it for it in get_args(hint) if it is not type(None)]
        if len(rest) == 1:
            return _kind_of(rest[0])[0], True
        raise TypeError(f"askback cannot ask for {hint}: of the unions, it knows only `X | None`")
    return _required_kind(hint), False


def _required_kind(hint: Any) -> Kind[Any]:
    if isinstance(hint, Kind):
        return hint
    if isinstance(hint, Sequence) and not isinstance(hint, str):
        return choice(*hint)
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if get_origin(hint) is Literal:
        return _one_of({str(it): it for it in get_args(hint)}, str)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _one_of(hint.__members__, lambda it: it.value if isinstance(it.value, str) else it.name)
    if get_origin(hint) is list:
        one = _required_kind(get_args(hint)[0])
        if one.fields["kind"] == "choice":
            return Kind({**one.fields, "several": True}, lambda values: [one.read(it) for it in values])
    raise TypeError(f"askback cannot ask for {hint!r}")


def _one_of(members: Mapping[str, Any], label: Callable[[Any], str]) -> Kind[Any]:
    """Choices with the names as values. What is none of them is the person's own text."""
    choices = [{"label": label(it), "value": name} for name, it in members.items()]
    return Kind({"kind": "choice", "choices": choices}, lambda name: members.get(name, name))


_DATE_RANGE = Kind({"kind": "date_range"}, lambda it: tuple(date.fromisoformat(it[end]) for end in ("start", "end")))
_SIMPLE: Dict[Any, Kind[Any]] = {
    bool: Kind({"kind": "confirm"}, bool),
    int: Kind({"kind": "number", "integer": True}, int),
    float: Kind({"kind": "number"}, float),
    str: Kind({"kind": "text"}, str),
    date: Kind({"kind": "date"}, date.fromisoformat),
    Tuple[date, date]: _DATE_RANGE,
    tuple[date, date]: _DATE_RANGE,
}
