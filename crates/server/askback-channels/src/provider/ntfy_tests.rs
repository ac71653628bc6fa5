use std::time::Duration;

use askback_core::dialect::Dialect;
use serde_json::{Value, json};

use super::{Ntfy, NtfyConfig};
use crate::card::{Card, CardState, ContentLevel};
use crate::contract::button::{Button, Press};
use crate::contract::channel::{Address, Attention, Channel as _, Rendered, SendError};
use crate::fixtures::{at, open_card, parse, question, zoe};
use crate::links::press_link::{PressKey, PressLinks, SignedPress};
use askback_fakes::{FakeHttp, FakeResponse, Request};

const TOPIC: &str = "zoes-secret-topic";

fn ntfy(base_url: &str) -> Ntfy {
    let config = NtfyConfig {
        base_url: Some(base_url.to_owned()),
        token: Some("tk_secret".into()),
        ..NtfyConfig::default()
    };
    Ntfy::new(&config).expect("the settings are valid")
}

fn key() -> PressKey {
    PressKey::derive(b"the token of the server")
}

fn card() -> Card {
    Card {
        press_links: Some(PressLinks {
            base_url: "https://ask.example".to_owned(),
            channel: "phone".to_owned(),
            recipient: "zoe".to_owned(),
            expires_at: at("2027-03-28T12:00:00Z"),
            key: key(),
        }),
        ..open_card(question())
    }
}

fn choices(count: usize) -> Value {
    (1..=count)
        .map(|number| json!({ "label": format!("Choice {number}"), "description": "…" }))
        .collect()
}

fn asking(options: &Value, several: bool) -> Card {
    let question = json!({
        "question": "Which?", "header": "Which", "options": options, "multiSelect": several,
    });
    let questions = parse(
        Dialect::AskUserQuestion,
        &json!({ "questions": [question] }),
    );
    Card {
        press_links: card().press_links,
        ..open_card(questions)
    }
}

/// The press that the phone sends when its person presses a button.
fn pressed(action: &Value) -> Option<Press> {
    let url = action["url"]
        .as_str()?
        .strip_prefix("https://ask.example/press/phone/zoe/")?;
    let (data, signed) = url.split_once("?key=")?;
    let press = SignedPress {
        channel: "phone".to_owned(),
        recipient: "zoe".to_owned(),
        data: data.to_owned(),
    };
    let is_ours = key().verify(&press, signed, at("2027-03-28T11:00:00Z"));
    Button::decode(data)
        .filter(|_| is_ours)
        .map(|button| button.press)
}

#[tokio::test]
async fn a_question_with_three_choices_has_a_button_for_each() {
    let fake = FakeHttp::responding(json!({ "id": "m1" }))
        .await
        .expect("it starts");
    let channel = ntfy(&fake.url());
    let to = Address(TOPIC.to_owned());
    let message = channel.render(&card());
    let sent = channel.send(&to, &message, Attention::Notify).await;
    let id = sent.expect("it is sent");
    let request = fake.requests().remove(0);
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/")
    );
    assert_eq!(request.header("authorization"), Some("Bearer tk_secret"));
    let body = request.json();
    assert_eq!(body["topic"], TOPIC);
    assert_eq!(body["title"], "claude-code has a question: Database");
    assert_eq!(body["click"], "https://ask.example/q/1");
    assert_eq!(body["priority"], Value::Null);
    assert_eq!(body["sequence_id"], id.0);
    let actions = body["actions"].as_array().expect("it has buttons");
    assert_eq!(actions[1]["label"], "PostgreSQL");
    for (choice, action) in actions.iter().enumerate() {
        let expected = Press::Choose {
            question: 0,
            choice,
        };
        assert_eq!(pressed(action), Some(expected));
        assert_eq!(
            (&action["action"], &action["method"]),
            (&json!("http"), &json!("POST"))
        );
    }
    assert!(!body.to_string().contains("tk_secret"), "never the token");
}

/// A link where the table says so.
#[test]
fn what_buttons_cannot_answer_whole_has_the_link_alone() {
    let channel = ntfy("http://127.0.0.1:1");
    let actions = |card: &Card| channel.render(card).body["actions"].clone();
    assert_eq!(
        actions(&asking(&choices(3), false))
            .as_array()
            .map(Vec::len),
        Some(3)
    );
    let title = Card {
        content: ContentLevel::Title,
        ..card()
    };
    let unreachable = Card {
        press_links: None,
        ..card()
    };
    let others = [
        asking(&choices(4), false),
        asking(&choices(2), true),
        title,
        unreachable,
    ];
    for other in others {
        let message = channel.render(&other).body;
        assert_eq!(message["actions"], Value::Null, "{message}");
        assert_eq!(message["click"], "https://ask.example/q/1");
    }
}

/// Nothing is cut inside a grapheme, and the bytes fit.
#[test]
fn a_long_text_is_cut_to_the_bytes_that_ntfy_takes() {
    let channel = ntfy("http://127.0.0.1:1");
    for long in ["👩‍👩‍👧‍👦".repeat(120), "ä".repeat(900), "日本".repeat(450)] {
        let option = |name: &str| json!({ "label": name, "description": long, "preview": long });
        let mut card = asking(&json!([option("A"), option("B")]), false);
        card.link = Some("https://ask.example/q/1".to_owned());
        let message = channel.render(&card).body;
        let text = message["message"].as_str().expect("it has a text");
        assert!(text.len() <= 4096 && text.len() > 3500, "{}", text.len());
        assert!(text.ends_with("https://ask.example/q/1"), "{text}");
        let family = text.split('👩').count() - 1;
        assert_eq!(family % 2, 0, "a family is whole");
    }
}

