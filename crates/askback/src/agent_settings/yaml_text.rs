//! Adds and removes one entry of a YAML text and keeps every other line.
//!
//! Only the block style that agents write themselves is edited: a key at the start of a line with its
//! entries on the lines below. Everything else is refused, so that nothing is changed by accident.

use std::ops::Range;

/// The text uses a style in which the extent of the entry is not certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotEditable;

/// Where an entry is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) section: &'static str,
    pub(crate) name: &'static str,
    pub(crate) kind: SectionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SectionKind {
    /// A mapping, in which the entry is the value for its name.
    Map,
    /// A list of mappings, of which the entry has its `name`.
    List,
}

impl Place {
    /// The lines of an entry with these fields, below its section.
    fn block(self, fields: &str, indent: usize) -> String {
        let space = " ".repeat(indent);
        let mut lines = fields.lines();
        let mut block = match self.kind {
            SectionKind::Map => format!("{space}{}:\n", self.name),
            SectionKind::List => format!("{space}- {}\n", lines.next().unwrap_or_default()),
        };
        block.extend(lines.map(|line| format!("{space}  {line}\n")));
        block
    }
}

/// Adds the entry with these fields, one per line. The text must not have it yet.
pub(crate) fn insert(text: &str, place: Place, fields: &str) -> Result<String, NotEditable> {
    let lines = lines(text)?;
    if find(&lines, place)?.is_some() {
        return Err(NotEditable);
    }
    let Some(section) = find_section(&lines, place)? else {
        let gap = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let block = place.block(fields, 2);
        return Ok(format!("{text}{gap}{}:\n{block}", place.section));
    };
    let entries = entries(&lines, &section)?;
    let is_item = |entry: &Entry| lines[entry.lines.start].trim_start().starts_with('-');
    // A mapping cannot have list items, nor a list keys.
    if entries
        .iter()
        .any(|entry| is_item(entry) != (place.kind == SectionKind::List))
    {
        return Err(NotEditable);
    }
    let indent = entries.first().map_or(2, |entry| entry.indent);
    let header = format!("{}:\n", place.section);
    let mut changed: String = lines[..section.start].concat();
    // A section without entries may be `{}` or `[]`.
    let is_bare = value_after_key(lines[section.start]).is_empty();
    changed.push_str(if is_bare {
        lines[section.start]
    } else {
        &header
    });
    changed.push_str(&place.block(fields, indent));
    changed.push_str(&lines[section.start + 1..].concat());
    Ok(changed)
}

/// The fields of the entry, as they are given to [`insert`]; none if it is not there.
pub(crate) fn fields(text: &str, place: Place) -> Result<Option<String>, NotEditable> {
    let lines = lines(text)?;
    let Some((_, entry)) = find(&lines, place)? else {
        return Ok(None);
    };
    let indent = entry.indent + 2;
    let first = usize::from(place.kind == SectionKind::Map);
    let fields = lines[entry.lines].iter().skip(first);
    Ok(Some(fields.filter_map(|line| line.get(indent..)).collect()))
}

/// Removes the entry, if it is there, and its section if nothing else is in it.
pub(crate) fn remove(text: &str, place: Place) -> Result<String, NotEditable> {
    let lines = lines(text)?;
    let Some((section, entry)) = find(&lines, place)? else {
        return Ok(text.to_owned());
    };
    let mut rest = section.start + 1..section.end;
    let is_alone = !lines[section.start].contains('#')
        && rest.all(|number| entry.lines.contains(&number) || lines[number].trim().is_empty());
    let is_only_entry = entries(&lines, &section)?.len() == 1;
    let value = match place.kind {
        SectionKind::Map => "{}",
        SectionKind::List => "[]",
    };
    let empty = format!("{}: {value}\n", place.section);
    let mut kept = lines.clone();
    kept.drain(entry.lines);
    if is_alone {
        kept.remove(section.start);
    } else if is_only_entry {
        // Agents refuse a section that is null.
        kept[section.start] = &empty;
    }
    Ok(kept.concat())
}

