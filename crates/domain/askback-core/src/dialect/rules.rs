//! The rules for one kind of answer: the `validation` object of `ask_user`, or fields of a question.

use jiff::civil::Date;

use crate::answer::{compile_pattern, parse_iso_date, pattern_positions};
use crate::contract::{
    Field, InputReader, Node, Object, ParseProblemCode, PathSegment, Shape, field,
};
use crate::limits;
use crate::number::Number;
use crate::question::{DateRules, NumberRules, TextRules};

/// All rules.
pub(super) const FIELDS: &[Field] = &[
    MIN, MAX, MIN_LENGTH, MAX_LENGTH, PATTERN, STEP, INTEGER, MESSAGE,
];

pub(super) const MIN: Field = field! {
    /// Smallest number, or earliest date as YYYY-MM-DD.
    optional "min", &["minimum", "from", "after"], Shape::NumberOrDate
};

pub(super) const MAX: Field = field! {
    /// Largest number, or latest date as YYYY-MM-DD.
    optional "max", &["maximum", "until", "before"], Shape::NumberOrDate
};

pub(super) const MIN_LENGTH: Field = field! {
    /// Minimum number of characters of a text.
    optional "min_length", &["minchars"], Shape::Integer { max: limits::OWN_TEXT_CHARS_MAX }
};

pub(super) const MAX_LENGTH: Field = field! {
    /// Maximum number of characters of a text.
    optional "max_length", &["maxchars"], Shape::Integer { max: limits::OWN_TEXT_CHARS_MAX }
};

pub(super) const PATTERN: Field = field! {
    /// A regular expression that a text must match: Rust syntax, so no look-around and no back-references. Anchor it
    /// with ^ and $ to match the whole text.
    optional "pattern", &["regex", "regexp"], Shape::RawString { max: limits::PATTERN_CHARS_MAX }
};

pub(super) const STEP: Field = field! {
    /// Distance between allowed numbers, greater than 0.
    optional "step", &["increment"], Shape::Number
};

pub(super) const INTEGER: Field = field! {
    /// Whether only whole numbers are allowed.
    optional "integer", &["whole"], Shape::Bool
};

pub(super) const MESSAGE: Field = field! {
    /// What the user reads when the answer breaks a rule.
    optional "message", &["errormessage", "error"], Shape::line(limits::HINT_CHARS_MAX)
};

/// A read object whose rules are taken one after the other.
pub(super) struct Rules<'a> {
    pub(super) reader: &'a mut InputReader,
    /// The field with the object; none if the rules are fields of the question itself.
    field: Option<&'static str>,
    object: Object,
}

impl<'a> Rules<'a> {
    pub(super) fn new(
        reader: &'a mut InputReader,
        field: Option<&'static str>,
        object: Object,
    ) -> Self {
        Rules {
            reader,
            field,
            object,
        }
    }

    fn at_object<T>(&mut self, work: impl FnOnce(&mut InputReader) -> T) -> T {
        match self.field {
            Some(field) => self.reader.at(PathSegment::Field(field), work),
            None => work(self.reader),
        }
    }

    pub(super) fn text(&mut self) -> TextRules {
        let min_length = self.length("min_length", "min");
        let max_length = self.length("max_length", "max");
        let pattern = self.object.raw_string("pattern");
        if let Some(pattern) = &pattern {
            self.refuse_pattern(pattern, max_length.unwrap_or(limits::OWN_TEXT_CHARS_MAX));
        }
        if max_length.is_some_and(|max| max < min_length.unwrap_or(1).max(1)) {
            self.problem(
                "max_length",
                ParseProblemCode::EmptyBounds,
                "leaves no answer possible: it must be greater than 0 and not less than min_length.",
            );
        }
        TextRules {
            min_length,
            max_length,
            pattern,
            message: self.object.text("message"),
        }
    }

