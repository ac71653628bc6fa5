//! What a button carries: which question it is for and what pressing it does.
//!
//! The data is neither secret nor trusted: a provider may deliver data that no message ever had. Who may
//! press is decided by the identity of the person, and what it does is checked against the record.

use std::fmt;

use askback_core::draft::{Draft, DraftPage};
use askback_core::id::InquiryId;
use jiff::civil::Date;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// What a button carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Button {
    /// The inquiry, so that a button works in every copy of a message.
    pub inquiry: InquiryId,
    /// The revision that the message shows. A press on an older one is refused.
    pub revision: u32,
    /// What it does.
    pub press: Press,
}

/// What pressing a button does. Questions and choices are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Press {
    /// Takes the one choice of a question. It answers a single question at once, and goes to the next
    /// page of several.
    Choose {
        /// The question.
        question: usize,
        /// The choice.
        choice: usize,
    },
    /// Ticks or unticks one of several choices. It says which of the two, so that a press that is received
    /// again after a crash changes nothing.
    Tick {
        /// The question.
        question: usize,
        /// The choice.
        choice: usize,
        /// Whether it is ticked afterwards.
        ticked: bool,
    },
    /// Asks for text: own text, a text answer, a number, a date.
    Write {
        /// The question.
        question: usize,
        /// Which day of a range.
        day: RangeDay,
    },
    /// Takes a date.
    Date {
        /// The question.
        question: usize,
        /// Which day of a range it is.
        day: RangeDay,
        /// The day.
        date: Date,
    },
    /// Skips a question.
    Skip {
        /// The question.
        question: usize,
    },
    /// Shows another page. The number of questions is the review.
    Page {
        /// The page.
        page: usize,
    },
    /// Sends what is ticked and written.
    Send {
        /// What the message shows of it. Nothing is sent if it has changed. `None` where the press itself has
        /// the whole answer.
        shown: Option<DraftCode>,
    },
    /// Lets the agent go on without an answer.
    Decline,
    /// Undoes an answer within its undo window.
    Undo,
    /// Shows the people to whom the question can be handed on, or the question's own buttons again. It says which
    /// of the two, as a tick does.
    People {
        /// Whether the people are shown afterwards.
        shown: bool,
    },
    /// Asks for the reason of a hand-on, before a person is chosen.
    Reason,
    /// Hands the question on to a person or a group.
    HandOn {
        /// The person or group.
        to: PersonCode,
    },
}

/// Which day of a range is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeDay {
    /// The first; also the day of a date, and every other text.
    First,
    /// The last day of a range whose first day the person was shown. The draft may have another one by now.
    Last {
        /// The first day.
        first: Date,
    },
}

impl Press {
    /// Which day of a range a text is that replies to a message with this button.
    pub(crate) fn asked_day(self) -> RangeDay {
        if let Press::Write { day, .. } | Press::Date { day, .. } = self {
            day
        } else {
            RangeDay::First
        }
    }

    /// The question that it is for, counted from 0; none if it is for all of them.
    pub(crate) fn question(self) -> Option<usize> {
        if let Press::Choose { question, .. }
        | Press::Tick { question, .. }
        | Press::Write { question, .. }
        | Press::Date { question, .. }
        | Press::Skip { question } = self
        {
            Some(question)
        } else {
            None
        }
    }
}

/// Stands for the alias of a person or group in a button or the key of a link, which have no room for every alias. A
/// position in the list of people would name somebody else after the configuration has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonCode(ShortHash);

impl PersonCode {
    /// The code of an alias.
    pub fn new(alias: &str) -> PersonCode {
        PersonCode(ShortHash::new(alias.as_bytes()))
    }

    /// The code that is written like this.
    pub fn decode(hex: &str) -> Option<PersonCode> {
        ShortHash::decode(hex).map(PersonCode)
    }
}

impl fmt::Display for PersonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Button {
    /// The most bytes that [`Button::encode`] returns. Telegram takes 64.
    pub const BYTES_MAX: usize = 64;

    /// The data of the button: the id without its prefix, the revision, and what it does, separated by
    /// points. `01hzy3v5q0k2m4n6p8r0s2t4v6.1.0.2` takes the third choice of the first question.
    pub fn encode(&self) -> String {
        let id = self.inquiry.as_str();
        let id = id.strip_prefix(InquiryId::PREFIX).unwrap_or(id);
        let revision = self.revision;
        match self.press {
            Press::Choose { question, choice } => format!("{id}.{revision}.{question}.{choice}"),
            Press::Tick {
                question,
                choice,
                ticked,
            } => {
                let sign = if ticked { '+' } else { '-' };
                format!("{id}.{revision}.{question}.{choice}{sign}")
            }
            Press::Write { question, day } => match day {
                RangeDay::First => format!("{id}.{revision}.{question}.w"),
                RangeDay::Last { first } => format!("{id}.{revision}.{question}.x{first}"),
            },
            Press::Date {
                question,
                day,
                date,
            } => match day {
                RangeDay::First => format!("{id}.{revision}.{question}.d{date}"),
                RangeDay::Last { first } => format!("{id}.{revision}.{question}.e{first},{date}"),
            },
            Press::Skip { question } => format!("{id}.{revision}.{question}.s"),
            Press::Page { page } => format!("{id}.{revision}.{page}.p"),
            Press::Send { shown: None } => format!("{id}.{revision}.send"),
            Press::Send { shown: Some(code) } => format!("{id}.{revision}.send.{}", code.0),
            Press::Decline => format!("{id}.{revision}.decline"),
            Press::Undo => format!("{id}.{revision}.undo"),
            Press::People { shown: true } => format!("{id}.{revision}.people"),
            Press::People { shown: false } => format!("{id}.{revision}.back"),
            Press::Reason => format!("{id}.{revision}.reason"),
            Press::HandOn { to } => format!("{id}.{revision}.to.{to}"),
        }
    }

