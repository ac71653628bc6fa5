//! What people do in Slack, and what becomes of it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{asking, choice, slack};
use crate::contract::button::{Button, Press};
use crate::contract::channel::{
    Address, Attention, Channel as _, MessageId, ReceiveError, Rendered, SendError,
};
use crate::contract::feedback::PressResult;
use crate::contract::incoming::{FieldInput, HandlerError, IncomingAction};
use crate::fake_handler::{FakeHandler, feedback};
use crate::provider::slack::{SLACK_MANIFEST, Slack, SlackConfig};
use askback_fakes::FakeResponse;
use askback_fakes::FakeSlack;

struct Running {
    fake: FakeSlack,
    handler: Arc<FakeHandler>,
    receiving: JoinHandle<ReceiveError>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.receiving.abort();
    }
}

async fn running() -> Running {
    let fake = FakeSlack::start().await.expect("it starts");
    let handler = FakeHandler::new();
    let receiving = receive(&fake, &handler);
    fake.wait_for_sockets(1).await;
    Running {
        fake,
        handler,
        receiving,
    }
}

fn receive(fake: &FakeSlack, handler: &Arc<FakeHandler>) -> JoinHandle<ReceiveError> {
    let (slack, handler) = (slack(&fake.http.url()), Arc::clone(handler));
    tokio::spawn(async move { slack.receive(handler).await })
}

fn data(press: Press) -> String {
    let card = asking(&[choice("Which?", 2, false)]);
    let button = Button {
        inquiry: card.inquiry,
        revision: card.revision,
        press,
    };
    button.encode()
}

fn first_choice() -> String {
    data(Press::Choose {
        question: 0,
        choice: 0,
    })
}

#[tokio::test]
async fn a_message_is_sent_and_edited_by_its_conversation_and_time() {
    let fake = FakeSlack::start().await.expect("it starts");
    let slack = slack(&fake.http.url());
    let to = Address("U1".to_owned());
    let card = asking(&[choice("Which? <!channel>", 2, false)]);
    let message = slack.render(&card);
    let sent = slack.send(&to, &message, Attention::Notify).await;
    let id = sent.expect("it is sent");
    assert_eq!(id, MessageId("D1:1.1".to_owned()));
    slack.edit(&to, &id, &message).await.expect("it is edited");
    slack
        .send_thread_text(&to, &id, "Still open & <!here>", Attention::Notify)
        .await
        .expect("it is sent");
    let posts = fake.calls("chat.postMessage");
    assert_eq!(
        (&posts[0]["channel"], &posts[0]["link_names"]),
        (&json!("U1"), &json!(false))
    );
    // A preview would fetch the page of a personal link.
    for post in &posts {
        assert_eq!(
            (&post["unfurl_links"], &post["unfurl_media"]),
            (&json!(false), &json!(false))
        );
    }
    let update = &fake.calls("chat.update")[0];
    assert_eq!(
        (&update["channel"], &update["ts"]),
        (&json!("D1"), &json!("1.1"))
    );
    assert_eq!(update["blocks"], posts[0]["blocks"]);
    assert_eq!(posts[1]["thread_ts"], "1.1");
    assert_eq!(posts[1]["text"], "Still open &amp; &lt;!here&gt;");
}

#[tokio::test]
async fn a_press_is_handled_with_the_proven_identity_then_acknowledged() {
    let running = running().await;
    running.fake.press("e1", "U42", &first_choice(), &json!({}));
    assert_eq!(running.fake.wait_for_acks(1).await, ["e1"]);
    let arrived = running.handler.arrived().remove(0);
    assert_eq!(arrived.identity.as_str(), "slack:U42");
    assert_eq!(arrived.address, Address("U42".to_owned()));
    assert_eq!(arrived.message, Some(MessageId("D1:1.1".to_owned())));
    let expected = IncomingAction::Press {
        data: first_choice(),
    };
    assert_eq!(arrived.action, expected);
    assert!(running.fake.calls("chat.postEphemeral").is_empty());
}

