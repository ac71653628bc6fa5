//! The inbox: every question that waits, of all agents, answered one after the other. Like the chat
//! it has neither a terminal nor a network of its own.

mod ended_elsewhere;
mod key_help;
mod keys;
mod lines;
mod undo;
mod view;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::time::Duration;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_locale::{Arg, Locale};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::link::LinkResponse;
use jiff::civil::Date;

use crate::deadline::Deadline;
use crate::ended::{self, Whose};
use crate::keymap::{Action, Keymap, Mode};
use crate::prompt::{Border, EscAtTop, Kept, Options, Prompt, Reaction, Room};
use crate::reply::{Reply, Target};
use crate::typeahead::TypeaheadGuard;
use askback_terminal::app::{Scene, Want};
use askback_terminal::clock::Moment;
use askback_terminal::editor::Edited;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::Event;
use askback_terminal::row::{Frame, Row, Size};
use askback_terminal::surface::FRAME_MIN;

pub use lines::{LineInbox, Step, Waiting};

/// How an inbox is set up.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The language.
    pub locale: Locale,
    /// The marks.
    pub glyphs: Glyphs,
    /// Today, where the user is.
    pub today: Date,
    /// How long no key may come before those that answer are heard.
    pub quiet: Duration,
    /// The keys.
    pub keymap: Keymap,
    /// What is drawn around a question.
    pub border: Border,
}

/// What an inbox wants done.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Reply to a question.
    Reply(Target, Reply),
    /// Keep a half-typed answer.
    Draft(InquiryId, u32, Draft),
    /// A key stopped the deadline of a question.
    KeepOpen(InquiryId),
    /// Have a link to a question made, for another device.
    Share(InquiryId),
    /// Take back what was sent for a question.
    Undo(InquiryId),
    /// Tell how a question ended that is no longer listed; it comes as [`News::Ended`].
    Read(InquiryId),
}

/// Something an inbox is told.
#[derive(Debug)]
pub enum News {
    /// A question waits, with what was typed to answer it, and its deadline.
    Asked(Box<InquiryResponse>, Option<Draft>, Option<Deadline>),
    /// A question has a reply that can be taken back until then.
    Held(Box<InquiryResponse>, Moment),
    /// The reply to a question was taken back.
    Reopened(InquiryId),
    /// A question is over.
    Ended(Box<InquiryResponse>),
    /// These questions wait, and no others.
    Listed(HashSet<InquiryId>),
    /// What was sent for a question was refused, in words.
    Refused(InquiryId, String),
    /// A link to a question for another device, or in words why there is none.
    Shared(InquiryId, Result<LinkResponse, String>),
    /// The server is there.
    Connected,
    /// The server is gone; somebody is trying to bring it back.
    Lost,
}

/// A question that waits.
#[derive(Debug)]
struct Item {
    inquiry: InquiryResponse,
    draft: Option<Draft>,
    deadline: Option<Deadline>,
    /// Whether something was sent for it; it is not shown then.
    sent: bool,
    /// With which act it was sent.
    act: usize,
    /// How it ended elsewhere while it had the focus: it stays where it is until the focus moves.
    ended: Vec<String>,
}

impl Item {
    /// Whether it can be answered.
    fn is_open(&self) -> bool {
        !self.sent && self.ended.is_empty()
    }
}

/// Something in place of the list.
#[derive(Debug)]
enum Over {
    /// The question in full.
    Prompt(InquiryId, Box<Prompt>),
    /// Whether this is really meant for these questions.
    Confirm(Act, Vec<InquiryId>),
    /// How the question ended that was open, and what was typed for it.
    Ended(InquiryId, Vec<Row>),
    /// All keys.
    Help,
}

/// What needs a second key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Reject,
    Decline,
}

/// The inbox.
#[derive(Debug)]
pub struct Inbox {
    setting: Setting,
    /// The window is smaller than what is laid out, so that only a part of it is seen.
    is_cramped: bool,
    size: Size,
    items: Vec<Item>,
    focus: Option<InquiryId>,
    marked: HashSet<InquiryId>,
    over: Option<Over>,
    notice: Option<String>,
    held: Vec<undo::Held>,
    /// How often something was sent; all that is marked is sent at once.
    acts: usize,
    lost: bool,
    guard: TypeaheadGuard,
    newest: Option<InquiryId>,
    wishes: Vec<Wish>,
    wants: Vec<Want>,
    now: Moment,
}

/// The one that closes first comes first, then the oldest.
pub fn order(a: &InquiryResponse, b: &InquiryResponse) -> Ordering {
    let key = |one: &InquiryResponse| (one.expires_at.is_none(), one.expires_at, one.asked_at);
    key(a).cmp(&key(b)).then_with(|| a.id.cmp(&b.id))
}

