//! `kill -9` at each point between asking and the stored offset: no answer is lost or doubled, at most one
//! message is sent twice, and both copies work.
//!
//! `ASKBACK_KILLS` is the number of rounds for each point, 2 by default, 20 in a full run.

use std::fmt;
use std::time::Duration;

use askback_channels::{Button, Press};
use askback_fakes::{FakeMessage, StopPoint};
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};

use super::support::telegram_chat::{BEN, Chat, database, is_open};
use super::support::timeout::how_often;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KillPoint {
    /// The request has arrived, and no message was made.
    BeforeSend,
    /// The message is there, and its id is not stored.
    AfterSend,
    /// The press was handed out; whether the answer is stored is not known.
    AfterPress,
    /// The answer is stored, and the person was not told.
    BeforeAcknowledgement,
    /// The person was told, and the offset is not stored.
    BeforeOffset,
}

/// What happened in the rounds of one point.
#[derive(Default)]
struct Figures {
    rounds: usize,
    answered: usize,
    duplicates: usize,
    told_again: usize,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} rounds, {} answered once, {} messages sent twice, {} presses told again",
            self.rounds, self.answered, self.duplicates, self.told_again
        )
    }
}

fn rounds() -> usize {
    how_often("ASKBACK_KILLS", 2, 20)
}

/// The messages of a round, oldest first.
fn sent_after(chat: &Chat, last: i64) -> Vec<FakeMessage> {
    let messages = chat.messages_of(BEN).into_iter();
    messages.filter(|message| message.id > last).collect()
}

async fn wait_for_copies(chat: &Chat, last: i64, count: usize) -> Vec<FakeMessage> {
    chat.until("the question arrives", || {
        sent_after(chat, last).len() >= count
    })
    .await;
    sent_after(chat, last)
}

/// Waits until no message of the round has a button.
async fn wait_until_ended(chat: &Chat, last: i64) {
    chat.until("the messages say how it ended", || {
        let mut shown = sent_after(chat, last).into_iter();
        shown.all(|message| !is_open(&message) && message.text().contains("✓ Database: PostgreSQL"))
    })
    .await;
}

/// Asks, and kills the server while it sends. Then a copy is pressed: in turns the first one, which the server does
/// not know, and the last one.
async fn kill_while_sending(chat: &mut Chat, at: StopPoint, round: usize) -> InquiryResponse {
    let last = last_message(chat);
    let stopped = chat.fake.stop_at("sendMessage", at);
    let asked = chat.ask(database(), Some("ben")).await;
    stopped.await.expect("it is sent");
    chat.kill();
    chat.serve();
    let expected = match at {
        StopPoint::BeforeEffect => 1,
        StopPoint::BeforeResponse => 2,
    };
    let cards = wait_for_copies(chat, last, expected).await;
    let pressed = &cards[if round.is_multiple_of(2) {
        0
    } else {
        expected - 1
    }];
    chat.fake.press(BEN, pressed.id, &data_of(pressed));
    asked
}

/// Asks, and kills the server around a press.
async fn kill_at_press(chat: &mut Chat, point: KillPoint, round: usize) -> InquiryResponse {
    let last = last_message(chat);
    let asked = chat.ask(database(), Some("ben")).await;
    let cards = wait_for_copies(chat, last, 1).await;
    let stop = match point {
        KillPoint::BeforeAcknowledgement => Some(StopPoint::BeforeEffect),
        KillPoint::BeforeOffset => Some(StopPoint::BeforeResponse),
        KillPoint::BeforeSend | KillPoint::AfterSend | KillPoint::AfterPress => None,
    };
    let stopped = stop.map(|at| chat.fake.stop_at("answerCallbackQuery", at));
    let data = data_of(&cards[0]);
    let update = chat.fake.press(BEN, cards[0].id, &data);
    if let Some(stopped) = stopped {
        stopped.await.expect("the press is acknowledged");
    } else {
        chat.fake.wait_handed_out(update).await;
        // Another moment of the commit in each round.
        let moment = u64::try_from(round % 40).unwrap_or_default() * 250;
        tokio::time::sleep(Duration::from_micros(moment)).await;
    }
    chat.kill();
    if point != KillPoint::AfterPress {
        // The answer is stored by now, and the press is still there to be received again.
        assert_eq!(chat.fake.unconfirmed().len(), 1);
    }
    chat.serve();
    asked
}