/// What was filled in arrives as it was typed, also if it cannot be right.
#[tokio::test]
async fn a_form_arrives_with_all_of_its_fields() {
    let running = running().await;
    let send = data(Press::Send { shown: None });
    let block = |place: &str| {
        format!(
            "inq_{}{place}",
            send.strip_suffix("send").expect("it sends")
        )
    };
    let option = |value: &str| json!({ "value": value });
    let values = json!({
        block("0.c"): { "c": { "type": "radio_buttons", "selected_option": option("1") } },
        block("0.t"): { "t": { "type": "plain_text_input", "value": null } },
        block("1.c"): { "c": { "selected_options": [option("0"), option("2"), option("x")] } },
        block("2.t"): { "t": { "type": "plain_text_input", "value": "eleven" } },
        block("3.t"): { "t": { "type": "datepicker", "selected_date": "2027-02-28" } },
        block("3.e"): { "e": { "type": "datepicker", "selected_date": "2027-03-01" } },
        "inq_other.1.0.t": { "t": { "value": "of another message" } },
    });
    running.fake.press("e1", "U1", &send, &values);
    let arrived = running.handler.wait_for(1).await.remove(0);
    let IncomingAction::Submit { fields, .. } = arrived.action else {
        panic!("not a form: {:?}", arrived.action);
    };
    let field = |question| FieldInput {
        question,
        ..FieldInput::default()
    };
    let expected = [
        FieldInput {
            choices: vec![1],
            ..field(0)
        },
        FieldInput {
            choices: vec![0, 2],
            ..field(1)
        },
        FieldInput {
            text: Some("eleven".to_owned()),
            ..field(2)
        },
        FieldInput {
            text: Some("2027-02-28".to_owned()),
            end: Some("2027-03-01".to_owned()),
            ..field(3)
        },
    ];
    assert_eq!(fields, expected);
}

/// Text that was typed beside a choice arrives with the press, which is then asked again.
#[tokio::test]
async fn a_press_on_a_choice_carries_the_text_beside_it() {
    let running = running().await;
    let pressed = first_choice();
    let block = format!(
        "inq_{}.t",
        pressed.strip_suffix(".0").expect("it is a choice")
    );
    let typed = json!({ block: { "t": { "type": "plain_text_input", "value": "not yet" } } });
    running.fake.press("e1", "U1", &pressed, &typed);
    let arrived = running.handler.wait_for(1).await.remove(0);
    let field = FieldInput {
        question: 0,
        choices: vec![0],
        text: Some("not yet".to_owned()),
        ..FieldInput::default()
    };
    let expected = IncomingAction::Submit {
        data: pressed,
        fields: vec![field],
    };
    assert_eq!(arrived.action, expected);
}

#[tokio::test]
async fn an_envelope_that_arrives_five_times_is_handled_once() {
    let running = running().await;
    for _ in 0..5 {
        running.fake.press("e1", "U1", &first_choice(), &json!({}));
    }
    assert_eq!(running.fake.wait_for_acks(5).await, ["e1"; 5]);
    assert_eq!(running.handler.arrived().len(), 1);
}

/// Nineteen are told, each in private.
#[tokio::test]
async fn everybody_who_was_too_late_or_may_not_answer_is_told_in_private() {
    let running = running().await;
    running
        .handler
        .reply(Ok(feedback(PressResult::Accepted, "Sent: SQLite")));
    for user in 1..20 {
        let told = match user {
            19 => feedback(PressResult::NotAllowed, "You cannot answer this question."),
            _ => feedback(PressResult::AlreadyEnded, "Answered by Zoë: SQLite <b>"),
        };
        running.handler.reply(Ok(told));
    }
    for user in 0..20 {
        let (envelope, user) = (format!("e{user}"), format!("U{user}"));
        running
            .fake
            .press(&envelope, &user, &first_choice(), &json!({}));
    }
    running.fake.wait_for_acks(20).await;
    let told = running.fake.wait_for_calls("chat.postEphemeral", 19).await;
    let mut users: Vec<&str> = told
        .iter()
        .filter_map(|call| call["user"].as_str())
        .collect();
    users.sort_unstable();
    assert!(!users.contains(&"U0") && users.len() == 19, "{users:?}");
    let text = told
        .iter()
        .find(|call| call["user"] == "U1")
        .map(|call| &call["text"]);
    assert_eq!(text, Some(&json!("Answered by Zoë: SQLite &lt;b&gt;")));
}