impl Inbox {
    /// An inbox with nothing in it.
    pub fn new(setting: Setting) -> Inbox {
        let guard = TypeaheadGuard::new(setting.quiet);
        Inbox {
            setting,
            is_cramped: false,
            size: Size {
                columns: 80,
                rows: 24,
            },
            items: Vec::new(),
            focus: None,
            marked: HashSet::new(),
            over: None,
            notice: None,
            held: Vec::new(),
            acts: 0,
            lost: false,
            guard,
            newest: None,
            wishes: Vec::new(),
            wants: Vec::new(),
            now: Moment::ZERO,
        }
    }

    /// What it wants done, each given once.
    pub fn wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// Takes news.
    pub fn hear(&mut self, news: News) {
        match news {
            News::Asked(inquiry, draft, deadline) => self.add(*inquiry, draft, deadline),
            News::Held(inquiry, until) => self.hold(&inquiry, until),
            News::Reopened(id) => self.reopen(&id),
            News::Ended(inquiry) => self.end(&inquiry),
            News::Listed(ids) => self.reconcile(&ids),
            News::Refused(id, words) => {
                self.notice = Some(words);
                if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == id) {
                    item.sent = false;
                }
                self.refocus();
            }
            News::Shared(id, made) => match &mut self.over {
                Some(Over::Prompt(open, prompt)) if *open == id => prompt.shared(made),
                Some(Over::Prompt(..) | Over::Confirm(..) | Over::Ended(..) | Over::Help)
                | None => {}
            },
            News::Connected => self.lost = false,
            News::Lost => self.lost = true,
        }
    }

    fn add(&mut self, inquiry: InquiryResponse, draft: Option<Draft>, deadline: Option<Deadline>) {
        let id = inquiry.id.clone();
        if let Some(known) = self.items.iter_mut().find(|item| item.inquiry.id == id) {
            known.deadline = deadline;
            known.inquiry = inquiry;
            known.ended.clear();
        } else {
            self.newest = Some(id);
            self.items.push(Item {
                inquiry,
                draft,
                deadline,
                sent: false,
                act: 0,
                ended: Vec::new(),
            });
        }
        self.items.sort_by(|a, b| order(&a.inquiry, &b.inquiry));
        self.refocus();
    }

    /// Lets go of what ended while nobody told.
    fn reconcile(&mut self, waiting: &HashSet<InquiryId>) {
        let gone = |item: &&Item| !waiting.contains(&item.inquiry.id) && item.is_open();
        let gone: Vec<InquiryId> = self
            .items
            .iter()
            .filter(gone)
            .map(|item| item.inquiry.id.clone())
            .collect();
        for id in gone {
            if let Some(at) = self.place(&id) {
                self.end_elsewhere(at, vec![self.say("inbox-gone", &[])]);
                self.wishes.push(Wish::Read(id));
            }
        }
    }

    fn end(&mut self, found: &InquiryResponse) {
        let Some(at) = self.place(&found.id) else {
            return;
        };
        self.let_go(&found.id);
        let ours = self.items[at].sent;
        let whose = if ours { Whose::Ours } else { Whose::Others };
        let rows = ended::lines(self.setting.locale, &self.setting.glyphs, found, whose);
        let lines: Vec<String> = rows.iter().map(Row::text).collect();
        if ours {
            self.notice = Some(lines.join("  "));
            self.remove(at);
        } else {
            self.end_elsewhere(at, lines);
        }
    }

    /// Takes a question out of everything that shows it.
    fn remove(&mut self, at: usize) {
        let gone = self.items[at].inquiry.id.clone();
        self.leave_behind(at);
        self.items.retain(|item| item.inquiry.id != gone);
        if matches!(&self.over, Some(Over::Prompt(id, _)) if *id == gone) {
            self.over = None;
        }
        if let Some(Over::Confirm(_, ids)) = &mut self.over {
            ids.retain(|id| *id != gone);
            if ids.is_empty() {
                self.over = None;
            }
        }
        self.marked.remove(&gone);
        self.refocus();
    }

    /// Moves the focus from a question that is about to go to the one behind it.
    fn leave_behind(&mut self, at: usize) {
        if self.focus.as_ref() != Some(&self.items[at].inquiry.id) {
            return;
        }
        let behind = self.items[at + 1..].iter().find(|item| item.is_open());
        let before = self.items[..at].iter().rev().find(|item| item.is_open());
        let next = behind.or(before).map(|item| item.inquiry.id.clone());
        self.focus_on(next);
    }

    /// Puts the focus on a question that is there. One that the user did not move to is armed anew.
    fn refocus(&mut self) {
        let focus = self.focus.clone();
        let there = focus.filter(|id| self.shown().any(|item| item.inquiry.id == *id));
        let first = || self.shown().next().map(|item| item.inquiry.id.clone());
        self.focus_on(there.or_else(first));
    }

    fn focus_on(&mut self, focus: Option<InquiryId>) {
        if focus != self.focus {
            self.focus = focus;
            self.guard.close();
            self.drop_ended();
        }
    }

    /// The questions in the list.
    fn shown(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| !item.sent)
    }

    fn place(&self, id: &InquiryId) -> Option<usize> {
        self.items.iter().position(|item| item.inquiry.id == *id)
    }

    fn focused(&self) -> Option<&Item> {
        let focus = self.focus.as_ref()?;
        self.shown().find(|item| item.inquiry.id == *focus)
    }

    fn say(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.setting.glyphs.own(self.setting.locale.text(id, args))
    }

    /// How the first key of an action of the list is named.
    fn key_name(&self, action: Action) -> String {
        let keymap = &self.setting.keymap;
        keymap
            .name(Mode::Inbox, action, &self.setting.glyphs)
            .unwrap_or_default()
    }

    /// A prompt for a question, below the first row.
    fn prompt(&self, item: &Item, quiet: Duration) -> Option<Prompt> {
        let inquiry = item.inquiry.to_inquiry().ok()?;
        let mut options = Options::new(self.setting.locale, self.setting.today);
        options.glyphs = self.setting.glyphs;
        options.size = self.prompt_size();
        options.room = Room::All;
        options.asker.clone_from(&item.inquiry.source);
        options.kept = Kept::InStore;
        options.esc_at_top = EscAtTop::GoesBack;
        options.quiet = quiet;
        options.keymap = self.setting.keymap.clone();
        options.border = self.setting.border;
        options.deadline = item.deadline;
        options.draft.clone_from(&item.draft);
        Some(Prompt::new(inquiry, options))
    }

    fn prompt_size(&self) -> Size {
        Size {
            columns: self.size.columns,
            rows: self.size.rows.saturating_sub(view::HEAD).max(1),
        }
    }
}

