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

/// A press answers, with who and where; the message is updated and has no controls. A press afterwards is told in
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

/// Each reason to disconnect that a new socket helps against, also one that Slack adds later, and a socket that
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

/// Where a new socket would not stay open, the server waits before the next one and says what to do; messages
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

/// The people are in the message, with a field for the reason. A group and somebody without a channel are among them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_handed_on_in_its_message() {
    let people = "[recipients.ben]\nname = 'Ben'\nlanguage = 'en'\nidentities = ['slack:U7']\n\
         [recipients.carl]\nname = 'Carl'\n[recipients.team]\nmembers = ['ben', 'zoe']\n";
    let run = ChannelServer::start(&format!("{ZOE}{people}")).await;
    let asked = run.ask(database(), Some("zoe")).await;
    let card_of = async |user: &str, label: &str| {
        let mut found = None;
        let conversation = user.replace('U', "D");
        run.until(&format!("{user} sees {label}"), || {
            let mut messages = run.slack.messages().into_iter();
            found = messages.find_map(|message| {
                let buttons = message.buttons();
                let data = buttons.into_iter().find(|(text, _)| text == label)?.1;
                (message.conversation == conversation).then_some((message, data))
            });
            found.is_some()
        })
        .await;
        found.expect("it was found")
    };
    let (card, data) = card_of("U42", "Hand on…").await;
    run.slack.press_message("e1", "U42", &card, &data);
    let (card, data) = card_of("U42", "Hand on to Ben").await;
    let labels: Vec<String> = card.buttons().into_iter().map(|(text, _)| text).collect();
    let expected = [
        "Hand on to Ben",
        "Hand on to Carl",
        "Hand on to team",
        "Back",
    ];
    assert_eq!(labels, expected);
    let blocks = card.body["blocks"].as_array().expect("it has blocks");
    let field = blocks.iter().find(|block| block["type"] == "input");
    let field = field.expect("it has a field for the reason");
    assert_eq!(field["label"]["text"], json!("Reason (optional)"));
    let (block, action) = (&field["block_id"], &field["element"]["action_id"]);
    let (block, action) = (
        block.as_str().expect("an id"),
        action.as_str().expect("an id"),
    );
    let values =
        json!({ block: { action: { "type": "plain_text_input", "value": "He knows it." } } });
    run.slack
        .press_filled_in("e2", "U42", &card, &data, &values);
    let (to_ben, data) = card_of("U7", "Hand on…").await;
    let text = to_ben.body.to_string();
    assert!(
        text.contains("Zoë handed this on to you: He knows it."),
        "{text}"
    );
    let read = run
        .server
        .client
        .inquiry(&asked.id)
        .await
        .expect("it is read");
    let how = read.handed_on.expect("it says how");
    assert_eq!(how.reason.as_deref(), Some("He knows it."));
    assert_eq!(how.identity.as_deref(), Some("slack:U42"));
    assert!(run.slack.calls("chat.postEphemeral").is_empty());

    run.slack.press_message("e3", "U7", &to_ben, &data);
    let (to_ben, data) = card_of("U7", "Hand on to Carl").await;
    run.slack.press_message("e4", "U7", &to_ben, &data);
    let told = run.slack.wait_for_calls("chat.postEphemeral", 1).await;
    let text = told[0]["text"].as_str().expect("a text");
    assert!(text.contains("Carl has no channel"), "{text}");
}

/// A form with a question open is sent with the second press on Send, after the message says what is open. A reply in the thread
/// does not say which question it answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_with_an_open_question_asks_before_it_is_sent() {
    let run = ChannelServer::start(ZOE).await;
    let ask = |name: &str| {
        let options = json!([{ "label": "A" }, { "label": "B" }]);
        json!({ "question": format!("{name}?"), "header": name, "options": options })
    };
    let input = json!({ "questions": [ask("First"), ask("Second")] });
    let asked = run.ask(input, None).await;
    run.until("Zoë gets the question", || {
        !run.slack.messages().is_empty()
    })
    .await;
    let card = run.slack.messages().remove(0);
    let blocks = card.body["blocks"].as_array().expect("it has blocks");
    let fields = blocks.iter().filter(|block| block["type"] == "input");
    let ids: Vec<&str> = fields
        .filter_map(|field| field["block_id"].as_str())
        .collect();
    let field = |part: &str| {
        let mut ids = ids.iter();
        *ids.find(|id| id.ends_with(part)).expect("a field")
    };
    // As Slack sends it: with the fields that are empty.
    let values = json!({
        field(".0.c"): { "c": { "type": "radio_buttons", "selected_option": { "value": "1" } } },
        field(".1.c"): { "c": { "type": "radio_buttons", "selected_option": null } },
    });
    let send = |message: &askback_fakes::SlackMessage| {
        let mut buttons = message.buttons().into_iter();
        buttons
            .find(|(text, _)| text == "Send")
            .expect("a button")
            .1
    };
    run.slack
        .press_filled_in("e2", "U42", &card, &send(&card), &values);
    let told = run.slack.wait_for_calls("chat.postEphemeral", 1).await;
    let text = "Not answered: Second. To send it anyway, press Send again.";
    assert_eq!(told[0]["text"], text);
    run.until("the message says so", || {
        run.slack.messages()[0].body.to_string().contains(text)
    })
    .await;
    run.slack.write(
        "e1",
        &json!({
            "type": "message", "channel_type": "im", "channel": card.conversation, "user": "U42",
            "text": "B", "thread_ts": card.ts,
        }),
    );
    let told = run.slack.wait_for_calls("chat.postEphemeral", 2).await;
    let in_fields = "This message has several questions. Fill in its fields and press Send.";
    assert_eq!(told[1]["text"], in_fields);
    let card = run.slack.messages().remove(0);
    run.slack
        .press_filled_in("e3", "U42", &card, &send(&card), &values);
    let ended = run.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["values"], json!(["B"]), "{outcome}");
}
