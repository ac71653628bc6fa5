//! Sends a request of a client to a node, and takes down the response.

use askback_client::{Client, ClientError};
use askback_core::draft::{Draft, DraftEntry, DraftPage};
use askback_core::id::MessageId;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_wire::conversation::{ConversationResponse, NewConversationParams};
use askback_wire::draft::DraftParams;
use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{
    CommitAnswerParams, DeadlineParams, HandOnParams, InquiryResponse, InquiryStatus,
    KeepOpenParams, NewInquiryParams, UndoParams,
};
use askback_wire::list::ListInquiriesParams;
use askback_wire::message::MessageParams;
use askback_wire::respond::{
    AnswerParams, CancelParams, CancelWorkParams, DeclineParams, DeclinePendingParams,
    RespondParams,
};
use askback_wire::snooze::SnoozeParams;
use serde_json::{Map, Value, json};

use super::history::{Accepted, Ask, End, Request, Response};

/// How long a reader waits for an outcome.
const WAIT_SECONDS: u32 = 1;
/// Longer than any run.
const SNOOZE: jiff::SignedDuration = jiff::SignedDuration::from_hours(10);
/// What may be chosen.
pub(crate) const CHOICES: [&str; 2] = ["Alpha", "Beta"];

/// Sends the request as this actor. What is sent follows from the request alone, so that it can be repeated.
pub(crate) async fn send(
    client: &Client,
    actor: &str,
    webhook: &str,
    request: &Request,
) -> Response {
    let name = Text::clean(actor, Lines::One);
    let client = &client.clone().acting_as(&Actor::new(name, Surface::Http));
    let accepted = match request {
        Request::Ask(ask) => client.ask(&new_inquiry(ask, webhook)).await.map(one),
        Request::End(end) => send_end(client, end).await,
        Request::Begin { .. }
        | Request::Open { .. }
        | Request::Message { .. }
        | Request::Stop { .. }
        | Request::Delete { .. } => send_to_conversation(client, request).await,
        _ => send_to_inquiry(client, request).await,
    };
    match accepted {
        Ok(accepted) => Response::Accepted(accepted),
        Err(error) => not_accepted(error),
    }
}

fn not_accepted(error: ClientError) -> Response {
    match error {
        ClientError::Problem(problem) => match problem.code.as_str() {
            "store_unavailable" | "closing" | "conflict" => Response::Unavailable,
            "commit_unknown" => Response::Lost,
            _ => Response::Refused(problem),
        },
        ClientError::Transport(_) | ClientError::Decode(_) => Response::Lost,
    }
}

fn one(inquiry: InquiryResponse) -> Accepted {
    Accepted {
        inquiries: vec![inquiry],
        ..Accepted::default()
    }
}

fn nothing<T>(_: T) -> Accepted {
    Accepted::default()
}

fn new_inquiry(ask: &Ask, webhook: &str) -> NewInquiryParams {
    let question = |text: String| json!({"question": text, "options": CHOICES});
    let input = match ask.questions {
        1 => question(ask.question.clone()),
        _ => json!({"questions": [
            question(ask.question.clone()),
            question(format!("And {}", ask.question)),
        ]}),
    };
    NewInquiryParams {
        input,
        source: Some("agent".to_owned()),
        conversation_id: ask.conversation.clone(),
        key: ask.key.clone(),
        webhook: ask.has_webhook.then(|| webhook.to_owned()),
        expires_in: ask.seconds.map(HumanDuration::from_secs),
        recipient: Some(ask.recipient.clone()),
        ..NewInquiryParams::default()
    }
}

async fn send_end(client: &Client, end: &End) -> Result<Accepted, ClientError> {
    let id = &end.inquiry;
    let decline = DeclineParams {
        key: end.key.clone(),
        undo_seconds: end.undo_seconds,
        ..DeclineParams::default()
    };
    let decline_pending = DeclinePendingParams {
        inquiry_id: Some(id.clone()),
        key: end.key.clone(),
        undo_seconds: end.undo_seconds,
        ..DeclinePendingParams::default()
    };
    let cancel = CancelParams {
        key: end.key.clone(),
        ..CancelParams::default()
    };
    let answers = answers(&end.given.texts);
    match (&end.given.status, &end.conversation) {
        (InquiryStatus::Answered, None) => {
            let params = AnswerParams {
                answers,
                key: end.key.clone(),
                undo_seconds: end.undo_seconds,
                ..AnswerParams::default()
            };
            client.answer(id, &params).await.map(one)
        }
        (InquiryStatus::Answered, Some(conversation)) => {
            let params = RespondParams {
                answers,
                inquiry_id: Some(id.clone()),
                key: end.key.clone(),
                undo_seconds: end.undo_seconds,
                ..RespondParams::default()
            };
            client.respond(conversation, &params).await.map(nothing)
        }
        (InquiryStatus::Declined, None) => client.decline_inquiry(id, &decline).await.map(one),
        (InquiryStatus::Declined, Some(conversation)) => {
            let declined = client.decline(conversation, &decline_pending).await;
            declined.map(nothing)
        }
        (InquiryStatus::Rejected, Some(conversation)) => {
            let rejected = client.reject(conversation, &decline_pending).await;
            rejected.map(nothing)
        }
        (InquiryStatus::Cancelled, None) => client.cancel_inquiry(id, &cancel).await.map(one),
        (InquiryStatus::Cancelled, Some(conversation)) => {
            let params = CancelWorkParams {
                inquiry_id: Some(id.clone()),
                key: end.key.clone(),
                ..CancelWorkParams::default()
            };
            client.cancel(conversation, &params).await.map(nothing)
        }
        (InquiryStatus::Withdrawn, None) => client.withdraw_inquiry(id, &cancel).await.map(one),
        other => unreachable!("no client sends {other:?}"),
    }
}

