//! The preview of a choice as rows: Markdown, diffs and code. Every line of the text stays a line of
//! its own, because previews often are drawings made of characters.

use askback_terminal::glyphs::Glyphs;
use askback_terminal::markdown;
use askback_terminal::row::{Row, Style};
use askback_terminal::wrap::wrapped;

/// Characters that may be Markdown anywhere in a line.
const INLINE: [char; 8] = ['*', '_', '`', '[', '<', '\\', '&', '!'];

/// What the lines of a code block are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    Diff,
    Other,
}

/// The first `rows_max` rows at this width.
pub(super) fn rows(text: &str, columns: usize, glyphs: &Glyphs, rows_max: usize) -> Vec<Row> {
    let whole_diff = is_diff(text).then_some(Code::Diff);
    let mut fence: Option<(&str, Code)> = None;
    let mut rows = Vec::new();
    for line in text.lines() {
        if rows.len() >= rows_max {
            break;
        }
        if let Some((open, _)) = fence
            && line.trim_start().starts_with(open)
        {
            fence = None;
        } else if let Some((_, code)) = fence {
            let rail = Row::new().with(format!("{} ", glyphs.rail), Style::Border);
            rows.extend(code_rows(line, columns, code, &rail));
        } else if let Some(code) = whole_diff {
            rows.extend(code_rows(line, columns, code, &Row::new()));
        } else if let Some(opened) = fence_of(line) {
            fence = Some(opened);
        } else {
            rows.extend(text_rows(line, columns, glyphs));
        }
    }
    rows.truncate(rows_max);
    rows
}

/// Whether the text is a unified diff without a code block around it.
fn is_diff(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end).peekable();
    while let Some(line) = lines.next() {
        let header =
            line.starts_with("--- ") && lines.peek().is_some_and(|next| next.starts_with("+++ "));
        if header || line.starts_with("diff --git ") || line.starts_with("@@ -") {
            return true;
        }
        if fence_of(line).is_some() {
            return false;
        }
    }
    false
}

fn fence_of(line: &str) -> Option<(&'static str, Code)> {
    let line = line.trim();
    let fence = ["```", "~~~"]
        .into_iter()
        .find(|fence| line.starts_with(fence))?;
    let language = line.trim_start_matches(['`', '~']).trim();
    let code = match language {
        "diff" | "patch" => Code::Diff,
        _ => Code::Other,
    };
    Some((fence, code))
}

fn code_rows(line: &str, columns: usize, code: Code, lead: &Row) -> Vec<Row> {
    let style = match code {
        Code::Diff => diff_style(line),
        Code::Other => Style::Plain,
    };
    let line = line.replace('\t', "    ");
    let room = columns.saturating_sub(lead.width()).max(1);
    let lines = wrapped(&line, room).into_iter();
    lines.map(|line| lead.clone().with(line, style)).collect()
}

fn diff_style(line: &str) -> Style {
    let headers = ["diff ", "index ", "--- ", "+++ "];
    if headers.iter().any(|header| line.starts_with(header)) {
        Style::Muted
    } else if line.starts_with("@@") {
        Style::Mark
    } else if line.starts_with('+') {
        Style::Success
    } else if line.starts_with('-') {
        Style::Error
    } else {
        Style::Plain
    }
}

/// One line of Markdown. Its indentation is kept.
fn text_rows(line: &str, columns: usize, glyphs: &Glyphs) -> Vec<Row> {
    let line = line.replace('\t', "    ");
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let plain = |line: &str| -> Vec<Row> {
        let lines = wrapped(line, columns).into_iter();
        lines
            .map(|line| Row::new().with(line, Style::Plain))
            .collect()
    };
    let marked = text.contains(INLINE)
        || text.starts_with(['#', '>', '-', '+'])
        || text.starts_with(|first: char| first.is_ascii_digit());
    if !marked || indent + 8 > columns {
        return plain(&line);
    }
    let rows = markdown::rows(text, columns - indent, glyphs);
    if rows.is_empty() {
        return plain(&line);
    }
    let indented = rows.iter().map(|row| {
        let mut lead = Row::new().with(" ".repeat(indent), Style::Plain);
        lead.append(row);
        lead
    });
    indented.collect()
}

#[cfg(test)]
#[path = "preview_text_tests.rs"]
mod tests;
