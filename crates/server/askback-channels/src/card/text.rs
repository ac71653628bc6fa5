//! The texts of a card, in the language of its reader. Plain text: no channel's markup.

use askback_core::answer::AnswerValue;
use askback_core::draft::DraftPage;
use askback_core::outcome::{Actor, Outcome};
use askback_core::question::Question;
use askback_locale::{Locale, split_label};
use jiff::Timestamp;

use crate::answer::feedback_text::send_again;
use crate::card::clip::clip_graphemes;
use crate::card::{Card, CardState, ContentLevel};

/// A question without a header is named by this much of its text.
const NAME_UNITS: usize = 60;

impl Card {
    /// One line for a notification: who asks, and about what if the content level allows it.
    pub fn title(&self) -> String {
        let lead = self.lead();
        match (self.content, self.questions.questions().first()) {
            (ContentLevel::Link, _) | (_, None) => lead,
            (ContentLevel::Full | ContentLevel::Title, Some(question)) => {
                format!("{lead}: {}", self.name(question))
            }
        }
    }

    /// The whole card as plain text with at most `max` UTF-16 code units: who asks, the questions with
    /// numbered choices, and how it ended. If something is cut off, the text says so and ends with the link.
    /// Of several open questions it shows the page that the draft is at.
    pub fn text(&self, max: usize) -> String {
        self.text_with(self.body(), max)
    }

    /// Like [`Card::text`], but with all questions of an open card, whatever the draft shows: for messages
    /// that do not follow the draft.
    pub fn whole_text(&self, max: usize) -> String {
        let body = match self.draft() {
            Some(_) => {
                let indexes = 0..self.questions.questions().len();
                let texts = indexes.map(|index| format!("\n{}", self.question_text(index)));
                texts.collect()
            }
            None => self.body(),
        };
        self.text_with(body, max)
    }

    fn text_with(&self, body: Vec<String>, max: usize) -> String {
        let mut parts = vec![self.lead()];
        if self.content != ContentLevel::Link {
            parts.extend(self.project_line());
        }
        parts.extend(self.notes.iter().cloned());
        match self.content {
            ContentLevel::Link => {}
            ContentLevel::Title => {
                let names = self.questions.questions().iter();
                parts.extend(names.map(|question| self.name(question)));
            }
            ContentLevel::Full => parts.extend(body),
        }
        parts.extend(self.deadline());
        let head = parts.join("\n");
        let status = self.status().map(|status| format!("\n\n{status}"));
        self.fit(head, &status.unwrap_or_default(), max)
    }

    /// How it stands: held, handed on, or how it ended, with who, what and when. `None` while it is open.
    pub fn status(&self) -> Option<String> {
        let locale = self.reader.locale;
        match &self.state {
            CardState::Open { .. } => None,
            CardState::Held {
                by, outcome, until, ..
            } => {
                let takes = locale.text(
                    "channel-takes-effect",
                    &[("time", self.time(*until).into())],
                );
                Some(format!("{}\n{takes}", self.ending(by, outcome)))
            }
            CardState::HandedOn { to, by, reason } => {
                Some(handed_on_to(locale, to, by, reason.as_deref()))
            }
            CardState::Ended { by, outcome, at } => {
                let ending = self.ending(by, outcome);
                // These sentences have their time already.
                if matches!(outcome, Outcome::Expired) {
                    return Some(ending);
                }
                let args = [("outcome", ending.into()), ("time", self.time(*at).into())];
                Some(locale.text("channel-outcome-at", &args))
            }
        }
    }

    /// Where to answer a question that cannot be answered in this message.
    pub(crate) fn answer_elsewhere(&self) -> String {
        let key = match &self.link {
            Some(_) => "channel-answer-at-link",
            None => "channel-answer-elsewhere",
        };
        self.reader.locale.text(key, &[])
    }

    /// The question with its choices, as numbered lines.
    pub fn question_text(&self, index: usize) -> String {
        let Some(question) = self.questions.questions().get(index) else {
            return String::new();
        };
        let mut lines = Vec::new();
        let count = self.questions.questions().len();
        if count > 1 {
            let args = [("index", (index + 1).into()), ("count", count.into())];
            lines.push(self.reader.locale.text("question-of", &args));
        }
        if let Some(header) = &question.header {
            lines.push(header.to_string());
        }
        lines.push(question.text.to_string());
        let context = self.questions.context_of(question);
        lines.extend(context.map(str::to_owned));
        lines.extend(self.questions.assumption().map(|assumption| {
            let args = [("assumption", assumption.as_str().into())];
            self.reader.locale.text("assumption-marked", &args)
        }));
        for (number, choice) in (1..).zip(question.choices()) {
            lines.push(format!("{number}. {}", self.label(choice)));
            lines.extend(choice.description.as_ref().map(|text| format!("   {text}")));
            lines.extend(choice.preview.as_ref().map(|text| format!("{text}\n")));
        }
        lines.join("\n")
    }

