"""Everything but an answer is an exception."""

from __future__ import annotations

import copyreg
from typing import Any

Json = dict[str, Any]


class AskbackError(Exception):
    """The base of all exceptions of this package. They can be pickled, as pools of processes do."""

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class Unreachable(AskbackError):
    """There is no server, or what listens there is not the server of this data directory."""


class Problem(AskbackError):
    """The server refused the request. Branch on `code`; `detail` says what to change."""

    def __init__(self, status: int, body: Json) -> None:
        self.status, self.code = status, str(body.get("code", ""))
        self.detail = str(body.get("detail") or body.get("title") or "is that an askback server?")
        super().__init__(f"{status} {self.code}: {self.detail}")


class NoAnswer(AskbackError):
    """The question has no answer. `inquiry` is what the server knows about it."""

    def __init__(self, inquiry: Json) -> None:
        self.inquiry, self.id, self.status = inquiry, str(inquiry["id"]), str(inquiry["status"])
        super().__init__(f"{self.id} is {self.status}")


class Pending(NoAnswer):
    """The time to wait is over. The question stays open: ask again with the same key, now or tomorrow."""


class Declined(NoAnswer):
    """The person leaves the decision to the program."""


class Stopped(NoAnswer):
    """The person wants the program to stop: the question was rejected or cancelled."""


class Expired(NoAnswer):
    """Nobody answered before the deadline."""


class Superseded(NoAnswer):
    """The person wrote something else instead of an answer."""


class Gone(NoAnswer):
    """The question was withdrawn, deleted or could not be delivered."""


class Incomplete(NoAnswer):
    """The person left questions of a form open that are not optional."""


OUTCOMES: dict[str, type[NoAnswer] | None] = {
    "answered": None, "declined": Declined, "rejected": Stopped, "cancelled": Stopped, "expired": Expired,
    "superseded": Superseded, "withdrawn": Gone, "undeliverable": Gone,
}  # fmt: skip
"""What to raise, by the status of an inquiry. One that this version does not know counts as pending."""
