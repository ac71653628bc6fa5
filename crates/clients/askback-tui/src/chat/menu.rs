//! The menu of the chat: stop the agent, leave, open an earlier conversation, show the link. Each is a menu
//! choice, so that no single keypress does it by mistake.

use askback_core::id::ConversationId;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Chat, Overlay};
use crate::transcript::Kind;
use askback_terminal::clock;
use askback_terminal::row::{Row, Style};

/// An earlier conversation that can be continued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierConversation {
    /// Its id, for [`ChatRequest::OpenConversation`](super::ChatRequest::OpenConversation).
    pub id: ConversationId,
    /// The title, as the server stores it.
    pub title: String,
    /// When it last changed.
    pub at: Timestamp,
    /// Whether it has a pending question.
    pub waits: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Stay,
    Stop,
    Leave,
    Earlier,
    BrowserLink,
}

impl Chat {
    pub(super) fn menu_choices(&self) -> Vec<Choice> {
        let mut choices = vec![Choice::Stay];
        if self.is_busy() || !self.pending.is_empty() {
            choices.push(Choice::Stop);
        }
        choices.extend([Choice::Leave, Choice::Earlier]);
        if self.browser_link.is_some() {
            choices.push(Choice::BrowserLink);
        }
        choices
    }

    /// The rows of the open menu: label and detail.
    pub(super) fn menu_rows(&self) -> Vec<(String, String)> {
        match &self.overlay {
            Some(Overlay::Menu(choices, _)) => {
                let agent = [("agent", self.agent.as_str().into())];
                let word = |choice: &Choice| match choice {
                    Choice::Stay => (self.text("chat-menu-stay", &[]), String::new()),
                    Choice::Stop => (
                        self.text("chat-menu-stop", &agent),
                        self.text("chat-menu-stop-effect", &[]),
                    ),
                    Choice::Leave => (
                        self.text("chat-menu-leave", &[]),
                        self.text("chat-menu-leave-effect", &[]),
                    ),
                    Choice::Earlier => (self.text("chat-menu-earlier", &[]), String::new()),
                    Choice::BrowserLink => (self.text("chat-menu-link", &[]), String::new()),
                };
                choices.iter().map(word).collect()
            }
            Some(Overlay::Earlier(earlier, _)) => {
                earlier.iter().map(|one| self.earlier(one)).collect()
            }
            Some(Overlay::ConfirmStop) => vec![(self.text("sure-stop", &[]), String::new())],
            None => Vec::new(),
        }
    }

    fn earlier(&self, one: &EarlierConversation) -> (String, String) {
        let day = one.at.to_zoned(TimeZone::system()).date();
        let mut when = if day == self.config.today {
            clock::time_of_day(one.at)
        } else {
            clock::date_and_time(one.at)
        };
        if one.waits {
            let waits = self.text("inbox-count", &[("count", 1_usize.into())]);
            when = format!("{when} {} {waits}", self.config.glyphs.dot);
        }
        (one.title.clone(), when)
    }

    /// Prints the link again that was printed at the start, which may have scrolled away.
    pub(super) fn print_browser_link(&mut self) {
        let rows = self.browser_link.iter().cloned().collect();
        self.transcript.note(rows, Kind::Address);
    }

    pub(super) fn print_resume_command(&mut self) {
        let Some(id) = &self.conversation else {
            return;
        };
        let command = self.resume_command.replace("{id}", id.as_str());
        let words = self.text("chat-left", &[("command", command.into())]);
        let row = Row::new().with(words, Style::Muted);
        self.transcript.note(vec![row], Kind::Address);
    }
}
