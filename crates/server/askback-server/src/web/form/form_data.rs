//! The fields of the form as the browser sends them.

use askback_core::question::{Question, QuestionId};

/// The name of a choice that is a button begins with this, and ends with its number.
pub(super) const CHOOSE: &str = "choose-";

/// The value of the radio button for “no answer”. No choice has it, because texts are trimmed.
pub(super) const UNANSWERED: &str = " ";

/// Names and values in the order they were sent. A name may repeat.
#[derive(Clone, Default)]
pub(super) struct FormData(Vec<(String, String)>);

impl FormData {
    /// An empty form. The nonce identifies it, so that sending it twice has one effect.
    pub(super) fn new(nonce: &str) -> FormData {
        FormData(vec![("once".to_owned(), nonce.to_owned())])
    }

    /// The same fields as a form of their own.
    pub(super) fn with_nonce(self, nonce: &str) -> FormData {
        let mut fields = FormData::new(nonce);
        let others = self.0.into_iter().filter(|(name, _)| name != "once");
        fields.0.extend(others);
        fields
    }

    pub(super) fn add(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Parses `application/x-www-form-urlencoded`. Invalid UTF-8 becomes U+FFFD.
    pub(super) fn parse(bytes: &[u8]) -> FormData {
        let pairs = form_urlencoded::parse(bytes).into_owned();
        FormData(pairs.filter(|(name, _)| !name.is_empty()).collect())
    }

    /// The first value of a field, or an empty string.
    pub(super) fn first(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether a field was sent, even with an empty value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// All fields, to send them again.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// What a person chose and typed, without what the page adds.
    pub(super) fn entered(&self) -> impl Iterator<Item = &str> {
        let is_added = |name: &str| {
            ["once", "revision", "confirmed", "action"].contains(&name)
                || name.starts_with("action-")
                || name.ends_with("-skip")
        };
        self.pairs()
            .filter(move |(name, value)| !is_added(name) && !value.trim().is_empty())
            .map(|(_, value)| value)
    }

    /// The pressed button: the rest of the name after `action-`, since its value is the label.
    pub(super) fn action(&self) -> &str {
        let names = self.0.iter().map(|(name, _)| name.as_str());
        let mut pressed = names.filter_map(|name| name.strip_prefix("action-"));
        pressed.next().unwrap_or_else(|| self.first("action"))
    }

    /// The pressed choice of the only question as a field, as if it had been selected before Send was pressed.
    pub(super) fn with_pressed_choice(mut self, questions: &[Question]) -> FormData {
        let number = self.action().strip_prefix(CHOOSE);
        let number: Option<usize> = number.and_then(|number| number.parse().ok());
        let at = number.and_then(|number| number.checked_sub(1));
        let ([question], Some(at)) = (questions, at) else {
            return self;
        };
        if let Some(choice) = question.choices().get(at) {
            // Fields are named by position, not by the asker's own ids.
            let field = QuestionId::at(0).to_string();
            self.0
                .retain(|(name, _)| *name != field && !name.starts_with("action"));
            self.add(&field, choice.value.as_str());
            self.add("action-send", "");
        }
        self
    }

    /// Whether the pressed button is the one of the confirmation.
    pub(super) fn is_confirmed(&self) -> bool {
        self.first("confirmed") == self.action()
    }

    /// The revision of the inquiry that the sender saw.
    pub(super) fn revision(&self) -> Option<u32> {
        self.first("revision").parse().ok()
    }

    /// See [`FormData::new`]. `None` if the sender changed it to something unusable.
    pub(super) fn nonce(&self) -> Option<&str> {
        let nonce = self.first("once");
        (1..=64).contains(&nonce.len()).then_some(nonce)
    }
}

#[cfg(test)]
#[path = "form_data_tests.rs"]
mod tests;
