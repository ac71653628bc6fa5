//! A person who answers, declines, cancels, undoes, hands on and moves deadlines, in a race with others.

use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::command::{Command, NewDeadline, RespondentAction, Target};
use askback_core::id::{ConversationId, InquiryId};
use askback_engine::{SubmitError, Submitted};
use jiff::SignedDuration;
use serde_json::json;

use super::hand_on::{answer_in_channel, hand_on};
use super::{actor, brief, check_committed, keyed, pick_pending, request, verdict};
use crate::actions::{Action, Verdict};
use crate::world::World;

const ATTEMPTS: usize = 4;

/// Acts on pending inquiries until its actions are used up.
pub(crate) async fn run(world: Arc<World>) {
    for _ in 0..world.profile.actions * 2 {
        world.pause_up_to(world.profile.client_pause_ms_max).await;
        let Some((conversation, inquiry, revision)) = pick_pending(&world) else {
            continue;
        };
        let about = About {
            conversation: &conversation,
            inquiry: &inquiry,
        };
        let drawn = world.rng().below(15);
        match drawn {
            0..4 => answer(&world, about, revision).await,
            4 | 5 => end(&world, about, "declined").await,
            6 => end(&world, about, "rejected").await,
            7 => end(&world, about, "cancelled").await,
            8 | 9 => answer_with_undo(&world, about).await,
            10 => refused(&world, about, revision).await,
            11 | 12 => hand_on(&world, about).await,
            13 => answer_in_channel(&world, about).await,
            _ => move_deadline(&world, about).await,
        }
    }
}

/// The inquiry that an action is about.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) conversation: &'a ConversationId,
    pub(crate) inquiry: &'a InquiryId,
}

async fn answer(world: &World, about: About<'_>, revision: u32) {
    let command = Command::Answer {
        target: Target::Inquiry {
            id: about.inquiry.clone(),
            revision: Some(revision),
        },
        answers: json!({"q1": "Red"}),
        notes: None,
    };
    act(world, about, command, "answered").await;
}

/// Ends an inquiry without an answer.
pub(crate) async fn end(world: &World, about: About<'_>, outcome: &'static str) {
    let target: Target = about.inquiry.clone().into();
    let command = match outcome {
        "declined" => Command::Decline { target },
        "rejected" => Command::Reject { target },
        _ => Command::Cancel {
            target: Some(target),
        },
    };
    act(world, about, command, outcome).await;
}

/// Does it, and again if nobody knows whether it was done. Returns the name that it was done under, if it
/// was accepted.
pub(crate) async fn act(
    world: &World,
    about: About<'_>,
    command: Command,
    outcome: &'static str,
) -> Option<String> {
    let About {
        conversation,
        inquiry,
    } = about;
    let name = format!("r{}", world.next_id());
    let is_held = matches!(command, Command::AnswerWithUndo { .. });
    let action = Action {
        inquiry: inquiry.clone(),
        outcome,
        verdict: Verdict::Unknown,
        is_held,
        hand_ons: hand_ons(&command),
        undo: None,
    };
    world.checker().actions.insert(name.clone(), action);
    let key = world.rng().one_in(2).then(|| format!("q{name}"));
    let mut is_certain = true;
    for _ in 0..ATTEMPTS {
        let (options, by) = (keyed(key.as_deref(), 1), actor(&name));
        let command = command.clone();
        let reads_first = world.rng().one_in(2);
        let reply = request(world, async |engine| {
            // The server does it for answers that it has to parse.
            if reads_first {
                engine.inquiry_to_change(inquiry).await?;
            }
            engine.submit_with(conversation, command, by, options).await
        })
        .await;
        let line = format!("{name} {outcome} {inquiry} {}", brief(reply.as_ref()));
        world.trace("replies", line);
        let told = verdict(reply.as_ref());
        is_certain &= told != Verdict::Unknown;
        if told == Verdict::Accepted {
            check_accepted(world, inquiry, outcome, reply, is_held);
        }
        if told == Verdict::Accepted || (told == Verdict::Refused && is_certain) {
            if let Some(action) = world.checker().actions.get_mut(&name) {
                action.verdict = told;
            }
            return (told == Verdict::Accepted).then_some(name);
        }
        key.as_ref()?;
        world.pause_up_to(500).await;
    }
    None
}

