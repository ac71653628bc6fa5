//! The list of the inbox: its order, which question has the focus, which are marked and which are hidden.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use askback_core::id::InquiryId;

use super::Mine;
use super::item::Item;
use askback_terminal::clock::MonotonicTime;

/// See the module documentation.
#[derive(Debug)]
pub(super) struct ItemList {
    mine: Mine,
    items: Vec<Item>,
    pub(super) focus: Option<InquiryId>,
    pub(super) marked: HashSet<InquiryId>,
    /// When each question that a person has hidden, here or on another device, is shown again.
    snoozes: HashMap<InquiryId, MonotonicTime>,
    /// Questions that are open on the screen: they are not hidden.
    pub(super) on_screen: Vec<InquiryId>,
    pub(super) now: MonotonicTime,
    /// Whether the focus has moved, and not by a key that moves it.
    pub(super) has_moved_focus: bool,
}

impl ItemList {
    pub(super) fn new(mine: Mine) -> ItemList {
        ItemList {
            mine,
            items: Vec::new(),
            focus: None,
            marked: HashSet::new(),
            snoozes: HashMap::new(),
            on_screen: Vec::new(),
            now: MonotonicTime::ZERO,
            has_moved_focus: false,
        }
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn get(&self, id: &InquiryId) -> Option<&Item> {
        self.items.iter().find(|item| item.id() == id)
    }

    pub(super) fn get_mut(&mut self, id: &InquiryId) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.id() == id)
    }

    pub(super) fn add(&mut self, item: Item) {
        self.items.push(item);
        self.sort();
    }

    pub(super) fn sort(&mut self) {
        let mine = &self.mine;
        self.items
            .sort_by(|a, b| mine.order(&a.inquiry, &b.inquiry));
    }

    pub(super) fn shown(&self) -> impl Iterator<Item = &Item> {
        let shown = |item: &&Item| !item.sent && !self.is_hidden(item);
        self.items.iter().filter(shown)
    }

    pub(super) fn focused(&self) -> Option<&Item> {
        let focus = self.focus.as_ref()?;
        self.shown().find(|item| item.id() == focus)
    }

    pub(super) fn open_count(&self) -> usize {
        self.shown().filter(|item| item.is_open()).count()
    }

    /// Whether the question with the focus has ended.
    pub(super) fn is_focus_ended(&self) -> bool {
        self.focused().is_some_and(|item| !item.is_open())
    }

    /// Removes a question. The focus moves to the next one.
    pub(super) fn remove(&mut self, id: &InquiryId) {
        self.focus_next_of(id);
        self.items.retain(|item| item.id() != id);
        self.marked.remove(id);
    }

    /// Moves the focus from a question that is about to be removed to the next one.
    pub(super) fn focus_next_of(&mut self, id: &InquiryId) {
        let at = self.items.iter().position(|item| item.id() == id);
        let Some(at) = at.filter(|_| self.focus.as_ref() == Some(id)) else {
            return;
        };
        let behind = self.items[at + 1..].iter().find(|item| item.is_open());
        let before = self.items[..at].iter().rev().find(|item| item.is_open());
        let next = behind.or(before).map(|item| item.id().clone());
        self.focus_on(next);
    }

    /// Moves the focus to a visible question, if it is not on one.
    pub(super) fn refocus(&mut self) {
        if self.focused().is_none() {
            let first = self.shown().next().map(|item| item.id().clone());
            self.focus_on(first);
        }
    }

    pub(super) fn focus_on(&mut self, focus: Option<InquiryId>) {
        if focus != self.focus {
            self.focus = focus;
            self.has_moved_focus = true;
            self.drop_ended();
        }
    }

    /// Moves the focus by a key.
    pub(super) fn step(&mut self, by: isize) {
        let ids: Vec<InquiryId> = self.shown().map(|item| item.id().clone()).collect();
        let at = ids.iter().position(|id| Some(id) == self.focus.as_ref());
        let to = at.unwrap_or(0).saturating_add_signed(by);
        self.focus = ids.get(to.min(ids.len().saturating_sub(1))).cloned();
        self.drop_ended();
    }

    /// Removes ended questions that do not have the focus, except those with an unsent answer.
    fn drop_ended(&mut self) {
        let focus = self.focus.clone();
        let stays = |item: &Item| {
            let is_focused = Some(item.id()) == focus.as_ref();
            is_focused || item.ended.is_empty() || !item.unsent.is_empty()
        };
        self.items.retain(stays);
    }

    pub(super) fn mark_focused(&mut self) {
        if let Some(id) = self.focus.clone() {
            if !self.marked.remove(&id) {
                self.marked.insert(id);
            }
            self.step(1);
        }
    }

    /// The marked questions, or else the one with the focus if it is open.
    pub(super) fn chosen(&self) -> Vec<InquiryId> {
        let shown = self.shown().map(|item| item.id().clone());
        let mut ids: Vec<InquiryId> = shown.filter(|id| self.marked.contains(id)).collect();
        if ids.is_empty() {
            let focused = self.focused().filter(|item| item.is_open());
            ids.extend(focused.map(|item| item.id().clone()));
        }
        ids
    }

    /// Hides a question until this time, or shows it.
    pub(super) fn snooze(&mut self, id: &InquiryId, until: Option<MonotonicTime>) {
        match until {
            Some(until) => self.snoozes.insert(id.clone(), until),
            None => self.snoozes.remove(id),
        };
    }

    #[cfg(test)]
    pub(super) fn is_snoozed(&self, id: &InquiryId) -> bool {
        self.snoozes.contains_key(id)
    }

    fn is_hidden(&self, item: &Item) -> bool {
        let snoozed_until = self.snoozes.get(item.id());
        snoozed_until.is_some_and(|until| *until > self.now) && !self.on_screen.contains(item.id())
    }

    pub(super) fn hidden_count(&self) -> usize {
        let hidden = |item: &&Item| item.is_open() && self.is_hidden(item);
        self.items.iter().filter(hidden).count()
    }

    /// Shows questions again whose time has come.
    pub(super) fn wake(&mut self) {
        let (before, now) = (self.snoozes.len(), self.now);
        self.snoozes.retain(|_, until| *until > now);
        if self.snoozes.len() != before {
            self.refocus();
        }
    }

    /// How long until the next one is shown again.
    pub(super) fn next_wake(&self, now: MonotonicTime) -> Option<Duration> {
        let next = self.snoozes.values().min();
        next.map(|until| until.saturating_sub(now))
    }
}
