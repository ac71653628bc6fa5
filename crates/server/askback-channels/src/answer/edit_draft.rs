//! Applies what a person did in a message to the draft of the question, and sends it when it is complete.

use askback_core::conversation::command::RespondentAction;
use askback_core::draft::Draft;
use askback_core::input_parser::InputParser;
use askback_core::question::{Kind, Question};
use askback_store::DraftRow;

use crate::answer::asked_question::AskedQuestion;
use crate::answer::draft_edits;
use crate::answer::draft_edits::Edited;
use crate::answer::feedback_text::{
    invalid, last_day, not_all_answered, prompt_for, typed_problem,
};
use crate::answer::handle_incoming::feedback;
use crate::answer::respond::respond;
use crate::card::build::{reader, restored_draft, stored_draft};
use crate::contract::button::{Button, DraftCode, Press, RangeDay};
use crate::contract::feedback::{Feedback, PressResult, TextPrompt};
use crate::contract::incoming::HandlerError;

/// How often an edit is applied to a draft that others change at the same time.
const ATTEMPTS_MAX: usize = 5;

/// Applies an edit to the draft, and sends the answers if the edit completes them. Nothing is done if the draft is
/// no longer what the person was shown. If it is changed elsewhere at the same time, the edit is applied again.
pub(crate) async fn edit_draft(
    asked: AskedQuestion<'_>,
    shown: Option<DraftCode>,
    change: impl Fn(&InputParser, &Draft) -> Edited,
) -> Result<Feedback, HandlerError> {
    let engine = &asked.handler.shared.engine;
    let view = &asked.view;
    let locale = asked.recipient().locale;
    let parser = locale.typing(reader(asked.recipient(), engine.clock().now()).today);
    for _ in 0..ATTEMPTS_MAX {
        let stored = engine.store().draft(&view.row.id).await?;
        let before = restored_draft(view, stored.as_ref());
        if shown.is_some_and(|shown| shown != DraftCode::new(&before)) {
            return asked.changed().await;
        }
        let edited = change(&parser, &before);
        if !edited.problems.is_empty() {
            return Ok(invalid(locale, view, &edited.problems));
        }
        if let Some(answers) = edited.sent {
            let action = RespondentAction::Answer {
                answers: answers.to_json(),
                notes: None,
            };
            return respond(asked, action).await;
        }
        let is_complete = edited.unanswered.is_empty();
        let is_kept = is_complete || shown.is_some();
        if is_kept && !replace_draft(&asked, stored, &edited.draft).await? {
            continue;
        }
        return Ok(if is_complete {
            feedback(PressResult::DraftSaved, String::new())
        } else {
            not_all_answered(locale, view, &edited.unanswered, shown)
        });
    }
    asked.lost_race().await
}

/// Stores the draft in place of the one that was read, and shows it. False if another one is stored by now, or the
/// question has ended.
async fn replace_draft(
    asked: &AskedQuestion<'_>,
    stored: Option<DraftRow>,
    draft: &Draft,
) -> Result<bool, HandlerError> {
    let engine = &asked.handler.shared.engine;
    let Ok(json) = serde_json::to_string(draft) else {
        return Ok(false);
    };
    let row = DraftRow {
        inquiry: asked.view.row.id.clone(),
        json,
        at: engine.clock().now(),
    };
    let is_stored = engine.store().replace_draft(row, stored).await?;
    if is_stored {
        asked.redraw().await?;
    }
    Ok(is_stored)
}

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
    let is_several = asked.is_some_and(Question::takes_several);
    if is_several && view.inquiry.questions().len() == 1 && told.result == PressResult::DraftSaved {
        let text = locale.text("channel-text-added", &[]);
        return Ok(feedback(PressResult::Changed, text));
    }
    let is_range = asked.is_some_and(|asked| matches!(asked.kind, Kind::DateRange(_)));
    let again = if told.result == PressResult::Invalid {
        Some((day, typed_problem(locale, view, &told, (text, today))))
    } else if is_range && told.result == PressResult::DraftSaved {
        let draft = stored_draft(engine, view).await?;
        let entry = draft.entries.get(question);
        let entry = entry.filter(|entry| entry.typed_end.trim().is_empty());
        let first = entry.and_then(|entry| locale.typing(today).date(entry.typed.trim()));
        first.map(|first| (RangeDay::Last { first }, last_day(locale, first)))
    } else {
        None
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
