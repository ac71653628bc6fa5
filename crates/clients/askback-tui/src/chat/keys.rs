//! Handles keys: of the visible question, of the menu, or of the message field.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use super::{Chat, ChatRequest, Overlay, PendingStatus, ScreenConfig, menu};
use crate::composer::Composed;
use crate::keymap::{Action, Mode};
use crate::leave_menu::confirmation_action;
use crate::prompt::{End, Reaction};
use crate::reply::InquiryReply;
use crate::transcript::Kind;
use askback_terminal::app::ScreenRequest;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::{InputEvent, Key, KeyCode};
use askback_terminal::row::{Row, Style};

/// The exit code after ctrl+c.
const DETACHED: u8 = 130;

impl Chat {
    pub(super) fn handle_input(&mut self, event: &InputEvent) {
        let mode = self.mode();
        if let InputEvent::Key(key) = event {
            self.notice = None;
            self.pause_seen();
            let last = self.last_key.replace((Some(*key), self.now));
            self.guard.saw(last);
            // This key works before the question gets it.
            if self.config.keymap.action(mode, *key) == Some(Action::NextWaiting) {
                return self.next_question();
            }
        }
        if let InputEvent::Key(key) = event
            && self.is_writing_on(*key)
        {
            self.pending[self.at].status = PendingStatus::Postponed;
            return self.press(Mode::Compose, *key);
        }
        if let InputEvent::Paste(text) = event
            && self.is_unseen()
        {
            self.pending[self.at].status = PendingStatus::Postponed;
            return self.composer.insert(text);
        }
        if let InputEvent::Key(key) = event
            && self.handle_undo_key(*key)
        {
            return;
        }
        if self.shown().is_some() {
            return match event {
                InputEvent::Click(at) => {
                    if let Some(at) = self.to_question_cell(*at) {
                        self.send_to_prompt(&InputEvent::Click(at));
                    }
                }
                event => self.send_to_prompt(event),
            };
        }
        match event {
            InputEvent::Key(key) => self.press(mode, *key),
            InputEvent::Paste(text) if self.overlay.is_none() => self.composer.insert(text),
            _ => {}
        }
    }

    /// Whether the key continues a message that the user began before the question was visible.
    fn is_writing_on(&self, key: Key) -> bool {
        let letter = key.typed().is_some_and(char::is_alphabetic);
        letter
            && self.shown().is_some_and(|pending| {
                let prompt = &pending.prompt;
                prompt.is_fresh()
                    && prompt.ignores(Some(key), self.now)
                    && !prompt.answers_at_once(key)
            })
    }

    /// Whether the visible question still ignores keys that answer.
    fn is_unseen(&self) -> bool {
        self.shown().is_some_and(|pending| {
            let prompt = &pending.prompt;
            prompt.is_fresh() && prompt.ignores(None, self.now)
        })
    }

    pub(super) fn answered_with(&self, key: Key) -> bool {
        let window = self.config.typeahead_window * 2;
        let just = |(answered, at): (Key, MonotonicTime)| {
            answered == key && self.now.saturating_sub(at) < window
        };
        self.answered.is_some_and(just)
    }

    /// Whether a key comes so soon after the answer that it was not meant for what replaced the question.
    pub(super) fn answered_just_now(&self, key: Key) -> bool {
        let window = self.config.typeahead_window;
        let just = |(_, at): (Key, MonotonicTime)| self.now.saturating_sub(at) < window;
        self.answered_with(key) || self.answered.is_some_and(just)
    }

    /// After a pause, keys are meant for the message field.
    fn pause_seen(&mut self) {
        let since = self.last_key.map_or(self.now, |(_, at)| at);
        if self.now.saturating_sub(since) >= self.config.typeahead_window {
            self.needs_pause = false;
        }
    }

    /// Keys from before the first frame become text in the message field. They neither send a
    /// message nor answer a question.
    pub(super) fn handle_early_input(&mut self, event: &InputEvent) {
        match event {
            InputEvent::Key(key) if key.code == KeyCode::Enter => self.composer.insert("\n"),
            InputEvent::Key(key) => {
                if let Some(ch) = key.typed() {
                    self.composer.type_char(ch);
                }
            }
            InputEvent::Paste(text) => self.composer.insert(text),
            _ => {}
        }
    }

