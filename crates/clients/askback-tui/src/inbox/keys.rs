//! Handles keys and clicks of the inbox.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::question::Kind;

use super::overlay::{BulkAction, Purpose};
use super::{Inbox, InboxRequest, Item, OpenPrompt, Overlay, view};
use crate::keymap::{Action, Mode};
use crate::leave_menu::confirmation_action;
use crate::prompt::{End, HandOnOrigin, Prompt, Reaction};
use crate::reply::InquiryReply;
use askback_terminal::app::ScreenRequest;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::{InputEvent, Key};
use askback_terminal::row::{Cursor, ScreenBuffer};

impl Inbox {
    pub(super) fn handle_input(&mut self, event: &InputEvent) {
        self.continue_word(event);
        if let Some(open) = self.open_prompt() {
            let head = match open.prompt.view().buffer {
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
        let key = match (event, &self.overlay) {
            (InputEvent::Key(key), _) => key,
            (InputEvent::Click(at), None) => return self.click(at.row),
            (InputEvent::Paste(_), None) if self.list.focused().is_some() => {
                return self.say("inbox-open-first", Action::Confirm);
            }
            _ => return,
        };
        self.notice = None;
        let keymap = &self.config.keymap;
        let action = match &self.overlay {
            Some(Overlay::Confirm(..)) => confirmation_action(keymap, self.config.locale, *key),
            Some(
                Overlay::Snooze(..) | Overlay::Help | Overlay::Ended(..) | Overlay::Prompt(..),
            )
            | None => keymap.action(Mode::Inbox, *key),
        };
        match (action, &self.overlay) {
            (Some(Action::Suspend), _) => self.screen_requests.push(ScreenRequest::Suspend),
            (Some(Action::Repaint), _) => self.screen_requests.push(ScreenRequest::Repaint),
            (_, Some(Overlay::Help)) => self.close_with(*key),
            (action, Some(Overlay::Ended(..))) => self.close_ended(action, *key),
            (Some(action), Some(Overlay::Confirm(..))) => self.confirm(action, *key),
            (action, Some(Overlay::Snooze(..))) => self.choose_time(action, *key),
            (Some(action), _) => self.list_key(action, *key),
            (None, None) => self.handle_letter(*key),
            (None, Some(_)) => {}
        }
    }

    /// Whether the guard is open; if not, a notice says so.
    pub(super) fn guard_allows(&mut self, key: Key) -> bool {
        let taken = self.guard.key(Some(key), self.list.now);
        if !taken {
            self.notice = Some(self.text("notice-too-soon", &[]));
        }
        taken
    }

    /// Says something that names the key of an action.
    fn say(&mut self, id: &str, action: Action) {
        self.notice = Some(self.key_text(id, action));
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
        if self.list.is_focus_ended() {
            return self.say("inbox-ended-here", Action::Confirm);
        }
        let prompt = self
            .list
            .focused()
            .and_then(|item| self.choosing_prompt(item));
        if prompt.is_some_and(|prompt| prompt.answers_at_once(key)) && self.guard_allows(key) {
            self.handle_answer_key(key);
        }
    }

    /// The first click moves the focus, the next opens the question.
    fn click(&mut self, row: usize) {
        let guard_open = self.guard.key(None, self.list.now);
        self.notice = None;
        match view::question_at(self, row) {
            Some(id) if self.list.focus.as_ref() != Some(&id) => self.list.focus_on(Some(id)),
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
            self.guard.key(Some(key), self.list.now);
            return self.list.step(by);
        }
        match action {
            Action::Detach => return self.screen_requests.push(ScreenRequest::Exit(130)),
            Action::Help => return self.set_overlay(Some(Overlay::Help)),
            _ if !self.guard_allows(key) => return,
            Action::Leave => return self.screen_requests.push(ScreenRequest::Exit(0)),
            Action::Back => return self.list.marked.clear(),
            Action::Undo => return self.undo(),
            _ => {}
        }
        let ended = self.list.is_focus_ended();
        match action {
            Action::Confirm if ended => self.move_on(),
            Action::Reject => self.ask_whether(BulkAction::Reject),
            Action::Decline => self.ask_whether(BulkAction::Decline),
            Action::Snooze => self.ask_until(),
            _ if ended => self.say("inbox-ended-here", Action::Confirm),
            Action::Confirm => self.open(),
            Action::Digit => self.handle_answer_key(key),
            Action::Mark => self.list.mark_focused(),
            Action::Skip => self.skip(),
            Action::HandOn => self.hand_on(),
            _ => {}
        }
    }

    fn open(&mut self) {
        let Some(item) = self.list.focused() else {
            return;
        };
        let id = item.id().clone();
        match self.new_prompt(item) {
            Some(prompt) => self.open_with(id, prompt),
            None => self.notice = Some(self.text("web-bad-question", &[])),
        }
    }

    fn open_with(&mut self, id: InquiryId, mut prompt: Prompt) {
        prompt.opened(self.guard.last());
        let prompt = Box::new(prompt);
        let purpose = Purpose::Answer;
        self.show(Some(Overlay::Prompt(OpenPrompt {
            id,
            prompt,
            purpose,
        })));
    }

    /// Shows the people to whom the focused question can be handed on.
    fn hand_on(&mut self) {
        self.open();
        if let Some(open) = self.open_prompt()
            && let Reaction::Request(request) = open.prompt.open_hand_on(HandOnOrigin::List)
        {
            open.purpose = Purpose::HandOn;
            let id = open.id.clone();
            self.requests.push(InboxRequest::Prompt(id, request));
        }
    }

    /// Back to the list if nobody is chosen any more: no key may reach the question behind the people.
    pub(super) fn leave_people(&mut self) {
        let open = self.open_prompt();
        if open.is_some_and(|it| it.purpose == Purpose::HandOn && !it.prompt.is_handing_on()) {
            self.set_overlay(None);
        }
    }

    /// The prompt for a key of the list. The list shows choices, so the key is not typed into a
    /// field that the draft left open.
    fn choosing_prompt(&self, item: &Item) -> Option<Prompt> {
        let mut prompt = self.new_prompt(item)?;
        prompt.set_seen();
        Some(prompt)
    }

    /// A digit, or a letter for yes or no, answers a single question with choices. The prompt
    /// validates it.
    fn handle_answer_key(&mut self, key: Key) {
        let Some(item) = self.list.focused() else {
            return;
        };
        let id = item.id().clone();
        // A question that does not fit is opened, not answered.
        if !view::shows_whole_question(self) {
            return self.open();
        }
        let Some(mut prompt) = self.choosing_prompt(item) else {
            return;
        };
        if !takes_digit(prompt.inquiry()) {
            return self.say("inbox-open-first", Action::Confirm);
        }
        prompt.painted(self.list.now);
        match prompt.handle(&InputEvent::Key(key), self.list.now) {
            Reaction::End(end) => self.ended(&id, end),
            _ if prompt.is_key_waiting() => {
                let prompt = Box::new(prompt);
                let purpose = Purpose::Answer;
                self.waiting = Some(OpenPrompt {
                    id,
                    prompt,
                    purpose,
                });
            }
            // The choice needs more input, which is typed in the prompt.
            _ => {
                self.stop_deadline(&id, &prompt);
                self.open_with(id, prompt);
            }
        }
    }

    /// A prompt that has handled a key has stopped its deadline.
    fn stop_deadline(&mut self, id: &InquiryId, prompt: &Prompt) {
        let item = self.list.focused();
        let had_deadline = item.is_some_and(|item| item.deadline.is_some());
        if had_deadline && prompt.deadline().is_none() {
            self.requests.push(InboxRequest::StopDeadline(id.clone()));
        }
    }

    /// If a letter waits, opens its prompt for the rest of the word and for enter. Anything else
    /// drops the letter.
    fn continue_word(&mut self, event: &InputEvent) {
        let InputEvent::Key(key) = event else {
            if matches!(event, InputEvent::Click(_) | InputEvent::Paste(_)) {
                self.waiting = None;
            }
            return;
        };
        let confirms = self.config.keymap.action(Mode::Inbox, *key) == Some(Action::Confirm);
        if let Some(open) = self.take_waiting()
            && (confirms || key.typed().is_some())
        {
            self.notice = None;
            self.stop_deadline(&open.id, &open.prompt);
            self.show(Some(Overlay::Prompt(open)));
        }
    }

    /// Sends the answer of a letter that no other one followed.
    pub(super) fn tick_waiting_letter(&mut self, now: MonotonicTime) {
        let Some(mut open) = self.take_waiting() else {
            return;
        };
        let reaction = open.prompt.tick(now);
        if open.prompt.is_key_waiting() {
            self.waiting = Some(open);
        } else {
            self.react(open.id, reaction);
        }
    }

    /// Only while its question can be answered.
    fn take_waiting(&mut self) -> Option<OpenPrompt> {
        let open = self.waiting.take()?;
        let focused = self.list.focused().filter(|item| item.is_open())?;
        (self.overlay.is_none() && *focused.id() == open.id).then_some(open)
    }

    fn send_to_prompt(&mut self, event: &InputEvent) {
        let now = self.list.now;
        let Some(open) = self.open_prompt() else {
            return;
        };
        let (id, handled) = (open.id.clone(), open.prompt.handle_for_store(event, now));
        if let InputEvent::Key(key) = event {
            self.guard.saw(Some((Some(*key), now)));
        }
        if handled.has_stopped_deadline {
            self.requests.push(InboxRequest::StopDeadline(id.clone()));
        }
        if handled.has_changed_draft {
            self.save_draft();
        }
        self.react(id, handled.reaction);
    }

    /// Does what the open prompt asks for.
    pub(super) fn react(&mut self, id: InquiryId, reaction: Reaction) {
        match reaction {
            Reaction::Screen(request) => self.screen_requests.push(request),
            Reaction::End(end) => self.ended(&id, end),
            Reaction::Request(request) => self.requests.push(InboxRequest::Prompt(id, request)),
            _ => {}
        }
    }

    pub(super) fn save_draft(&mut self) {
        let Some(Overlay::Prompt(open)) = &self.overlay else {
            return;
        };
        if let Some(item) = self.list.get_mut(&open.id) {
            let draft = open.prompt.draft().clone();
            item.draft = Some(draft.clone());
            let revision = item.inquiry.revision;
            let request = InboxRequest::SaveDraft(open.id.clone(), revision, draft);
            self.requests.push(request);
        }
    }

    fn ended(&mut self, id: &InquiryId, end: End) {
        self.set_overlay(None);
        if let Some(reply) = InquiryReply::of(end) {
            self.held.begin_batch();
            self.send(id, reply);
        }
    }

    /// Sends a reply and moves the focus to the next question.
    fn send(&mut self, id: &InquiryId, reply: InquiryReply) {
        let Some(item) = self.list.get_mut(id) else {
            return;
        };
        self.snoozed.clear();
        item.reply = Some(reply.clone());
        item.batch = self.held.last_batch();
        let asked = Box::new(item.inquiry.clone());
        self.requests.push(InboxRequest::SendReply(asked, reply));
        self.list.focus_next_of(id);
        if let Some(item) = self.list.get_mut(id) {
            item.sent = true;
        }
        self.list.marked.remove(id);
        self.list.refocus();
    }

    fn ask_whether(&mut self, act: BulkAction) {
        let ids = self.list.chosen();
        if !ids.is_empty() {
            self.set_overlay(Some(Overlay::Confirm(act, ids)));
        }
    }

    /// Undoes the last batch, or the last snooze. Called again, it undoes the batch before.
    fn undo(&mut self) {
        if self.undo_snooze() {
            return;
        }
        let ids = self.held.take_last_batch(self.list.now);
        if ids.is_empty() {
            let notice = match self.held.last_batch() {
                0 => "notice-nothing-to-undo",
                _ => "notice-too-late-to-undo",
            };
            self.notice = Some(self.text(notice, &[]));
        }
        self.requests
            .extend(ids.into_iter().map(InboxRequest::Undo));
    }

    /// The last reply, the size of its batch, and how long it can be undone.
    pub(super) fn held_line(&self, columns: usize) -> Option<String> {
        let keys = self.config.key_name(Mode::Inbox, Action::Undo);
        let now = self.list.now;
        self.held.line(now, &self.config, &keys, columns)
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
                self.held.begin_batch();
                for id in ids {
                    self.send(&id, act.reply());
                }
            }
            Action::Back | Action::Detach => self.close_with(key),
            _ => {}
        }
    }

    /// Back to the list, with a key that does nothing else.
    pub(super) fn close_with(&mut self, key: Key) {
        self.guard.saw(Some((Some(key), self.list.now)));
        self.set_overlay(None);
    }

    /// Skips an optional question.
    fn skip(&mut self) {
        let Some(item) = self.list.focused() else {
            return;
        };
        let id = item.id().clone();
        let Some(mut prompt) = self.new_prompt(item) else {
            return;
        };
        if prompt.inquiry().questions().len() > 1 {
            return self.say("inbox-open-first", Action::Confirm);
        }
        prompt.painted(self.list.now);
        let Reaction::End(End::Answered(answers)) = prompt.skip() else {
            return self.say("notice-not-skippable", Action::Down);
        };
        self.held.begin_batch();
        self.send(&id, InquiryReply::Answer(answers));
    }
}

/// Whether one digit answers the whole inquiry.
pub(super) fn takes_digit(inquiry: &Inquiry) -> bool {
    match inquiry.questions() {
        [only] => matches!(&only.kind, Kind::Choice(kind) if !kind.several),
        _ => false,
    }
}
