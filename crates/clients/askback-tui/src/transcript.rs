//! The transcript. Each entry is printed once into the scrollback; the message that the agent is
//! writing is kept separate until it is complete.

use std::collections::HashSet;

use askback_core::id::InquiryId;
use askback_core::text::{Lines, clean};
use askback_wire::block::{BlockResponse, BlockStatus, BlockType};
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::message::{MessageResponse, Role};

use askback_terminal::glyphs::Glyphs;
use askback_terminal::markdown;
use askback_terminal::row::{Row, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrap_row};

/// Columns before messages of the agent and of the user.
const INDENT: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    User(String),
    Agent(String),
    /// A tool that ran, a question that was resolved, an error.
    Lines {
        rows: Vec<Row>,
        kind: Kind,
    },
}

/// The kind of lines. No blank row separates lines of the same kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    Ended,
    Notice,
    /// A URL or command. It is never wrapped, so that the terminal recognises it.
    Address,
}

/// Finds a resolved question, with its lines.
pub(crate) type Ended<'a> = &'a dyn Fn(&InquiryId) -> Option<(InquiryResponse, Vec<Row>)>;

#[derive(Debug, Default)]
struct Stream {
    /// The sequence number after which the reply began.
    after: Option<u64>,
    text: String,
    /// The length of the text that was already added as entries.
    kept: usize,
    /// Whether its beginning was missed, so that only the complete message can be shown.
    cut: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Transcript {
    entries: Vec<Entry>,
    printed: usize,
    stream: Stream,
    /// The newest sequence number of the conversation.
    newest: u64,
    seen: HashSet<String>,
    ended: HashSet<InquiryId>,
    /// Whether the next user message repeats an answer that is already shown.
    echo: bool,
}

impl Transcript {
    /// Continues below the transcript of another conversation.
    pub(crate) fn after(before: Transcript) -> Transcript {
        Transcript {
            entries: before.entries,
            printed: before.printed,
            ..Transcript::default()
        }
    }

    pub(crate) fn note(&mut self, rows: Vec<Row>, kind: Kind) {
        self.entries.push(Entry::Lines { rows, kind });
    }

    /// Adds a part of the agent's message. Tokens and messages come by different ways, so a token may
    /// come after its message: then its text is already here.
    pub(crate) fn token(&mut self, after: Option<u64>, text: &str) {
        if after.is_some_and(|after| after < self.newest) {
            return;
        }
        if self.stream.after != after {
            if self.stream.after.is_some() {
                self.stream = Stream::default();
            }
            self.stream.after = after;
        }
        self.stream.text.push_str(text);
        let kept = self.stream.kept;
        let whole = kept + markdown::settled(&self.stream.text[kept..]);
        if !self.stream.cut && whole > kept {
            let text = self.stream.text[kept..whole].trim().to_owned();
            self.stream.kept = whole;
            if !text.is_empty() {
                self.entries.push(Entry::Agent(text));
            }
        }
    }

    /// The agent starts a message; an unfinished one is discarded. The first tokens of the new one may
    /// be here already: they came after the sequence number of the start, if it is known.
    pub(crate) fn begin_reply(&mut self, sequence: Option<u64>) {
        if sequence.is_none() || self.stream.after < sequence {
            self.stream = Stream::default();
        }
    }

    /// The agent is in the middle of a message, of which a part was missed.
    pub(crate) fn join_reply(&mut self) {
        self.stream.text.truncate(self.stream.kept);
        self.stream.cut = true;
    }

    /// The conversation is known up to this sequence number.
    pub(crate) fn advance(&mut self, sequence: Option<u64>) {
        self.newest = self.newest.max(sequence.unwrap_or(0));
    }

    /// Adds the outcome of a question. Returns false if it was already added.
    pub(crate) fn end(&mut self, found: &InquiryResponse, rows: Vec<Row>) -> bool {
        if !self.ended.insert(found.id.clone()) {
            return false;
        }
        // In this dialect, the answer becomes the next user message.
        self.echo = found.flags.takes_message && found.status == InquiryStatus::Answered;
        self.note(rows, Kind::Ended);
        true
    }

    /// Adds a new or changed message. Returns the text of a new user message.
    pub(crate) fn take(
        &mut self,
        message: &MessageResponse,
        glyphs: &Glyphs,
        ended: Ended<'_>,
    ) -> Option<String> {
        let mut said = None;
        for (at, block) in message.blocks.iter().enumerate() {
            match (&block.kind, &message.role) {
                (BlockType::Content, Role::User) => {
                    if self.is_new(&format!("{} {at}", message.id)) {
                        said = self.user(&block.text);
                    }
                }
                (BlockType::Content | BlockType::Unknown(_), _) => {
                    if self.is_new(&format!("{} {at}", message.id)) {
                        self.agent(&block.text);
                    }
                }
                (BlockType::ToolCall, _) => self.tool(block, glyphs),
                (BlockType::Error, _) => {
                    if self.is_new(&format!("{} error {at}", message.id)) {
                        self.note(vec![error_row(glyphs, &block.text)], Kind::Notice);
                    }
                }
                (BlockType::Action, _) => {
                    if let Some((found, rows)) = block.inquiry_id().and_then(ended) {
                        self.end(&found, rows);
                    }
                }
            }
        }
        said
    }

