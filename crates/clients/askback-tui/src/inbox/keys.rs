//! Handles keys and clicks of the inbox.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::question::Kind;

use super::{BulkAction, Inbox, InboxRequest, Item, Overlay, view};
use crate::keymap::{Action, Mode};
use crate::leave_menu::confirmation_action;
use crate::prompt::{End, Prompt, Reaction};
use crate::reply::InquiryReply;
use askback_terminal::app::ScreenRequest;
use askback_terminal::key::{InputEvent, Key};
use askback_terminal::row::{Cursor, ScreenBuffer};

impl Inbox {
    pub(super) fn handle_input(&mut self, event: &InputEvent) {
        self.continue_word(event);
        if let Some(Overlay::Prompt(_, prompt)) = &self.overlay {
            let head = match prompt.view().buffer {
                ScreenBuffer::Inline => view::HEAD,
                ScreenBuffer::Alternate => 0,
            };
            return match event {
                InputEvent::Click(at) if at.row < head => {}
                InputEvent::Click(at) => {
                    let row = at.row - head;
                    self.send_to_prompt(&InputEvent::Click(Cursor { row, ..*at }));
                }
                event => self.send_to_prompt(event),
            };
        }
        if let (InputEvent::Click(at), None) = (event, &self.overlay) {
            return self.click(at.row);
        }
        let InputEvent::Key(key) = event else {
            let is_paste = matches!(event, InputEvent::Paste(_));
            if is_paste && self.overlay.is_none() && self.focused().is_some() {
                self.say_open_first();
            }
            return;
        };
        self.notice = None;
        let keymap = &self.config.keymap;
        let action = match &self.overlay {
            Some(Overlay::Confirm(..)) => confirmation_action(keymap, self.config.locale, *key),
            Some(Overlay::Help | Overlay::Ended(..) | Overlay::Prompt(..)) | None => {
                keymap.action(Mode::Inbox, *key)
            }
        };
        match (action, &self.overlay) {
            (Some(Action::Suspend), _) => self.screen_requests.push(ScreenRequest::Suspend),
            (Some(Action::Repaint), _) => self.screen_requests.push(ScreenRequest::Repaint),
            (_, Some(Overlay::Help)) => {
                self.guard.saw(Some((Some(*key), self.now)));
                self.set_overlay(None);
            }
            (action, Some(Overlay::Ended(..))) => self.close_ended(action, *key),
            (Some(action), Some(Overlay::Confirm(..))) => self.confirm(action, *key),
            (Some(action), _) => self.list_key(action, *key),
            (None, None) => self.handle_letter(*key),
            (None, Some(_)) => {}
        }
    }

    /// Replaces the overlay. The guard closes until the new content was visible.
    pub(super) fn set_overlay(&mut self, overlay: Option<Overlay>) {
        self.overlay = overlay;
        self.guard.close();
    }

    /// Whether the guard is open; if not, a notice says so.
    fn guard_allows(&mut self, key: Key) -> bool {
        let taken = self.guard.key(Some(key), self.now);
        if !taken {
            self.notice = Some(self.text("notice-too-soon", &[]));
        }
        taken
    }

    /// Says that the question must be opened for this.
    fn say_open_first(&mut self) {
        let args = [("keys", self.key_name(Action::Confirm).into())];
        self.notice = Some(self.text("inbox-open-first", &args));
    }

    /// What was typed for a question that ended elsewhere stays until the guard is open.
    fn close_ended(&mut self, action: Option<Action>, key: Key) {
        let closes = matches!(
            action,
            Some(Action::Confirm | Action::Back | Action::Detach)
        );
        if self.guard_allows(key) && closes {
            self.set_overlay(None);
        }
    }

    /// An unbound letter may answer a yes/no question.
    fn handle_letter(&mut self, key: Key) {
        if self.focused().is_some_and(|item| !item.is_open()) {
            return self.say_ended();
        }
        let prompt = self.focused().and_then(|item| self.choosing_prompt(item));
        if prompt.is_some_and(|prompt| prompt.answers_at_once(key)) && self.guard_allows(key) {
            self.handle_answer_key(key);
        }
    }

    /// The first click moves the focus, the next opens the question.
    fn click(&mut self, row: usize) {
        let guard_open = self.guard.key(None, self.now);
        self.notice = None;
        match self.clicked(row) {
            Some(id) if self.focus.as_ref() != Some(&id) => self.focus_on(Some(id)),
            Some(_) if guard_open => self.open(),
            Some(_) | None => {}
        }
    }

