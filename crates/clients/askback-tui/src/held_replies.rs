//! The replies of a screen that can still be undone, and the line that offers to undo them.

use std::time::Duration;

use askback_core::id::InquiryId;
use askback_locale::Locale;
use askback_wire::inquiry::InquiryResponse;

use crate::outcome_lines::{self, AnsweredFrom};
use crate::screen_config::ScreenConfig;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::Row;
use askback_terminal::width::{clip, text_width};

/// A reply that the server holds until the undo window ends.
#[derive(Debug)]
struct HeldReply {
    id: InquiryId,
    line: String,
    until: MonotonicTime,
    /// All replies of a batch are undone together.
    batch: usize,
}

/// The last replies, while they can be undone.
#[derive(Debug, Default)]
pub(crate) struct HeldReplies {
    held: Vec<HeldReply>,
    /// Counts the batches: those that were sent together are undone together, the last one first.
    last_batch: usize,
}

impl HeldReplies {
    /// What is sent from now on is a batch of its own.
    pub(crate) fn begin_batch(&mut self) {
        self.last_batch += 1;
    }

    /// The number of the last batch; 0 if nothing was sent.
    pub(crate) fn last_batch(&self) -> usize {
        self.last_batch
    }

    /// Adds a reply, or replaces the one to the same question. `lines` is what was answered.
    pub(crate) fn add(&mut self, id: InquiryId, lines: &[Row], until: MonotonicTime, batch: usize) {
        self.remove(&id);
        let lines: Vec<String> = lines.iter().map(Row::text).collect();
        let line = lines.join("  ").replace('\n', " ");
        self.held.push(HeldReply {
            id,
            line,
            until,
            batch,
        });
    }

    /// Forgets a reply that was undone or took effect.
    pub(crate) fn remove(&mut self, id: &InquiryId) {
        self.held.retain(|held| held.id != *id);
    }

    /// Forgets all replies.
    pub(crate) fn clear(&mut self) {
        self.held.clear();
    }

    /// Whether a reply can be undone.
    pub(crate) fn can_undo(&self, now: MonotonicTime) -> bool {
        self.held.iter().any(|held| held.until > now)
    }

    /// Removes and returns the questions of the last batch. Called again, those of the batch before.
    pub(crate) fn take_last_batch(&mut self, now: MonotonicTime) -> Vec<InquiryId> {
        self.held.retain(|held| held.until > now);
        let last = self.held.iter().map(|held| held.batch).max();
        let is_last = |held: &mut HeldReply| Some(held.batch) == last;
        let taken = self.held.extract_if(.., is_last);
        taken.map(|held| held.id).collect()
    }

    /// The last reply of the last batch.
    fn last(&self) -> Option<&HeldReply> {
        self.held.iter().max_by_key(|held| held.batch)
    }

    /// The line that offers to undo the last reply; `None` if it is too late.
    pub(crate) fn line(
        &self,
        now: MonotonicTime,
        config: &ScreenConfig,
        keys: &str,
        columns: usize,
    ) -> Option<String> {
        let held = self.last()?;
        let together = self.held.iter().filter(|other| other.batch == held.batch);
        let line = match together.count() {
            1 => held.line.clone(),
            count => format!("{} ({count})", held.line),
        };
        let seconds = seconds_left(held.until, now)?;
        // If it is too long, the answer is cut, never the key.
        let write = |answered: &str| {
            let args = [
                ("line", answered.into()),
                ("keys", keys.into()),
                ("seconds", seconds.into()),
            ];
            config.text("inbox-undo", &args)
        };
        let room = columns.saturating_sub(text_width(&write("")));
        Some(write(&clip(&line, room, config.glyphs.more)))
    }

    /// The time until [`Self::line`] changes: each second, and at the end.
    pub(crate) fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        next_second(self.last()?.until, now)
    }
}

/// The lines for a reply that is held.
pub fn held_lines(
    locale: Locale,
    glyphs: &Glyphs,
    inquiry: &InquiryResponse,
    whose: AnsweredFrom,
) -> Vec<Row> {
    let Some(held) = &inquiry.held else {
        return Vec::new();
    };
    let mut found = inquiry.clone();
    found.outcome = Some(held.outcome.clone());
    found.answered_by.clone_from(&held.answered_by);
    found.surface = Some(held.surface.clone());
    outcome_lines::lines(locale, glyphs, &found, whose)
}

/// The whole seconds left, rounded up; `None` at the end.
pub(crate) fn seconds_left(until: MonotonicTime, now: MonotonicTime) -> Option<usize> {
    let left = until.saturating_sub(now);
    let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    usize::try_from(seconds).ok().filter(|left| *left > 0)
}

/// The time until [`seconds_left`] changes.
pub(crate) fn next_second(until: MonotonicTime, now: MonotonicTime) -> Option<Duration> {
    let left = until.saturating_sub(now);
    let part = Duration::from_nanos(u64::from(left.subsec_nanos()));
    (!left.is_zero()).then(|| {
        if part.is_zero() {
            Duration::from_secs(1)
        } else {
            part
        }
    })
}