fn last_message(chat: &Chat) -> i64 {
    chat.messages_of(BEN).last().map_or(0, |message| message.id)
}

fn data_of(card: &FakeMessage) -> String {
    let buttons = card.buttons();
    let found = buttons.into_iter().find(|(label, _)| label == "PostgreSQL");
    found.expect("there is a button").1
}

async fn run_round(chat: &mut Chat, point: KillPoint, round: usize) -> Figures {
    let last = last_message(chat);
    let told = chat.fake.acknowledged().len();
    let asked = match point {
        KillPoint::BeforeSend => kill_while_sending(chat, StopPoint::BeforeEffect, round).await,
        KillPoint::AfterSend => kill_while_sending(chat, StopPoint::BeforeResponse, round).await,
        KillPoint::AfterPress | KillPoint::BeforeAcknowledgement | KillPoint::BeforeOffset => {
            kill_at_press(chat, point, round).await
        }
    };
    let ended = chat.outcome(&asked).await;
    assert_eq!(ended.status, InquiryStatus::Answered);
    assert_eq!(ended.identity.as_deref(), Some("telegram:7"));
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["values"][0], "PostgreSQL");
    chat.until("every press is received", || {
        chat.fake.unconfirmed().is_empty()
    })
    .await;
    // Whatever is pressed now is told how it ended, and changes nothing; every copy shows it.
    let before = chat.fake.acknowledged().len();
    let copies = sent_after(chat, last);
    for copy in &copies {
        let late = Button {
            inquiry: asked.id.clone(),
            revision: asked.revision,
            press: Press::Choose {
                question: 0,
                choice: 0,
            },
        };
        chat.fake.press(BEN, copy.id, &late.encode());
    }
    let late = chat.told(before + copies.len()).await;
    assert_eq!(late["show_alert"], true, "{late}");
    wait_until_ended(chat, last).await;
    let after = chat.inquiry(&asked).await;
    assert_eq!(
        (after.resolved_at, after.outcome),
        (ended.resolved_at, ended.outcome)
    );
    let duplicates = sent_after(chat, last).len() - 1;
    match point {
        KillPoint::BeforeSend => assert_eq!(duplicates, 0),
        KillPoint::AfterSend => assert_eq!(duplicates, 1),
        // The press may come before the id of the message was stored.
        KillPoint::AfterPress | KillPoint::BeforeAcknowledgement | KillPoint::BeforeOffset => {
            assert!(duplicates <= 1);
        }
    }
    Figures {
        rounds: 1,
        answered: 1,
        duplicates,
        told_again: (before - told).saturating_sub(1),
    }
}

async fn run_point(point: KillPoint) {
    let mut chat = Chat::start("undo_seconds = 0").await;
    let mut figures = Figures::default();
    for round in 0..rounds() {
        let one = run_round(&mut chat, point, round).await;
        figures.rounds += one.rounds;
        figures.answered += one.answered;
        figures.duplicates += one.duplicates;
        figures.told_again += one.told_again;
    }
    assert_eq!(figures.answered, rounds());
    eprintln!("{point:?}: {figures}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_a_message_is_sent() {
    run_point(KillPoint::BeforeSend).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_a_message_is_sent() {
    run_point(KillPoint::AfterSend).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_a_press() {
    run_point(KillPoint::AfterPress).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_a_press_is_acknowledged() {
    run_point(KillPoint::BeforeAcknowledgement).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_before_the_offset_is_stored() {
    run_point(KillPoint::BeforeOffset).await;
}

/// Both copies take a typed reply, as they take a press.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_of_two_copies_takes_a_typed_reply() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    let stopped = chat.fake.stop_at("sendMessage", StopPoint::BeforeResponse);
    let asked = chat.ask(database(), Some("ben")).await;
    stopped.await.expect("it is sent");
    chat.kill();
    chat.serve();
    let cards = wait_for_copies(&chat, 0, 2).await;
    let reply = serde_json::json!({});
    chat.fake
        .write(BEN, "postgresql", Some(cards[0].id), &reply);
    let ended = chat.outcome(&asked).await;
    assert_eq!(ended.status, InquiryStatus::Answered);
    chat.until("both copies say how it ended", || {
        let shown = chat.messages_of(BEN).into_iter();
        let ended = shown.filter(|it| !is_open(it) && it.text().contains("✓ Database: PostgreSQL"));
        ended.count() == 2
    })
    .await;
}
