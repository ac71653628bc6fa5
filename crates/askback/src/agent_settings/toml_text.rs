//! Adds and removes one table of a TOML text and keeps every other line.

use toml::{Table, Value};

/// The text is not TOML, or the extent of the table is not certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotEditable;

/// The table `parent.name`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableName {
    pub(crate) parent: &'static str,
    pub(crate) name: &'static str,
}

/// Adds the table as `block`, which starts with its header. The text must not have it yet.
pub(crate) fn insert(text: &str, table: TableName, block: &str) -> Result<String, NotEditable> {
    let gap = match text.trim_end() {
        "" => String::new(),
        kept => format!("{kept}\n\n"),
    };
    let changed = format!("{gap}{block}");
    match get(&changed, table)? {
        Some(_) => Ok(changed),
        None => Err(NotEditable),
    }
}

pub(crate) fn get(text: &str, table: TableName) -> Result<Option<Value>, NotEditable> {
    let mut read: Table = toml::from_str(text).map_err(|_| NotEditable)?;
    let parent = read.get_mut(table.parent).and_then(Value::as_table_mut);
    Ok(parent.and_then(|parent| parent.remove(table.name)))
}

/// The keys of the table that are not among those `known`, except for those below a header of their own. A line that is
/// added at the end of a file is in its last table.
pub(crate) fn other_keys(text: &str, table: TableName, known: &[&str]) -> Vec<String> {
    let Ok(Some(Value::Table(found))) = get(text, table) else {
        return Vec::new();
    };
    let TableName { parent, name } = table;
    let has_header = |key: &str| {
        let starts = [']', '.'].map(|end| format!("[{parent}.{name}.{key}{end}"));
        let mut lines = text.lines().map(str::trim_start);
        lines.any(|line| starts.iter().any(|start| line.starts_with(start)))
    };
    let others = found.into_iter().map(|(key, _)| key);
    others
        .filter(|key| !known.contains(&key.as_str()) && !has_header(key))
        .collect()
}

/// Whether the table begins with a header of its own.
pub(crate) fn has_header(text: &str, table: TableName) -> bool {
    let header = format!("[{}.{}]", table.parent, table.name);
    text.lines()
        .any(|line| line.trim_start().starts_with(&header))
}

/// Removes the table, if it is there.
pub(crate) fn remove(text: &str, table: TableName) -> Result<String, NotEditable> {
    let TableName { parent, name } = table;
    let before: Table = toml::from_str(text).map_err(|_| NotEditable)?;
    if get(text, table)?.is_none() {
        return Ok(text.to_owned());
    }
    let own = format!("[{parent}.{name}]");
    let below = format!("[{parent}.{name}.");
    let mut kept = String::new();
    let mut inside = false;
    // Comments and empty lines, which belong to the next table if one follows.
    let mut held = String::new();
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if trimmed.starts_with('[') {
            let is_ours = trimmed.starts_with(&own) || trimmed.starts_with(&below);
            if inside && !is_ours {
                kept.push_str(&held);
            }
            inside = is_ours;
        }
        if !inside {
            kept.push_str(line);
        } else if trimmed.is_empty() || trimmed.starts_with('#') {
            held.push_str(line);
        } else {
            held.clear();
        }
    }
    if inside && held.trim().is_empty() {
        // The empty line before the table was for it.
        kept.truncate(kept.trim_end().len());
        kept.push_str(if kept.is_empty() { "" } else { "\n" });
    } else if inside {
        kept.push_str(&held);
    }
    let mut expected = before;
    if let Some(Value::Table(parents)) = expected.get_mut(parent) {
        parents.remove(name);
        if parents.is_empty() {
            expected.remove(parent);
        }
    }
    let mut found: Table = toml::from_str(&kept).map_err(|_| NotEditable)?;
    let is_empty = |it: &Value| it.as_table().is_some_and(Table::is_empty);
    if found.get(parent).is_some_and(is_empty) {
        found.remove(parent);
    }
    // A line of a multi-line string may look like a header. Then nothing is changed.
    if found == expected {
        Ok(kept)
    } else {
        Err(NotEditable)
    }
}

#[cfg(test)]
#[path = "toml_text_tests.rs"]
mod tests;