/// These are nobody's answers. They are acknowledged, or Slack would send them again.
#[tokio::test]
async fn bots_edits_links_and_other_apps_answer_nothing() {
    let running = running().await;
    let message = |more: Value| {
        let mut event = json!({
            "type": "message", "channel_type": "im", "channel": "D1", "user": "U1", "text": "2",
            "thread_ts": "1.1",
        });
        for (name, value) in more.as_object().expect("an object") {
            event[name] = value.clone();
        }
        event
    };
    let ignored = [
        message(json!({ "bot_id": "B1" })),
        message(json!({ "subtype": "message_changed" })),
        message(json!({ "channel_type": "channel" })),
        json!({ "type": "reaction_added", "user": "U1" }),
    ];
    for (number, event) in ignored.iter().enumerate() {
        running.fake.write(&format!("e{number}"), event);
    }
    running.fake.press("link", "U1", "open", &json!({}));
    running
        .fake
        .send(json!({ "type": "slash_commands", "envelope_id": "slash", "payload": {} }));
    running.fake.send(json!("not a frame"));
    running
        .fake
        .write("reply", &message(json!({ "text": "a &lt; b &amp;amp; c" })));
    running.fake.write(
        "code",
        &message(json!({ "thread_ts": null, "text": " 0123456789abcdef0123 " })),
    );
    running.fake.write(
        "text",
        &message(json!({ "thread_ts": null, "text": "hello" })),
    );
    assert_eq!(running.fake.wait_for_acks(9).await.len(), 9);
    let arrived = running.handler.arrived();
    assert_eq!(arrived.len(), 3, "{arrived:?}");
    let reply = IncomingAction::Reply {
        text: "a < b &amp; c".to_owned(),
        button: None,
    };
    assert_eq!(arrived[0].action, reply);
    assert_eq!(arrived[0].message, Some(MessageId("D1:1.1".to_owned())));
    let code = IncomingAction::Link {
        code: "0123456789abcdef0123".to_owned(),
    };
    assert_eq!(arrived[1].action, code);
    let text = IncomingAction::Text {
        text: "hello".to_owned(),
    };
    assert_eq!(arrived[2].action, text);
}

/// The same id in another workspace is another person.
#[tokio::test]
async fn somebody_of_another_workspace_has_another_identity() {
    let running = running().await;
    running.fake.send(json!({
        "type": "interactive", "envelope_id": "e1", "payload": {
            "type": "block_actions",
            "user": { "id": "U42", "team_id": "T666" },
            "container": { "channel_id": "C1", "message_ts": "1.1" },
            "actions": [{ "action_id": "x", "value": first_choice() }],
        },
    }));
    let arrived = running.handler.wait_for(1).await.remove(0);
    assert_eq!(arrived.identity.as_str(), "slack:T666.U42");
}

#[tokio::test]
async fn each_reason_to_disconnect_leads_to_a_new_socket() {
    let running = running().await;
    for (sockets, reason) in [(2, "warning"), (3, "refresh_requested"), (4, "a new one")] {
        running
            .fake
            .send(json!({ "type": "disconnect", "reason": reason }));
        running.fake.wait_for_sockets(sockets).await;
        running
            .fake
            .press(reason, "U1", &first_choice(), &json!({}));
        running.handler.wait_for(sockets - 1).await;
    }
}

/// Where a new socket would not stay open, the error says what to do.
#[tokio::test]
async fn reasons_that_a_new_socket_does_not_help_against_are_refusals() {
    for (reason, advice) in [
        ("too_many_websockets", "an app of its own"),
        ("link_disabled", "Turn it on in the settings of the app"),
    ] {
        let mut running = running().await;
        running
            .fake
            .send(json!({ "type": "disconnect", "reason": reason }));
        let error = (&mut running.receiving).await.expect("it ends");
        assert!(
            matches!(&error, ReceiveError::Refused(text) if text.ends_with(advice)),
            "{error:?}"
        );
    }
}