    /// The mode while no question is visible.
    fn mode(&self) -> Mode {
        match self.overlay {
            Some(Overlay::Menu(..) | Overlay::Earlier(..)) => Mode::Menu,
            Some(Overlay::ConfirmStop) => Mode::Confirm,
            None => Mode::Compose,
        }
    }

    fn press(&mut self, mode: Mode, key: Key) {
        let ScreenConfig { keymap, locale, .. } = &self.config;
        let action = match mode {
            Mode::Confirm => confirmation_action(keymap, *locale, key),
            _ => keymap.action(mode, key),
        };
        match (action, key.typed()) {
            (Some(Action::Suspend), _) => self.screen_requests.push(ScreenRequest::Suspend),
            (Some(Action::Repaint), _) => self.screen_requests.push(ScreenRequest::Repaint),
            (Some(action), _) => match mode {
                Mode::Menu => self.choose(action, key),
                Mode::Confirm => self.confirm_stop(action, key),
                _ => self.compose(action),
            },
            (None, Some(_)) if mode == Mode::Compose && self.answered_with(key) => {
                self.notice = Some(self.text("notice-too-soon", &[]));
            }
            (None, Some(ch)) if mode == Mode::Compose => self.composer.type_char(ch),
            (None, _) => {}
        }
    }

    fn send_to_prompt(&mut self, event: &InputEvent) {
        let at = self.at;
        let pending = &mut self.pending[at];
        let handled = pending.prompt.handle_for_store(event, self.now);
        if handled.has_stopped_deadline {
            let id = pending.inquiry.id.clone();
            self.requests.push(ChatRequest::StopDeadline(id));
        }
        if handled.has_changed_draft {
            self.save_draft(at);
        }
        self.react(at, handled.reaction);
    }

    /// Does what a prompt asks for.
    pub(super) fn react(&mut self, at: usize, reaction: Reaction) {
        match reaction {
            Reaction::Screen(request) => self.screen_requests.push(request),
            Reaction::End(end) => self.end(at, end),
            Reaction::Request(request) => {
                let id = self.pending[at].inquiry.id.clone();
                self.requests.push(ChatRequest::Prompt(id, request));
            }
            _ => {}
        }
    }

    pub(super) fn save_draft(&mut self, at: usize) {
        let pending = &self.pending[at];
        let draft = pending.prompt.draft().clone();
        let inquiry = &pending.inquiry;
        self.requests.push(ChatRequest::SaveDraft(
            inquiry.id.clone(),
            inquiry.revision,
            draft,
        ));
    }

    pub(super) fn end(&mut self, at: usize, end: End) {
        self.answered = self.last_key.and_then(|(key, at)| Some((key?, at)));
        let pending = &mut self.pending[at];
        pending.status = PendingStatus::Sending;
        if matches!(pending.prompt.mode(), Mode::Leave | Mode::Confirm) {
            // When the question is opened again, its menu is closed.
            pending.prompt.close_overlay();
        }
        match end {
            End::Answered(_) | End::Declined | End::Rejected => {
                self.held.begin_batch();
                let asked = Box::new(pending.inquiry.clone());
                let reply = InquiryReply::of(end);
                let wish = reply.map(|reply| ChatRequest::SendReply(asked, reply));
                self.requests.extend(wish);
            }
            End::Postponed | End::Expired => pending.status = PendingStatus::Postponed,
            End::Detached => {
                pending.status = PendingStatus::Postponed;
                self.leave(DETACHED);
            }
        }
        if self.pending[at].status == PendingStatus::Sending {
            self.next_open();
        }
    }

    fn next_open(&mut self) {
        let count = self.pending.len();
        let next = (1..count)
            .map(|step| (self.at + step) % count)
            .find(|at| self.pending[*at].status == PendingStatus::Open);
        if let Some(next) = next {
            self.at = next;
        }
    }

    fn next_question(&mut self) {
        let count = self.pending.len();
        let next = (1..=count)
            .map(|step| (self.at + step) % count)
            .find(|at| self.pending[*at].status != PendingStatus::Sending);
        if let Some(next) = next {
            self.overlay = None;
            self.at = next;
            self.pending[next].status = PendingStatus::Open;
            self.opening = true;
        }
    }

