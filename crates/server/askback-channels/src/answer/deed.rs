//! What a person does with a question, and what follows.

use askback_core::conversation::command::RespondentAction;
use askback_core::draft::Draft;

use crate::answer::asked_question::AskedQuestion;
use crate::answer::draft_edits;
use crate::answer::edit_draft::{ask_for_text, edit_draft, write};
use crate::answer::hand_on::{hand_on, keep_reason, kept_reason, reason_prompt, show_people};
use crate::answer::handle_incoming::feedback;
use crate::answer::respond::{respond, undo};
use crate::answer::typed_reply::reply_to_card;
use crate::contract::button::{Button, PersonCode, Press, RangeDay};
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{FieldInput, HandlerError};

/// What a person does with a question.
pub(crate) enum Deed<'a> {
    Press(Press),
    Submit(&'a [FieldInput]),
    /// A text that a prompt has asked for.
    Text {
        question: usize,
        day: RangeDay,
        text: &'a str,
    },
    /// A text that replies to a card.
    Reply {
        /// The page that the card showed.
        page: Option<usize>,
        /// The day that it asked for.
        day: RangeDay,
        text: &'a str,
    },
    /// The reason of a hand-on.
    Reason(&'a str),
    HandOn {
        to: PersonCode,
        reason: Option<&'a str>,
    },
}

impl Deed<'_> {
    /// Does it, and says what came of it.
    pub(crate) async fn done(
        self,
        asked: AskedQuestion<'_>,
        button: &Button,
    ) -> Result<Feedback, HandlerError> {
        let is_text = matches!(
            self,
            Deed::Press(Press::Write { .. }) | Deed::Text { .. } | Deed::Reply { .. }
        );
        if is_text && !asked.is_shown_whole().await? {
            let text = asked.card().await?.answer_elsewhere();
            return Ok(feedback(PressResult::Invalid, text));
        }
        let inquiry = asked.view.inquiry.clone();
        let shown = if let Press::Send { shown } = button.press {
            shown
        } else {
            None
        };
        match self {
            // It does not say what its message shows.
            Deed::Press(Press::Send { shown: None }) => asked.changed().await,
            Deed::Press(Press::Undo) => undo(asked).await,
            Deed::Press(Press::Decline) => respond(asked, RespondentAction::Decline).await,
            Deed::Press(Press::Write { .. }) => Ok(ask_for_text(&asked, button)),
            Deed::Press(Press::People { shown }) => show_people(&asked, shown).await,
            Deed::Press(Press::Reason) => Ok(reason_prompt(button, &asked.respondent)),
            Deed::Reason(reason) => keep_reason(&asked, reason).await,
            Deed::Press(Press::HandOn { to }) => {
                let reason = kept_reason(&asked).await?;
                hand_on(asked, to, reason.as_deref()).await
            }
            Deed::HandOn { to, reason } => hand_on(asked, to, reason).await,
            Deed::Press(press) => {
                edit_draft(asked, shown, |parser, draft| {
                    draft_edits::press(&inquiry, parser, draft, press)
                })
                .await
            }
            Deed::Submit(fields) => {
                edit_draft(asked, shown, |parser, draft| {
                    let whole = Draft::new(&inquiry);
                    // Without a code, the message does not follow the draft.
                    let draft = shown.map_or(&whole, |_| draft);
                    draft_edits::submit(&inquiry, parser, draft, fields)
                })
                .await
            }
            Deed::Reply { page, day, text } => reply_to_card(asked, page, day, text).await,
            Deed::Text {
                question,
                day,
                text,
            } => write(asked, question, day, text).await,
        }
    }
}