    fn is_new(&mut self, key: &str) -> bool {
        self.seen.insert(key.to_owned())
    }

    fn user(&mut self, text: &str) -> Option<String> {
        if std::mem::take(&mut self.echo) {
            return None;
        }
        self.entries.push(Entry::User(text.to_owned()));
        Some(text.to_owned())
    }

    /// Adds the part of a complete message that was not shown yet.
    fn agent(&mut self, text: &str) {
        let stream = std::mem::take(&mut self.stream);
        let shown = clean(&stream.text[..stream.kept], Lines::Many);
        let shown = shown.trim();
        let rest = text.trim_start().strip_prefix(shown).unwrap_or(text);
        let text = rest.trim().to_owned();
        if !text.is_empty() {
            self.entries.push(Entry::Agent(text));
        }
    }

    fn tool(&mut self, block: &BlockResponse, glyphs: &Glyphs) {
        let Some(call) = &block.tool_call else {
            return;
        };
        let (mark, style) = match block.status {
            Some(BlockStatus::Success) => (glyphs.done, Style::Success),
            Some(BlockStatus::Error | BlockStatus::Denied) => (glyphs.failed, Style::Error),
            Some(BlockStatus::Pending | BlockStatus::Loading | BlockStatus::Unknown(_)) | None => {
                return;
            }
        };
        if !self.is_new(&call.id.to_string()) {
            return;
        }
        let agents: Vec<&str> = call.agents.iter().map(|one| one.name.as_str()).collect();
        let mut row = Row::new().with(format!("{mark} "), style);
        row.push(call.name.clone(), Style::Muted);
        let detail = if agents.is_empty() {
            first_line(call.result.as_deref().filter(|_| style == Style::Error))
        } else {
            agents.join(", ")
        };
        if !detail.is_empty() {
            row.push(format!(": {detail}"), Style::Muted);
        }
        self.note(vec![row], Kind::Tool);
    }

    /// The rows of entries that were not printed yet; marks them as printed.
    pub(crate) fn print(&mut self, columns: usize, glyphs: &Glyphs) -> Vec<Row> {
        let from = std::mem::replace(&mut self.printed, self.entries.len());
        self.rows_from(from, columns, glyphs)
    }

    fn rows_from(&self, from: usize, columns: usize, glyphs: &Glyphs) -> Vec<Row> {
        let mut rows = Vec::new();
        for (at, entry) in self.entries.iter().enumerate().skip(from) {
            let before = at.checked_sub(1).map(|at| &self.entries[at]);
            let together = match (before, entry) {
                (None, _) => true,
                (Some(Entry::Lines { kind: a, .. }), Entry::Lines { kind: b, .. }) => a == b,
                (Some(_), _) => false,
            };
            if !together {
                rows.push(Row::new());
            }
            rows.extend(entry_rows(entry, columns, glyphs));
        }
        rows
    }

    /// The rows of the message that the agent is writing.
    pub(crate) fn live(&self, columns: usize, glyphs: &Glyphs) -> Vec<Row> {
        let text = &self.stream.text[self.stream.kept..];
        let rows = agent_rows(text.trim_start_matches('\n'), columns, glyphs);
        if rows.is_empty() {
            return rows;
        }
        let mut spaced = vec![Row::new()];
        spaced.extend(rows);
        spaced
    }
}

fn entry_rows(entry: &Entry, columns: usize, glyphs: &Glyphs) -> Vec<Row> {
    match entry {
        Entry::User(text) => {
            let mark = Row::new().with(format!("{} ", glyphs.field), Style::Mark);
            let text = clean(text, Lines::Many);
            LinePrefix::hanging(mark).wrap(text, columns, Style::Focused)
        }
        Entry::Agent(text) => agent_rows(text, columns, glyphs),
        Entry::Lines {
            rows,
            kind: Kind::Address,
        } => rows.clone(),
        Entry::Lines { rows, .. } => rows.iter().flat_map(|row| wrap_row(row, columns)).collect(),
    }
}

fn agent_rows(text: &str, columns: usize, glyphs: &Glyphs) -> Vec<Row> {
    let inner = columns.saturating_sub(INDENT);
    let rows = markdown::rows(&clean(text, Lines::Many), inner, glyphs);
    rows.iter().map(|row| row.indented(INDENT)).collect()
}

pub(crate) fn error_row(glyphs: &Glyphs, text: &str) -> Row {
    Row::new()
        .with(format!("{} ", glyphs.failed), Style::Error)
        .with(clean(text, Lines::One), Style::Plain)
}

fn first_line(text: Option<&str>) -> String {
    let line = text
        .and_then(|text| text.lines().next())
        .unwrap_or_default();
    clean(line, Lines::One)
}

#[cfg(test)]
#[path = "transcript_tests.rs"]
mod tests;