    fn compose(&mut self, action: Action) {
        match action {
            Action::Detach if !self.composer.is_empty() => self.composer.clear(),
            Action::Detach => self.leave(DETACHED),
            Action::Leave if self.composer.is_empty() => self.leave(0),
            Action::Editor => {
                let text = self.composer.text().to_owned();
                self.screen_requests.push(ScreenRequest::OpenEditor(text));
            }
            Action::Open => self.open_left(),
            Action::Back => self.set_overlay(Overlay::Menu(self.menu_choices(), 0)),
            Action::Confirm if self.needs_pause => {
                self.notice = Some(self.text("notice-too-soon", &[]));
            }
            action => {
                let columns = self.field_columns();
                match self.composer.act(action, columns) {
                    Composed::Send(text) => self.send(text),
                    Composed::Nothing | Composed::Changed => {}
                }
            }
        }
    }

    fn open_left(&mut self) {
        let left = self
            .pending
            .iter()
            .position(|one| one.status == PendingStatus::Postponed);
        if let Some(at) = left {
            self.at = at;
            self.pending[at].status = PendingStatus::Open;
            self.opening = true;
        }
    }

    fn send(&mut self, text: String) {
        // While an answer can be undone, the agent has not got it yet, and takes no message either.
        if self.is_busy() || self.held.can_undo(self.now) {
            let keys = self.config.key_name(Mode::Compose, Action::Back);
            let args = [("agent", self.agent.as_str().into()), ("keys", keys.into())];
            self.notice = Some(self.text("chat-busy", &args));
            self.composer.set(&text);
            return;
        }
        self.saying = true;
        self.requests.push(ChatRequest::SendMessage(text));
    }

    /// Shows a menu. The guard closes until it was visible.
    pub(super) fn set_overlay(&mut self, overlay: Overlay) {
        self.overlay = Some(overlay);
        self.guard.saw(self.last_key);
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

    fn confirm_stop(&mut self, action: Action, key: Key) {
        match action {
            Action::Yes if self.guard_allows(key) => {
                self.overlay = None;
                self.requests.push(ChatRequest::StopAgent);
            }
            Action::Back | Action::Detach => self.overlay = None,
            _ => {}
        }
    }

    fn choose(&mut self, action: Action, key: Key) {
        if matches!(action, Action::Confirm | Action::Digit) && !self.guard_allows(key) {
            return;
        }
        let count = self.menu_rows().len();
        let focus = match &mut self.overlay {
            Some(Overlay::Menu(_, focus) | Overlay::Earlier(_, focus)) => focus,
            Some(Overlay::ConfirmStop) | None => return,
        };
        match action {
            Action::Up => *focus = focus.saturating_sub(1),
            Action::Down => *focus = (*focus + 1).min(count.saturating_sub(1)),
            Action::First => *focus = 0,
            Action::Last => *focus = count.saturating_sub(1),
            Action::Confirm => {
                let at = *focus;
                self.chosen(at);
            }
            Action::Digit => {
                if let KeyCode::Char(digit @ '1'..='9') = key.code {
                    let at = usize::try_from(u32::from(digit) - u32::from('1')).unwrap_or(0);
                    if at < count {
                        self.chosen(at);
                    }
                }
            }
            Action::Detach => self.leave(DETACHED),
            Action::Back => self.overlay = None,
            _ => {}
        }
    }

    fn chosen(&mut self, at: usize) {
        match self.overlay.take() {
            Some(Overlay::Menu(choices, _)) => match choices.get(at) {
                Some(menu::Choice::Stop) => self.set_overlay(Overlay::ConfirmStop),
                Some(menu::Choice::Leave) => self.leave(0),
                Some(menu::Choice::Earlier) => self.requests.push(ChatRequest::ListConversations),
                Some(menu::Choice::BrowserLink) => self.print_browser_link(),
                Some(menu::Choice::Stay) | None => {}
            },
            Some(Overlay::Earlier(earlier, _)) => {
                if let Some(one) = earlier.get(at) {
                    self.requests
                        .push(ChatRequest::OpenConversation(one.id.clone()));
                }
            }
            Some(Overlay::ConfirmStop) | None => {}
        }
    }

    /// Exits. The conversation stays, and the command that resumes it is printed.
    fn leave(&mut self, code: u8) {
        if self.held.can_undo(self.now) {
            let row = Row::new().with(self.text("undo-left", &[]), Style::Muted);
            self.transcript.note(vec![row], Kind::Address);
        }
        self.print_resume_command();
        self.screen_requests.push(ScreenRequest::Exit(code));
    }
}