impl Scene for Inbox {
    fn resize(&mut self, size: Size) {
        // A smaller window shows a part of it.
        self.is_cramped = size.is_below(FRAME_MIN);
        self.size = size.at_least(FRAME_MIN);
        let (room, now) = (self.prompt_size(), self.now);
        if let Some(Over::Prompt(_, prompt)) = &mut self.over {
            prompt.handle(&Event::Resize(room), now);
        }
    }

    fn handle(&mut self, event: &Event, now: Moment) {
        self.now = now;
        self.hear_event(event);
    }

    fn tick(&mut self, now: Moment) {
        self.now = now;
        if let Some(Over::Prompt(id, prompt)) = &mut self.over
            && let Reaction::End(_) = prompt.tick(now)
        {
            // The server ends it and says so.
            let id = id.clone();
            self.expire(&id);
        }
    }

    fn next_tick(&self, now: Moment) -> Option<Duration> {
        match &self.over {
            Some(Over::Prompt(_, prompt)) => prompt.next_tick(now),
            Some(Over::Confirm(..) | Over::Ended(..) | Over::Help) | None => self.held_tick(now),
        }
    }

    fn lines(&mut self) -> Vec<Row> {
        Vec::new()
    }

    fn wants(&mut self) -> Vec<Want> {
        std::mem::take(&mut self.wants)
    }

    fn view(&self) -> Frame {
        view::frame(self)
    }

    fn painted(&mut self, now: Moment) {
        self.guard.painted(now);
        if let Some(Over::Prompt(_, prompt)) = &mut self.over {
            prompt.painted(now);
        }
    }

    fn reappear(&mut self) {
        self.guard.close();
        if let Some(Over::Prompt(_, prompt)) = &mut self.over {
            prompt.appear(None);
        }
    }

    fn title(&self) -> String {
        let count = self.open_count();
        format!("{} ({count})", self.say("inbox-title", &[]))
    }

    fn waiting(&self) -> Option<String> {
        self.newest.as_ref().map(ToString::to_string)
    }

    fn edited(&mut self, edited: &Edited) {
        let Some(Over::Prompt(_, prompt)) = &mut self.over else {
            return;
        };
        match edited {
            Edited::Text(text) => prompt.edited(text),
            Edited::Missing => prompt.tell("notice-editor-missing"),
            Edited::Failed => prompt.tell("notice-editor-failed"),
        }
        self.keep_draft();
    }

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.setting.glyphs = glyphs;
        if let Some(Over::Prompt(_, prompt)) = &mut self.over {
            prompt.set_glyphs(glyphs);
        }
    }
}

#[cfg(test)]
#[path = "inbox/inbox_tests.rs"]
mod tests;