#[tokio::test]
async fn an_ended_question_replaces_its_notification_quietly_and_without_buttons() {
    let fake = FakeHttp::responding(json!({ "id": "m1" }))
        .await
        .expect("it starts");
    let channel = ntfy(&fake.url());
    let to = Address(TOPIC.to_owned());
    let open = channel.render(&card());
    let id = channel.send(&to, &open, Attention::Silent).await;
    let id = id.expect("it is sent");
    let held = Card {
        state: CardState::Held {
            by: zoe(),
            outcome: askback_core::outcome::Outcome::Declined,
            until: at("2027-03-27T12:00:05Z"),
            is_own: true,
        },
        ..card()
    };
    let undo = channel.render(&held);
    assert_eq!(pressed(&undo.body["actions"][0]), Some(Press::Undo));
    let ended = Card {
        state: CardState::Ended {
            by: zoe(),
            outcome: askback_core::outcome::Outcome::Declined,
            at: at("2027-03-27T12:00:05Z"),
        },
        ..card()
    };
    channel
        .edit(&to, &id, &channel.render(&ended))
        .await
        .expect("it is replaced");
    channel
        .send_thread_text(&to, &id, "Still open.", Attention::Notify)
        .await
        .expect("it is sent");
    let bodies: Vec<Value> = fake.requests().iter().map(Request::json).collect();
    assert_eq!(bodies[0]["priority"], 2);
    assert_eq!(
        (&bodies[1]["actions"], &bodies[1]["priority"]),
        (&Value::Null, &json!(2))
    );
    assert_eq!(bodies[1]["sequence_id"], bodies[0]["sequence_id"]);
    let text = bodies[1]["message"].as_str().expect("it has a text");
    assert!(text.contains("by Zoë, 12:00"), "{text}");
    assert_ne!(bodies[2]["sequence_id"], bodies[0]["sequence_id"]);
}

/// Each failure says what to do next, and no text has a token or a topic.
#[tokio::test]
async fn failures_say_whether_to_try_again() {
    let fake = FakeHttp::responding(json!({ "id": "m1" }))
        .await
        .expect("it starts");
    let channel = ntfy(&fake.url());
    let to = Address(TOPIC.to_owned());
    let message = Rendered::notice(json!({ "message": "?", "sequence_id": "s" }));
    let status = |status: u16| FakeResponse::json(status, &json!({ "error": TOPIC }));
    let text = |status: u16| format!("the provider responds with status {status}");
    let not_json = FakeResponse::Response {
        status: 200,
        headers: Vec::new(),
        body: "<html>".to_owned(),
    };
    let cases = [
        (
            FakeResponse::retry_after(7),
            SendError::RetryAfter(Duration::from_secs(7)),
        ),
        (status(429), SendError::RetryAfter(Duration::from_secs(10))),
        (status(500), SendError::temporary(text(500))),
        (status(403), SendError::unauthorized(text(403))),
        (status(413), SendError::permanent(text(413))),
        (status(302), SendError::temporary(text(302))),
    ];
    for (reply, expected) in cases {
        fake.plan(reply);
        let sent = channel.send(&to, &message, Attention::Notify).await;
        assert_eq!(sent, Err(expected));
    }
    for broken in [
        FakeResponse::Drop,
        not_json,
        FakeResponse::Delay(Duration::from_hours(1)),
    ] {
        if matches!(broken, FakeResponse::Delay(_)) {
            // The clock jumps to the time limit of the request.
            tokio::time::pause();
        }
        fake.plan(broken);
        let sent = channel.send(&to, &message, Attention::Notify).await;
        let error = sent.expect_err("it is broken");
        assert!(matches!(error, SendError::Temporary(_)), "{error:?}");
        let shown = format!("{error} {error:?}");
        assert!(
            !shown.contains(TOPIC) && !shown.contains("127.0.0.1"),
            "{shown}"
        );
    }
    tokio::time::resume();
    drop(fake);
    let sent = channel.send(&to, &message, Attention::Notify).await;
    assert!(matches!(sent, Err(SendError::Temporary(_))), "{sent:?}");
}

#[tokio::test]
async fn the_check_asks_for_the_health_with_the_token() {
    let fake = FakeHttp::responding(json!({ "healthy": true }))
        .await
        .expect("it starts");
    let checked = ntfy(&fake.url()).check().await;
    assert!(checked.is_ok_and(|text| text.starts_with("ntfy at 127.0.0.1")));
    let request = fake.requests().remove(0);
    assert_eq!(request.path, "/v1/health");
    assert_eq!(request.header("authorization"), Some("Bearer tk_secret"));
    fake.plan(FakeResponse::json(401, &json!({})));
    let refused = ntfy(&fake.url()).check().await;
    assert!(matches!(refused, Err(SendError::Unauthorized(_))));
}
