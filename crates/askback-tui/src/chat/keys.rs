//! What keys do: to the question that is shown, to the menu, or to the field.

use askback_core::draft::Draft;

use super::{Chat, Over, Stage, Wish, menu};
use crate::composer::Composed;
use crate::key::{Code, Event, Key};
use crate::keymap::Mode;
use crate::prompt::{End, Reaction};
use crate::reply::{Reply, Target};
use crate::stage::Want;

/// The key that goes to the next question that waits.
pub(super) const NEXT: Key = Key::ctrl('t');
/// The key that opens a question that was left.
pub(super) const OPEN: Key = Key::plain(Code::Tab);

/// What a process that was left with ctrl+c ends with.
const DETACHED: u8 = 130;

impl Chat {
    pub(super) fn hear_event(&mut self, event: &Event) {
        if let Event::Key(key) = event {
            self.notice = None;
            match *key {
                key if key == Key::ctrl('z') => return self.wants.push(Want::Suspend),
                key if key == Key::ctrl('l') => return self.wants.push(Want::Repaint),
                key if key == NEXT => return self.next_question(),
                _ => {}
            }
        }
        if self.shown().is_some() {
            return self.ask(event);
        }
        match event {
            Event::Key(key) => match self.over {
                Some(Over::Reader(_)) => self.read(*key),
                Some(Over::Menu(_) | Over::Earlier(..)) => self.choose(*key),
                None => self.compose(*key),
            },
            Event::Paste(text) if self.over.is_none() => self.composer.insert(text),
            Event::Paste(_)
            | Event::FocusIn
            | Event::FocusOut
            | Event::Resize(_)
            | Event::CursorAt(..)
            | Event::Reply(_)
            | Event::Attributes => {}
        }
    }

