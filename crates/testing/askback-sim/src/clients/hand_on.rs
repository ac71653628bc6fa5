//! A person who hands questions on, and one who answers as the recipient in a channel.

use askback_core::conversation::command::{Command, Target};
use askback_core::text::{Lines, Text};
use serde_json::json;

use super::respondent::{About, act};
use super::{actor, brief, check_committed, request, verdict};
use crate::actions::Verdict;
use crate::hand_ons::HandOnAttempt;
use crate::world::World;

const RECIPIENTS: [&str; 3] = ["ana", "ben", "cyd"];

/// Gives the inquiry to somebody, who may have it already.
pub(crate) async fn hand_on(world: &World, about: About<'_>) {
    let About {
        conversation,
        inquiry,
    } = about;
    let name = format!("h{}", world.next_id());
    let to = RECIPIENTS[world.rng().below(RECIPIENTS.len())];
    let Some(recipient) = Text::clean(to, Lines::One) else {
        return;
    };
    let attempt = HandOnAttempt {
        inquiry: inquiry.clone(),
        verdict: Verdict::Unknown,
    };
    world.checker().hand_ons.insert(name.clone(), attempt);
    let command = Command::HandOn {
        target: inquiry.clone().into(),
        to: recipient,
        reason: None,
    };
    let by = actor(&name);
    let reply = request(world, async |engine| {
        engine.submit(conversation, command, by).await
    })
    .await;
    let line = format!("{name} {inquiry} to {to} {}", brief(reply.as_ref()));
    world.trace("hand-ons", line);
    if let Some(attempt) = world.checker().hand_ons.get_mut(&name) {
        attempt.verdict = verdict(reply.as_ref());
    }
    if let Some(Ok(submitted)) = &reply {
        check_committed(world, submitted);
        world.count("accepted hand-ons");
    }
}

/// Looks who has the inquiry, and answers as them a while later: it may have been handed on meanwhile.
pub(crate) async fn answer_in_channel(world: &World, about: About<'_>) {
    let inquiry = about.inquiry;
    let view = request(world, async |engine| engine.inquiry(inquiry).await).await;
    let Some(Ok(Some(view))) = view else {
        return;
    };
    world.pause_up_to(world.profile.client_pause_ms_max).await;
    let command = Command::Answer {
        target: Target::Delivered {
            id: inquiry.clone(),
            revision: view.row.revision,
            hand_ons: view.inquiry.hand_ons(),
        },
        answers: json!({"q1": "Red"}),
        notes: None,
    };
    let accepted = act(world, about, command, "answered").await;
    if accepted.is_some() {
        world.count("answers in a channel");
    }
}
