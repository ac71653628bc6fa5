//! A question is handed on from one person to another, who answers it in Telegram.

use askback_client::ClientError;
use askback_fakes::FakeMessage;
use askback_wire::inquiry::{HandOnParams, InquiryStatus};
use askback_wire::problem::ProblemCode;
use serde_json::{Value, json};

use super::deadlines::next_of_inquiry;
use super::support::run_binary::{askback, succeeds};
use super::support::telegram_chat::{BEN, Chat, ZOE};

fn which_database() -> Value {
    json!({ "questions": [{
        "question": "Which database?", "header": "Database",
        "options": [{ "label": "SQLite" }, { "label": "PostgreSQL" }],
    }] })
}

fn to(recipient: &str, reason: Option<&str>) -> HandOnParams {
    HandOnParams {
        recipient: recipient.to_owned(),
        reason: reason.map(str::to_owned),
        revision: None,
    }
}

fn refusal(error: &ClientError) -> (Option<ProblemCode>, String) {
    match error {
        ClientError::Problem(problem) => (problem.known_code(), problem.detail.clone()),
        ClientError::Transport(_) | ClientError::Decode(_) => panic!("{error}"),
    }
}

/// The old message says who has it now, without buttons; the new card says from whom and why; only the new
/// recipient can answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_handed_on_is_answered_by_its_new_recipient() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(which_database(), Some("zoe")).await;
    let first = chat
        .message(ZOE, "a card for Zoë", |it| !it.buttons().is_empty())
        .await;
    let client = &chat.server().client;
    let handed_on = client
        .hand_on(&asked.id, &to("ben", Some("He knows it.")))
        .await;
    let handed_on = handed_on.expect("it is handed on");
    assert_eq!(handed_on.recipient.as_deref(), Some("ben"));
    let how = handed_on.handed_on.expect("it says how");
    assert_eq!(how.from.as_deref(), Some("zoe"));
    assert_eq!(how.reason.as_deref(), Some("He knows it."));

    let card = chat
        .message(BEN, "a card for Ben", |it| !it.buttons().is_empty())
        .await;
    assert!(
        card.text().contains("Handed on to you: He knows it."),
        "{}",
        card.text()
    );
    let old = chat
        .message(ZOE, "an old card", |it| {
            it.text().contains("Weitergegeben an Ben")
        })
        .await;
    assert_eq!(old.id, first.id);
    assert!(old.text().contains(": He knows it."), "{}", old.text());
    assert!(old.buttons().is_empty(), "{:?}", old.buttons());

    chat.press(ZOE, &first, "SQLite");
    let told = chat.told(1).await;
    let text = told["text"].as_str().unwrap_or_default();
    assert!(text.contains("Weitergegeben an Ben"), "{told}");
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);

    chat.press(BEN, &card, "PostgreSQL");
    let outcome = chat.outcome(&asked).await;
    assert_eq!(outcome.answered_by.as_deref(), Some("Ben"));
    assert_eq!(outcome.message_id, Some(card.id.to_string()));
    let ended = |it: &FakeMessage| it.text().contains("Ben hat");
    let old = chat.message(ZOE, "how it ended, for Zoë", ended).await;
    // Whoever has given a question away learns who answered it, but not what.
    assert!(!old.text().contains("PostgreSQL"), "{}", old.text());
    let ended = |it: &FakeMessage| it.text().contains("✓") && it.text().contains("PostgreSQL");
    chat.message(BEN, "how it ended, for Ben", ended).await;
}

/// People read names, not aliases: in responses, in the feed, and in `askback list`. No account is shown.
#[tokio::test(flavor = "multi_thread")]
async fn recipients_are_listed_and_shown_by_name() {
    let chat = Chat::start("undo_seconds = 0").await;
    let server = chat.server();
    let recipients = server.client.recipients().await.expect("they are listed");
    let recipients = serde_json::to_value(recipients).expect("it is JSON");
    let people = json!([
        { "alias": "ben", "configured": true, "name": "Ben", "reachable": true },
        { "alias": "zoe", "configured": true, "name": "Zoë", "reachable": true },
    ]);
    assert_eq!(recipients["items"], people);

    let mut feed = server.client.events(Some(0));
    let asked = chat.ask(which_database(), Some("zoe")).await;
    assert_eq!(asked.recipient_name.as_deref(), Some("Zoë"));
    let read = chat.inquiry(&asked).await;
    assert_eq!(read.recipient_name.as_deref(), Some("Zoë"));
    let (event, inquiry) = next_of_inquiry(&mut feed).await;
    assert_eq!(event, "asked");
    assert_eq!(inquiry.recipient_name.as_deref(), Some("Zoë"));
    let data = chat.directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let listed = succeeds(&["list", "--data", data], "");
    assert!(listed.contains("(for Zoë)"), "{listed}");

    let handed_on = server.client.hand_on(&asked.id, &to("ben", None)).await;
    let handed_on = handed_on.expect("it is handed on");
    assert_eq!(handed_on.recipient_name.as_deref(), Some("Ben"));
    let (event, inquiry) = next_of_inquiry(&mut feed).await;
    assert_eq!(event, "handed_on");
    assert_eq!(inquiry.recipient_name.as_deref(), Some("Ben"));
}

