//! What keys do in the inbox.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use std::time::Duration;

use askback_core::id::InquiryId;
use askback_core::question::Kind;

use super::{Act, Inbox, Over, Wish, view};
use crate::key::{Event, Key};
use crate::keymap::{Action, Mode};
use crate::prompt::{End, Prompt, Reaction};
use crate::reply::{Reply, Target};
use crate::row::{Canvas, Cursor};
use crate::stage::Want;

impl Inbox {
    pub(super) fn hear_event(&mut self, event: &Event) {
        if let Some(Over::Prompt(_, prompt)) = &self.over {
            let head = match prompt.view().canvas {
                Canvas::Inline => view::HEAD,
                Canvas::Screen => 0,
            };
            return match event {
                Event::Click(at) if at.row < head => {}
                Event::Click(at) => {
                    let row = at.row - head;
                    self.ask(&Event::Click(Cursor { row, ..*at }));
                }
                event => self.ask(event),
            };
        }
        if let (Event::Click(at), None) = (event, &self.over) {
            return self.click(at.row);
        }
        let Event::Key(key) = event else {
            return;
        };
        self.notice = None;
        let mode = match &self.over {
            Some(Over::Confirm(..)) => Mode::Sure,
            Some(Over::Help | Over::Prompt(..)) | None => Mode::Inbox,
        };
        match (self.setting.keymap.action(mode, *key), &self.over) {
            (Some(Action::Suspend), _) => self.wants.push(Want::Suspend),
            (Some(Action::Repaint), _) => self.wants.push(Want::Repaint),
            (_, Some(Over::Help)) => self.over = None,
            (Some(action), Some(Over::Confirm(..))) => self.confirm(action),
            (Some(action), _) => self.list_key(action, *key),
            (None, _) => {}
        }
    }

    /// A click on a row: the first moves the focus there, the next opens the question.
    fn click(&mut self, row: usize) {
        let armed = self.arming.key(self.now);
        self.notice = None;
        match self.clicked(row) {
            Some(id) if self.focus.as_ref() != Some(&id) => self.focus = Some(id),
            Some(_) if armed => self.open(),
            Some(_) | None => {}
        }
    }

