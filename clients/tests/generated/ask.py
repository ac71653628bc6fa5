"""Asks, waits and answers with the client of openapi-python-client, and reads the outcome with the models of datamodel-codegen."""

import os
from threading import Thread

import models
from askback_api import AuthenticatedClient
from askback_api.api.inquiries import answer_inquiry, ask, read_inquiry
from askback_api.models import AnsweredOutcomeResponse, AnswerParams, InquiryResponse, NewInquiryParams

client = AuthenticatedClient(base_url=os.environ["ASKBACK_URL"], token=os.environ["ASKBACK_TOKEN"])
questions = [
    {"id": "db", "text": "Which database?", "choices": ["PostgreSQL", "SQLite"]},
    {"id": "go", "text": "Roll out?", "kind": "confirm"},
]
body = NewInquiryParams.from_dict({"questions": questions, "key": "openapi-python-client"})
asked = ask.sync(client=client, body=body)
assert isinstance(asked, InquiryResponse), asked


def answer(inquiry: str) -> None:
    answers = AnswerParams.from_dict({"answers": {"db": "SQLite", "go": True}})
    answered = answer_inquiry.sync(inquiry, client=client, body=answers)
    assert isinstance(answered, InquiryResponse), answered


respondent = Thread(target=answer, args=[asked.id])
respondent.start()
found = read_inquiry.sync(asked.id, client=client, wait="30s")
respondent.join()
assert isinstance(found, InquiryResponse), found
assert isinstance(found.outcome, AnsweredOutcomeResponse), found.outcome
values = {each.question: each.value for each in found.outcome.answers}
assert values == {"db": "SQLite", "go": True}, values
print("openapi-python-client:", values)
same = models.InquiryResponse.model_validate(found.to_dict())
assert same.outcome, same
assert isinstance(same.outcome.root, models.AnsweredOutcomeResponse), same.outcome
values = {each.root.question: each.root.value for each in same.outcome.root.answers}
assert values == {"db": "SQLite", "go": True}, values
print("datamodel-codegen:", values)