    fn list_key(&mut self, action: Action, key: Key) {
        let harmless = match action {
            Action::Up => Some(-1),
            Action::Down => Some(1),
            Action::PageUp => Some(-5),
            Action::PageDown => Some(5),
            Action::First => Some(isize::MIN),
            Action::Last => Some(isize::MAX),
            _ => None,
        };
        if let Some(by) = harmless {
            self.guard.key(Some(key), self.now);
            return self.step(by);
        }
        match action {
            Action::Detach => return self.screen_requests.push(ScreenRequest::Exit(130)),
            Action::Help => return self.set_overlay(Some(Overlay::Help)),
            _ if !self.guard_allows(key) => return,
            Action::Leave => return self.screen_requests.push(ScreenRequest::Exit(0)),
            Action::Back => return self.marked.clear(),
            Action::Undo => return self.undo(),
            _ => {}
        }
        let ended = self.focused().is_some_and(|item| !item.is_open());
        match action {
            Action::Confirm if ended => self.move_on(),
            Action::Reject => self.ask_whether(BulkAction::Reject),
            Action::Decline => self.ask_whether(BulkAction::Decline),
            _ if ended => self.say_ended(),
            Action::Confirm => self.open(),
            Action::Digit => self.handle_answer_key(key),
            Action::Mark => self.mark(),
            Action::Skip => self.skip(),
            Action::HandOn => self.hand_on(),
            _ => {}
        }
    }

    fn step(&mut self, by: isize) {
        let ids: Vec<InquiryId> = self.shown().map(|item| item.inquiry.id.clone()).collect();
        let at = ids.iter().position(|id| Some(id) == self.focus.as_ref());
        let to = at.unwrap_or(0).saturating_add_signed(by);
        // The user moved the focus, so the guard stays open.
        self.focus = ids.get(to.min(ids.len().saturating_sub(1))).cloned();
        self.drop_ended();
    }

    fn open(&mut self) {
        let Some(item) = self.focused() else {
            return;
        };
        let id = item.inquiry.id.clone();
        match self.prompt(item) {
            Some(mut prompt) => {
                prompt.opened(self.guard.last());
                self.overlay = Some(Overlay::Prompt(id, Box::new(prompt)));
            }
            None => self.notice = Some(self.text("web-bad-question", &[])),
        }
    }

    /// Opens the focused question with the people to whom it can be handed on.
    fn hand_on(&mut self) {
        self.open();
        if let Some(Overlay::Prompt(id, prompt)) = &mut self.overlay
            && let Reaction::Request(request) = prompt.open_hand_on()
        {
            self.requests
                .push(InboxRequest::Prompt(id.clone(), request));
        }
    }

    /// The prompt for a key of the list. The list shows choices, so the key is not typed into a
    /// field that the draft left open.
    fn choosing_prompt(&self, item: &Item) -> Option<Prompt> {
        let mut prompt = self.prompt(item)?;
        prompt.close_field();
        prompt.set_seen();
        Some(prompt)
    }

    /// A digit, or a letter for yes or no, answers a single question with choices. The prompt
    /// validates it.
    fn handle_answer_key(&mut self, key: Key) {
        let Some(item) = self.focused() else {
            return;
        };
        let id = item.inquiry.id.clone();
        // A question that does not fit is opened, not answered.
        if !self.shows_whole_question() {
            return self.open();
        }
        let Some(mut prompt) = self.choosing_prompt(item) else {
            return;
        };
        if !takes_digit(prompt.inquiry()) {
            return self.say_open_first();
        }
        prompt.painted(self.now);
        match prompt.handle(&InputEvent::Key(key), self.now) {
            Reaction::End(end) => self.ended(&id, end),
            _ if prompt.is_key_waiting() => self.waiting = Some((id, Box::new(prompt))),
            // The choice needs more input, which is typed in the prompt.
            _ => {
                prompt.opened(self.guard.last());
                self.show_prompt(id, Box::new(prompt));
            }
        }
    }

    /// Shows a prompt that has handled a key, which stopped its deadline.
    pub(super) fn show_prompt(&mut self, id: InquiryId, prompt: Box<Prompt>) {
        let had_deadline = self.focused().is_some_and(|item| item.deadline.is_some());
        if had_deadline && prompt.deadline().is_none() {
            self.requests.push(InboxRequest::StopDeadline(id.clone()));
        }
        self.overlay = Some(Overlay::Prompt(id, prompt));
    }

    fn send_to_prompt(&mut self, event: &InputEvent) {
        let Some(Overlay::Prompt(id, prompt)) = &mut self.overlay else {
            return;
        };
        let id = id.clone();
        if let InputEvent::Key(key) = event {
            self.guard.saw(Some((Some(*key), self.now)));
        }
        let before = (prompt.draft().clone(), prompt.deadline().is_some());
        let reaction = prompt.handle(event, self.now);
        if before.1 && prompt.deadline().is_none() {
            self.requests.push(InboxRequest::StopDeadline(id.clone()));
        }
        let changed = before.0 != *prompt.draft();
        if changed && !matches!(reaction, Reaction::End(End::Answered(_))) {
            self.save_draft();
        }
        self.react(id, reaction);
    }

