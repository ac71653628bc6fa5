//! Every change of an inquiry reaches the people in a channel: a message is sent, edited or replied to.

use askback_core::conversation::command::{Command, RespondentAction};
use askback_core::conversation::event::ChangeKind;
use askback_core::id::InquiryId;
use askback_core::text::Text;
use jiff::SignedDuration;
use serde_json::json;

use super::support::channel_world::{ChannelWorld, pass};
use super::support::fake_channel::{FakeChannel, Method, Response};

const DAY_SECONDS: u64 = 24 * 60 * 60;

/// Answers with a time to undo that is longer than the test.
async fn answer_with_undo(world: &ChannelWorld, inquiry: &InquiryId) {
    let answers = json!({ "q1": "Blue" });
    world
        .submit(inquiry, |target| Command::AnswerWithUndo {
            target,
            reply: RespondentAction::Answer {
                answers,
                notes: None,
            },
            window: SignedDuration::from_mins(1),
        })
        .await;
    pass(1).await;
}

/// What the provider is asked to do because of a change, and with which text.
async fn reactions(change: ChangeKind) -> Vec<(Method, String)> {
    let world = ChannelWorld::start(FakeChannel::responding(|_| Response::Done)).await;
    let mut before = 0;
    let inquiry = world.ask("Which color?").await;
    pass(1).await;
    let mut count = || before = world.channel.done().len();
    match change {
        ChangeKind::Asked => {}
        ChangeKind::DeadlineMoved => {
            count();
            world.move_deadline(&inquiry).await;
        }
        ChangeKind::Reminded => {
            world.move_deadline(&inquiry).await;
            pass(1).await;
            count();
            pass(DAY_SECONDS - 30).await;
        }
        ChangeKind::HandedOn => {
            count();
            let to = Text::name("zoe").expect("a name");
            world
                .submit(&inquiry, |target| Command::HandOn {
                    target,
                    to,
                    reason: Text::name("You know it."),
                })
                .await;
        }
        ChangeKind::Held => {
            count();
            answer_with_undo(&world, &inquiry).await;
        }
        ChangeKind::Reopened => {
            answer_with_undo(&world, &inquiry).await;
            count();
            world
                .submit(&inquiry, |target| Command::UndoAnswer { target })
                .await;
        }
        ChangeKind::Resolved => {
            count();
            world.decline(&inquiry).await;
        }
    }
    pass(1).await;
    let done = world.channel.done().into_iter().skip(before);
    done.map(|call| (call.method, call.text)).collect()
}

#[tokio::test(start_paused = true)]
async fn every_change_reaches_people() {
    for change in ChangeKind::ALL {
        let seen = reactions(change).await;
        let expected = match change {
            ChangeKind::Asked => (Method::Send, "Which color?"),
            ChangeKind::HandedOn => (Method::Edit, "You know it."),
            ChangeKind::Reminded => (Method::ThreadText, ""),
            ChangeKind::Held => (Method::Edit, "Blue"),
            ChangeKind::DeadlineMoved | ChangeKind::Reopened | ChangeKind::Resolved => {
                (Method::Edit, "Which color?")
            }
        };
        assert!(
            matches!(&seen[..], [(method, text), ..] if *method == expected.0 && text.contains(expected.1)),
            "{change:?}: {seen:?}"
        );
    }
}
