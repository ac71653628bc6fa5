//! The text of a question in line mode: its choices, what can be typed now, the help, the review, and the ways to leave.

use askback_core::draft::{DraftPage, RangeEnd, row_count};
use askback_core::question::{Kind, Question};
use askback_locale::{Arg, split_label};

use super::punctuation::sentence;
use super::{Announced, Expecting, LinePrompt};
use crate::answer_summary;
use crate::leave_menu::LeaveChoice;
use askback_terminal::clock;

impl LinePrompt {
    pub(super) fn ways(&self) -> String {
        let mut lines = vec![self.text("leave-title", &[])];
        for (number, choice) in self.leave_choices().iter().enumerate() {
            let effect = self.text(choice.effect(), &[]);
            let label = format!("{} {effect}", self.text(choice.label(), &[]));
            let args = [("number", (number + 1).into()), ("label", label.into())];
            lines.push(self.text("line-choice", &args));
        }
        lines.push(self.leave_cue());
        lines.join("\n")
    }

    fn leave_cue(&self) -> String {
        let count = self.leave_choices().len();
        self.text("line-prompt-leave", &[("count", count.into())])
    }

    pub(super) fn confirmation(&self, choice: LeaveChoice) -> String {
        let words = self.text(choice.confirmation().unwrap_or_default(), &[]);
        format!("{words}\n{}", self.text("line-prompt-sure", &[]))
    }

    pub(super) fn chosen(&self, index: usize, id: &str) -> String {
        let question = &self.inquiry.questions()[index];
        let answer = answer_summary::read_text(
            self.options.locale,
            &self.typing,
            question,
            &self.draft.entries[index],
        );
        self.text(id, &[("answer", answer.into())])
    }

    /// The question with its choices, or the review.
    pub(super) fn page(&self) -> String {
        let count = self.inquiry.questions().len();
        let DraftPage::Question(index) = self.draft.page else {
            return self.all();
        };
        let question = &self.inquiry.questions()[index];
        let mut args = vec![("index", Arg::from(index + 1)), ("count", count.into())];
        let id = match &self.options.asker {
            Some(agent) => {
                args.push(("agent", agent.into()));
                "line-question"
            }
            None => "question-of",
        };
        let mut first = sentence(&self.text(id, &args));
        if let Some(header) = &question.header {
            first = format!("{first} {}", sentence(header.as_str()));
        }
        let mut lines = vec![first];
        lines.extend(self.closing());
        lines.push(question.text.to_string());
        lines.extend(answer_summary::context_lines(
            self.options.locale,
            &self.inquiry,
            question,
        ));
        lines.extend(self.number_rule(question));
        for row in 0..row_count(question) {
            lines.push(self.choice(question, row));
        }
        if question.skippable {
            lines.push(sentence(&self.text("optional", &[])));
        }
        let note = self.draft.entries[index].note.trim();
        if !note.is_empty() {
            let note = note.replace('\n', " ");
            lines.push(sentence(&format!("{}: {note}", self.text("note", &[]))));
        }
        if let Some(answer) = self.so_far(index) {
            lines.push(self.text("line-so-far", &[("answer", answer.into())]));
        }
        lines.push(self.cue(question));
        lines.join("\n")
    }

    pub(super) fn choice(&self, question: &Question, row: usize) -> String {
        let number = ("number", Arg::from(row + 1));
        let Some(choice) = question.choices().get(row) else {
            let other = self.text("other", &[]);
            return self.text("line-other", &[number, ("other", other.into())]);
        };
        let (label, advised) = split_label(choice);
        let id = match (advised, choice.description.is_some()) {
            (true, true) => "line-choice-recommended-described",
            (true, false) => "line-choice-recommended",
            (false, true) => "line-choice-described",
            (false, false) => "line-choice",
        };
        let description = choice
            .description
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let description = description.replace('\n', " ");
        self.text(
            id,
            &[
                number,
                ("label", label.into()),
                ("description", description.into()),
            ],
        )
    }

    fn all(&self) -> String {
        let mut lines = vec![sentence(&self.text("review-lead", &[]))];
        for (at, question) in self.inquiry.questions().iter().enumerate() {
            let entry = &self.draft.entries[at];
            let locale = self.options.locale;
            let answer = answer_summary::draft_text(locale, &self.typing, question, entry);
            let name = answer_summary::name(question, "...");
            lines.push(sentence(&format!("{}. {name}: {answer}", at + 1)));
        }
        lines.push(self.text("line-prompt-review", &[]));
        lines.join("\n")
    }

