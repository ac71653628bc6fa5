//! Takes a text for a question, and asks for it again if it does not fit.

use askback_core::question::Kind;

use crate::answer::asked_question::AskedQuestion;
use crate::answer::draft_edits;
use crate::answer::edit_draft::edit_draft;
use crate::answer::feedback_text::{last_day, prompt_for, typed_problem};
use crate::answer::handle_incoming::feedback;
use crate::card::build::{reader, stored_draft};
use crate::contract::button::{Button, Press, RangeDay};
use crate::contract::feedback::{Feedback, PressResult, TextPrompt};
use crate::contract::incoming::HandlerError;

/// Asks for the text of a question.
pub(crate) fn ask_for_text(asked: &AskedQuestion<'_>, button: &Button) -> Feedback {
    let now = asked.handler.shared.engine.clock().now();
    let reader = reader(asked.recipient(), now);
    prompt_for(&asked.view, button, reader.locale, reader.today)
}

/// Takes a text for a question. What does not fit, or a range without its last day, is asked for again.
pub(crate) async fn write(
    inquiry: AskedQuestion<'_>,
    question: usize,
    day: RangeDay,
    text: &str,
) -> Result<Feedback, HandlerError> {
    let engine = &inquiry.handler.shared.engine;
    let recipient = inquiry.recipient();
    let locale = recipient.locale;
    let today = reader(recipient, engine.clock().now()).today;
    let view = &inquiry.view.clone();
    let mut told = edit_draft(inquiry, None, |parser, draft| {
        draft_edits::write(&view.inquiry, parser, draft, (question, day), text)
    })
    .await?;
    let asked = view.inquiry.questions().get(question);
    let is_several =
        asked.is_some_and(|asked| matches!(&asked.kind, Kind::Choice(kind) if kind.several));
    if is_several && view.inquiry.questions().len() == 1 && told.result == PressResult::DraftSaved {
        let text = locale.text("channel-text-added", &[]);
        return Ok(feedback(PressResult::Changed, text));
    }
    let is_range = asked.is_some_and(|asked| matches!(asked.kind, Kind::DateRange(_)));
    let again = match &told.result {
        PressResult::Invalid { .. } => {
            Some((day, typed_problem(locale, view, &told, (text, today))))
        }
        PressResult::DraftSaved if is_range => {
            let draft = stored_draft(engine, view).await?;
            let entry = draft.entries.get(question);
            let is_open = entry.is_some_and(|entry| entry.typed_end.trim().is_empty());
            let first = entry.and_then(|entry| locale.typing(today).date(entry.typed.trim()));
            let first = first.filter(|_| is_open);
            first.map(|first| (RangeDay::Last { first }, last_day(locale, first)))
        }
        PressResult::DraftSaved
        | PressResult::Accepted
        | PressResult::AcceptedWithUndo { .. }
        | PressResult::Undone
        | PressResult::HandedOn { .. }
        | PressResult::Linked
        | PressResult::AlreadyEnded
        | PressResult::Held
        | PressResult::Changed
        | PressResult::NotAllowed
        | PressResult::NotAnAnswer
        | PressResult::Ignored => None,
    };
    told.prompt = again.map(|(day, text)| TextPrompt {
        button: Button {
            inquiry: view.row.id.clone(),
            revision: view.row.revision,
            press: Press::Write { question, day },
        },
        text,
        placeholder: None,
    });
    Ok(told)
}
