//! Names of variants, for messages of tests and for comparing lists of events.

use std::fmt::{self, Debug, Write};

/// The name of a variant as JSON has it: `InquiryAsked { … }` is `inquiry_asked`.
pub fn variant_name(value: &impl Debug) -> String {
    let mut name = VariantName::default();
    // It ends with an error behind the name: the fields are not wanted.
    write!(name, "{value:?}").ok();
    name.0
}

#[derive(Default)]
struct VariantName(String);

impl Write for VariantName {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            if !char.is_ascii_alphanumeric() {
                return Err(fmt::Error);
            }
            if char.is_ascii_uppercase() && !self.0.is_empty() {
                self.0.push('_');
            }
            self.0.push(char.to_ascii_lowercase());
        }
        Ok(())
    }
}
