#[path = "slack_tests/message_tests.rs"]
mod message;
#[path = "slack_tests/socket_tests.rs"]
mod socket;

use askback_core::dialect::Dialect;
use serde_json::{Value, json};

use super::{Slack, SlackConfig};
use crate::card::Card;
use crate::fixtures::{open_card, parse};

fn slack(base_url: &str) -> Slack {
    let config = SlackConfig {
        base_url: Some(base_url.to_owned()),
        bot_token: Some("xoxb-1".into()),
        app_token: Some("xapp-1".into()),
        ..SlackConfig::default()
    };
    Slack::new(&config).expect("the settings are valid")
}

fn choice(text: &str, count: usize, several: bool) -> Value {
    let options: Vec<Value> = (1..=count)
        .map(|number| json!({ "label": format!("Choice {number}"), "description": "…" }))
        .collect();
    json!({ "question": text, "header": "Which", "options": options, "multiSelect": several })
}

fn asking(questions: &[Value]) -> Card {
    let input = json!({ "questions": questions });
    open_card(parse(Dialect::AskUserQuestion, &input))
}