/// Which hand-on an answer in a channel was given after.
fn hand_ons(command: &Command) -> Option<u32> {
    let Command::Answer {
        target: Target::Delivered { hand_ons, .. },
        ..
    } = command
    else {
        return None;
    };
    Some(*hand_ons)
}

/// What was accepted is in the store.
fn check_accepted(
    world: &World,
    inquiry: &InquiryId,
    outcome: &str,
    reply: Option<Result<Submitted, SubmitError>>,
    is_held: bool,
) {
    match reply {
        Some(Ok(submitted)) => check_committed(world, &submitted),
        Some(Err(SubmitError::Repeated { inquiry: about, .. })) => {
            world.check(about.as_ref() == Some(inquiry), || {
                format!("a repeated reply to {inquiry} is said to be one to {about:?}")
            });
        }
        _ => {}
    }
    if !is_held {
        let status = world
            .checker()
            .outcomes
            .get(inquiry)
            .map(|it| it.status.clone());
        world.check(status.as_deref() == Some(outcome), || {
            format!("{inquiry}: {outcome} was accepted, but it is {status:?}")
        });
    }
}

async fn answer_with_undo(world: &World, about: About<'_>) {
    let About {
        conversation,
        inquiry,
    } = about;
    let seconds = world.rng().within(1, 60);
    let (reply, outcome) = if world.rng().one_in(2) {
        (RespondentAction::Decline, "declined")
    } else {
        let answers = json!({"q1": "Blue"});
        let reply = RespondentAction::Answer {
            answers,
            notes: None,
        };
        (reply, "answered")
    };
    let command = Command::AnswerWithUndo {
        target: inquiry.clone().into(),
        reply,
        window: SignedDuration::from_secs(seconds as i64),
    };
    let Some(name) = act(world, about, command, outcome).await else {
        return;
    };
    if world.rng().one_in(2) {
        return;
    }
    let pause_ms = world.rng().below(1_000 * seconds);
    tokio::time::sleep(Duration::from_millis(pause_ms as u64)).await;
    let command = Command::UndoAnswer {
        target: inquiry.clone().into(),
    };
    let by = actor(&name);
    let undone = request(world, async |engine| {
        engine.submit(conversation, command, by).await
    })
    .await;
    world.trace("undos", format!("{name} {}", brief(undone.as_ref())));
    if let Some(action) = world.checker().actions.get_mut(&name) {
        action.undo = Some(verdict(undone.as_ref()));
    }
    if let Some(Ok(submitted)) = undone {
        check_committed(world, &submitted);
    }
}

/// A reply that must never be accepted: to another revision, or one that does not fit.
async fn refused(world: &World, about: About<'_>, revision: u32) {
    let About {
        conversation,
        inquiry,
    } = about;
    let is_stale = world.rng().one_in(2);
    let command = Command::Answer {
        target: Target::Inquiry {
            id: inquiry.clone(),
            revision: Some(if is_stale { revision + 1 } else { revision }),
        },
        answers: if is_stale {
            json!({"q1": "Red"})
        } else {
            json!({"q9": 1})
        },
        notes: None,
    };
    let by = actor(&format!("x{}", world.next_id()));
    let reply = request(world, async |engine| {
        engine.submit(conversation, command, by).await
    })
    .await;
    world.trace(
        "bad replies",
        format!("{inquiry} {}", brief(reply.as_ref())),
    );
    world.check(verdict(reply.as_ref()) != Verdict::Accepted, || {
        format!("{inquiry} took a reply that does not fit")
    });
}

async fn move_deadline(world: &World, about: About<'_>) {
    let About {
        conversation,
        inquiry,
    } = about;
    let seconds = world.rng().within(1, 300) as i64;
    let after = (!world.rng().one_in(4)).then(|| SignedDuration::from_secs(seconds));
    let target = inquiry.clone().into();
    let command = if world.rng().one_in(2) {
        Command::MoveDeadline {
            target,
            to: after.map(NewDeadline::After),
        }
    } else {
        Command::KeepOpen {
            target,
            at_least: after,
        }
    };
    let by = actor(&format!("d{}", world.next_id()));
    let reply = request(world, async |engine| {
        engine.submit(conversation, command, by).await
    })
    .await;
    world.trace(
        "moved deadlines",
        format!("{inquiry} {}", brief(reply.as_ref())),
    );
    if let Some(Ok(submitted)) = &reply {
        check_committed(world, submitted);
    }
}
