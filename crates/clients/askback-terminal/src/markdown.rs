//! Markdown as rows: headings, lists, quotes, code and emphasis.
//!
//! `CommonMark` with task lists. Everything else, such as tables and HTML, is shown as it was written: no
//! text is lost, and nothing becomes a link or a command of the terminal.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the parser knows many more elements than are enabled here"
)]

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::glyphs::Glyphs;
use crate::row::{Row, Span, Style};
use crate::styled_wrap::{LinePrefix, wrap_spans};

const COLUMNS_MIN: usize = 8;
const RULE_COLUMNS: usize = 24;

/// Renders a text at this width. The caller removes control characters first; those from character
/// references such as `&#27;` are replaced here.
pub fn rows(text: &str, columns: usize, glyphs: &Glyphs) -> Vec<Row> {
    let mut renderer = Renderer {
        text,
        columns: columns.max(COLUMNS_MIN),
        glyphs,
        rows: Vec::new(),
        containers: Vec::new(),
        spans: Vec::new(),
        emphasis: 0,
        heading: false,
        code: None,
        links: Vec::new(),
        shown_links: Vec::new(),
    };
    let mut events = parser(text).into_offset_iter();
    for (event, range) in events.by_ref() {
        renderer.event(event, range);
    }
    // A link definition that no link uses is shown as text.
    for (label, definition) in events.reference_definitions().iter() {
        if !renderer.shown_links.contains(&definition.dest.to_string()) {
            renderer.push_text(&format!("[{label}]: {}", definition.dest), Style::Plain);
            renderer.end_row();
        }
    }
    renderer.rows
}

/// The length of the complete blocks at the start of a text that is still growing. Later text does
/// not change them.
pub fn settled(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut settled = 0;
    for (event, range) in parser(text).into_offset_iter() {
        if depth == 0 && follows_blank_line(text, range.start) {
            settled = range.start;
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    settled
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TASKLISTS)
}

/// Whether the line before the one that holds this byte is blank.
fn follows_blank_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t', '>']);
    let before = before.strip_suffix('\n').unwrap_or("x");
    before.trim_end_matches([' ', '\t', '>']).ends_with('\n')
}

/// A list item or quote around the text, with the prefixes of its rows.
struct Container {
    /// The bullet or number, until the first row has used it.
    first: Option<Row>,
    rest: Row,
    /// The number of the next item, for a list that has numbers.
    number: Option<u64>,
    kind: ContainerKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ContainerKind {
    List,
    Item,
    Quote,
}

struct Renderer<'a> {
    text: &'a str,
    columns: usize,
    glyphs: &'a Glyphs,
    rows: Vec<Row>,
    containers: Vec<Container>,
    spans: Vec<Span>,
    emphasis: usize,
    heading: bool,
    code: Option<String>,
    /// The targets of open links, and how many spans precede each.
    links: Vec<(String, usize)>,
    shown_links: Vec<String>,
}