    /// What is typed before anything is shown becomes text of the field: it is not lost, and neither
    /// sends a message nor answers a question.
    pub(super) fn hear_early(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.code == Code::Enter => self.composer.insert("\n"),
            Event::Key(key) => {
                if let Some(ch) = key.typed() {
                    self.composer.insert(ch.encode_utf8(&mut [0; 4]));
                }
            }
            Event::Paste(text) => self.composer.insert(text),
            Event::FocusIn
            | Event::FocusOut
            | Event::Resize(_)
            | Event::CursorAt(..)
            | Event::Reply(_)
            | Event::Attributes => {}
        }
    }

    /// Gives an event to the question that is shown.
    fn ask(&mut self, event: &Event) {
        let at = self.at;
        let pending = &mut self.pending[at];
        let (draft, deadline) = (
            pending.prompt.draft().clone(),
            pending.prompt.deadline().is_some(),
        );
        let reaction = pending.prompt.handle(event, self.now);
        if deadline && pending.prompt.deadline().is_none() {
            self.wishes.push(Wish::KeepOpen(pending.inquiry.id.clone()));
        }
        let changed = draft != *pending.prompt.draft();
        match reaction {
            Reaction::End(end) => {
                if changed && !matches!(end, End::Answered(_)) {
                    self.keep_draft(at);
                }
                return self.end(at, end);
            }
            Reaction::Editor(text) => self.wants.push(Want::Editor(text)),
            Reaction::Suspend => self.wants.push(Want::Suspend),
            Reaction::Repaint => self.wants.push(Want::Repaint),
            Reaction::Copy(text) => self.wants.push(Want::Copy(text)),
            Reaction::Nothing | Reaction::Redraw => {}
        }
        if changed {
            self.keep_draft(at);
        }
    }

    pub(super) fn keep_draft(&mut self, at: usize) {
        let pending = &self.pending[at];
        let draft: Draft = pending.prompt.draft().clone();
        let inquiry = &pending.inquiry;
        self.wishes
            .push(Wish::Draft(inquiry.id.clone(), inquiry.revision, draft));
    }

    /// How a question was left.
    pub(super) fn end(&mut self, at: usize, end: End) {
        let pending = &mut self.pending[at];
        pending.stage = Stage::Sending;
        if pending.prompt.mode() == Mode::Leave {
            // Whoever comes back to it wants the question, not the menu.
            let esc = Event::Key(Key::plain(Code::Esc));
            pending.prompt.handle(&esc, self.now);
        }
        match end {
            End::Answered(_) | End::Rejected | End::Cancelled => {
                let target = Target::from(&pending.inquiry);
                let reply = Reply::of(end);
                let wish = reply.map(|reply| Wish::Reply(target, reply));
                self.wishes.extend(wish);
            }
            End::Kept => pending.stage = Stage::Left,
            End::Detached => {
                pending.stage = Stage::Left;
                self.leave(DETACHED);
            }
            // The server ends it and says so.
            End::Expired => {}
        }
        if self.pending[at].stage == Stage::Sending {
            self.next_open();
        }
    }

    /// Shows another question that is open.
    fn next_open(&mut self) {
        let count = self.pending.len();
        let next = (1..count)
            .map(|step| (self.at + step) % count)
            .find(|at| self.pending[*at].stage == Stage::Open);
        if let Some(next) = next {
            self.at = next;
        }
    }

    /// Goes to the next question that waits, and opens it.
    fn next_question(&mut self) {
        let count = self.pending.len();
        let next = (1..=count)
            .map(|step| (self.at + step) % count)
            .find(|at| self.pending[*at].stage != Stage::Sending);
        if let Some(next) = next {
            self.over = None;
            self.at = next;
            self.pending[next].stage = Stage::Open;
        }
    }

    fn compose(&mut self, key: Key) {
        match key {
            key if key == Key::ctrl('c') && !self.composer.is_empty() => self.composer.clear(),
            key if key == Key::ctrl('c') => self.leave(DETACHED),
            key if key == Key::ctrl('d') && self.composer.is_empty() => self.leave(0),
            key if key == Key::ctrl('g') => {
                let text = self.composer.text().to_owned();
                self.wants.push(Want::Editor(text));
            }
            key if key == OPEN => self.open_left(),
            key if key.code == Code::Esc => self.over = Some(Over::Menu(0)),
            key if key.code == Code::PageUp => self.over = Some(Over::Reader(usize::MAX)),
            key => {
                let columns = self.field_columns();
                match self.composer.key(key, columns) {
                    Composed::Send(text) => self.send(text),
                    Composed::Nothing | Composed::Changed => {}
                }
            }
        }
    }

    /// Opens the question that was left.
    fn open_left(&mut self) {
        let left = self.pending.iter().position(|one| one.stage == Stage::Left);
        if let Some(at) = left {
            self.at = at;
            self.pending[at].stage = Stage::Open;
        }
    }

    fn send(&mut self, text: String) {
        if self.is_busy() {
            let args = [
                ("agent", self.agent.as_str().into()),
                ("keys", "esc".into()),
            ];
            self.notice = Some(self.say("chat-busy", &args));
            self.composer.set(&text);
            return;
        }
        self.saying = true;
        self.wishes.push(Wish::Say(text));
    }

    fn choose(&mut self, key: Key) {
        let count = self.menu_rows().len();
        let focus = match &mut self.over {
            Some(Over::Menu(focus) | Over::Earlier(_, focus)) => focus,
            Some(Over::Reader(_)) | None => return,
        };
        match key.code {
            Code::Up | Code::Char('k') => *focus = focus.saturating_sub(1),
            Code::Down | Code::Char('j') => *focus = (*focus + 1).min(count.saturating_sub(1)),
            Code::Home => *focus = 0,
            Code::End => *focus = count.saturating_sub(1),
            Code::Enter => {
                let at = *focus;
                self.chosen(at);
            }
            Code::Char(digit @ '1'..='9') => {
                let at = usize::try_from(u32::from(digit) - u32::from('1')).unwrap_or(0);
                if at < count {
                    self.chosen(at);
                }
            }
            Code::Char('c') if key == Key::ctrl('c') => self.leave(DETACHED),
            Code::Esc => self.over = None,
            Code::Char(_)
            | Code::Tab
            | Code::Backspace
            | Code::Delete
            | Code::Left
            | Code::Right
            | Code::PageUp
            | Code::PageDown => {}
        }
    }

    fn chosen(&mut self, at: usize) {
        match self.over.take() {
            Some(Over::Menu(_)) => match self.menu_choices().get(at) {
                Some(menu::Choice::Stop) => self.wishes.push(Wish::Stop),
                Some(menu::Choice::Leave) => self.leave(0),
                Some(menu::Choice::Earlier) => self.wishes.push(Wish::List),
                Some(menu::Choice::Stay) | None => {}
            },
            Some(Over::Earlier(earlier, _)) => {
                if let Some(one) = earlier.get(at) {
                    self.wishes.push(Wish::Open(one.id.clone()));
                }
            }
            Some(Over::Reader(_)) | None => {}
        }
    }

    fn read(&mut self, key: Key) {
        let last = self.reader_last();
        let page = self.size.rows.saturating_sub(2).max(1);
        let Some(Over::Reader(top)) = &mut self.over else {
            return;
        };
        let at = (*top).min(last);
        *top = match key.code {
            Code::Up | Code::Char('k') => at.saturating_sub(1),
            Code::Down | Code::Char('j') => (at + 1).min(last),
            Code::PageUp => at.saturating_sub(page),
            Code::PageDown if at == last => return self.over = None,
            Code::PageDown => (at + page).min(last),
            Code::Home | Code::Char('g') => 0,
            Code::End | Code::Char('G') => last,
            Code::Esc | Code::Char('q' | 'c') => return self.over = None,
            Code::Char(_)
            | Code::Enter
            | Code::Tab
            | Code::Backspace
            | Code::Delete
            | Code::Left
            | Code::Right => at,
        };
    }

    /// Ends the chat; the conversation stays, and how to come back to it is said.
    fn leave(&mut self, code: u8) {
        self.say_where();
        self.wants.push(Want::Leave(code));
    }
}
