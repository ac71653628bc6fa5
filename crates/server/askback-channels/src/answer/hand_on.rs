//! Handing a question on with the buttons of a message: first the people, then one of them, with a reason if there is
//! one.
//!
//! Whether the people are shown is stored for each question, channel and recipient, with the reason so far, so that the
//! message is drawn from the record like every other, also after a restart.

use askback_core::conversation::command::Command;
use askback_core::id::InquiryId;
use askback_core::limits::HAND_ON_REASON_CHARS_MAX;
use askback_core::text::{Lines, Text};
use askback_engine::{Engine, InquiryView};
use askback_store::{DeliveryPlan, StoreError};

use crate::answer::asked_question::AskedQuestion;
use crate::answer::handle_incoming::{Respondent, feedback};
use crate::answer::respond::{submit, target};
use crate::card::HandOnMenu;
use crate::contract::button::{Button, PersonCode};
use crate::contract::feedback::{Feedback, PressResult, TextPrompt};
use crate::contract::incoming::HandlerError;
use crate::people::recipients::{NamedRecipient, Recipients};
use crate::state::{ChannelState, Key, hand_on_menu, hand_on_menus};

/// With more people and groups, a message has no buttons for them: never half a list.
const PEOPLE_MAX: usize = 40;

/// The people and groups other than the reader and the present recipient: alias and name.
fn others<'a>(
    recipients: &'a Recipients,
    view: &'a InquiryView,
    reader: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let present = view.inquiry.recipient().map(Text::as_str);
    let present = present.and_then(|named| NamedRecipient::parse(named).alias);
    let people = recipients.people.iter();
    let people = people.map(|(alias, person)| (alias.as_str(), person.name.as_str()));
    // A private question is for one person.
    let groups = recipients
        .groups
        .keys()
        .filter(|_| !view.inquiry.is_private());
    let groups = groups.map(|alias| (alias.as_str(), alias.as_str()));
    people
        .chain(groups)
        .filter(move |(alias, _)| *alias != reader && Some(*alias) != present)
}

/// To whom the reader of an open card can hand the question on.
pub(crate) async fn menu(
    engine: &Engine,
    recipients: &Recipients,
    view: &InquiryView,
    channel: &str,
    reader: &str,
) -> Result<HandOnMenu, StoreError> {
    let people = others(recipients, view, reader);
    let people = people.map(|(alias, name)| (PersonCode::new(alias), name.to_owned()));
    let people: Vec<(PersonCode, String)> = people.collect();
    if people.is_empty() || people.len() > PEOPLE_MAX {
        return Ok(HandOnMenu::default());
    }
    let state = ChannelState(engine.store().as_ref());
    let stored = state
        .get(hand_on_menu(&view.row.id, channel, reader))
        .await?;
    Ok(HandOnMenu {
        people,
        is_shown: stored.is_some(),
        reason: stored.filter(|reason| !reason.is_empty()),
    })
}

/// Everybody sees the question's own buttons again: it has ended, or is somebody else's.
pub(crate) async fn close_menus(
    engine: &Engine,
    plan: &mut DeliveryPlan,
    inquiry: &InquiryId,
) -> Result<(), StoreError> {
    let state = ChannelState(engine.store().as_ref());
    for menu in state.list(hand_on_menus(inquiry)).await? {
        menu.key.plan_removal(plan);
    }
    Ok(())
}

/// Asks for the reason.
pub(crate) fn reason_prompt(button: &Button, respondent: &Respondent<'_>) -> Feedback {
    let text = |id| respondent.recipient.locale.text(id, &[]);
    let (what, how) = (text("web-hand-on-reason"), text("channel-reply-reason"));
    Feedback::asking(TextPrompt {
        button: button.clone(),
        text: format!("{what}\n\n{how}"),
        placeholder: None,
    })
}

/// The reason on one line, as short as it is stored. None if nothing is written.
fn clean_reason(reason: &str) -> Option<Text> {
    let reason = Text::clean(reason, Lines::One)?;
    Some(reason.clip(HAND_ON_REASON_CHARS_MAX))
}

/// Shows the people in the message, or the question's own buttons again.
pub(crate) async fn show_people(
    asked: &AskedQuestion<'_>,
    shown: bool,
) -> Result<Feedback, HandlerError> {
    // A press that is received again keeps the reason.
    let reason = kept_reason(asked).await?;
    let value = shown.then(|| reason.unwrap_or_default());
    set_menu(asked, value).await
}

/// Keeps the reason until a person is chosen, and shows it with the people.
pub(crate) async fn keep_reason(
    asked: &AskedQuestion<'_>,
    reason: &str,
) -> Result<Feedback, HandlerError> {
    let reason = clean_reason(reason).map(|reason| reason.to_string());
    set_menu(asked, Some(reason.unwrap_or_default())).await
}

/// The reason that was written so far.
pub(crate) async fn kept_reason(asked: &AskedQuestion<'_>) -> Result<Option<String>, HandlerError> {
    Ok(asked.handler.shared.state().get(menu_key(asked)).await?)
}

async fn set_menu(
    asked: &AskedQuestion<'_>,
    value: Option<String>,
) -> Result<Feedback, HandlerError> {
    let state = asked.handler.shared.state();
    match value {
        Some(reason) => state.set(menu_key(asked), &reason).await?,
        None => state.remove(menu_key(asked)).await?,
    }
    asked.redraw().await?;
    Ok(feedback(PressResult::DraftSaved, String::new()))
}

fn menu_key(asked: &AskedQuestion<'_>) -> Key<String> {
    let inquiry = &asked.view.row.id;
    hand_on_menu(inquiry, &asked.handler.name, asked.respondent.alias)
}

/// Hands the question on to the person or group with this code. One that is no longer configured, or two with
/// the same code, are nobody.
pub(crate) async fn hand_on(
    asked: AskedQuestion<'_>,
    code: PersonCode,
    reason: Option<&str>,
) -> Result<Feedback, HandlerError> {
    let config = asked.handler.shared.config();
    let mut found = others(&config.recipients, &asked.view, asked.respondent.alias)
        .filter(|(alias, _)| PersonCode::new(alias) == code);
    let person = match (found.next(), found.next()) {
        (Some((alias, _)), None) => Text::clean(alias, Lines::One),
        _ => None,
    };
    drop(found);
    let Some(to) = person else {
        return asked.changed().await;
    };
    let command = Command::HandOn {
        target: target(&asked.view),
        to,
        reason: reason.and_then(clean_reason),
    };
    submit(asked, command).await
}
