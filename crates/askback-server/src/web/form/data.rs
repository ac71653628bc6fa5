//! What a form sends: names with values, in the encoding that forms have.

/// The value of a radio button that stands for no answer. No choice has it: texts do not begin with
/// a space.
pub(super) const NONE_YET: &str = " ";

/// The fields of a form as they were sent.
#[derive(Clone, Default)]
pub(super) struct FormData(Vec<(String, String)>);

impl FormData {
    /// Fields of a form that nobody has filled in.
    pub(super) fn fresh(once: &str) -> FormData {
        FormData(vec![("once".to_owned(), once.to_owned())])
    }

    /// Fills in one more field.
    pub(super) fn add(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Parses `application/x-www-form-urlencoded`. Invalid UTF-8 becomes U+FFFD.
    pub(super) fn parse(bytes: &[u8]) -> FormData {
        let pairs = form_urlencoded::parse(bytes).into_owned();
        FormData(pairs.filter(|(name, _)| !name.is_empty()).collect())
    }

    /// The first value of a field, or nothing.
    pub(super) fn one(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// All values of a field.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether a field was sent at all: an empty choice is one.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// The pressed button, which is told by its name: its value is what it shows.
    pub(super) fn action(&self) -> &str {
        let names = self.0.iter().map(|(name, _)| name.as_str());
        let mut pressed = names.filter_map(|name| name.strip_prefix("action-"));
        pressed.next().unwrap_or_else(|| self.one("action"))
    }

    /// Whether the pressed button was asked about, and pressed again.
    pub(super) fn is_confirmed(&self) -> bool {
        self.one("confirmed") == self.action()
    }

    /// What the sender saw.
    pub(super) fn revision(&self) -> Option<u32> {
        self.one("revision").parse().ok()
    }

    /// What makes a repeated send of this form harmless.
    pub(super) fn once(&self) -> Option<&str> {
        let once = self.one("once");
        (1..=64).contains(&once.len()).then_some(once)
    }
}

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;
