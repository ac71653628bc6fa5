//! Quoting for the command lines that are shown or written.

/// The value as one word of a POSIX shell.
pub(crate) fn shell_quoted(value: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./:,=+%@".contains(char);
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    format!("'{}'", value.replace('\'', r"'\''"))
}
