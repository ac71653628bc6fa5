//! A made-up history in which everything is right, for the tests of the checks.

use std::collections::BTreeMap;

use askback_core::id::{ConversationId, InquiryId};
use askback_wire::audit::{AuditEntryResponse, AuditKind};
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::problem::{ProblemCode, ProblemResponse};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::history::{
    Accepted, Ask, Card, End, Ending, FeedEvent, Given, History, Operation, Request, Response,
    Transcript, Webhook,
};

const AT: &str = "2027-03-27T09:30:00Z";

/// Grows step by step, as a server would make it.
struct Sample {
    history: History,
    inquiries: BTreeMap<InquiryId, InquiryResponse>,
    feed: Vec<FeedEvent>,
    ticks: u64,
    sequence: u64,
}

/// One question that is answered, undone and answered again; one that is handed on and stays open; and a conversation of the
/// built-in agent.
pub(crate) fn sound_history() -> History {
    let mut sample = Sample {
        history: History::default(),
        inquiries: BTreeMap::new(),
        feed: Vec::new(),
        ticks: 0,
        sequence: 0,
    };
    sample.answered_question();
    sample.open_question();
    sample.conversation();
    let Sample {
        mut history,
        inquiries,
        feed,
        ..
    } = sample;
    history.listed = inquiries.values().cloned().collect();
    let node: BTreeMap<_, _> = inquiries
        .into_iter()
        .map(|(id, it)| (id, Some(it)))
        .collect();
    history.nodes = vec![node.clone(), node];
    history.feeds = vec![feed.clone(), feed];
    history
}

fn one() -> InquiryId {
    InquiryId::new("inq_1")
}

fn agent() -> ConversationId {
    ConversationId::new("cnv_agent")
}

fn ask(question: &str, key: &str) -> Ask {
    Ask {
        question: question.to_owned(),
        questions: 1,
        key: Some(key.to_owned()),
        conversation: None,
        recipient: "zoe".to_owned(),
        seconds: None,
        has_webhook: true,
    }
}

fn answer(inquiry: &InquiryId, text: &str) -> End {
    End {
        inquiry: inquiry.clone(),
        given: Given {
            status: InquiryStatus::Answered,
            texts: vec![text.to_owned()],
        },
        key: None,
        undo_seconds: None,
        conversation: None,
    }
}

fn answered(text: &str) -> Value {
    json!({"type": "answered", "answers": [{"question": "q1", "given": "text", "text": text}]})
}

impl Sample {
    fn answered_question(&mut self) {
        let id = one();
        self.asked(&id, ("cnv_1", "Question a1?", Some("agent")));
        let request = Request::Ask(ask("Question a1?", "key a1"));
        self.shown("a1", request.clone(), &id);
        self.shown("a2", request, &id);
        let (inquiry, text) = (id.clone(), "draft d1.".to_owned());
        let draft = Request::SaveDraft {
            inquiry,
            text: text.clone(),
            questions: 1,
        };
        self.accepted("d1", draft, Accepted::default());
        let saved = Accepted {
            draft: Some(text),
            ..Accepted::default()
        };
        self.accepted(
            "d2",
            Request::ReadDraft {
                inquiry: id.clone(),
            },
            saved,
        );
        let held = End {
            undo_seconds: Some(1),
            ..answer(&id, "answer h1.")
        };
        self.shown("h1", Request::End(held), &id);
        self.event("held", &id);
        let (inquiry, key) = (id.clone(), None);
        self.shown("u1", Request::Undo { inquiry, key }, &id);
        self.event("reopened", &id).undone_by = Some("u1".to_owned());
        self.resolved(&id, &answered("answer w1."), "w1");
        self.shown("w1", Request::End(answer(&id, "answer w1.")), &id);
        let problem = ProblemResponse::new(ProblemCode::NotPending, "It has ended.");
        let problem = problem.with_winner(&self.inquiries[&id]);
        let late = Request::End(answer(&id, "answer l1."));
        self.operation("l1", late, Response::Refused(Box::new(problem)));
        self.history.cards.push(Card {
            text: "agent asks\nQuestion a1?\n\nanswer w1.".to_owned(),
            has_buttons: false,
            may_be_unknown: false,
        });
        self.history.webhooks.push(Webhook {
            kind: "inquiry_resolved".to_owned(),
            inquiry: id.clone(),
            ending: Ending::of(&self.inquiries[&id]),
            body: "the outcome".to_owned(),
        });
    }

    fn open_question(&mut self) {
        let id = InquiryId::new("inq_2");
        self.asked(&id, ("cnv_2", "Question a3?", Some("agent")));
        self.shown("a3", Request::Ask(ask("Question a3?", "key a3")), &id);
        let (inquiry, to) = (id.clone(), "ben".to_owned());
        self.shown("g1", Request::HandOn { inquiry, to }, &id);
        self.event("handed_on", &id);
        let mut line = self.audit_line(AuditKind::HandedOn, &id);
        line.by = Some("g1".to_owned());
        line.to = Some("ben".to_owned());
        self.history.audit.push(line);
        let inquiry = id.clone();
        self.accepted("s1", Request::Snooze { inquiry }, Accepted::default());
        self.history.snoozed.push(id);
    }