    /// Refuses what is no pattern, and one that would take long to match the longest text that may be
    /// answered.
    fn refuse_pattern(&mut self, pattern: &str, longest: usize) {
        let hint = match pattern_positions(pattern) {
            None => {
                "does not compile: use Rust regex syntax, without look-around and back-references."
                    .to_owned()
            }
            Some(positions) if positions.saturating_mul(longest) > limits::PATTERN_STEPS_MAX => {
                match limits::PATTERN_STEPS_MAX / positions {
                    0 => "repeats too much: use smaller counts in {…}.".to_owned(),
                    fits => format!(
                        "takes too long on a text of {longest} characters: set max_length to at most \
                         {fits}, or use smaller counts in {{…}}."
                    ),
                }
            }
            Some(_) if compile_pattern(pattern).is_none() => {
                "is too large once its repetitions are written out: use smaller counts in {…}, or \
                 [A-Za-z0-9_] for \\w."
                    .to_owned()
            }
            Some(_) => return,
        };
        self.problem("pattern", ParseProblemCode::BadPattern, &hint);
    }

    pub(super) fn number(&mut self) -> NumberRules {
        let min = self.number_bound("min");
        let max = self.number_bound("max");
        let step = self.object.number("step");
        if step.is_some_and(|step| step <= Number::Whole(0)) {
            self.problem(
                "step",
                ParseProblemCode::BadBound,
                "must be greater than 0.",
            );
        }
        self.refuse_empty_bounds(matches!((min, max), (Some(min), Some(max)) if min > max));
        let integer = self.object.bool("integer").unwrap_or(false);
        NumberRules {
            min,
            max,
            step,
            integer,
            message: self.object.text("message"),
        }
    }

    pub(super) fn date(&mut self) -> DateRules {
        let min = self.date_bound("min");
        let max = self.date_bound("max");
        self.refuse_empty_bounds(matches!((min, max), (Some(min), Some(max)) if min > max));
        DateRules {
            min,
            max,
            message: self.object.text("message"),
        }
    }

    /// Says which rules had no effect, because the question is of another kind.
    pub(super) fn note_unused(&mut self) {
        if !self.object.is_empty() {
            self.at_object(|r| r.repair("ignored rules that the input_type does not take"));
        }
    }

    /// Refuses the fields that belong to another kind of question.
    pub(super) fn refuse_unused(&mut self, kind: &str) {
        for field in std::mem::take(&mut self.object).names() {
            let hint = format!("is not taken by the kind `{kind}`: leave it out.");
            self.problem(field, ParseProblemCode::FieldNotTaken, &hint);
        }
    }

    fn problem(&mut self, field: &'static str, code: ParseProblemCode, hint: &str) {
        self.at_object(|r| r.at(PathSegment::Field(field), |r| r.problem(code, hint)));
    }

    fn refuse_empty_bounds(&mut self, empty: bool) {
        if empty {
            self.problem(
                "max",
                ParseProblemCode::EmptyBounds,
                "leaves no answer possible: it must not be less than min.",
            );
        }
    }

    /// A length, under its own name or as a plain number bound.
    fn length(&mut self, name: &'static str, plain: &'static str) -> Option<usize> {
        let number = match self.object.number(name) {
            Some(number) => number,
            None if !self.reader.repairs_input() => return None,
            None => {
                let number = self.number_bound(plain)?;
                self.at_object(|r| r.repair(format!("read {plain} as {name}")));
                number
            }
        };
        let whole = if let Number::Whole(whole) = number {
            usize::try_from(whole).ok()
        } else {
            None
        };
        if whole.is_none() {
            let hint = "must be a whole number from 0 up here.";
            self.problem(plain, ParseProblemCode::BadBound, hint);
        }
        whole.map(|length| length.min(limits::OWN_TEXT_CHARS_MAX))
    }

    fn number_bound(&mut self, name: &'static str) -> Option<Number> {
        if let Node::Number(number) = self.object.node(name)? {
            return Some(number);
        }
        self.problem(name, ParseProblemCode::BadBound, "must be a number here.");
        None
    }

    fn date_bound(&mut self, name: &'static str) -> Option<Date> {
        let date = if let Node::RawString(text) = self.object.node(name)? {
            parse_iso_date(&text)
        } else {
            None
        };
        if date.is_none() {
            self.problem(
                name,
                ParseProblemCode::BadBound,
                "must be a date as YYYY-MM-DD here, such as 2027-03-27.",
            );
        }
        date
    }
}