    /// Does what the open prompt asks for.
    pub(super) fn react(&mut self, id: InquiryId, reaction: Reaction) {
        self.screen_requests.extend(reaction.screen_request());
        match reaction {
            Reaction::End(end) => self.ended(&id, end),
            Reaction::Request(request) => self.requests.push(InboxRequest::Prompt(id, request)),
            _ => {}
        }
    }

    pub(super) fn save_draft(&mut self) {
        let Some(Overlay::Prompt(id, prompt)) = &self.overlay else {
            return;
        };
        let draft = prompt.draft().clone();
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.draft = Some(draft.clone());
            let revision = item.inquiry.revision;
            self.requests
                .push(InboxRequest::SaveDraft(id.clone(), revision, draft));
        }
    }

    fn ended(&mut self, id: &InquiryId, end: End) {
        self.set_overlay(None);
        let Some(at) = self.index_of(id) else {
            return;
        };
        if let Some(reply) = InquiryReply::of(end) {
            self.last_batch += 1;
            self.send(at, reply);
        }
    }

    /// Sends a reply and moves the focus to the next question.
    fn send(&mut self, at: usize, reply: InquiryReply) {
        let asked = Box::new(self.items[at].inquiry.clone());
        self.items[at].reply = Some(reply.clone());
        self.requests.push(InboxRequest::SendReply(asked, reply));
        self.focus_next_of(at);
        self.items[at].sent = true;
        self.items[at].batch = self.last_batch;
        self.marked.remove(&self.items[at].inquiry.id);
        self.refocus();
    }

    fn mark(&mut self) {
        if let Some(id) = self.focus.clone() {
            if !self.marked.remove(&id) {
                self.marked.insert(id);
            }
            self.step(1);
        }
    }

    fn ask_whether(&mut self, act: BulkAction) {
        let marked = self.shown().map(|item| item.inquiry.id.clone());
        let mut ids: Vec<InquiryId> = marked.filter(|id| self.marked.contains(id)).collect();
        if ids.is_empty() {
            let focused = self.focused().filter(|item| item.is_open());
            ids.extend(focused.map(|item| item.inquiry.id.clone()));
        }
        if !ids.is_empty() {
            self.set_overlay(Some(Overlay::Confirm(act, ids)));
        }
    }

    fn confirm(&mut self, action: Action, key: Key) {
        match action {
            Action::Yes if !self.guard_allows(key) => {}
            Action::Yes => {
                let Some(Overlay::Confirm(act, ids)) = self.overlay.take() else {
                    return;
                };
                // A second press must not answer the question that has the focus.
                self.set_overlay(None);
                self.last_batch += 1;
                for id in ids {
                    let Some(at) = self.index_of(&id) else {
                        continue;
                    };
                    let reply = match act {
                        BulkAction::Reject => InquiryReply::Reject,
                        BulkAction::Decline => InquiryReply::Decline,
                    };
                    self.send(at, reply);
                }
            }
            Action::Back | Action::Detach => {
                self.guard.saw(Some((Some(key), self.now)));
                self.set_overlay(None);
            }
            _ => {}
        }
    }

    /// Whether the focused question can be skipped from the list.
    pub(super) fn can_skip(&self) -> bool {
        let questions = self.focused().map(|item| item.inquiry.questions.as_slice());
        matches!(questions, Some([only]) if only.optional)
    }

    /// Skips an optional question.
    fn skip(&mut self) {
        let Some(prompt) = self.focused().and_then(|item| self.prompt(item)) else {
            return;
        };
        if prompt.inquiry().questions().len() > 1 {
            return self.say_open_first();
        }
        let Some(End::Answered(answers)) = skipped(prompt, self.now) else {
            let args = [("keys", self.key_name(Action::Down).into())];
            self.notice = Some(self.text("notice-not-skippable", &args));
            return;
        };
        if let Some(at) = self.focus.as_ref().and_then(|id| self.index_of(id)) {
            self.last_batch += 1;
            self.send(at, InquiryReply::Answer(answers));
        }
    }
}

/// Whether one digit answers the whole inquiry.
pub(super) fn takes_digit(inquiry: &Inquiry) -> bool {
    match inquiry.questions() {
        [only] => matches!(&only.kind, Kind::Choice(kind) if !kind.several),
        _ => false,
    }
}

fn skipped(mut prompt: Prompt, now: askback_terminal::clock::MonotonicTime) -> Option<End> {
    prompt.painted(now);
    match prompt.skip() {
        Reaction::End(end) => Some(end),
        _ => None,
    }
}
