//! What agents write, as rows: headings, lists, quotes, code and emphasis. Whatever is not known is
//! shown as it stands; no text is ever lost or acted on.

mod inline;

use crate::glyphs::Glyphs;
use crate::row::{Row, Span, Style};
use crate::styled_wrap::{LinePrefix, wrap_spans};
use inline::spans;

/// The rows of a text at this width. The caller removes control characters first.
pub fn rows(text: &str, columns: usize, glyphs: &Glyphs) -> Vec<Row> {
    let mut reader = Reader {
        columns: columns.max(8),
        glyphs,
        rows: Vec::new(),
        paragraph: Vec::new(),
        fence: None,
        gap: false,
    };
    for line in text.lines() {
        reader.line(line);
    }
    reader.end_paragraph();
    reader.rows
}

/// Up to where a text that still grows is made of whole blocks, so that nothing that comes later
/// changes how they look.
pub fn settled(text: &str) -> usize {
    let mut fence: Option<Fence> = None;
    let mut at = 0;
    let mut whole = 0;
    for line in text.split_inclusive('\n') {
        let ended = line.ends_with('\n');
        at += line.len();
        let line = line.trim_end();
        match &fence {
            Some(open) if open.closes(line) => fence = None,
            Some(_) => continue,
            None => fence = Fence::opens(line),
        }
        if ended && fence.is_none() && line.is_empty() {
            whole = at;
        }
    }
    whole
}

/// A block of code that is open.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opens(line: &str) -> Option<Fence> {
        let line = line.trim_start();
        let mark = line.chars().next().filter(|ch| matches!(ch, '`' | '~'))?;
        let length = line.chars().take_while(|ch| *ch == mark).count();
        let info = line.trim_start_matches(mark);
        (length >= 3 && !info.contains('`')).then_some(Fence { mark, length })
    }

    fn closes(&self, line: &str) -> bool {
        let line = line.trim();
        line.chars().count() >= self.length && line.chars().all(|ch| ch == self.mark)
    }
}

struct Reader<'a> {
    columns: usize,
    glyphs: &'a Glyphs,
    rows: Vec<Row>,
    paragraph: Vec<String>,
    fence: Option<Fence>,
    /// Whether an empty line came since the last row.
    gap: bool,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        if let Some(fence) = &self.fence {
            if fence.closes(line) {
                self.fence = None;
            } else {
                self.code(line);
            }
            return;
        }
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.end_paragraph();
            self.gap = !self.rows.is_empty();
        } else if let Some(fence) = Fence::opens(line) {
            self.end_paragraph();
            self.fence = Some(fence);
        } else if is_rule(trimmed) {
            self.end_paragraph();
            let width = self.columns.min(24);
            self.push(vec![Row::new().with(self.rule(width), Style::Border)]);
        } else if let Some(heading) = heading(trimmed) {
            self.end_paragraph();
            let spans = spans(heading, Style::Focused);
            self.put(&spans, &LinePrefix::default());
        } else if let Some((indent, mark, rest)) = self.item(line) {
            self.end_paragraph();
            let mark = Row::new()
                .with(" ".repeat(indent), Style::Plain)
                .with(format!("{mark} "), Style::Mark);
            self.put(&spans(rest, Style::Plain), &LinePrefix::hanging(mark));
        } else if let Some(quoted) = trimmed.strip_prefix('>') {
            self.end_paragraph();
            let rail = Row::new().with(format!("{} ", self.glyphs.rail), Style::Border);
            self.put(
                &spans(quoted.trim_start(), Style::Muted),
                &LinePrefix::all(rail),
            );
        } else if trimmed.starts_with('|') {
            self.end_paragraph();
            self.put(&spans(trimmed, Style::Plain), &LinePrefix::default());
        } else {
            let hard = line.ends_with("  ") || line.ends_with('\\');
            self.paragraph
                .push(trimmed.trim_end_matches('\\').to_owned());
            if hard {
                self.end_paragraph();
            }
        }
    }

    fn end_paragraph(&mut self) {
        if self.paragraph.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.paragraph).join(" ");
        self.put(&spans(&text, Style::Plain), &LinePrefix::default());
    }

    fn code(&mut self, line: &str) {
        let rail = Row::new().with(format!("{} ", self.glyphs.rail), Style::Border);
        let code = [Span {
            text: line.replace('\t', "    "),
            style: Style::Label,
        }];
        self.put(&code, &LinePrefix::all(rail));
    }

    fn put(&mut self, spans: &[Span], lead: &LinePrefix) {
        let rows = wrap_spans(spans, self.columns, lead);
        self.push(rows);
    }

    fn push(&mut self, rows: Vec<Row>) {
        if std::mem::take(&mut self.gap) {
            self.rows.push(Row::new());
        }
        self.rows.extend(rows);
    }

    fn rule(&self, width: usize) -> String {
        let dash = if self.glyphs.is_ascii() { "-" } else { "─" };
        dash.repeat(width)
    }

    /// An item of a list: how far it is indented, its mark, and its text.
    fn item<'l>(&self, line: &'l str) -> Option<(usize, String, &'l str)> {
        let text = line.trim_start();
        let indent = (line.len() - text.len()).min(8);
        let bullet = ["- ", "* ", "+ "].iter().find_map(|b| text.strip_prefix(b));
        if let Some(rest) = bullet {
            let rest = rest.trim();
            return match rest.get(..4) {
                Some("[ ] ") => Some((indent, self.glyphs.check.to_owned(), &rest[4..])),
                Some("[x] " | "[X] ") => {
                    Some((indent, self.glyphs.check_on.to_owned(), &rest[4..]))
                }
                _ => Some((indent, self.glyphs.dot.to_owned(), rest)),
            };
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = text.get(digits..)?;
        let rest = rest
            .strip_prefix(". ")
            .or_else(|| rest.strip_prefix(") "))?;
        (1..=3)
            .contains(&digits)
            .then(|| (indent, format!("{}.", &text[..digits]), rest.trim()))
    }
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let text = text.strip_prefix(' ')?;
    (1..=6)
        .contains(&level)
        .then(|| text.trim().trim_end_matches('#').trim_end())
}

fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|ch| *ch != ' ');
    let first = marks.next();
    matches!(first, Some('-' | '*' | '_'))
        && marks.clone().count() >= 2
        && marks.all(|ch| Some(ch) == first)
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
