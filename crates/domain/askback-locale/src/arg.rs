//! What is put into a message.

use std::borrow::Cow;

use fluent_bundle::FluentValue;

/// A value for a placeable of a message: text, or a number that may select a plural form.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg<'a> {
    /// Text, put in as it is.
    Text(Cow<'a, str>),
    /// A number, written with the decimal mark of the language.
    Number(f64),
}

impl<'a> From<Arg<'a>> for FluentValue<'a> {
    fn from(arg: Arg<'a>) -> FluentValue<'a> {
        match arg {
            Arg::Text(text) => FluentValue::String(text),
            Arg::Number(number) => FluentValue::from(number),
        }
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Arg<'a> {
        Arg::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(text: &'a String) -> Arg<'a> {
        Arg::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Arg<'_> {
    fn from(text: String) -> Self {
        Arg::Text(Cow::Owned(text))
    }
}

impl From<usize> for Arg<'_> {
    fn from(number: usize) -> Self {
        i64::try_from(number).unwrap_or(i64::MAX).into()
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts and limits on a screen stay far below 2^52"
)]
impl From<i64> for Arg<'_> {
    fn from(number: i64) -> Self {
        Arg::Number(number as f64)
    }
}

impl From<f64> for Arg<'_> {
    fn from(number: f64) -> Self {
        Arg::Number(number)
    }
}
