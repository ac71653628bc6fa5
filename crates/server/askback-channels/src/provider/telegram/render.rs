//! A card as a message with buttons.

use askback_core::draft::{Draft, DraftPage};
use askback_core::question::{ChoiceKind, DateRules, Kind, Question};
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::{Value, json};

use crate::answer::draft_edits::day_to_ask;
use crate::card::clip::clip_graphemes;
use crate::card::{Card, CardState, ContentLevel};
use crate::contract::button::{Press, RangeDay};
use crate::contract::channel::Rendered;

use super::TEXT_UNITS_MAX;

/// Up to this many choices have their labels on the buttons, one in each row.
const LABELLED_MAX: usize = 4;
/// More choices than this are answered behind the link.
const CHOICES_MAX: usize = 20;
const NUMBERS_IN_ROW: usize = 4;
/// Longer labels are shortened on the button; the text has them whole.
const LABEL_UNITS_MAX: usize = 60;
/// A question that is longer is answered behind the link.
const QUESTION_UNITS_MAX: usize = 3000;

type Row = Vec<Value>;

pub(super) fn render(card: &Card) -> Rendered {
    let mut text = card.text(TEXT_UNITS_MAX - 300);
    let mut rows = match &card.state {
        CardState::Open { .. } if card.is_answerable() && card.hand_on.is_shown => people(card),
        CardState::Open { draft } if card.is_answerable() && fits(card) => controls(card, draft),
        CardState::Open { .. } => {
            if card.content == ContentLevel::Full || card.link.is_none() {
                text = format!("{text}\n\n{}", card.answer_elsewhere());
            }
            Vec::new()
        }
        CardState::Held { is_own: true, .. } => {
            vec![vec![button(card, "channel-undo", Press::Undo)]]
        }
        CardState::Held { is_own: false, .. }
        | CardState::HandedOn { .. }
        | CardState::Ended { .. } => Vec::new(),
    };
    if let (CardState::Open { .. }, Some(link)) = (&card.state, &card.link) {
        // Telegram takes only addresses that its servers know how to reach.
        if link.starts_with("https://") {
            let label = card.reader.locale.text("channel-open", &[]);
            rows.push(vec![json!({ "text": label, "url": link })]);
        } else if rows.is_empty() && !text.contains(link.as_str()) {
            text = format!("{text}\n{link}");
        }
    }
    let can_hand_on = !card.hand_on.people.is_empty() && !card.hand_on.is_shown;
    if card.is_answerable() && can_hand_on {
        let press = Press::People { shown: true };
        rows.push(vec![button(card, "hand-on", press)]);
    }
    Rendered {
        body: json!({
            "text": text,
            "link_preview_options": { "is_disabled": true },
            "reply_markup": { "inline_keyboard": rows },
        }),
        is_answerable: card.is_answerable() && fits(card),
    }
}

/// A button for each person and group to whom the question can be handed on, one for the reason, and back to the
/// question's own buttons.
fn people(card: &Card) -> Vec<Row> {
    let people = card.hand_on.people.iter().map(|(code, name)| {
        let args = [("person", name.as_str().into())];
        let label = card.reader.locale.text("hand-on-to", &args);
        let label = clip_graphemes(&label, LABEL_UNITS_MAX);
        let press = Press::HandOn { to: *code };
        vec![json!({ "text": label, "callback_data": card.button(press).encode() })]
    });
    let reason = match &card.hand_on.reason {
        Some(reason) => format!("✎ {reason}"),
        None => card.reader.locale.text("web-hand-on-reason", &[]),
    };
    let reason = clip_graphemes(&reason, LABEL_UNITS_MAX);
    let reason = json!({ "text": reason, "callback_data": card.button(Press::Reason).encode() });
    let back = button(card, "channel-back", Press::People { shown: false });
    people.chain([vec![reason], vec![back]]).collect()
}

/// Whether every question can be shown whole. Never half a form.
fn fits(card: &Card) -> bool {
    let questions = card.questions.questions();
    questions.iter().enumerate().all(|(index, question)| {
        let units = card.question_text(index).encode_utf16().count();
        question.choices().len() <= CHOICES_MAX && units <= QUESTION_UNITS_MAX
    })
}

