"""Which questions a Python type asks, and how their answers become a value of this type."""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import types
from datetime import date
from typing import Annotated, Any, Callable, Generic, Literal, Mapping, TypedDict, TypeVar, Union
from typing import get_args, get_origin, get_type_hints

from ._errors import Incomplete, Json

T = TypeVar("T")
Choice = Union[str, Mapping[str, Any]]  # A label, or `{"label", "value", "description", "recommended", "preview"}`.


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


@dataclasses.dataclass(frozen=True, eq=False)
class Kind(Generic[T]):
    """A kind of question, or a form of several, whose answer is a `T`."""

    fields: Json
    read: Callable[..., T]  # Makes the value of the answer. That of a form gets the values of its questions by name.
    form: Mapping[str, Kind[Any]] | None = None

    def having(self, fields: Json) -> Kind[T]:
        """The same kind with further fields of the question."""
        return Kind({**self.fields, **fields}, self.read)

    def questions(self, text: str, options: Mapping[str, Any]) -> list[Json]:
        """What is asked. The text of a form is the context of its first question."""
        if self.form is None:
            return [{"id": "answer", **self.fields, **question(text, **options).fields}]
        first, *others = [{"id": name, **kind.fields} for name, kind in self.form.items()]
        return [{"context": text, **options, **first}, *others]

    def read_answers(self, inquiry: Json) -> T:
        """The value of an answered inquiry."""
        form = self.form or {"answer": self}
        given = {it["question"]: it["value"] for it in inquiry["outcome"]["answers"] if it.get("value") is not None}
        if any(name not in given and "optional" not in kind.fields for name, kind in form.items()):
            raise Incomplete(inquiry)
        values = {name: form[name].read(value) for name, value in given.items()}
        return self.read(**values) if self.form else values.get("answer")  # type: ignore[return-value]


def choice(*choices: Choice, own: bool = False) -> Kind[str]:
    """One of these; with `own`, the person may write something else."""
    return Kind({"kind": "choice", "choices": list(choices), "own": own}, str)


def several(*choices: Choice, own: bool = False) -> Kind[list[str]]:
    """Any number of these."""
    return Kind({"kind": "choice", "choices": list(choices), "own": own, "several": True}, list)


def question(text: str, **options: Any) -> Kind[Any]:
    """The question for a field of a form: `replicas: Annotated[int, question("Replicas?", min=1)]`."""
    dates = {name: it.isoformat() for name, it in options.items() if isinstance(it, date)}
    return Kind({"text": text, **options, **dates}, lambda answer: answer)


def kind_of(hint: Any) -> Kind[Any]:
    """A dataclass or a pydantic model asks for each parameter of its constructor, and any other type one question.
    What was skipped in a form has its default; without one, it is None."""
    fields = getattr(hint, "model_fields", {})
    if not isinstance(hint, type) or not (fields or dataclasses.is_dataclass(hint)):
        return _kind_of(hint)
    parameters, hints = inspect.signature(hint).parameters, get_type_hints(hint, include_extras=True)
    descriptions = {it.alias or name: it.description for name, it in fields.items()}
    form = {}
    for name, it in parameters.items():
        kind = _kind_of(hints[name] if isinstance(it.annotation, str) else it.annotation)
        text = descriptions.get(name) or name.replace("_", " ").capitalize() + "?"
        optional = {} if it.default is it.empty else {"optional": True}
        form[name] = Kind({"text": text, **kind.fields, **optional}, kind.read)
    nothing = {name: None for name, it in parameters.items() if it.default is it.empty}
    return Kind({}, functools.partial(hint, **nothing), form)


def _kind_of(hint: Any) -> Kind[Any]:
    if isinstance(hint, Kind):
        return hint
    if isinstance(hint, (list, tuple)):
        return choice(*hint)
    if isinstance(hint, type) and hint in _SIMPLE:
        return _SIMPLE[hint]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _one_of({it.name: it for it in hint}, lambda it: it.value if isinstance(it.value, str) else it.name)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple and arguments == (date, date):
        return Kind({"kind": "date_range"}, lambda it: tuple(map(date.fromisoformat, (it["start"], it["end"]))))
    if origin is Literal:
        return _one_of({str(it): it for it in arguments}, str)
    if origin is Annotated:
        return functools.reduce(Kind.having, map(_rules, hint.__metadata__), _kind_of(arguments[0]))
    if origin is list and (one := _kind_of(arguments[0])).fields["kind"] == "choice":
        return Kind({**one.fields, "several": True}, lambda values: [one.read(it) for it in values])
    if origin in (Union, getattr(types, "UnionType", Union)) and len(arguments) == 2 and type(None) in arguments:
        return _kind_of(arguments[arguments[0] is type(None)]).having({"optional": True})
    raise TypeError(f"askback cannot ask for {hint!r}: use bool, int, str, a list of choices or another type of docs/python.md")


def _rules(metadata: Any) -> Json:
    """What `Annotated` says: a `question`, a `choice`, or limits such as those of pydantic's `Field(ge=1)`."""
    if isinstance(metadata, Kind):
        return metadata.fields
    parts = getattr(metadata, "metadata", [metadata])  # pydantic's `Field` has several. The server refuses `gt` and `lt`.
    limits = [(ours, getattr(it, theirs, None)) for it in parts for theirs, ours in LIMITS.items()]
    return {name: limit for name, limit in limits if limit is not None}


def _one_of(members: Mapping[str, Any], label: Callable[[Any], str]) -> Kind[Any]:
    """Choices with the names as values. What is none of them is the person's own text."""
    choices = [{"label": label(it), "value": name} for name, it in members.items()]
    return Kind({"kind": "choice", "choices": choices}, lambda name: members.get(name, name))


LIMITS = {"ge": "min", "le": "max", "multiple_of": "step", **{it: it for it in "min_length max_length pattern gt lt".split()}}
_SIMPLE: dict[Any, Kind[Any]] = {
    bool: Kind({"kind": "confirm"}, bool),
    int: Kind({"kind": "number", "integer": True}, int),
    float: Kind({"kind": "number"}, float),
    str: Kind({"kind": "text"}, str),
    date: Kind({"kind": "date"}, date.fromisoformat),
}
