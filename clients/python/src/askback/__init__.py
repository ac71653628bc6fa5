"""Ask a person a question, and get the answer in the type that you asked for: `Askback().ask("Roll out 4.2?", bool)`."""

from ._client import Askback, AsyncAskback, AsyncInquiry, Inquiry
from ._errors import AskbackError, Declined, Expired, Gone, Incomplete, NoAnswer, Pending, Problem, Stopped
from ._errors import Superseded, Unreachable
from ._kinds import Kind, choice, question, several
from ._server import Event

__all__ = ["Askback", "AskbackError", "AsyncAskback", "AsyncInquiry", "Declined", "Event", "Expired", "Gone"]
__all__ += ["Incomplete", "Inquiry", "Kind", "NoAnswer", "Pending", "Problem", "Stopped", "Superseded"]
__all__ += ["Unreachable", "choice", "question", "several"]
