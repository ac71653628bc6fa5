//! The lines that stay in the scrollback when a prompt is over, and answers as short texts.

use askback_core::answer::{AnswerValue, Answers};
use askback_core::draft::{AnswerStatus, Draft, DraftEntry};
use askback_core::input_parser::InputParser;
use askback_core::inquiry::Inquiry;
use askback_core::question::{Kind, NumberRules, Question};
use askback_core::text::Text;
use askback_locale::{Arg, Locale, split_label};
use jiff::civil::Date;

use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::{Row, Style};
use askback_terminal::width::clip;

/// The name of a question without a header is its text, truncated to this width.
const NAME_COLUMNS: usize = 40;

/// How an inquiry ended without answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending<'a> {
    /// The agent was stopped by rejecting the question.
    Rejected,
    /// The agent was stopped while the question was open.
    Cancelled,
    /// It is still open.
    Pending,
    /// The deadline passed at this time of day.
    Expired(&'a str),
    /// The deadline of a script's question passed at this time of day.
    TimedOut(&'a str),
    /// The question of a script was cancelled.
    QuestionCancelled,
    /// The agent continued without an answer.
    Declined,
    /// The asker withdrew it.
    Withdrawn,
    /// A message replaced the answer.
    Superseded,
}

/// Who answered elsewhere: the name, if given, and the surface.
pub type Elsewhere<'a> = (Option<&'a str>, &'a str);

/// One line for each answer.
pub fn answered(
    locale: Locale,
    glyphs: &Glyphs,
    inquiry: &Inquiry,
    answers: &Answers,
    elsewhere: Option<Elsewhere<'_>>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (question, answer) in inquiry.questions().iter().zip(answers.iter()) {
        let name = name(question, glyphs.more);
        let (mark, style, words) = match &answer.given {
            AnswerValue::Skipped => (
                glyphs.skipped,
                Style::Muted,
                locale.text("answer-skipped", &[]),
            ),
            AnswerValue::Unanswered => (glyphs.open, Style::Muted, locale.text("answer-open", &[])),
            AnswerValue::Chosen { .. }
            | AnswerValue::Text { .. }
            | AnswerValue::Number { .. }
            | AnswerValue::Date { .. }
            | AnswerValue::DateRange { .. } => (
                glyphs.done,
                Style::Success,
                locale.answer_text(question, &answer.given),
            ),
        };
        let note = answer.note.as_ref().map(Text::as_str);
        let words = noted(locale, words, note.unwrap_or_default());
        let args = [("name", name.into()), ("answer", words.into())];
        let mut line = locale.text("resolved-answered", &args);
        if let Some((person, surface)) = elsewhere {
            let mut args = vec![("line", line.into()), ("surface", surface.into())];
            let id = match person {
                Some(person) => {
                    args.push(("person", person.into()));
                    "resolved-elsewhere"
                }
                None => "resolved-elsewhere-unnamed",
            };
            line = locale.text(id, &args);
        }
        rows.push(row(glyphs, mark, style, line));
    }
    rows
}

/// One line for each question of an inquiry that ended without answers.
pub fn unanswered(
    locale: Locale,
    glyphs: &Glyphs,
    inquiry: &Inquiry,
    fate: Ending<'_>,
) -> Vec<Row> {
    let line = |question: &Question| {
        let name = name(question, glyphs.more);
        let (mark, style, id, time) = match fate {
            Ending::Rejected | Ending::Cancelled => {
                (glyphs.failed, Style::Error, "resolved-stopped", "")
            }
            Ending::Pending => (glyphs.open, Style::Mark, "resolved-open", ""),
            Ending::Expired(time) => ("!", Style::Warning, "resolved-expired", time),
            Ending::TimedOut(time) => ("!", Style::Warning, "resolved-timed-out", time),
            Ending::QuestionCancelled => (glyphs.failed, Style::Error, "resolved-cancelled", ""),
            Ending::Declined => (glyphs.skipped, Style::Muted, "resolved-declined", ""),
            Ending::Withdrawn => (glyphs.skipped, Style::Muted, "resolved-withdrawn", ""),
            Ending::Superseded => (glyphs.done, Style::Success, "resolved-superseded", ""),
        };
        let words = locale.text(id, &[("name", name.into()), ("time", time.into())]);
        row(glyphs, mark, style, words)
    };
    inquiry.questions().iter().map(line).collect()
}

fn row(glyphs: &Glyphs, mark: &str, style: Style, words: String) -> Row {
    let words = glyphs.to_supported(words).replace('\n', " ");
    Row::new()
        .with(format!("{mark} "), style)
        .with(words, Style::Plain)
}

/// What was typed and not sent, so that the user can copy it.
pub fn unsent(locale: Locale, draft: &Draft) -> Vec<Row> {
    let mut rows = Vec::new();
    for entry in &draft.entries {
        for text in [&entry.own, &entry.typed, &entry.typed_end, &entry.note] {
            rows.extend(unsent_text(locale, text));
        }
    }
    rows
}

