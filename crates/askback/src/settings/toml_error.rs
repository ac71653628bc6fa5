//! What is wrong with a configuration file, and where, without its content: any line may have a secret.

use anyhow::anyhow;
use serde::de::DeserializeOwned;

/// Reads a TOML text. The error names the line and the column, and quotes nothing of the text.
pub(crate) fn read_toml<T: DeserializeOwned>(text: &str) -> anyhow::Result<T> {
    toml::from_str(text).map_err(|error| {
        let message = without_values(error.message());
        let before = error.span().and_then(|span| text.get(..span.start));
        match before {
            Some(before) => {
                let line = before.matches('\n').count() + 1;
                let last = before.rsplit('\n').next().unwrap_or_default();
                let column = last.chars().count() + 1;
                anyhow!("line {line}, column {column}: {message}")
            }
            None => anyhow!("{message}"),
        }
    })
}

/// Errors about types and variants name the value that was found, which may be a secret.
pub(crate) fn without_values(message: &str) -> String {
    let message = message.lines().next().unwrap_or_default();
    let found = ["invalid type", "invalid value", "unknown variant"];
    match found.iter().find(|found| message.starts_with(**found)) {
        Some(found) => match message.rfind("expected ") {
            Some(expected) => format!("{found}, {}", &message[expected..]),
            None => (*found).to_owned(),
        },
        None => message.to_owned(),
    }
}

#[cfg(test)]
#[path = "toml_error_tests.rs"]
mod tests;
