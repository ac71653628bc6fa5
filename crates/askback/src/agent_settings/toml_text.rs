//! Edits one table of a TOML text and keeps every other line.

use toml::Table;

/// The text is not TOML, or the extent of the table is not certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotEditable;

/// Sets the table `parent.name` to `block`, which starts with its header.
pub(crate) fn set(
    text: &str,
    (parent, name): (&str, &str),
    block: &str,
) -> Result<String, NotEditable> {
    let without = remove(text, (parent, name))?.unwrap_or_else(|| text.to_owned());
    let gap = match without.trim_end() {
        "" => String::new(),
        kept => format!("{kept}\n\n"),
    };
    let changed = format!("{gap}{block}");
    let read: Table = toml::from_str(&changed).map_err(|_| NotEditable)?;
    match read.get(parent).and_then(|parent| parent.get(name)) {
        Some(_) => Ok(changed),
        None => Err(NotEditable),
    }
}

pub(crate) fn has(text: &str, (parent, name): (&str, &str)) -> bool {
    let read: Result<Table, _> = toml::from_str(text);
    read.is_ok_and(|read| read.get(parent).is_some_and(|it| it.get(name).is_some()))
}

/// Removes the table; none if it is not there.
pub(crate) fn remove(
    text: &str,
    (parent, name): (&str, &str),
) -> Result<Option<String>, NotEditable> {
    let before: Table = toml::from_str(text).map_err(|_| NotEditable)?;
    if !has(text, (parent, name)) {
        return Ok(None);
    }
    let own = format!("[{parent}.{name}]");
    let below = format!("[{parent}.{name}.");
    let mut kept = String::new();
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if trimmed.starts_with('[') {
            inside = trimmed.starts_with(&own) || trimmed.starts_with(&below);
        }
        if !inside {
            kept.push_str(line);
        }
    }
    let mut expected = before;
    if let Some(toml::Value::Table(parents)) = expected.get_mut(parent) {
        parents.remove(name);
        if parents.is_empty() {
            expected.remove(parent);
        }
    }
    let mut found: Table = toml::from_str(&kept).map_err(|_| NotEditable)?;
    let is_empty = |it: &toml::Value| it.as_table().is_some_and(Table::is_empty);
    if found.get(parent).is_some_and(is_empty) {
        found.remove(parent);
    }
    // A line of a multi-line string may look like a header. Then nothing is changed.
    if found == expected {
        Ok(Some(kept))
    } else {
        Err(NotEditable)
    }
}

#[cfg(test)]
#[path = "toml_text_tests.rs"]
mod tests;