/// One text that was not sent; nothing if it is empty.
pub(crate) fn unsent_text(locale: Locale, text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut lines = text.trim().lines();
    if let Some(first) = lines.next() {
        let words = locale.text("unsent-text", &[("text", first.into())]);
        rows.push(Row::new().with(words, Style::Warning));
    }
    rows.extend(lines.map(|line| Row::new().with(line, Style::Warning)));
    rows
}

/// The header, or the beginning of the text.
pub fn name(question: &Question, more: &str) -> String {
    if let Some(header) = &question.header {
        return header.to_string();
    }
    clip(&question.text_as_name(), NAME_COLUMNS, more)
}

/// The header and the question on one line.
pub(crate) fn one_line(question: &Question) -> String {
    let text = question.text.as_str().replace('\n', " ");
    match &question.header {
        Some(header) => format!("{header}: {text}"),
        None => text,
    }
}

/// A day that the question allows: today, or the allowed day that is nearest to it.
pub(crate) fn date_example(question: &Question, today: Date) -> Date {
    match &question.kind {
        Kind::Date(rules) | Kind::DateRange(rules) => {
            let late_enough = rules.min.map_or(today, |min| today.max(min));
            rules.max.map_or(late_enough, |max| late_enough.min(max))
        }
        Kind::Choice(_) | Kind::Text(_) | Kind::Number(_) => today,
    }
}

/// What was typed, as it was parsed: a date is shown with its weekday, so that mistakes are
/// visible. Text that cannot be parsed stays as it is.
pub(crate) fn read_text(
    locale: Locale,
    typing: &InputParser,
    question: &Question,
    entry: &DraftEntry,
) -> String {
    let day = |typed: &str| typing.date(typed).map(|date| locale.date_long(date));
    let read = match &question.kind {
        Kind::Number(rules) => typing
            .number(&entry.typed, rules)
            .map(|number| locale.number(number)),
        Kind::Date(_) => day(&entry.typed),
        Kind::DateRange(_) => day(&entry.typed)
            .zip(day(&entry.typed_end))
            .map(|(start, end)| {
                let args = [("start", start.into()), ("end", end.into())];
                locale.text("answer-range", &args)
            }),
        Kind::Choice(_) | Kind::Text(_) => None,
    };
    read.unwrap_or_else(|| entry_text(locale, question, entry))
}

/// The answer of a draft with its note, or that there is none.
pub(crate) fn draft_text(
    locale: Locale,
    parser: &InputParser,
    question: &Question,
    entry: &DraftEntry,
) -> String {
    let answer = match entry.status(question) {
        AnswerStatus::Given => read_text(locale, parser, question, entry),
        AnswerStatus::Skipped => locale.text("answer-skipped", &[]),
        AnswerStatus::Open => locale.text("answer-open", &[]),
    };
    noted(locale, answer, entry.note.trim())
}

/// An answer with its note, if there is one.
fn noted(locale: Locale, answer: String, note: &str) -> String {
    if note.is_empty() {
        return answer;
    }
    let args = [("answer", answer.into()), ("note", note.into())];
    locale.text("answer-noted", &args)
}

/// The draft answer as a short text.
fn entry_text(locale: Locale, question: &Question, entry: &DraftEntry) -> String {
    match &question.kind {
        Kind::Choice(kind) => {
            let picked = kind
                .choices
                .iter()
                .filter(|choice| entry.picked.contains(&choice.value));
            let mut parts: Vec<String> = picked
                .map(|choice| split_label(choice).0.to_owned())
                .collect();
            if entry.own_ticked {
                parts.push(locale.own_answer(entry.own.trim()));
            }
            parts.join(", ")
        }
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) => entry.typed.trim().to_owned(),
        Kind::DateRange(_) => {
            let args = [
                ("start", entry.typed.trim().into()),
                ("end", entry.typed_end.trim().into()),
            ];
            locale.text("answer-range", &args)
        }
    }
}

/// Why a question is asked, and what the agent assumes until it has the answer, marked as such.
pub(crate) fn context_lines(locale: Locale, inquiry: &Inquiry, question: &Question) -> Vec<String> {
    let context = inquiry.context_of(question).map(str::to_owned);
    let assumption = inquiry.assumption().map(|text| {
        let args = [("assumption", text.as_str().into())];
        locale.text("assumption-marked", &args)
    });
    context.into_iter().chain(assumption).collect()
}

/// The message that says which numbers are valid, with its arguments; `None` if all are.
pub(crate) fn number_rule(
    locale: Locale,
    rules: &NumberRules,
) -> Option<(&'static str, Vec<(&'static str, Arg<'static>)>)> {
    let [any, whole] = match (rules.min, rules.max) {
        (Some(_), Some(_)) => ["number-range", "number-whole-range"],
        (Some(_), None) => ["number-min", "number-whole-min"],
        (None, Some(_)) => ["number-max", "number-whole-max"],
        (None, None) if rules.integer => ["number-whole"; 2],
        (None, None) => return None,
    };
    let bounds = [("min", rules.min), ("max", rules.max)].into_iter();
    let args = bounds.filter_map(|(name, bound)| Some((name, locale.number(bound?).into())));
    Some((if rules.integer { whole } else { any }, args.collect()))
}