impl Renderer<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.push_text(&text, self.style()),
            },
            Event::Code(code) => self.push_text(&code, Style::Mark),
            Event::SoftBreak if self.text[range.end..].trim_start().starts_with('|') => {
                self.end_row();
            }
            Event::SoftBreak => self.push_text(" ", self.style()),
            Event::HardBreak => self.end_row(),
            Event::Rule => {
                self.begin_block(range.start);
                let line = if self.glyphs.is_ascii() { "-" } else { "─" };
                let line = line.repeat(self.columns.min(RULE_COLUMNS));
                self.push_text(&line, Style::Border);
                self.end_row();
            }
            Event::TaskListMarker(done) => {
                let mark = if done {
                    self.glyphs.check_on
                } else {
                    self.glyphs.check
                };
                if let Some(item) = self.containers.last_mut() {
                    item.first = Some(Row::new().with(format!("{mark} "), Style::Mark));
                }
            }
            Event::Html(text) | Event::InlineHtml(text) => {
                for line in text.split_inclusive('\n') {
                    self.push_text(line.trim_end_matches('\n'), self.style());
                    if line.ends_with('\n') {
                        self.end_row();
                    }
                }
            }
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.push_text(&text, self.style());
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { .. } => {
                self.begin_block(range.start);
                self.heading = true;
            }
            Tag::CodeBlock(_) => {
                self.begin_block(range.start);
                self.code = Some(String::new());
            }
            Tag::BlockQuote(_) => {
                self.begin_block(range.start);
                let rail = self.rail();
                self.open(None, rail, None, ContainerKind::Quote);
            }
            Tag::List(number) => {
                self.begin_block(range.start);
                self.open(None, Row::new(), number, ContainerKind::List);
            }
            Tag::Item => {
                self.begin_block(range.start);
                self.open_item();
            }
            Tag::Emphasis | Tag::Strong => self.emphasis += 1,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.emphasis += 1;
                self.links.push((dest_url.to_string(), self.spans.len()));
            }
            _ => self.begin_block(range.start),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::BlockQuote(_) | TagEnd::List(_) => {
                self.end_row();
                self.containers.pop();
            }
            TagEnd::Item => {
                // An item without text still shows its bullet.
                if self
                    .containers
                    .last()
                    .is_some_and(|item| item.first.is_some())
                {
                    self.push_text(" ", Style::Plain);
                }
                self.end_row();
                self.containers.pop();
            }
            _ => {
                self.end_row();
                self.heading = false;
            }
        }
    }

    /// Ends the current row, and keeps a blank line that precedes the block in the text.
    fn begin_block(&mut self, at: usize) {
        self.end_row();
        let is_blank = self.rows.last().is_none_or(Row::is_blank);
        if !is_blank && follows_blank_line(self.text, at) {
            self.rows.push(Row::new());
        }
    }

    fn open(&mut self, first: Option<Row>, rest: Row, number: Option<u64>, kind: ContainerKind) {
        self.containers.push(Container {
            first,
            rest,
            number,
            kind,
        });
    }

    fn open_item(&mut self) {
        let list = self.containers.last_mut();
        let number = list.and_then(|list| list.number.as_mut());
        let mark = match number {
            Some(number) => {
                let mark = format!("{number}. ");
                *number += 1;
                mark
            }
            None => format!("{} ", self.glyphs.dot),
        };
        let first = Row::new().with(mark, Style::Mark);
        let rest = Row::new().with(" ".repeat(first.width()), Style::Plain);
        self.open(Some(first), rest, None, ContainerKind::Item);
    }

    fn end_link(&mut self) {
        self.emphasis = self.emphasis.saturating_sub(1);
        let Some((target, before)) = self.links.pop() else {
            return;
        };
        let label: String = self.spans[before..]
            .iter()
            .map(|span| &*span.text)
            .collect();
        if label != target {
            self.push_text(&format!(" ({target})"), Style::Muted);
        }
        self.shown_links.push(target);
    }

    fn end_code(&mut self) {
        let code = self.code.take().unwrap_or_default();
        let rail = self.rail();
        self.open(None, rail, None, ContainerKind::Quote);
        for line in code.lines() {
            self.push_text(&line.replace('\t', "    "), Style::Label);
            self.wrap_row();
        }
        self.containers.pop();
    }

    fn rail(&self) -> Row {
        Row::new().with(format!("{} ", self.glyphs.rail), Style::Border)
    }

    fn style(&self) -> Style {
        let quoted = |container: &Container| container.kind == ContainerKind::Quote;
        if self.emphasis > 0 || self.heading {
            Style::Focused
        } else if self.containers.iter().any(quoted) {
            Style::Muted
        } else {
            Style::Plain
        }
    }

    fn push_text(&mut self, text: &str, style: Style) {
        let text = text.replace(char::is_control, "\u{FFFD}");
        match self.spans.last_mut() {
            Some(last) if last.style == style && self.links.is_empty() => last.text.push_str(&text),
            _ => self.spans.push(Span { text, style }),
        }
    }

    fn end_row(&mut self) {
        if !self.spans.is_empty() {
            self.wrap_row();
        }
    }

    fn wrap_row(&mut self) {
        let mut prefix = LinePrefix::default();
        // Nesting deeper than the width is not shown.
        let widths = self.containers.iter().map(|one| one.rest.width());
        let fits = widths.sum::<usize>() + 2 <= self.columns;
        for container in &mut self.containers {
            let first = container.first.take();
            if fits {
                prefix
                    .first
                    .append(first.as_ref().unwrap_or(&container.rest));
                prefix.rest.append(&container.rest);
            }
        }
        let spans = std::mem::take(&mut self.spans);
        self.rows.extend(wrap_spans(&spans, self.columns, &prefix));
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