    /// The label of a choice, with the badge of advice behind it.
    pub fn label(&self, choice: &askback_core::question::Choice) -> String {
        match split_label(choice) {
            (label, true) => format!("{label} {}", self.reader.locale.text("recommended", &[])),
            (label, false) => label.to_owned(),
        }
    }

    /// One line for each answered question: `Database: SQLite`.
    pub fn answer_lines(&self, outcome: &Outcome) -> Vec<String> {
        let Outcome::Answered { answers } = outcome else {
            return Vec::new();
        };
        let locale = self.reader.locale;
        let line = |(question, answer): (&Question, &askback_core::answer::Answer)| {
            let given = match &answer.given {
                AnswerValue::Skipped => locale.text("answer-skipped", &[]),
                AnswerValue::Unanswered => locale.text("answer-open", &[]),
                AnswerValue::Chosen { .. }
                | AnswerValue::Text { .. }
                | AnswerValue::Number { .. }
                | AnswerValue::Date { .. }
                | AnswerValue::DateRange { .. } => locale.answer_text(question, &answer.given),
            };
            let given = match &answer.note {
                Some(note) => {
                    let args = [("answer", given.into()), ("note", note.as_str().into())];
                    locale.text("answer-noted", &args)
                }
                None => given,
            };
            let args = [
                ("name", self.name(question).into()),
                ("answer", given.into()),
            ];
            locale.text("resolved-answered", &args)
        };
        answers.with_questions(&self.questions).map(line).collect()
    }

    /// Who did it and from where, as a sentence without its full stop.
    pub fn ending(&self, by: &Actor, outcome: &Outcome) -> String {
        let locale = self.reader.locale;
        let person = by.name.as_ref().map(ToString::to_string);
        let person_or = || {
            person
                .clone()
                .unwrap_or_else(|| locale.text("someone", &[]))
        };
        let surface = askback_wire::actor::SurfaceName::from(by.surface).to_string();
        let sentence = match outcome {
            Outcome::Answered { .. } => match &person {
                Some(person) => {
                    let args = [("person", person.into()), ("surface", surface.into())];
                    locale.text("web-answered-by", &args)
                }
                None => locale.text("web-answered-unnamed", &[("surface", surface.into())]),
            },
            Outcome::Declined => locale.text("web-declined-by", &[("person", person_or().into())]),
            Outcome::Cancelled | Outcome::Rejected => {
                locale.text("web-rejected-by", &[("person", person_or().into())])
            }
            Outcome::Superseded { .. } => locale.text("channel-superseded", &[]),
            Outcome::Expired => {
                let time = self.expires_at.map(|at| self.time(at)).unwrap_or_default();
                locale.text("web-expired", &[("time", time.into())])
            }
            Outcome::Withdrawn | Outcome::Undeliverable { .. } => locale.text("web-withdrawn", &[]),
        };
        if self.content != ContentLevel::Full {
            return sentence;
        }
        let mut lines: Vec<String> = self.answer_lines(outcome);
        for line in &mut lines {
            line.insert_str(0, "✓ ");
        }
        lines.push(sentence);
        lines.join("\n")
    }

    /// The time of day where the reader is, with the day unless it is today.
    pub fn time(&self, at: Timestamp) -> String {
        let there = at.to_zoned(self.reader.time_zone.clone());
        let time = format!("{:02}:{:02}", there.hour(), there.minute());
        if there.date() == self.reader.today {
            time
        } else {
            format!("{} {time}", there.date())
        }
    }

    /// What a question is called: its header, or the beginning of its text.
    pub fn name(&self, question: &Question) -> String {
        match &question.header {
            Some(header) => header.to_string(),
            None => clip_graphemes(&question.text_as_name(), NAME_UNITS),
        }
    }

    fn lead(&self) -> String {
        let locale = self.reader.locale;
        match &self.asker {
            Some(agent) if self.content != ContentLevel::Link => {
                locale.text("channel-waiting-from", &[("agent", agent.as_str().into())])
            }
            Some(_) | None => locale.text("channel-waiting", &[]),
        }
    }

