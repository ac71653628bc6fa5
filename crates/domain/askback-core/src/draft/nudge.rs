//! Changes a typed number or day by steps.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::edit::Nudge;
use super::entry::{DraftEntry, RangeEnd};
use crate::input_parser::InputParser;
use crate::number::{DecimalMark, Number};
use crate::question::{DateRules, Kind, NumberRules, Question};

/// Changes what is typed; a question of another kind stays as it is.
pub(super) fn nudge(entry: &mut DraftEntry, question: &Question, by: Nudge, parser: &InputParser) {
    match &question.kind {
        Kind::Number(rules) => {
            if let Some(number) = nudge_number(&entry.typed, rules, by, parser) {
                entry.typed = written(number, parser.decimal);
                entry.skipped = false;
            }
        }
        Kind::Date(rules) | Kind::DateRange(rules) => {
            let typed = match entry.part {
                RangeEnd::Start => &mut entry.typed,
                RangeEnd::End => &mut entry.typed_end,
            };
            if let Some(date) = nudge_date(typed, rules, by, parser) {
                *typed = date.to_string();
                entry.skipped = false;
            }
        }
        Kind::Choice(_) | Kind::Text(_) => {}
    }
}

fn nudge_number(
    typed: &str,
    rules: &NumberRules,
    by: Nudge,
    parser: &InputParser,
) -> Option<Number> {
    let steps = match by {
        Nudge::Steps(steps) => steps,
        Nudge::Months(tens) => tens.checked_mul(10)?,
        Nudge::Years(_) | Nudge::Today => return None,
    };
    let step = rules.step.unwrap_or(Number::Whole(1));
    let moved = match (parser.number(typed, rules), step) {
        // An empty field begins at the bottom, or at 0.
        (None, _) if typed.trim().is_empty() => rules.min.unwrap_or(Number::Whole(0)),
        (None, _) => return None,
        (Some(Number::Whole(number)), Number::Whole(step)) => {
            Number::Whole(number.checked_add(step.checked_mul(i64::from(steps))?)?)
        }
        (Some(number), step) => {
            let moved = number.as_f64() + step.as_f64() * f64::from(steps);
            Number::from_f64((moved * 1e9).round() / 1e9)?
        }
    };
    let low = rules.min.filter(|min| moved < *min);
    let high = rules.max.filter(|max| moved > *max);
    Some(low.or(high).unwrap_or(moved))
}

fn written(number: Number, decimal: DecimalMark) -> String {
    match decimal {
        DecimalMark::Point => number.to_string(),
        DecimalMark::Comma => number.to_string().replace('.', ","),
    }
}

fn nudge_date(typed: &str, rules: &DateRules, by: Nudge, parser: &InputParser) -> Option<Date> {
    let span = match by {
        Nudge::Steps(days) => days.days(),
        Nudge::Months(months) => months.months(),
        Nudge::Years(years) => years.years(),
        Nudge::Today => return Some(clamp(parser.today, rules)),
    };
    let moved = match parser.date(typed) {
        Some(date) => date.checked_add(span).ok()?,
        None if typed.trim().is_empty() => parser.today,
        None => return None,
    };
    Some(clamp(moved, rules))
}

fn clamp(date: Date, rules: &DateRules) -> Date {
    let low = rules.min.filter(|min| date < *min);
    let high = rules.max.filter(|max| date > *max);
    low.or(high).unwrap_or(date)
}
