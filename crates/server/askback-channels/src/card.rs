//! What a channel shows: one inquiry as one recipient may see it, in their language.

pub(crate) mod build;
pub(crate) mod clip;
pub(crate) mod text;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Actor, Outcome};
use askback_core::text::Text;
use askback_locale::Locale;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::contract::button::DraftCode;
use crate::contract::button::{Button, PersonCode, Press};
use crate::links::press_link::PressLinks;

/// One inquiry as one recipient sees it. Plain data: everything that a channel needs to render it.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The inquiry, for buttons.
    pub inquiry: InquiryId,
    /// The revision, for buttons.
    pub revision: u32,
    /// The name of the agent that asks, if known.
    pub asker: Option<Text>,
    /// What the agent works on, if known: the name of a directory.
    pub project: Option<Text>,
    /// All questions, whole. A deleted conversation leaves none.
    pub questions: Inquiry,
    /// The deadline.
    pub expires_at: Option<Timestamp>,
    /// A link to the question for this recipient. `None` if the server has no address that others can
    /// reach.
    pub link: Option<String>,
    /// Makes URLs that press a button, for channels whose buttons are requests. `None` if the server has
    /// no address that others can reach.
    pub press_links: Option<PressLinks>,
    /// How the question came to this reader, and to whom else: one sentence for each line.
    pub notes: Vec<String>,
    /// How much of the question may leave this machine.
    pub content: ContentLevel,
    /// Language, time zone and day.
    pub reader: Reader,
    /// To whom the reader can hand it on; nobody unless it is open. A channel with buttons offers it.
    pub hand_on: HandOnMenu,
    /// Open, answered with undo, handed on, or ended.
    pub state: CardState,
}

/// To whom a question can be handed on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HandOnMenu {
    /// What a button for the person or group carries, and the name: people first.
    pub people: Vec<(PersonCode, String)>,
    /// Whether the people are shown in place of the question's own buttons.
    pub is_shown: bool,
    /// The reason that the reader has written so far.
    pub reason: Option<String>,
}

/// Who reads a card.
#[derive(Debug, Clone, PartialEq)]
pub struct Reader {
    /// The language of the texts.
    pub locale: Locale,
    /// The time zone in which times are shown.
    pub time_zone: TimeZone,
    /// The day where they are, for buttons such as "Tomorrow".
    pub today: Date,
}

/// How much of a question may leave this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContentLevel {
    /// Questions, choices and answers.
    #[default]
    Full,
    /// Who asks, and the header of the question. No choices, no answers.
    Title,
    /// That a question waits, and the link.
    Link,
}

impl ContentLevel {
    /// At most this level, and without answers.
    pub(crate) fn without_answers(self) -> ContentLevel {
        match self {
            ContentLevel::Full | ContentLevel::Title => ContentLevel::Title,
            ContentLevel::Link => ContentLevel::Link,
        }
    }

    /// The level with this name in the configuration.
    pub fn from_name(name: &str) -> Option<ContentLevel> {
        Some(match name {
            "full" => ContentLevel::Full,
            "title" => ContentLevel::Title,
            "link" => ContentLevel::Link,
            _ => return None,
        })
    }
}

/// Where an inquiry stands.
#[derive(Debug, Clone, PartialEq)]
pub enum CardState {
    /// It waits for an answer.
    Open {
        /// What was ticked and written so far, on any surface.
        draft: Draft,
    },
    /// It has an answer that can still be undone. Show one control, Undo, to whoever gave it.
    Held {
        /// Who gave it.
        by: Actor,
        /// What it will be.
        outcome: Outcome,
        /// The end of the undo window.
        until: Timestamp,
        /// Whether the reader is who gave it. Others cannot undo it.
        is_own: bool,
    },
    /// It was handed on to somebody else. Show no controls.
    HandedOn {
        /// The name of the new recipient or group.
        to: String,
        /// Who handed it on.
        by: Actor,
        /// Why, if the reason may leave this machine.
        reason: Option<String>,
    },
    /// It has its outcome. Show no controls.
    Ended {
        /// Who brought it about.
        by: Actor,
        /// How it ended.
        outcome: Outcome,
        /// When it ended.
        at: Timestamp,
    },
}

impl Card {
    /// Whether questions and their choices may be shown with controls.
    pub fn is_answerable(&self) -> bool {
        self.content == ContentLevel::Full && matches!(self.state, CardState::Open { .. })
    }

    /// A button of this card.
    pub(crate) fn button(&self, press: Press) -> Button {
        Button {
            inquiry: self.inquiry.clone(),
            revision: self.revision,
            press,
        }
    }

    /// What the button that sends says about the draft.
    pub(crate) fn draft_code(&self) -> Option<DraftCode> {
        self.draft().map(DraftCode::new)
    }

    /// What was ticked and written so far, while the card is open.
    pub fn draft(&self) -> Option<&Draft> {
        match &self.state {
            CardState::Open { draft } => Some(draft),
            CardState::Held { .. } | CardState::HandedOn { .. } | CardState::Ended { .. } => None,
        }
    }
}
