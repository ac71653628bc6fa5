//! Many people at once, over several channels.

use std::fmt::Write as _;

use askback_wire::inquiry::InquiryStatus;
use serde_json::json;

use super::support::channel_server::ChannelServer;

/// In each of the two channels.
const PEOPLE: usize = 10;

/// Twenty people press different buttons at once over two channels. There is one outcome, and nineteen are told
/// who won.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_twenty_wins_and_the_others_are_told_who() {
    let mut people = String::new();
    for number in 1..=PEOPLE {
        for (channel, prefix) in [("telegram", ""), ("slack", "U")] {
            let table = writeln!(
                people,
                "[recipients.{channel}-{number}]\nname = 'Person {channel} {number}'\nlanguage = 'en'\n\
                 identities = ['{channel}:{prefix}{number}']"
            );
            table.expect("it is a string");
        }
    }
    let run = ChannelServer::start(&people).await;
    let labels = ["red", "green", "blue", "white"];
    let input = json!({ "question": "Which colour?", "options": labels });
    let asked = run.ask(input, None).await;
    run.until("everybody gets the question", || {
        run.telegram.messages().len() == PEOPLE && run.slack.messages().len() == PEOPLE
    })
    .await;
    for (number, card) in run.telegram.messages().iter().enumerate() {
        let user = card.chat.parse().expect("it is a number");
        let (_, data) = &card.buttons()[number % labels.len()];
        run.telegram.press(user, card.id, data);
        let card = &run.slack.messages()[number];
        let user = card.conversation.replace('D', "U");
        let (_, data) = &card.buttons()[(number + 1) % labels.len()];
        run.slack
            .press_message(&format!("e{number}"), &user, card, data);
    }
    let ended = run.outcome(&asked).await;
    assert_eq!(ended.status, InquiryStatus::Answered);
    let winner = ended.answered_by.clone().expect("somebody won");
    run.slack.wait_for_acks(PEOPLE).await;
    let late_in_slack = if winner.contains("slack") {
        PEOPLE - 1
    } else {
        PEOPLE
    };
    let private = run
        .slack
        .wait_for_calls("chat.postEphemeral", late_in_slack)
        .await;
    run.until("everybody in Telegram is told", || {
        run.telegram.acknowledged().len() == PEOPLE
    })
    .await;
    let told = run.telegram.acknowledged().into_iter();
    let alerts: Vec<_> = told.filter(|told| told["show_alert"] == true).collect();
    assert_eq!(alerts.len() + private.len(), 2 * PEOPLE - 1);
    for told in alerts.iter().chain(&private) {
        let text = told["text"].as_str().expect("a text");
        assert!(text.contains(&winner), "{winner}: {text}");
    }
    run.until("every message says how it ended", || {
        let telegram = run.telegram.messages();
        let slack = run.slack.messages();
        telegram
            .iter()
            .all(|card| card.buttons().is_empty() && card.text().contains(&winner))
            && slack.iter().all(|card| card.buttons().is_empty())
    })
    .await;
    let after = run.outcome(&asked).await;
    assert_eq!(
        (after.resolved_at, after.outcome),
        (ended.resolved_at, ended.outcome)
    );
}
