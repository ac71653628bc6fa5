"""Hooks for scripts/api-fuzz: most ids become those of new conversations and of new inquiries of every
kind, and half of the answers and drafts become ones that may be valid. The rest stays as generated."""

import itertools
import os

import requests
import schemathesis

BASE = os.environ["API_FUZZ_URL"]
HEADERS = {"Authorization": "Bearer " + os.environ["API_FUZZ_TOKEN"]}

OPTIONS = [{"label": "PostgreSQL"}, {"label": "SQLite", "description": "One file"}]
DAYS = {"min": "2027-01-01", "max": "2027-12-31"}

# A tool input with an answer that fits it.
INQUIRIES = [
    ({"questions": [{"question": "Which?", "header": "Which", "options": OPTIONS}]}, "SQLite"),
    (
        {"questions": [{"question": "Which ones?", "header": "H", "options": OPTIONS, "multiSelect": True}]},
        {"values": ["SQLite", "PostgreSQL"], "other": "and mine", "note": "for now"},
    ),
    ({"question": "Why?", "input_type": "text", "validation": {"min_length": 2}}, "because"),
    ({"question": "How many?", "input_type": "number", "validation": {"min": 1, "max": 9}}, 3.5),
    ({"question": "When?", "input_type": "date", "validation": DAYS}, "2027-03-27"),
    (
        {"question": "From when to when?", "input_type": "date_range", "allow_skip": True},
        {"start": "2027-03-27", "end": "2027-03-28"},
    ),
    ({"question": "May I?", "input_type": "confirm", "allow_skip": True}, {"skipped": True}),
]

turn = itertools.count()


def asked(kind):
    """A fresh inquiry of a kind, with its conversation."""
    dialect = "ask_user" if "question" in INQUIRIES[kind][0] else "ask_user_question"
    body = {"dialect": dialect, "input": INQUIRIES[kind][0], "source": "api-fuzz"}
    reply = requests.post(BASE + "/inquiries", json=body, headers=HEADERS, timeout=20)
    reply.raise_for_status()
    return reply.json()


def new_conversation(path):
    """A new conversation of the built-in agent: working or asking, or idle for routes that send a message."""
    body = {} if path.endswith("/messages") else {"message": "Plan my week"}
    reply = requests.post(BASE + "/conversations", json=body, headers=HEADERS, timeout=20)
    reply.raise_for_status()
    return reply.json()


@schemathesis.hook
def before_call(context, case, kwargs):
    path = case.operation.path
    if "{id}" not in path:
        return
    now = next(turn)
    if now % 4 == 3:
        return
    kind = now % len(INQUIRIES)
    if path.startswith("/inquiries/"):
        case.path_parameters["id"] = asked(kind)["id"]
    elif now % 4 == 0:
        case.path_parameters["id"] = new_conversation(path)["id"]
    else:
        case.path_parameters["id"] = asked(kind)["conversation_id"]
    if now % 2 == 0 and isinstance(case.body, dict) and "answers" in case.body:
        case.body = {"answers": {"q1": INQUIRIES[kind][1]}, "notes": {"q1": "noted"}}
    if now % 2 == 0 and isinstance(case.body, dict) and "draft" in case.body:
        case.body = {"draft": {"page": {"question": 0}, "entries": []}}
