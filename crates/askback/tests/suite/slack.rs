//! Questions in Slack, answered there by people, through a fake of Socket Mode.

use askback_wire::actor::SurfaceName;
use askback_wire::respond::{AnswerParams, DeclineParams};
use serde_json::json;

use super::support::channel_server::ChannelServer;
use super::support::raw_http::{bearer, raw, request};
use super::support::run_binary::{fails, succeeds};
use super::support::server_process::TOKEN;
use super::support::telegram_chat::database;

const ZOE: &str = "[recipients.zoe]\nname = 'Zoë'\nlanguage = 'en'\nidentities = ['slack:U42']\n";

/// Check 1: a press answers, with who and where; the message is updated and has no controls. A press afterwards is told in
/// private.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_answers_and_the_message_says_so() {
    let run = ChannelServer::start(ZOE).await;
    let asked = run.ask(database(), None).await;
    run.until("Zoë gets the question", || {
        !run.slack.messages().is_empty()
    })
    .await;
    let card = run.slack.messages().remove(0);
    assert_eq!(card.buttons()[0].0, "1. SQLite");
    run.slack
        .press_message("e1", "U42", &card, &card.buttons()[0].1);
    let ended = run.outcome(&asked).await;
    assert_eq!(ended.answered_by.as_deref(), Some("Zoë"));
    assert_eq!(ended.surface, Some(SurfaceName::Slack));
    assert_eq!(ended.identity.as_deref(), Some("slack:U42"));
    assert_eq!(run.slack.wait_for_acks(1).await, ["e1"]);
    run.until("the message is updated", || {
        let shown = run.slack.messages().remove(0);
        shown.buttons().is_empty() && shown.body.to_string().contains("SQLite")
    })
    .await;
    run.slack
        .press_message("e2", "U42", &card, &card.buttons()[1].1);
    let told = run.slack.wait_for_calls("chat.postEphemeral", 1).await;
    assert!(
        told[0]["text"].as_str().expect("a text").contains("SQLite"),
        "{told:?}"
    );
    // Somebody who did not get it.
    run.slack
        .press_message("e3", "U666", &card, &card.buttons()[1].1);
    run.slack.wait_for_calls("chat.postEphemeral", 2).await;
    assert_eq!(run.slack.messages().len(), 1);
}

/// What `askback channel link` prints can be sent as it is. Slack would take `/start` for a command of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_printed_code_links_the_account_that_sends_it() {
    let run = ChannelServer::start("[recipients.zoe]\nname = 'Zoë'\nlanguage = 'en'\n").await;
    let url = run.server.address.as_str();
    let link = |channel| ["channel", "link", channel, "--url", url, "--token", TOKEN];
    let told = succeeds(&link("slack"), "");
    assert!(!told.contains("/start"), "{told}");
    let code = told.lines().find_map(|line| line.strip_prefix("  "));
    let code = code.expect("it prints a code").trim();
    let event = json!({
        "type": "message", "channel_type": "im", "channel": "D77", "user": "U77", "text": code,
    });
    run.slack.write("e1", &event);
    run.until("the account is linked", || {
        let mut messages = run.slack.messages().into_iter();
        messages.any(|message| message.text().starts_with("Linked"))
    })
    .await;
    let asked = run.ask(database(), None).await;
    run.until("the question arrives", || run.slack.messages().len() == 2)
        .await;
    let card = run.slack.messages().remove(1);
    run.slack
        .press_message("e2", "U77", &card, &card.buttons()[0].1);
    let ended = run.outcome(&asked).await;
    assert_eq!(ended.identity.as_deref(), Some("slack:U77"));
    let refused = fails(&link("ntfy"), "", 2);
    assert!(refused.contains("`identities`"), "{refused}");
}

/// Check 14: each reason to disconnect that a new socket helps against, also one that Slack adds later, and a socket that
/// is dropped between press and acknowledgement: the server connects again, and there is one answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_socket_loses_and_doubles_nothing() {
    let run = ChannelServer::start(ZOE).await;
    let mut sockets = 1;
    for reason in ["warning", "refresh_requested", "a_later_reason"] {
        run.slack
            .send(json!({ "type": "disconnect", "reason": reason }));
        sockets += 1;
        run.slack.wait_for_sockets(sockets).await;
    }
    let asked = run.ask(database(), None).await;
    run.until("Zoë gets the question", || {
        !run.slack.messages().is_empty()
    })
    .await;
    let card = run.slack.messages().remove(0);
    let data = card.buttons()[0].1.clone();
    run.slack.press_and_drop("e1", "U42", &card, &data);
    sockets += 1;
    run.slack.wait_for_sockets(sockets).await;
    assert!(run.slack.acks().is_empty());
    // Slack repeats what was not acknowledged.
    run.slack.press_message("e1", "U42", &card, &data);
    let ended = run.outcome(&asked).await;
    assert_eq!(run.slack.wait_for_acks(1).await, ["e1"]);
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["values"], json!(["SQLite"]));
    let late = AnswerParams {
        answers: json!({ "q1": "PostgreSQL" }),
        ..AnswerParams::default()
    };
    let refused = run.server.client.answer(&asked.id, &late).await;
    refused.expect_err("it is answered");
    let after = run.outcome(&asked).await;
    assert_eq!(
        (after.resolved_at, after.outcome),
        (ended.resolved_at, ended.outcome)
    );
}

/// Check 14: where a new socket would not stay open, the server waits before the next one and says what to do; messages
/// are sent and updated all the while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_socket_says_what_to_do_and_messages_are_still_sent() {
    for (reason, advice) in [
        ("too_many_websockets", "an app of its own"),
        ("link_disabled", "Socket Mode is off"),
    ] {
        let run = ChannelServer::start(ZOE).await;
        run.slack
            .send(json!({ "type": "disconnect", "reason": reason }));
        run.until("the status says what to do", || {
            let headers = [("Host", "localhost"), ("Authorization", &bearer())];
            let listed = raw(&run.server, &request("GET /channels", &headers)).1;
            listed.contains(advice)
        })
        .await;
        let asked = run.ask(database(), None).await;
        run.until("Zoë gets the question", || {
            !run.slack.messages().is_empty()
        })
        .await;
        let params = DeclineParams::default();
        let declined = run.server.client.decline_inquiry(&asked.id, &params);
        declined.await.expect("it is declined");
        run.until("the message is updated", || {
            run.slack.messages()[0].buttons().is_empty()
        })
        .await;
    }
}