    fn list_key(&mut self, action: Action, key: Key) {
        let armed = self.arming.key(self.now);
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.step(-5),
            Action::PageDown => self.step(5),
            Action::First => self.step(isize::MIN),
            Action::Last => self.step(isize::MAX),
            Action::Detach => self.wants.push(Want::Leave(130)),
            Action::Leave => self.wants.push(Want::Leave(0)),
            Action::Help => self.over = Some(Over::Help),
            Action::Back => self.marked.clear(),
            _ if !armed => {}
            Action::Confirm => self.open(),
            Action::Digit => self.digit(key),
            Action::Mark => self.mark(),
            Action::Reject => self.ask_whether(Act::Reject),
            Action::Decline => self.ask_whether(Act::Decline),
            Action::Skip => self.skip(),
            Action::Undo => self.undo(),
            _ => {}
        }
    }

    fn step(&mut self, by: isize) {
        let ids: Vec<InquiryId> = self.shown().map(|item| item.inquiry.id.clone()).collect();
        let at = ids.iter().position(|id| Some(id) == self.focus.as_ref());
        let to = at.unwrap_or(0).saturating_add_signed(by);
        // The user moved there: what they see is what they chose.
        self.focus = ids.get(to.min(ids.len().saturating_sub(1))).cloned();
    }

    fn open(&mut self) {
        let Some(item) = self.focused() else {
            return;
        };
        let id = item.inquiry.id.clone();
        match self.prompt(item, self.setting.quiet) {
            Some(prompt) => self.over = Some(Over::Prompt(id, Box::new(prompt))),
            None => self.notice = Some(self.say("web-bad-question", &[])),
        }
    }

    /// A digit answers a single question with choices at once; the prompt itself decides how.
    fn digit(&mut self, digit: Key) {
        let Some(item) = self.focused() else {
            return;
        };
        let id = item.inquiry.id.clone();
        let Some(mut prompt) = self.prompt(item, Duration::ZERO) else {
            return;
        };
        let direct = match prompt.inquiry().questions() {
            [only] => matches!(&only.kind, Kind::Choice(kind) if !kind.several),
            _ => false,
        };
        if !direct {
            self.notice = Some(self.say(
                "inbox-open-first",
                &[("keys", self.key_name(Action::Confirm).into())],
            ));
            return;
        }
        prompt.painted(self.now);
        let reaction = prompt.handle(&Event::Key(digit), self.now);
        self.over = Some(Over::Prompt(id.clone(), Box::new(prompt)));
        match reaction {
            Reaction::End(end) => self.ended(&id, end),
            // An answer of one's own is typed in the prompt, and one that needs more is finished there.
            Reaction::Nothing
            | Reaction::Redraw
            | Reaction::Editor(_)
            | Reaction::Suspend
            | Reaction::Repaint
            | Reaction::Copy(_)
            | Reaction::Share => {}
        }
    }

    /// Gives an event to the open prompt.
    fn ask(&mut self, event: &Event) {
        let Some(Over::Prompt(id, prompt)) = &mut self.over else {
            return;
        };
        let id = id.clone();
        let before = (prompt.draft().clone(), prompt.deadline().is_some());
        let reaction = prompt.handle(event, self.now);
        if before.1 && prompt.deadline().is_none() {
            self.wishes.push(Wish::KeepOpen(id.clone()));
        }
        let changed = before.0 != *prompt.draft();
        if changed && !matches!(reaction, Reaction::End(End::Answered(_))) {
            self.keep_draft();
        }
        match reaction {
            Reaction::End(end) => self.ended(&id, end),
            Reaction::Editor(text) => self.wants.push(Want::Editor(text)),
            Reaction::Suspend => self.wants.push(Want::Suspend),
            Reaction::Repaint => self.wants.push(Want::Repaint),
            Reaction::Copy(text) => self.wants.push(Want::Copy(text)),
            Reaction::Share => self.wishes.push(Wish::Share(id)),
            Reaction::Nothing | Reaction::Redraw => {}
        }
    }

    pub(super) fn keep_draft(&mut self) {
        let Some(Over::Prompt(id, prompt)) = &self.over else {
            return;
        };
        let draft = prompt.draft().clone();
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.draft = Some(draft.clone());
            let revision = item.inquiry.revision;
            self.wishes.push(Wish::Draft(id.clone(), revision, draft));
        }
    }

    /// How a question was left.
    fn ended(&mut self, id: &InquiryId, end: End) {
        self.over = None;
        let Some(at) = self.place(id) else {
            return;
        };
        if let Some(reply) = Reply::of(end) {
            self.acts += 1;
            self.send(at, reply);
        }
    }

    /// Sends something for a question, and goes on with the next at once.
    fn send(&mut self, at: usize, reply: Reply) {
        let target = Target::from(&self.items[at].inquiry);
        self.wishes.push(Wish::Reply(target, reply));
        self.leave_behind(at);
        self.items[at].sent = true;
        self.items[at].act = self.acts;
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

    fn ask_whether(&mut self, act: Act) {
        let marked = self.shown().map(|item| item.inquiry.id.clone());
        let mut ids: Vec<InquiryId> = marked.filter(|id| self.marked.contains(id)).collect();
        if ids.is_empty() {
            ids.extend(self.focused().map(|item| item.inquiry.id.clone()));
        }
        if !ids.is_empty() {
            self.over = Some(Over::Confirm(act, ids));
        }
    }

    fn confirm(&mut self, action: Action) {
        match action {
            Action::Yes => {
                let Some(Over::Confirm(act, ids)) = self.over.take() else {
                    return;
                };
                self.acts += 1;
                for id in ids {
                    let Some(at) = self.place(&id) else {
                        continue;
                    };
                    let reply = match act {
                        Act::Reject => Reply::Reject,
                        Act::Decline => Reply::Decline,
                    };
                    self.send(at, reply);
                }
            }
            Action::Back | Action::Detach => self.over = None,
            _ => {}
        }
    }

    /// Skips a question that may be skipped: the agent is told so, and goes on.
    fn skip(&mut self) {
        let Some(prompt) = self
            .focused()
            .and_then(|item| self.prompt(item, Duration::ZERO))
        else {
            return;
        };
        let Some(End::Answered(answers)) = skipped(prompt, self.now) else {
            let args = [("keys", self.key_name(Action::Down).into())];
            self.notice = Some(self.say("notice-not-skippable", &args));
            return;
        };
        if let Some(at) = self.focus.as_ref().and_then(|id| self.place(id)) {
            self.acts += 1;
            self.send(at, Reply::Answer(answers));
        }
    }
}

/// What comes of skipping the only question of a prompt.
fn skipped(mut prompt: Prompt, now: crate::clock::Moment) -> Option<End> {
    if prompt.inquiry().questions().len() > 1 {
        return None;
    }
    prompt.painted(now);
    match prompt.skip() {
        Reaction::End(end) => Some(end),
        Reaction::Nothing
        | Reaction::Redraw
        | Reaction::Editor(_)
        | Reaction::Suspend
        | Reaction::Repaint
        | Reaction::Copy(_)
        | Reaction::Share => None,
    }
}
