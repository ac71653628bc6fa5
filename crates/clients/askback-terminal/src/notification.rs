//! When the user is notified, and by which escape sequences, also through a terminal multiplexer.
//!
//! There are three sequences, and a terminal that understands two of them would notify twice. So one is chosen by what the
//! environment says about the terminal.

use std::collections::VecDeque;
use std::time::Duration;

use crate::clock::MonotonicTime;

/// Something that the user is notified of, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// What it is about. The user is notified once for each value.
    pub id: String,
    /// What the desktop shows.
    pub text: String,
    /// Whether a user who has not left the window is notified, too, if they have not typed for a while.
    pub reach: Reach,
}

/// Who is notified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Somebody who has turned to another window, as the terminal reports.
    OtherWindow,
    /// Also somebody who has not typed here for a while. Not every terminal reports which window has the focus.
    Idle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The terminal has not reported it yet.
    Unknown,
    Here,
    Away,
}

/// Decides who is notified of what.
#[derive(Debug, Clone)]
pub(crate) struct Notifier {
    /// By id, the newest last. One that ended may make way for one that came before it.
    known: VecDeque<(String, Decision)>,
    last_input: MonotonicTime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// Somebody typed here when it came, and the terminal may yet report that another window has the focus.
    OpenWhileTyping,
    OpenWhileIdle,
    /// The user got the notification, or has seen what it is about.
    Made,
}

/// Notifications that are remembered. More questions are hardly pending at once.
const KNOWN_MAX: usize = 100;

/// Whoever typed within this time is at the terminal and sees what appears there.
const IDLE_AFTER: Duration = Duration::from_secs(10);

impl Notifier {
    /// Whoever opened the screen is there.
    pub(crate) fn opened_at(now: MonotonicTime) -> Notifier {
        Notifier {
            known: VecDeque::new(),
            last_input: now,
        }
    }

    pub(crate) fn saw_input(&mut self, now: MonotonicTime) {
        self.last_input = now;
    }

    /// Whether to notify the user: once for each id, unless they typed here or looked at the window when it came.
    pub(crate) fn is_due(&mut self, it: &Notification, focus: Focus, now: MonotonicTime) -> bool {
        let decision = self.decision_on(&it.id, now);
        let is_due = match (focus, it.reach, *decision) {
            (.., Decision::Made) => return false,
            (Focus::Away, ..) | (_, Reach::Idle, Decision::OpenWhileIdle) => true,
            (Focus::Here, ..) => false,
            // It may yet report that another window has the focus.
            (Focus::Unknown, ..) => return false,
        };
        *decision = Decision::Made;
        is_due
    }

    fn decision_on(&mut self, id: &str, now: MonotonicTime) -> &mut Decision {
        let at = self.known.iter().position(|(known, _)| known == id);
        let at = at.unwrap_or_else(|| {
            let is_typing = now.saturating_sub(self.last_input) < IDLE_AFTER;
            let decision = if is_typing {
                Decision::OpenWhileTyping
            } else {
                Decision::OpenWhileIdle
            };
            if self.known.len() == KNOWN_MAX {
                self.known.pop_front();
            }
            self.known.push_back((id.to_owned(), decision));
            self.known.len() - 1
        });
        &mut self.known[at].1
    }
}

/// How the terminal is told to notify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotificationStyle {
    sequence: Sequence,
    multiplexer: Option<Multiplexer>,
}

/// When the user is notified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notifications {
    /// When something needs them and they are not typing here.
    #[default]
    On,
    /// Never.
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sequence {
    /// `OSC 9`: `iTerm2`, `WezTerm`, Ghostty, Windows Terminal, and most others that have any.
    Osc9,
    /// `OSC 777`: rxvt, foot, and terminals with VTE.
    Osc777,
    /// `OSC 99`: kitty.
    Osc99,
}

/// What stands between us and the terminal, and drops sequences that it does not know unless they are wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Multiplexer {
    /// With `allow-passthrough on`. Without, only the bell arrives.
    Tmux,
    Screen,
}

impl NotificationStyle {
    /// Chooses by environment variables.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> NotificationStyle {
        let is_set = |name: &str| var(name).is_some_and(|value| !value.is_empty());
        let term = var("TERM").unwrap_or_default();
        let sequence = if is_set("KITTY_WINDOW_ID") || term.contains("kitty") {
            Sequence::Osc99
        } else if is_set("VTE_VERSION") || term.starts_with("foot") || term.starts_with("rxvt") {
            Sequence::Osc777
        } else {
            Sequence::Osc9
        };
        let multiplexer = if is_set("TMUX") {
            Some(Multiplexer::Tmux)
        } else {
            is_set("STY").then_some(Multiplexer::Screen)
        };
        NotificationStyle {
            sequence,
            multiplexer,
        }
    }

    /// The bell, and the sequence for a text without control characters.
    pub(crate) fn sequence(self, text: &str) -> String {
        let sequence = match self.sequence {
            Sequence::Osc9 => format!("\x1b]9;{text}\x1b\\"),
            // A semicolon would end the field.
            Sequence::Osc777 => format!("\x1b]777;notify;askback;{}\x1b\\", text.replace(';', ",")),
            Sequence::Osc99 => format!("\x1b]99;;{text}\x1b\\"),
        };
        let wrapped = match self.multiplexer {
            None => sequence,
            Some(Multiplexer::Tmux) => {
                format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
            }
            // A string terminator inside would end the wrapper.
            Some(Multiplexer::Screen) => {
                format!("\x1bP{}\x1b\\", sequence.replace("\x1b\\", "\x07"))
            }
        };
        format!("\x07{wrapped}")
    }
}

#[cfg(test)]
#[path = "notification_tests.rs"]
mod tests;
