//! The calendar: one month.

use askback_core::draft::RangeEnd;
use askback_core::question::Kind;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::Prompt;
use super::layout::Block;
use askback_terminal::row::{Row, Style};
use askback_terminal::width::text_width;

/// Stands before today.
const TODAY: char = '*';

/// The month of the typed date, with that date or the range highlighted.
pub(super) fn block(prompt: &Prompt) -> Block {
    let entry = prompt.draft.entry();
    let start = prompt.draft.parser.date(&entry.typed);
    let end = prompt.draft.parser.date(&entry.typed_end);
    let (active, marked) = match &prompt.draft.question().kind {
        Kind::DateRange(_) => {
            let active = if entry.part == RangeEnd::End {
                end.or(start)
            } else {
                start
            };
            (
                active,
                start.map(|start| (start, end.filter(|end| *end >= start).unwrap_or(start))),
            )
        }
        Kind::Date(_) | Kind::Choice(_) | Kind::Text(_) | Kind::Number(_) => {
            (start, start.map(|day| (day, day)))
        }
    };
    let month = active.unwrap_or(prompt.draft.parser.today).first_of_month();
    let today = prompt.draft.parser.today;
    let mut title = Row::new().with(
        format!("      {}", prompt.options.locale.month_year(month)),
        Style::Label,
    );
    let is_marked = marked.is_some_and(|(first, last)| first <= today && today <= last);
    if today.first_of_month() == month && !is_marked {
        let words = prompt.text("web-today", &[]);
        title.push(format!("   {TODAY} {words}"), Style::Muted);
    }
    let mut rows = vec![Row::new(), title, weekdays(prompt)];
    rows.extend(weeks(prompt, month, marked));
    Block { rows, cursor: None }
}

fn weekdays(prompt: &Prompt) -> Row {
    let locale = prompt.options.locale;
    let mut text = String::new();
    let mut day = locale.week_start();
    for _ in 0..7 {
        let name = locale.weekday_short(day);
        text.push_str(&" ".repeat(3_usize.saturating_sub(text_width(name))));
        text.push_str(name);
        day = day.next();
    }
    Row::new().with(text, Style::Muted)
}

fn weeks(prompt: &Prompt, month: Date, marked: Option<(Date, Date)>) -> Vec<Row> {
    let into_week = month.weekday().since(prompt.options.locale.week_start());
    let mut rows = Vec::new();
    let mut text = "   ".repeat(usize::try_from(into_week).unwrap_or(0));
    let mut column = usize::try_from(into_week).unwrap_or(0);
    let mut closes = false;
    let mut day = month;
    while day.month() == month.month() {
        text.push_str(&cell(
            day,
            marked,
            if closes { ']' } else { ' ' },
            prompt.draft.parser.today,
        ));
        closes = marked.is_some_and(|(_, last)| last == day);
        column += 1;
        let last = day.last_of_month() == day;
        if column == 7 || last {
            if closes {
                text.push(']');
                closes = false;
            }
            rows.push(Row::new().with(std::mem::take(&mut text), Style::Plain));
            column = 0;
        }
        match day.checked_add(1.day()) {
            Ok(next) => day = next,
            Err(_) => break,
        }
    }
    rows
}

/// `before` closes the range that ended the day before.
fn cell(day: Date, marked: Option<(Date, Date)>, before: char, today: Date) -> String {
    let number = day.day();
    let first = marked.is_some_and(|(first, _)| first == day);
    let inside = marked.is_some_and(|(first, last)| first < day && day <= last);
    match (first, inside, number < 10) {
        (true, _, true) => format!("{before}[{number}"),
        (true, _, false) => format!("[{number}"),
        (_, true, true) => format!("--{number}"),
        (_, true, false) => format!("-{number}"),
        (_, _, true) if day == today => format!("{before}{TODAY}{number}"),
        (_, _, false) if day == today && before == ' ' => format!("{TODAY}{number}"),
        (_, _, true) => format!("{before} {number}"),
        (_, _, false) => format!("{before}{number}"),
    }
}