/// Repeating it changes nothing; an unknown alias gets the known ones; after the end it is refused.
#[tokio::test(flavor = "multi_thread")]
async fn handing_on_is_idempotent_and_refuses_what_cannot_be() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(which_database(), None).await;
    let client = &chat.server().client;
    let once = client
        .hand_on(&asked.id, &to("ben", None))
        .await
        .expect("it is handed on");
    let twice = client.hand_on(&asked.id, &to("ben", Some("Again."))).await;
    assert_eq!(twice.expect("nothing changes"), once);
    let unknown = client
        .hand_on(&asked.id, &to("carl", None))
        .await
        .expect_err("no such alias");
    let (code, detail) = refusal(&unknown);
    assert_eq!(code, Some(ProblemCode::UnknownRecipient));
    assert!(detail.contains("ben, zoe"), "{detail}");
    let card = chat
        .message(BEN, "a card for Ben", |it| !it.buttons().is_empty())
        .await;
    chat.press(BEN, &card, "SQLite");
    chat.outcome(&asked).await;
    let late = client
        .hand_on(&asked.id, &to("zoe", None))
        .await
        .expect_err("it has ended");
    assert_eq!(refusal(&late).0, Some(ProblemCode::NotPending));
}

/// Two presses hand a question on: the people in the same message, then one of them. Back shows the choices again.
/// A second press on the old buttons is told what happened, and a question that comes back has its choices.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_handed_on_with_the_buttons_of_its_message() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(which_database(), Some("zoe")).await;
    let has = |label: &'static str| {
        move |it: &FakeMessage| it.buttons().iter().any(|(text, _)| text == label)
    };
    let card = chat.message(ZOE, "a card", has("Weitergeben…")).await;
    chat.press(ZOE, &card, "Weitergeben…");
    let to_ben = has("Weitergeben an Ben");
    let people = chat.message(ZOE, "the people", to_ben).await;
    assert_eq!(people.id, card.id);
    assert_eq!(people.text(), card.text());
    let labels: Vec<String> = people.buttons().into_iter().map(|(text, _)| text).collect();
    assert_eq!(
        labels,
        ["Weitergeben an Ben", "Grund (freiwillig)", "Zurück"]
    );
    chat.press(ZOE, &people, "Zurück");
    chat.message(ZOE, "the choices again", has("SQLite")).await;
    chat.press(ZOE, &card, "Weitergeben…");
    chat.message(ZOE, "the people again", to_ben).await;
    // An impatient finger: both are received after one another.
    chat.press(ZOE, &people, "Weitergeben an Ben");
    chat.press(ZOE, &people, "Weitergeben an Ben");
    let first = chat.told(4).await;
    assert_eq!(first["text"], json!("Weitergegeben an Ben"));
    assert_eq!(first["show_alert"], json!(false));
    let second = chat.told(5).await;
    let text = second["text"].as_str().unwrap_or_default();
    assert!(text.contains("Weitergegeben an Ben"), "{second}");

    let to_him = chat.message(BEN, "a card for Ben", has("Hand on…")).await;
    assert!(to_him.text().contains("Zoë handed this on to you"));
    let read = chat.inquiry(&asked).await;
    assert_eq!(read.recipient_name.as_deref(), Some("Ben"));
    let how = read.handed_on.expect("it says how");
    assert_eq!(how.by.as_deref(), Some("Zoë"));
    assert_eq!(how.identity, Some(format!("telegram:{ZOE}")));

    chat.press(BEN, &to_him, "Hand on…");
    let people = chat.message(BEN, "the people", has("Hand on to Zoë")).await;
    chat.press(BEN, &people, "Hand on to Zoë");
    let back = chat.message(ZOE, "the choices", has("PostgreSQL")).await;
    assert_eq!(back.id, card.id);
    chat.press(ZOE, &back, "PostgreSQL");
    let outcome = chat.outcome(&asked).await;
    assert_eq!(outcome.answered_by.as_deref(), Some("Zoë"));
    chat.press(BEN, &people, "Hand on to Zoë");
    let told = chat.told(9).await;
    assert_eq!(told["show_alert"], json!(true), "{told}");
}

