//! The shape of a tool input, declared once.
//!
//! A dialect declares its input as a constant tree of [`Shape`]s. The published JSON Schema, the
//! parser with its repairs and the contract that a refusal restates all walk the same tree, so
//! they cannot drift apart.

use crate::limits;
use crate::text::Lines;

/// What becomes of a text that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextLength {
    Refused,
    /// It is cut where that is switched on.
    Clipped,
    /// The same, after the mark of a recommended choice was left out of the count.
    ClippedWithoutMark,
}

/// What one value of a tool input must look like.
#[derive(Debug)]
pub(crate) enum Shape {
    /// Text that people will read.
    Text {
        max: usize,
        /// Whether it may span lines.
        lines: Lines,
        /// What becomes of a text that is longer.
        length: TextLength,
    },
    /// Text for machines, kept to the letter.
    RawString { max: usize },
    /// True or false.
    Bool,
    /// One of a few words.
    Enum(&'static [EnumValue]),
    /// Any number.
    Number,
    /// A whole number from 0 up.
    Integer {
        /// Largest.
        max: usize,
    },
    /// A number or a text: the bound of a number, or of a date.
    NumberOrDate,
    /// A list.
    List {
        /// What its items look like.
        item: &'static Shape,
        /// Fewest items.
        min: usize,
        /// Most items.
        max: usize,
    },
    /// An object.
    Object {
        /// Its fields, in the order in which they are published.
        fields: &'static [Field],
        /// The field that a bare text stands for, if one may stand for the object.
        string_shorthand: Option<&'static str>,
    },
}

/// A word of a closed set and other spellings that are understood.
#[derive(Debug)]
pub(crate) struct EnumValue {
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
}

/// One field of an object.
#[derive(Debug)]
pub(crate) struct Field {
    /// Its published name.
    pub(crate) name: &'static str,
    /// Other names models send, folded: lower case, without `_` and `-`.
    pub(crate) aliases: &'static [&'static str],
    /// Whether a call without it is refused.
    pub(crate) required: bool,
    /// The shape of its value.
    pub(crate) shape: Shape,
    /// What it is for, in words for the model.
    pub(crate) doc: &'static str,
}

impl EnumValue {
    pub(crate) const fn new(name: &'static str, aliases: &'static [&'static str]) -> EnumValue {
        EnumValue { name, aliases }
    }
}

/// A field of an object. Its comment is what the model reads.
macro_rules! field {
    (@required) => { true };
    (@optional) => { false };
    ($(#[doc = $doc:literal])+ $presence:ident $name:expr, $aliases:expr, $shape:expr) => {
        $crate::contract::Field {
            name: $name,
            aliases: $aliases,
            required: $crate::contract::field!(@$presence),
            doc: concat!($($doc),+).trim_ascii(),
            shape: $shape,
        }
    };
}
pub(crate) use field;

impl Shape {
    const fn text(max: usize, lines: Lines, length: TextLength) -> Shape {
        Shape::Text { max, lines, length }
    }

    /// Readable text on one line.
    pub(crate) const fn line(max: usize) -> Shape {
        Shape::text(max, Lines::One, TextLength::Refused)
    }

    /// Readable text on one line that may be cut: a header or a label.
    pub(crate) const fn label(max: usize) -> Shape {
        Shape::text(max, Lines::One, TextLength::Clipped)
    }

    /// A label whose mark as the recommended choice does not count.
    pub(crate) const fn marked_label(max: usize) -> Shape {
        Shape::text(max, Lines::One, TextLength::ClippedWithoutMark)
    }

    /// Readable text that may span lines.
    pub(crate) const fn prose(max: usize) -> Shape {
        Shape::text(max, Lines::Many, TextLength::Refused)
    }

    pub(crate) const fn object(fields: &'static [Field]) -> Shape {
        Shape::Object {
            fields,
            string_shorthand: None,
        }
    }

    /// An object for which a bare text may stand, as its field with this name.
    pub(crate) const fn object_or_text(name: &'static str, fields: &'static [Field]) -> Shape {
        Shape::Object {
            fields,
            string_shorthand: Some(name),
        }
    }

    /// What this place takes, as a noun phrase for a message.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Shape::Text { .. } | Shape::RawString { .. } => "a text",
            Shape::Bool => "true or false",
            Shape::Enum(_) => "one of the listed words",
            Shape::Number => "a number",
            Shape::Integer { .. } => "a whole number",
            Shape::NumberOrDate => "a number or a date",
            Shape::List { .. } => "a list",
            Shape::Object { .. } => "an object",
        }
    }

    /// The limit of this place as a sentence for the model, if it has one worth naming.
    pub(crate) fn limit(&self) -> Option<String> {
        if let Shape::List { min, max, .. } = self {
            return Some(match min {
                0 => format!("At most {max}."),
                _ => format!("{min} to {max}."),
            });
        }
        if let Shape::Text { max, .. } | Shape::RawString { max } = self
            && *max < limits::TEXT_CHARS_MAX
        {
            return Some(format!("At most {max} characters."));
        }
        None
    }
}

impl Field {
    /// The doc with the limit behind it: what the schema publishes as the description.
    pub(crate) fn description(&self) -> String {
        match self.shape.limit() {
            Some(limit) => format!("{} {limit}", self.doc),
            None => self.doc.to_owned(),
        }
    }
}

/// A name without case, `_`, `-` and spaces, so that spellings of one name compare equal.
pub(crate) fn fold(name: &str) -> String {
    name.chars()
        .filter(|ch| !matches!(ch, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The whole contract in one line, for a refusal.
pub(crate) fn contract(shape: &Shape) -> String {
    match shape {
        Shape::Text { max, .. } | Shape::RawString { max } if *max < limits::TEXT_CHARS_MAX => {
            format!("text up to {max} characters")
        }
        Shape::Text { .. } | Shape::RawString { .. } => "text".to_owned(),
        Shape::Bool => "true|false".to_owned(),
        Shape::Enum(words) => {
            let names = words.iter().map(|word| format!("{:?}", word.name));
            names.collect::<Vec<_>>().join("|")
        }
        Shape::Number => "number".to_owned(),
        Shape::Integer { .. } => "whole number".to_owned(),
        Shape::NumberOrDate => "number, or \"YYYY-MM-DD\" for dates".to_owned(),
        Shape::List { item, min, max } => {
            format!("[{}, … {min} to {max} of these]", contract(item))
        }
        Shape::Object { fields, .. } => {
            let fields = fields.iter().map(|field| {
                let optional = if field.required { "" } else { " (optional)" };
                format!("{:?}{optional}: {}", field.name, contract(&field.shape))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}