    /// The cue: what can be typed.
    pub(super) fn cue(&self, question: &Question) -> String {
        let example = answer_summary::date_example(question, self.typing.today);
        let example = ("example", Arg::from(example.to_string()));
        match &question.kind {
            Kind::Choice(kind) => {
                let id = match (kind.several, self.is_yes_no()) {
                    (true, _) => "line-prompt-several",
                    (false, true) => "line-prompt-yes-no",
                    (false, false) => "line-prompt-one",
                };
                self.text(id, &[("count", row_count(question).into())])
            }
            Kind::Text(_) => self.text("line-prompt-text", &[]),
            Kind::Number(_) => self.text("line-prompt-number", &[]),
            Kind::Date(_) => self.text("line-prompt-date", &[example]),
            Kind::DateRange(_) => match self.draft.entries[self.index()].part {
                RangeEnd::Start => self.text("line-prompt-start", &[example]),
                RangeEnd::End => self.text("line-prompt-end", &[]),
            },
        }
    }

    /// What can be typed, and the commands that do something now, one on each line.
    pub(super) fn help(&self, question: &Question) -> String {
        let answer = match &question.kind {
            Kind::Choice(kind) if kind.several => "line-help-several",
            Kind::Choice(_) if self.is_yes_no() => "line-help-yes-no",
            Kind::Choice(_) => "line-help",
            Kind::Text(_) => "line-help-text",
            Kind::Number(_) => "line-help-number",
            Kind::Date(_) | Kind::DateRange(_) => "line-help-date",
        };
        let slash = if matches!(question.kind, Kind::Choice(_)) && !self.is_yes_no() {
            ""
        } else {
            "/"
        };
        let inbox = self.is_in_inbox();
        let first = self.index() == 0;
        let commands = [
            ("s", "line-help-skip", question.skippable),
            ("b", "line-help-back", !first),
            ("b", "line-help-list", first && inbox),
            ("l", "line-help-later", inbox),
            ("n", "line-help-note", true),
            ("q", "line-help-leave", true),
            ("?", "line-help-help", true),
        ];
        let mut lines = vec![self.text(answer, &[])];
        lines.extend(self.number_rule(question));
        for (letter, id, _) in commands.into_iter().filter(|(.., works)| *works) {
            let keys = format!("{slash}{letter}");
            lines.push(sentence(&self.text(id, &[("keys", keys.into())])));
        }
        lines.join("\n")
    }

    /// What can be typed in the review.
    pub(super) fn review_help(&self) -> String {
        let commands = [
            ("b", "line-help-back"),
            ("q", "line-help-leave"),
            ("?", "line-help-help"),
        ];
        let mut lines = vec![self.text("line-help-review", &[])];
        for (keys, id) in commands {
            lines.push(sentence(&self.text(id, &[("keys", keys.into())])));
        }
        lines.join("\n")
    }

    fn number_rule(&self, question: &Question) -> Option<String> {
        match &question.kind {
            Kind::Number(rules) => {
                let (id, args) = answer_summary::number_rule(self.options.locale, rules)?;
                Some(sentence(&self.text(id, &args)))
            }
            Kind::Choice(_) | Kind::Text(_) | Kind::Date(_) | Kind::DateRange(_) => None,
        }
    }

    fn is_yes_no(&self) -> bool {
        self.yes_no[self.index()].is_some()
    }

    /// The deadline, once it is near.
    pub(super) fn closing(&self) -> Option<String> {
        let is_said = self.announced == Announced::Near;
        let deadline = self.options.deadline.filter(|_| is_said)?;
        let time = clock::time_of_day(deadline.at);
        Some(self.text("line-deadline", &[("time", time.into())]))
    }

    /// The cue for what is expected now.
    pub(super) fn cue_now(&self) -> String {
        match (self.expecting, self.draft.page) {
            (Expecting::Own, _) => self.text("line-prompt-other", &[]),
            (Expecting::Note, _) => self.text("line-prompt-note", &[]),
            (Expecting::Leave, _) => self.leave_cue(),
            (Expecting::Confirm(_), _) => self.text("line-prompt-sure", &[]),
            (Expecting::Answer | Expecting::Date, DraftPage::Review) => {
                self.text("line-prompt-review", &[])
            }
            (Expecting::Answer | Expecting::Date, DraftPage::Question(index)) => {
                self.cue(&self.inquiry.questions()[index])
            }
        }
    }
}