/// It survives a crash: the message that was not edited yet is edited after the restart.
#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_hands_on_and_a_restart_keeps_it() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(which_database(), Some("zoe")).await;
    chat.message(ZOE, "a card for Zoë", |it| !it.buttons().is_empty())
        .await;
    let data = chat.directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let id = asked.id.as_str();
    let args = [
        "hand-on", id, "--to", "ben", "--reason", "Away.", "--data", data,
    ];
    let printed: Value = serde_json::from_str(&succeeds(&args, "")).expect("it prints JSON");
    assert_eq!(printed["recipient"], json!("ben"), "{printed}");
    assert_eq!(printed["handed_on"]["surface"], json!("cli"), "{printed}");
    chat.kill();
    chat.serve();
    let card = chat
        .message(BEN, "a card for Ben", |it| !it.buttons().is_empty())
        .await;
    assert!(card.text().contains(": Away."), "{}", card.text());
    chat.message(ZOE, "an old card", |it| {
        it.text().contains("Weitergegeben an Ben")
    })
    .await;
    let read = chat.inquiry(&asked).await;
    assert_eq!(
        read.handed_on.and_then(|it| it.reason).as_deref(),
        Some("Away.")
    );
}

/// Somebody without an account gets no message. Whoever hands on to them is told, in a channel and on the command
/// line; the question waits in the browser.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_hands_on_to_somebody_without_a_channel_is_told() {
    let people = "[recipients.carl]\nname = 'Carl'\n[recipients.night]\nmembers = ['carl']\n[recipients.all]\nmembers = ['carl', 'zoe']\n";
    let chat = Chat::start_with("undo_seconds = 0", people).await;
    let client = &chat.server().client;
    let listed = client.recipients().await.expect("they are listed").items;
    let listed = listed.iter().map(|it| (it.alias.as_str(), it.reachable));
    let listed: Vec<(&str, bool)> = listed.collect();
    let expected = [
        ("ben", true),
        ("carl", false),
        ("zoe", true),
        ("all", true),
        ("night", false),
    ];
    assert_eq!(listed, expected);

    let asked = chat.ask(which_database(), Some("ben")).await;
    let is_open = |it: &FakeMessage| !it.buttons().is_empty();
    let card = chat.message(BEN, "a card for Ben", is_open).await;
    chat.press(BEN, &card, "Hand on…");
    let has_carl = |it: &FakeMessage| {
        let buttons = it.buttons();
        buttons.iter().any(|(text, _)| text == "Hand on to Carl")
    };
    let people = chat.message(BEN, "the people", has_carl).await;
    chat.press(BEN, &people, "Hand on to Carl");
    let told = chat.told(2).await;
    let text =
        "Handed on to Carl. Carl has no channel and gets no message, but can answer in the browser";
    assert_eq!(told["text"], json!(text));
    let read = chat.inquiry(&asked).await;
    assert_eq!(read.recipient.as_deref(), Some("carl"));
    assert_eq!(read.status, InquiryStatus::Pending);

    let data = chat.directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let hand_on = |to: &str| {
        let args = ["hand-on", asked.id.as_str(), "--to", to, "--data", data];
        let run = askback(&args, "");
        assert_eq!(run.code, Some(0), "{run:?}");
        run.err
    };
    assert_eq!(hand_on("zoe"), "");
    let warning = "night has no channel and gets no message, but can answer in the browser.\n";
    assert_eq!(hand_on("night"), warning);
}

/// The reason is a reply to a prompt. It is kept until a person or group is chosen, also over a restart, and goes with
/// the hand-on.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_handed_on_with_a_reason_to_a_group_in_telegram() {
    let team = "[recipients.team]\nmembers = ['ben']\n";
    let mut chat = Chat::start_with("undo_seconds = 0", team).await;
    let asked = chat.ask(which_database(), Some("zoe")).await;
    let has = |label: &'static str| {
        move |it: &FakeMessage| it.buttons().iter().any(|(text, _)| text == label)
    };
    let card = chat.message(ZOE, "a card", has("Weitergeben…")).await;
    chat.press(ZOE, &card, "Weitergeben…");
    let people = chat.message(ZOE, "people", has("Grund (freiwillig)")).await;
    chat.press(ZOE, &people, "Grund (freiwillig)");
    let is_prompt = |it: &FakeMessage| it.id != card.id && it.text().starts_with("Grund");
    let prompt = chat.message(ZOE, "a prompt", is_prompt).await;
    let nothing = json!({});
    chat.fake
        .write(ZOE, "Kennt sie.", Some(prompt.id), &nothing);
    chat.message(ZOE, "the reason", has("✎ Kennt sie.")).await;
    chat.kill();
    chat.serve();
    // Received again: it changes nothing.
    chat.press(ZOE, &card, "Weitergeben…");
    chat.told(3).await;
    let people = chat.message(ZOE, "the reason", has("✎ Kennt sie.")).await;
    chat.press(ZOE, &people, "Weitergeben an team");
    let text = "Zoë handed this on to you: Kennt sie.";
    let with_reason = |it: &FakeMessage| it.text().contains(text);
    let to_ben = chat.message(BEN, "a card for Ben", with_reason).await;
    let read = chat.inquiry(&asked).await;
    assert_eq!(read.recipient.as_deref(), Some("team"));
    chat.press(BEN, &to_ben, "Hand on…");
    let people = chat.message(BEN, "people", has("Hand on to Zoë")).await;
    assert!(
        has("Reason (optional)")(&people),
        "the reason was that of Zoë: {:?}",
        people.buttons()
    );
}