/// The section and the entry in it; none if it is not there.
fn find(lines: &[&str], place: Place) -> Result<Option<(Range<usize>, Entry)>, NotEditable> {
    let Some(section) = find_section(lines, place)? else {
        return Ok(None);
    };
    let name = |entry: &Entry| match place.kind {
        SectionKind::Map => key(lines[entry.lines.start]),
        SectionKind::List => item_name(&lines[entry.lines.clone()]),
    };
    let entries = entries(lines, &section)?;
    let mut wanted = entries
        .into_iter()
        .filter(|entry| name(entry) == Some(place.name));
    match (wanted.next(), wanted.next()) {
        (None, _) => Ok(None),
        (Some(entry), None) => Ok(Some((section, entry))),
        (Some(_), Some(_)) => Err(NotEditable),
    }
}

/// The lines with their ends. Tabs, further documents and Windows line ends are not edited.
fn lines(text: &str) -> Result<Vec<&str>, NotEditable> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let unusual = |(number, line): (usize, &&str)| {
        let later_document = number > 0 && (line.starts_with("---") || line.starts_with("..."));
        later_document || line.contains('\t') || line.contains('\r') || line.starts_with('{')
    };
    if lines.iter().enumerate().any(unusual) {
        return Err(NotEditable);
    }
    Ok(lines)
}

fn is_content(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The key of a line such as `name: value` or `"name":`.
fn key(line: &str) -> Option<&str> {
    let (key, rest) = line.trim().split_once(':')?;
    let is_key = rest.is_empty() || rest.starts_with(' ');
    is_key.then(|| unquoted(key.trim()))
}

fn unquoted(word: &str) -> &str {
    let stripped = |quote| {
        let word: Option<&str> = word.strip_prefix(quote);
        word.and_then(|word| word.strip_suffix(quote))
    };
    stripped('"').or_else(|| stripped('\'')).unwrap_or(word)
}

/// What follows the key of a line, without a comment.
fn value_after_key(line: &str) -> &str {
    let value = line.trim().split_once(':').map_or("", |(_, value)| value);
    let value = value.trim();
    if value.starts_with('#') { "" } else { value }
}

/// The line with the key of the section, and the lines below that belong to it.
fn find_section(lines: &[&str], place: Place) -> Result<Option<Range<usize>>, NotEditable> {
    let starts: Vec<usize> = (0..lines.len())
        .filter(|number| {
            let line = lines[*number];
            indent_of(line) == 0 && is_content(line) && key(line) == Some(place.section)
        })
        .collect();
    let start = match starts.as_slice() {
        [] => return Ok(None),
        [start] => *start,
        _ => return Err(NotEditable),
    };
    let is_empty = matches!(value_after_key(lines[start]), "{}" | "[]" | "null" | "~");
    if !is_empty && !value_after_key(lines[start]).is_empty() {
        return Err(NotEditable);
    }
    let is_next_key =
        |line: &&str| is_content(line) && indent_of(line) == 0 && !line.starts_with("- ");
    let length = lines[start + 1..].iter().position(is_next_key);
    let end = length.map_or(lines.len(), |length| start + 1 + length);
    Ok(Some(start..end))
}

struct Entry {
    indent: usize,
    lines: Range<usize>,
}

/// The entries of a section. Comments and empty lines after an entry do not belong to it.
fn entries(lines: &[&str], section: &Range<usize>) -> Result<Vec<Entry>, NotEditable> {
    let content: Vec<usize> = (section.start + 1..section.end)
        .filter(|number| is_content(lines[*number]))
        .collect();
    let Some(first) = content.first() else {
        return Ok(Vec::new());
    };
    let indent = indent_of(lines[*first]);
    let mut entries: Vec<Entry> = Vec::new();
    for number in content {
        match indent_of(lines[number]) {
            deeper if deeper > indent => {
                let entry = entries.last_mut().ok_or(NotEditable)?;
                entry.lines.end = number + 1;
            }
            same if same == indent => entries.push(Entry {
                indent,
                lines: number..number + 1,
            }),
            _ => return Err(NotEditable),
        }
    }
    Ok(entries)
}

/// The `name` of a list item.
fn item_name<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let indent = indent_of(lines.first()?) + 2;
    let fields = lines.iter().filter_map(|line| {
        let is_field = indent_of(line) == indent || line.trim_start().starts_with("- ");
        is_field.then(|| line.trim().trim_start_matches("- "))
    });
    let mut names = fields.filter(|field| key(field) == Some("name"));
    names.next().map(|field| unquoted(value_after_key(field)))
}

#[cfg(test)]
#[path = "yaml_text_tests.rs"]
mod tests;