/// A socket that is dropped between a press and its acknowledgement.
#[tokio::test]
async fn a_dropped_socket_ends_receiving_and_the_next_one_continues() {
    let mut running = running().await;
    running.fake.press("e1", "U1", &first_choice(), &json!({}));
    running.fake.drop_socket();
    let error = (&mut running.receiving).await.expect("it ends");
    assert!(matches!(error, ReceiveError::Temporary(_)), "{error:?}");
    assert!(!error.to_string().contains("secret-ticket"));
    let handled = running.handler.arrived().len();
    running.receiving = receive(&running.fake, &running.handler);
    running.fake.wait_for_sockets(2).await;
    running.fake.press("e2", "U1", &first_choice(), &json!({}));
    assert_eq!(
        running.handler.wait_for(handled + 1).await.len(),
        handled + 1
    );
}

/// What is not stored is not acknowledged.
#[tokio::test]
async fn a_press_that_cannot_be_stored_is_not_acknowledged() {
    let mut running = running().await;
    running
        .handler
        .reply(Err(HandlerError("the disk is full".to_owned())));
    running.fake.press("e1", "U1", &first_choice(), &json!({}));
    let error = (&mut running.receiving).await.expect("it ends");
    assert_eq!(error, ReceiveError::temporary("the disk is full"));
    assert!(running.fake.acks().is_empty());
}

/// Each failure says what to do next.
#[tokio::test]
async fn failures_say_whether_to_try_again() {
    let fake = FakeSlack::start().await.expect("it starts");
    let slack = slack(&fake.http.url());
    let to = Address("U1".to_owned());
    let message = Rendered::notice(json!({ "text": "?", "blocks": [] }));
    let refused = |error: &str| FakeResponse::json(200, &json!({ "ok": false, "error": error }));
    let unauthorized = "Slack says token_revoked: check the tokens and scopes of the app";
    let cases = [
        (
            FakeResponse::retry_after(30),
            SendError::RetryAfter(Duration::from_secs(30)),
        ),
        (
            refused("token_revoked"),
            SendError::unauthorized(unauthorized),
        ),
        (
            refused("channel_not_found"),
            SendError::permanent("Slack says channel_not_found"),
        ),
        (
            refused("internal_error"),
            SendError::temporary("Slack says internal_error"),
        ),
        (refused("message_not_found"), SendError::MessageGone),
    ];
    for (reply, expected) in cases {
        fake.http.plan(reply);
        let sent = slack.send(&to, &message, Attention::Notify).await;
        assert_eq!(sent, Err(expected));
    }
    for broken in [
        FakeResponse::Drop,
        FakeResponse::json(200, &json!([])),
        FakeResponse::json(500, &json!({})),
    ] {
        fake.http.plan(broken);
        let sent = slack.send(&to, &message, Attention::Notify).await;
        assert!(matches!(sent, Err(SendError::Temporary(_))), "{sent:?}");
    }
}

#[tokio::test]
async fn the_check_tries_both_tokens() {
    let fake = FakeSlack::start().await.expect("it starts");
    assert_eq!(
        slack(&fake.http.url()).check().await,
        Ok("askback in Shop".to_owned())
    );
    let wrong = SlackConfig {
        base_url: Some(fake.http.url()),
        bot_token: Some("xoxb-1".into()),
        app_token: Some("xapp-wrong".into()),
        ..SlackConfig::default()
    };
    let wrong = Slack::new(&wrong).expect("the settings are valid");
    assert!(matches!(
        wrong.check().await,
        Err(SendError::Unauthorized(_))
    ));
}

#[test]
fn missing_tokens_are_named_and_the_manifest_asks_for_what_is_used() {
    let error = Slack::new(&SlackConfig::default())
        .err()
        .expect("it is refused");
    assert!(
        error.to_string().starts_with("set bot_token_env"),
        "{error}"
    );
    let manifest: Value = serde_json::from_str(SLACK_MANIFEST).expect("it is JSON");
    let scopes = &manifest["oauth_config"]["scopes"]["bot"];
    assert_eq!(scopes, &json!(["chat:write", "im:write", "im:history"]));
    assert_eq!(manifest["settings"]["socket_mode_enabled"], true);
    assert_eq!(manifest["settings"]["interactivity"]["is_enabled"], true);
}