    /// The first question is answered, the second superseded by a message, and the third stopped.
    fn conversation(&mut self) {
        let request = Request::Begin {
            key: None,
            message: "b1".to_owned(),
        };
        let accepted = Accepted {
            conversation: Some(agent()),
            ..Accepted::default()
        };
        self.accepted("b1", request, accepted);
        let [first, second, third] = ["inq_3", "inq_4", "inq_5"].map(InquiryId::new);
        self.asked(&first, ("cnv_agent", "Step 1 of b1?", None));
        self.resolved(&first, &answered("answer e1."), "e1");
        self.shown("e1", Request::End(answer(&first, "answer e1.")), &first);
        self.asked(&second, ("cnv_agent", "Step 2 of b1?", None));
        let superseded = json!({"type": "superseded", "message": "message m1."});
        self.resolved(&second, &superseded, "m1");
        let message = Request::Message {
            conversation: agent(),
            text: "message m1.".to_owned(),
            has_id: false,
        };
        self.accepted("m1", message, Accepted::default());
        self.asked(&third, ("cnv_agent", "Step 3 of b1?", None));
        self.resolved(&third, &json!({"type": "cancelled"}), "t1");
        let conversation = agent();
        self.accepted("t1", Request::Stop { conversation }, Accepted::default());
        let texts = ["b1", "answer e1.", "message m1."];
        let transcript = Transcript {
            state: "idle".to_owned(),
            user_texts: texts.map(str::to_owned).to_vec(),
        };
        self.history.conversations.insert(agent(), transcript);
    }

    fn operation(&mut self, actor: &str, request: Request, response: Response) {
        self.ticks += 2;
        self.history.operations.push(Operation {
            actor: actor.to_owned(),
            request,
            response,
            begun: self.ticks - 1,
            ended: self.ticks,
        });
    }

    fn accepted(&mut self, actor: &str, request: Request, accepted: Accepted) {
        self.operation(actor, request, Response::Accepted(accepted));
    }

    /// The response shows the inquiry as it is now.
    fn shown(&mut self, actor: &str, request: Request, id: &InquiryId) {
        let inquiries = vec![self.inquiries[id].clone()];
        let shown = Accepted {
            inquiries,
            ..Accepted::default()
        };
        self.accepted(actor, request, shown);
    }

    fn asked(&mut self, id: &InquiryId, (conversation, text, source): (&str, &str, Option<&str>)) {
        let question = json!({"id": "q1", "text": text, "optional": false, "kind": "text"});
        let inquiry = json!({
            "id": id, "conversation_id": conversation, "status": "pending", "revision": 1,
            "dialect": "question", "questions": [question], "source": source, "asked_at": AT,
        });
        let inquiry = serde_json::from_value(inquiry).expect("it is an inquiry");
        self.inquiries.insert(id.clone(), inquiry);
        self.event("asked", id).question = Some(text.to_owned());
    }

    fn resolved(&mut self, id: &InquiryId, outcome: &Value, by: &str) {
        let inquiry = self.inquiries.get_mut(id).expect("it was asked");
        let outcome = serde_json::from_value(outcome.clone()).expect("it is an outcome");
        inquiry.status = Given::from(&outcome).status;
        let content = Given::from(&outcome).texts.join("\n");
        inquiry.result = Some(askback_wire::inquiry::ResultResponse {
            content,
            is_error: false,
            next: askback_wire::inquiry::NextStep::Resume,
        });
        inquiry.outcome = Some(outcome);
        inquiry.answered_by = Some(by.to_owned());
        inquiry.resolved_at = Some(at());
        let inquiry = inquiry.clone();
        self.event("resolved", id).ending = Ending::of(&inquiry);
        let mut line = self.audit_line(AuditKind::Outcome, id);
        line.by.clone_from(&inquiry.answered_by);
        line.answer.clone_from(&inquiry.outcome);
        line.resolved_at = inquiry.resolved_at;
        self.history.audit.push(line);
    }

    fn event(&mut self, name: &str, id: &InquiryId) -> &mut FeedEvent {
        self.sequence += 2;
        self.feed.push(FeedEvent {
            sequence: self.sequence,
            name: name.to_owned(),
            inquiry: id.clone(),
            conversation: self.inquiries[id].conversation_id.clone(),
            question: None,
            ending: None,
            undone_by: None,
        });
        self.feed.last_mut().expect("there is one")
    }

    /// A line about the last event.
    fn audit_line(&self, kind: AuditKind, id: &InquiryId) -> AuditEntryResponse {
        let conversation = self.inquiries[id].conversation_id.clone();
        let mut line = AuditEntryResponse::new(kind, self.sequence, conversation, at());
        line.inquiry_id = Some(id.clone());
        line
    }
}

fn at() -> Timestamp {
    AT.parse().expect("it is a time")
}
