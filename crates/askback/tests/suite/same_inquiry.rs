//! Goal: replies, lists, both feeds, webhooks and the audit show the same inquiry.

use std::sync::Arc;

use askback_client::{EventStream, FeedItem};
use askback_core::id::InquiryId;
use askback_wire::event::EventResponse;
use askback_wire::respond::AnswerParams;
use askback_wire::state::StateResponse;
use serde_json::{Value, json};

use super::deadlines::next_of_inquiry;
use super::support::raw_http::{get_json, post_json};
use super::support::server_process::{Directory, Server, next_item};
use super::support::timeout::within;
use super::webhooks::{Receiver, header};

/// A server that may call this machine, with Zoë as a recipient.
pub(crate) fn serve(directory: &Directory) -> Server {
    let config = directory.path().join("askback.toml");
    let text = "webhook_allow = [\"127.0.0.1\"]\n[recipients.zoe]\nname = 'Zoë'\n";
    std::fs::write(&config, text).expect("it is written");
    Server::start_with(directory, &["--config", config.to_str().expect("a path")])
}

/// The name of who asks in the next state that waits for an answer.
async fn source_in_state(feed: &mut EventStream) -> Option<String> {
    loop {
        if let FeedItem::Event(event) = next_item(feed).await
            && let EventResponse::StateChange(change) = *event
            && let StateResponse::AwaitingUserResponse { source, .. } = change.state
        {
            return source;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replies_lists_feed_and_webhook_show_the_same_inquiry() {
    let directory = Directory::new();
    let server = Arc::new(serve(&directory));
    let receiver = Receiver::start(&[200]).await;
    let mut feed = server.client.events(Some(0));
    let asked = json!({
        "input": {"question": "Which?", "options": ["A", "B"]},
        "source": "deploy agent",
        "recipient": "zoe",
        "expires_in": "1h",
        "webhook": receiver.url,
        "key": "deploy-42",
        "metadata": {"ticket": {"id": 7}},
        "asker": {"client": "claude-code", "project": "/srv/shop", "session": "s1"},
    });
    let asking = Arc::clone(&server);
    let waiting =
        tokio::task::spawn_blocking(move || post_json(&asking, "/inquiries?wait=60s", &[], &asked));

    let (name, pending) = next_of_inquiry(&mut feed).await;
    assert_eq!(name, "asked");
    let id: InquiryId = pending.id.clone();
    let conversation = pending.conversation_id.clone();
    let mut own_feed = server.client.conversation_events(&conversation, Some(0));
    let (name, own) = next_of_inquiry(&mut own_feed).await;
    assert_eq!((name.as_str(), &own), ("asked", &pending));
    let source = within("the state", source_in_state(&mut own_feed)).await;
    assert_eq!(source.as_deref(), Some("deploy agent"));
    let path = format!("/inquiries/{id}");
    let pending = serde_json::to_value(pending).expect("JSON");
    assert_eq!(pending, get_json(&server, &path));
    assert_eq!(pending["recipient_name"], "Zoë");
    assert_eq!(pending["asker"]["session"], "s1");
    assert_eq!(pending["metadata"], json!({"ticket": {"id": 7}}));
    assert_eq!(pending["key"], "deploy-42");
    let mut with_input = pending;
    with_input["input"] = json!({
        "question": "Which?", "options": [{"label": "A"}, {"label": "B"}],
        "multiple": false, "custom": true,
    });
    let asked_for = get_json(&server, &format!("{path}?with_input=true"));
    assert_eq!(asked_for, with_input, "only whoever wants it gets it twice");

    let params = AnswerParams {
        answers: json!({"q1": "B"}),
        ..AnswerParams::default()
    };
    let answered = server.client.answer(&id, &params).await;
    let answered = serde_json::to_value(answered.expect("it is answered")).expect("JSON");
    assert_eq!(answered["status"], "answered");
    assert_eq!(get_json(&server, &path), answered);
    assert_eq!(answered["result"]["next"], "resume");
    for filter in ["status=answered", "key=deploy-42"] {
        let listed = get_json(&server, &format!("/inquiries?{filter}"));
        assert_eq!(listed["items"], json!([answered]), "{filter}");
    }
    assert_audit_has(&server, &answered);
    let (status, waited) = within("the reply of POST", waiting).await.expect("a reply");
    assert_eq!((status, &waited), (201, &answered));
    for feed in [&mut feed, &mut own_feed] {
        let (name, resolved) = next_of_inquiry(feed).await;
        assert_eq!(name, "resolved");
        assert_eq!(serde_json::to_value(resolved).expect("JSON"), answered);
    }
    let (head, delivered) = receiver.deliveries(1).await.remove(0);
    let delivered: Value = serde_json::from_str(&delivered).expect("JSON");
    assert_eq!(
        delivered,
        json!({"type": "inquiry_resolved", "inquiry": answered})
    );
    let sent_as = header(&head, "webhook-id").expect("an id");
    assert!(sent_as.starts_with(id.as_str()), "{sent_as}");
}

/// An entry of the audit is a part of the inquiry.
fn assert_audit_has(server: &Server, answered: &Value) {
    let audit = get_json(server, "/audit?with_answers=true");
    for (field, of_inquiry) in [
        ("inquiry_id", "id"),
        ("outcome", "status"),
        ("answer", "outcome"),
        ("by", "answered_by"),
        ("source", "source"),
        ("questions", "questions"),
        ("asked_at", "asked_at"),
        ("resolved_at", "resolved_at"),
    ] {
        assert_eq!(audit["items"][0][field], answered[of_inquiry], "{field}");
    }
}