fn controls(card: &Card, draft: &Draft) -> Vec<Row> {
    let questions = card.questions.questions();
    let last_page = questions.len();
    let (page, mut rows) = match draft.page {
        DraftPage::Question(page) => match questions.get(page) {
            Some(question) => (page, question_rows(card, draft, page, question)),
            None => (page, Vec::new()),
        },
        DraftPage::Review => (last_page, Vec::new()),
    };
    let is_single = questions.len() == 1;
    let mut moves = Row::new();
    if page > 0 && !is_single {
        moves.push(button(card, "channel-back", Press::Page { page: page - 1 }));
    }
    let ticks = questions.first().is_some_and(Question::takes_several);
    if page == last_page || is_single && ticks {
        moves.push(button(
            card,
            "channel-send",
            Press::Send {
                shown: card.draft_code(),
            },
        ));
    } else if !is_single {
        moves.push(button(card, "channel-next", Press::Page { page: page + 1 }));
    }
    let mut leave = Row::new();
    if questions
        .get(page)
        .is_some_and(|question| question.skippable)
    {
        leave.push(button(card, "web-skip", Press::Skip { question: page }));
    }
    leave.push(button(card, "web-decline", Press::Decline));
    rows.extend([moves, leave].into_iter().filter(|row| !row.is_empty()));
    rows
}

fn question_rows(card: &Card, draft: &Draft, index: usize, question: &Question) -> Vec<Row> {
    let entry = draft.entries.get(index);
    let day = day_to_ask(
        question,
        entry,
        &card.reader.locale.typing(card.reader.today),
    );
    let press = Press::Write {
        question: index,
        day,
    };
    let write = || button(card, "channel-write", press);
    match &question.kind {
        Kind::Choice(kind) => {
            let mut rows = choice_rows(card, draft, index, question, kind);
            if kind.own_text {
                rows.push(vec![write()]);
            }
            rows
        }
        Kind::Text(_) | Kind::Number(_) => vec![vec![write()]],
        Kind::Date(rules) | Kind::DateRange(rules) => {
            vec![date_row(card, index, day, rules), vec![write()]]
        }
    }
}

fn choice_rows(
    card: &Card,
    draft: &Draft,
    index: usize,
    question: &Question,
    kind: &ChoiceKind,
) -> Vec<Row> {
    let entry = draft.entries.get(index);
    let buttons = kind.choices.iter().enumerate().map(|(number, choice)| {
        let is_ticked = entry.is_some_and(|entry| entry.is_ticked(question, number));
        let mark = match (kind.several, is_ticked) {
            (true, true) => "☑ ",
            (true, false) => "☐ ",
            (false, true) => "✓ ",
            (false, false) => "",
        };
        let label = if kind.choices.len() <= LABELLED_MAX {
            clip_graphemes(&card.label(choice), LABEL_UNITS_MAX)
        } else {
            (number + 1).to_string()
        };
        let press = if kind.several {
            Press::Tick {
                question: index,
                choice: number,
                ticked: !is_ticked,
            }
        } else {
            Press::Choose {
                question: index,
                choice: number,
            }
        };
        json!({ "text": format!("{mark}{label}"), "callback_data": card.button(press).encode() })
    });
    let buttons: Vec<Value> = buttons.collect();
    let width = if buttons.len() <= LABELLED_MAX {
        1
    } else {
        NUMBERS_IN_ROW
    };
    buttons.chunks(width).map(<[Value]>::to_vec).collect()
}

/// Days that are often meant, if the question allows them.
fn date_row(card: &Card, question: usize, day: RangeDay, rules: &DateRules) -> Row {
    let today = card.reader.today;
    let days = [
        ("channel-today", Some(today)),
        ("channel-tomorrow", today.checked_add(1.day()).ok()),
        ("channel-in-a-week", today.checked_add(7.days()).ok()),
    ];
    let allowed = |date: &Date| {
        let is_in_order = match day {
            RangeDay::First => true,
            RangeDay::Last { first } => first <= *date,
        };
        let is_after_min = rules.min.is_none_or(|min| min <= *date);
        is_in_order && is_after_min && rules.max.is_none_or(|max| *date <= max)
    };
    let days = days.into_iter().filter_map(|(id, date)| {
        let date = date.filter(allowed)?;
        let press = Press::Date {
            question,
            day,
            date,
        };
        let label = match day {
            // With the day: the message may be read after midnight.
            RangeDay::First => format!("{} ({date})", card.reader.locale.text(id, &[])),
            // With what is sent: the message shows the first day nowhere else.
            RangeDay::Last { first } => format!("{first} – {date}"),
        };
        Some(json!({ "text": label, "callback_data": card.button(press).encode() }))
    });
    days.collect()
}

fn button(card: &Card, id: &str, press: Press) -> Value {
    json!({ "text": card.reader.locale.text(id, &[]), "callback_data": card.button(press).encode() })
}