    fn project_line(&self) -> Option<String> {
        let project = self.project.as_ref()?;
        let args = [("project", project.as_str().into())];
        Some(self.reader.locale.text("channel-project", &args))
    }

    pub(crate) fn deadline(&self) -> Option<String> {
        let at = self.expires_at.filter(|_| self.draft().is_some())?;
        let args = [("time", self.time(at).into())];
        Some(format!(
            "\n{}",
            self.reader.locale.text("web-deadline", &args)
        ))
    }

    /// The questions: the page that the draft shows, or all of them when nothing can be given any more.
    fn body(&self) -> Vec<String> {
        let questions = self.questions.questions();
        match self.draft().map(|draft| draft.page) {
            Some(DraftPage::Question(page)) => {
                let question = format!("\n{}", self.question_text(page));
                std::iter::once(question).chain(self.given(page)).collect()
            }
            Some(DraftPage::Review) => self.review(),
            None => {
                let texts = questions
                    .iter()
                    .map(|question| format!("\n{}", question.text));
                texts.collect()
            }
        }
    }

    /// What is written so far for a question, as far as a button that sends the draft would send it.
    fn given(&self, page: usize) -> Vec<String> {
        let entry = self.draft().and_then(|draft| draft.entries.get(page));
        let question = self.questions.questions().get(page);
        let (Some(entry), Some(question)) = (entry, question) else {
            return Vec::new();
        };
        // Every other press and text sends itself alone.
        let has_send = question.takes_several() || self.questions.questions().len() > 1;
        let own = Some(&entry.own).filter(|_| entry.own_ticked && has_send);
        let typed = [own, Some(&entry.typed), Some(&entry.typed_end)];
        let typed = typed.into_iter().flatten();
        let typed = typed.filter(|text| !text.trim().is_empty());
        let mut lines: Vec<String> = typed.map(|text| format!("→ {text}")).collect();
        if has_send && !entry.note.trim().is_empty() {
            let label = self.reader.locale.text("note", &[]);
            lines.push(format!("{label}: {}", entry.note.trim()));
        }
        lines
    }

    /// What a form of several questions says below its fields, once somebody has sent it with questions open.
    pub(crate) fn open_questions(&self) -> Option<String> {
        let draft = self.draft()?;
        let unanswered = draft.unanswered(&self.questions);
        let is_asked = draft.page == DraftPage::Review && !unanswered.is_empty();
        let questions = self.questions.questions();
        is_asked.then(|| send_again(self.reader.locale, questions, &unanswered))
    }

    /// What will be sent.
    fn review(&self) -> Vec<String> {
        let lead = format!("\n{}", self.reader.locale.text("review-lead", &[]));
        let parser = self.reader.locale.typing(self.reader.today);
        let answers = self
            .draft()
            .map(|draft| draft.answers(&self.questions, &parser));
        let lines = match answers {
            Some(Ok(answers)) => self.answer_lines(&Outcome::Answered { answers }),
            Some(Err(problems)) => {
                let questions = self.questions.questions();
                let problems = problems.iter();
                let locale = self.reader.locale;
                problems
                    .map(|problem| locale.problem(problem, questions))
                    .collect()
            }
            None => Vec::new(),
        };
        std::iter::once(lead).chain(lines).collect()
    }

    /// Cuts the head so that it, the tail and the link fit.
    fn fit(&self, head: String, tail: &str, max: usize) -> String {
        let units = |text: &str| text.encode_utf16().count();
        if units(&head) + units(tail) <= max {
            return head + tail;
        }
        let rest = match &self.link {
            Some(link) => {
                let note = self.reader.locale.text("channel-rest-at-link", &[]);
                format!("\n\n{note}\n{link}")
            }
            None => String::new(),
        };
        let room = max.saturating_sub(units(tail) + units(&rest));
        format!("{}{tail}{rest}", clip_graphemes(&head, room))
    }
}

/// To whom a question was handed on, by whom and why.
pub fn handed_on_to(locale: Locale, to: &str, by: &Actor, reason: Option<&str>) -> String {
    let to = ("to", to.into());
    let sentence = match &by.name {
        Some(name) => {
            let person = ("person", name.as_str().into());
            locale.text("handed-on-to", &[to, person])
        }
        None => locale.text("handed-on-to-unnamed", &[to]),
    };
    with_reason(sentence, reason)
}

/// A sentence with the words of a person behind it.
pub(crate) fn with_reason(sentence: String, reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("{sentence}: {reason}"),
        None => sentence,
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