    /// The button with this data. `None` if no button has it.
    pub fn decode(data: &str) -> Option<Button> {
        if data.len() > Button::BYTES_MAX {
            return None;
        }
        let mut parts = data.split('.');
        let (id, revision, first) = (parts.next()?, parts.next()?, parts.next()?);
        let press = match (first, parts.next()) {
            ("send", None) => Press::Send { shown: None },
            ("send", Some(code)) => Press::Send {
                shown: Some(DraftCode(ShortHash::decode(code)?)),
            },
            ("decline", None) => Press::Decline,
            ("undo", None) => Press::Undo,
            ("people", None) => Press::People { shown: true },
            ("back", None) => Press::People { shown: false },
            ("reason", None) => Press::Reason,
            ("to", Some(code)) => Press::HandOn {
                to: PersonCode::decode(code)?,
            },
            (number, Some(what)) => Self::decode_press(index(number)?, what)?,
            (_, None) => return None,
        };
        let revision = index(revision).and_then(|number| u32::try_from(number).ok())?;
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_id && parts.next().is_none()).then(|| Button {
            inquiry: InquiryId::new(format!("{}{id}", InquiryId::PREFIX)),
            revision,
            press,
        })
    }

    fn decode_press(question: usize, what: &str) -> Option<Press> {
        let tick = |choice: &str, ticked| {
            let choice = index(choice)?;
            Some(Press::Tick {
                question,
                choice,
                ticked,
            })
        };
        let write = |day| Some(Press::Write { question, day });
        let date = |date: &str, day| {
            let date = date.parse().ok()?;
            Some(Press::Date {
                question,
                day,
                date,
            })
        };
        let last = |first: &str| {
            let first = first.parse().ok()?;
            Some(RangeDay::Last { first })
        };
        match what {
            "w" => write(RangeDay::First),
            "s" => Some(Press::Skip { question }),
            "p" => Some(Press::Page { page: question }),
            _ => {
                if let Some(choice) = what.strip_suffix('+') {
                    tick(choice, true)
                } else if let Some(choice) = what.strip_suffix('-') {
                    tick(choice, false)
                } else if let Some(first) = what.strip_prefix('x') {
                    write(last(first)?)
                } else if let Some(day) = what.strip_prefix('d') {
                    date(day, RangeDay::First)
                } else if let Some((first, day)) =
                    what.strip_prefix('e').and_then(|days| days.split_once(','))
                {
                    date(day, last(first)?)
                } else {
                    let choice = index(what)?;
                    Some(Press::Choose { question, choice })
                }
            }
        }
    }
}

/// Digits only: `parse` alone would take `+1`.
fn index(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// Stands for what a draft would send. A draft is shared by all people who have the question, so a button that sends it
/// says what its message shows: if somebody else has changed it meanwhile, nothing is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftCode(pub(crate) ShortHash);

impl DraftCode {
    /// The code of a draft. Whether it is at the review counts, because that shows what is left open. Other pages and the
    /// focus do not: they are not sent.
    pub fn new(draft: &Draft) -> DraftCode {
        let is_review = draft.page == DraftPage::Review;
        let given = draft.entries.iter().map(|entry| {
            let own = entry.own_ticked.then_some(&entry.own);
            let texts = (own, &entry.typed, &entry.typed_end, &entry.note);
            json!([entry.picked, texts, entry.skipped])
        });
        let given: Value = given.collect();
        DraftCode(ShortHash::new(
            json!([is_review, given]).to_string().as_bytes(),
        ))
    }
}

/// Four bytes of a hash, written as eight hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortHash(u32);

impl ShortHash {
    pub(crate) fn new(bytes: &[u8]) -> ShortHash {
        let digest = Sha256::digest(bytes);
        ShortHash(u32::from_be_bytes([
            digest[0], digest[1], digest[2], digest[3],
        ]))
    }

    pub(crate) fn decode(hex: &str) -> Option<ShortHash> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_hex = hex.len() == 8 && hex.bytes().all(is_digit);
        let code = is_hex.then(|| u32::from_str_radix(hex, 16).ok())?;
        code.map(ShortHash)
    }
}

impl std::fmt::Display for ShortHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

#[cfg(test)]
#[path = "button_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "draft_code_tests.rs"]
mod draft_code_tests;
