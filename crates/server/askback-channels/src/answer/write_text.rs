//! Takes a text for a question, and asks for it again if it does not fit.

use askback_core::question::Kind;
use askback_engine::InquiryView;

use crate::answer::draft_edits;
use crate::answer::feedback_text::{last_day, prompt_for, typed_problem};
use crate::answer::handle_incoming::{ChannelHandler, Respondent, Unhandled, feedback};
use crate::card::HandOnMenu;
use crate::card::build::{reader, stored_draft};
use crate::contract::button::{Button, Press, RangeDay};
use crate::contract::feedback::{Feedback, PressResult, TextPrompt};

impl ChannelHandler {
    /// Whether the message has the whole question with its controls, so that a text can be an answer to it.
    pub(crate) async fn is_shown_whole(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
    ) -> Result<bool, Unhandled> {
        let mut card = self.card(view, respondent).await?;
        card.hand_on = HandOnMenu::default();
        Ok(self.channel.channel.render(&card).is_answerable)
    }

    /// Asks for the text of a question.
    pub(crate) fn ask_for_text(
        &self,
        view: &InquiryView,
        respondent: &Respondent<'_>,
        button: &Button,
    ) -> Feedback {
        let reader = reader(respondent.recipient, self.shared.engine.clock().now());
        prompt_for(view, button, (reader.locale, reader.today))
    }

    /// Takes a text for a question. What does not fit, or a range without its last day, is asked for again.
    pub(crate) async fn write(
        &self,
        view: &InquiryView,
        respondent: Respondent<'_>,
        ((question, day), text): ((usize, RangeDay), &str),
    ) -> Result<Feedback, Unhandled> {
        let locale = respondent.recipient.locale;
        let today = reader(respondent.recipient, self.shared.engine.clock().now()).today;
        let mut told = self
            .edit(view, respondent, None, |parser, draft| {
                draft_edits::write(&view.inquiry, parser, draft, (question, day), text)
            })
            .await?;
        let asked = view.inquiry.questions().get(question);
        let is_several =
            asked.is_some_and(|asked| matches!(&asked.kind, Kind::Choice(kind) if kind.several));
        if is_several
            && view.inquiry.questions().len() == 1
            && told.result == PressResult::DraftSaved
        {
            let text = locale.text("channel-text-added", &[]);
            return Ok(feedback(PressResult::Changed, text));
        }
        let is_range = asked.is_some_and(|asked| matches!(asked.kind, Kind::DateRange(_)));
        let again = match &told.result {
            PressResult::Invalid { .. } => {
                Some((day, typed_problem(locale, view, &told, (text, today))))
            }
            PressResult::DraftSaved if is_range => {
                let draft = stored_draft(&self.shared.engine, view).await?;
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
}