/// One text for each question, from the first on.
fn answers(texts: &[String]) -> Value {
    let answers = (1..).zip(texts);
    let answers = answers.map(|(number, text)| (format!("q{number}"), json!(text)));
    Value::Object(answers.collect::<Map<_, _>>())
}

async fn send_to_conversation(client: &Client, request: &Request) -> Result<Accepted, ClientError> {
    let begun = |conversation: ConversationResponse| Accepted {
        conversation: Some(conversation.id),
        ..Accepted::default()
    };
    match request {
        Request::Begin { key, message } => {
            let params = NewConversationParams {
                message: Some(message.clone()),
                key: key.clone(),
                ..NewConversationParams::default()
            };
            client.create_conversation(&params).await.map(begun)
        }
        Request::Open { key } => {
            let params = NewConversationParams {
                external: true,
                key: Some(key.clone()),
                ..NewConversationParams::default()
            };
            client.create_conversation(&params).await.map(begun)
        }
        Request::Message {
            conversation,
            text,
            has_id,
        } => {
            let params = MessageParams {
                text: text.clone(),
                message_id: has_id.then(|| MessageId::new(text.clone())),
            };
            client
                .send_message(conversation, &params)
                .await
                .map(nothing)
        }
        Request::Stop { conversation } => {
            let params = CancelWorkParams::default();
            client.cancel(conversation, &params).await.map(nothing)
        }
        Request::Delete { conversation } => {
            let deleted: Result<(), ClientError> = client.delete_conversation(conversation).await;
            deleted.map(nothing)
        }
        other => unreachable!("{other:?} is sent elsewhere"),
    }
}

async fn send_to_inquiry(client: &Client, request: &Request) -> Result<Accepted, ClientError> {
    match request {
        Request::Undo { inquiry, key } => {
            let params = UndoParams {
                key: key.clone(),
                ..UndoParams::default()
            };
            client.undo(inquiry, &params).await.map(one)
        }
        Request::Commit { inquiry } => {
            let params = CommitAnswerParams::default();
            client.commit_answer(inquiry, &params).await.map(one)
        }
        Request::HandOn { inquiry, to } => {
            let params = HandOnParams {
                recipient: to.clone(),
                ..HandOnParams::default()
            };
            client.hand_on(inquiry, &params).await.map(one)
        }
        Request::MoveDeadline { inquiry, seconds } => {
            let params = DeadlineParams {
                expires_in: seconds.map(HumanDuration::from_secs),
                ..DeadlineParams::default()
            };
            client.move_deadline(inquiry, &params).await.map(one)
        }
        Request::KeepOpen { inquiry } => {
            let params = KeepOpenParams::default();
            client.keep_open(inquiry, &params).await.map(one)
        }
        Request::SaveDraft {
            inquiry,
            text,
            questions,
        } => {
            let params = draft(text, *questions);
            client.put_draft(inquiry, &params).await.map(nothing)
        }
        Request::Snooze { inquiry } => {
            let until = Some(jiff::Timestamp::now() + SNOOZE);
            let params = SnoozeParams { until };
            client.snooze(inquiry, &params).await.map(nothing)
        }
        _ => read(client, request).await,
    }
}

async fn read(client: &Client, request: &Request) -> Result<Accepted, ClientError> {
    match request {
        Request::ReadDraft { inquiry } => {
            let stored = client.draft(inquiry).await?.draft;
            let text = stored.and_then(|draft| draft.entries.into_iter().next());
            Ok(Accepted {
                draft: text.map(|entry| entry.own),
                ..Accepted::default()
            })
        }
        Request::Read { inquiry } => client.inquiry(inquiry).await.map(one),
        Request::Wait { inquiry } => {
            let wait = HumanDuration::from_secs(WAIT_SECONDS);
            client.poll_inquiry(inquiry, wait).await.map(one)
        }
        Request::List { status } => {
            let params = ListInquiriesParams {
                status: Some(status.clone()),
                limit: Some(20),
                ..ListInquiriesParams::default()
            };
            let page = client.inquiries(&params).await?;
            Ok(Accepted {
                inquiries: page.items,
                ..Accepted::default()
            })
        }
        other => unreachable!("{other:?} is sent elsewhere"),
    }
}

fn draft(text: &str, questions: usize) -> DraftParams {
    let entry = DraftEntry {
        own: text.to_owned(),
        ..DraftEntry::default()
    };
    DraftParams {
        draft: Draft {
            page: DraftPage::Question(0),
            entries: vec![entry; questions],
            review_focus: 0,
            from_review: false,
            problem: None,
        },
        revision: None,
        replaces: None,
    }
}
