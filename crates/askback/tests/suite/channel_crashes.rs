//! `kill -9` at each point between asking and the stored offset (check 4): no answer is lost or doubled, at most one
//! message is sent twice, and both copies work.
//!
//! `ASKBACK_KILLS` is the number of rounds for each point, 2 by default.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use askback_fakes::{FakeMessage, StopPoint};
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};

use super::support::telegram_chat::{BEN, Chat, database, is_open};

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
    let rounds = std::env::var("ASKBACK_KILLS").ok();
    rounds.and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// The messages that show this inquiry with buttons, oldest first.
fn copies(chat: &Chat, asked: &InquiryResponse) -> Vec<FakeMessage> {
    let marker = asked.id.as_str().trim_start_matches("inq_");
    let shows = |message: &FakeMessage| {
        let buttons = message.buttons();
        buttons.iter().any(|(_, data)| data.starts_with(marker))
    };
    chat.messages_of(BEN).into_iter().filter(shows).collect()
}

async fn wait_for_copies(chat: &Chat, asked: &InquiryResponse, count: usize) -> Vec<FakeMessage> {
    chat.until("the question arrives", || {
        copies(chat, asked).len() >= count
    })
    .await;
    copies(chat, asked)
}

/// Waits until none of these messages has a button.
async fn wait_until_ended(chat: &Chat, shown: &BTreeSet<i64>) {
    chat.until("the messages say how it ended", || {
        let messages = chat.messages_of(BEN).into_iter();
        let mut shown = messages.filter(|message| shown.contains(&message.id));
        shown.all(|message| !is_open(&message) && message.text().contains("✓ Database: PostgreSQL"))
    })
    .await;
}

/// Asks, and kills the server while it sends. Returns the copies of the message.
async fn kill_while_sending(chat: &mut Chat, at: StopPoint) -> (InquiryResponse, Vec<FakeMessage>) {
    let stopped = chat.fake.stop_at("sendMessage", at);
    let asked = chat.ask(database(), Some("ben")).await;
    stopped.await.expect("it is sent");
    chat.kill();
    chat.serve();
    let expected = match at {
        StopPoint::BeforeEffect => 1,
        StopPoint::BeforeResponse => 2,
    };
    let cards = wait_for_copies(chat, &asked, expected).await;
    (asked, cards)
}

/// Asks, and kills the server around a press.
async fn kill_at_press(
    chat: &mut Chat,
    point: KillPoint,
    round: usize,
) -> (InquiryResponse, Vec<FakeMessage>) {
    let asked = chat.ask(database(), Some("ben")).await;
    let cards = wait_for_copies(chat, &asked, 1).await;
    let stopped = match point {
        KillPoint::BeforeAcknowledgement => {
            Some(StopPoint::BeforeEffect).map(|at| chat.fake.stop_at("answerCallbackQuery", at))
        }
        KillPoint::BeforeOffset => {
            Some(StopPoint::BeforeResponse).map(|at| chat.fake.stop_at("answerCallbackQuery", at))
        }
        KillPoint::BeforeSend | KillPoint::AfterSend | KillPoint::AfterPress => None,
    };
    let data = data_of(&cards[0]);
    let update = chat.fake.press(BEN, cards[0].id, &data);
    match stopped {
        Some(stopped) => stopped.await.expect("the press is acknowledged"),
        None => {
            chat.fake.wait_handed_out(update).await;
            // Another moment of the commit in each round.
            let moment = u64::try_from(round % 40).unwrap_or_default() * 250;
            tokio::time::sleep(Duration::from_micros(moment)).await;
        }
    }
    chat.kill();
    if point != KillPoint::AfterPress {
        // The answer is stored by now, and the press is still there to be received again.
        assert_eq!(chat.fake.unconfirmed().len(), 1);
    }
    chat.serve();
    (asked, cards)
}

fn data_of(card: &FakeMessage) -> String {
    let buttons = card.buttons();
    let found = buttons.into_iter().find(|(label, _)| label == "PostgreSQL");
    found.expect("there is a button").1
}

async fn run_round(chat: &mut Chat, point: KillPoint, round: usize) -> Figures {
    let told = chat.fake.acknowledged().len();
    let (asked, cards) = match point {
        KillPoint::BeforeSend => kill_while_sending(chat, StopPoint::BeforeEffect).await,
        KillPoint::AfterSend => kill_while_sending(chat, StopPoint::BeforeResponse).await,
        KillPoint::AfterPress | KillPoint::BeforeAcknowledgement | KillPoint::BeforeOffset => {
            kill_at_press(chat, point, round).await
        }
    };
    let duplicates = cards.len() - 1;
    assert_eq!(duplicates, usize::from(point == KillPoint::AfterSend));
    if matches!(point, KillPoint::BeforeSend | KillPoint::AfterSend) {
        // In turns the first copy, which the server does not know, and the last one.
        let pressed = &cards[if round.is_multiple_of(2) {
            0
        } else {
            duplicates
        }];
        chat.fake.press(BEN, pressed.id, &data_of(pressed));
    }
    let ended = chat.outcome(&asked).await;
    assert_eq!(ended.status, InquiryStatus::Answered);
    assert_eq!(ended.identity.as_deref(), Some("telegram:7"));
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["values"][0], "PostgreSQL");
    // Whatever is pressed now is told how it ended, and changes nothing; a copy shows it, too.
    chat.until("every press is received", || {
        chat.fake.unconfirmed().is_empty()
    })
    .await;
    let before = chat.fake.acknowledged().len();
    for card in &cards {
        chat.fake.press(BEN, card.id, &card.buttons()[0].1);
    }
    let late = chat.told(before + cards.len()).await;
    assert_eq!(late["show_alert"], true, "{late}");
    let shown: BTreeSet<i64> = cards.iter().map(|card| card.id).collect();
    wait_until_ended(chat, &shown).await;
    let after = chat.inquiry(&asked).await;
    assert_eq!(
        (after.resolved_at, after.outcome),
        (ended.resolved_at, ended.outcome)
    );
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
    // No message but the cards and their copies was sent.
    let sent = chat.messages_of(BEN).len();
    assert_eq!(sent, figures.rounds + figures.duplicates);
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
