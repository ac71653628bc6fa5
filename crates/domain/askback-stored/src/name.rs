//! The stored names of plain enums.

use askback_core::conversation::Driver;
use askback_core::conversation::event::FailureKind;
use askback_core::dialect::Dialect;
use askback_core::outcome::{Surface, UndeliverableReason};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Unreadable;
use crate::form::Form;
use crate::job::WebhookEvent;

/// An enum that is stored by name.
pub(crate) trait StoredName: Copy {
    fn name(self) -> &'static str;
    fn from_name(name: &str) -> Option<Self>;
}

/// The stored name of a surface.
pub fn surface_name(surface: Surface) -> &'static str {
    surface.name()
}

/// A value that is stored by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Named<T>(pub(crate) T);

impl<T: StoredName> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de, T: StoredName> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<T>, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let known = T::from_name(&name).map(Named);
        known.ok_or_else(|| serde::de::Error::custom("unknown name"))
    }
}

impl<T: StoredName> Form<'_, T> for Named<T> {
    fn store(value: &T) -> Named<T> {
        Named(*value)
    }

    fn restore(self) -> Result<T, Unreadable> {
        Ok(self.0)
    }
}

macro_rules! stored_names {
    ($($type:ident { $($variant:ident = $name:literal),+ $(,)? })+) => { $(
        impl StoredName for $type {
            fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }

            fn from_name(name: &str) -> Option<$type> {
                match name { $($name => Some($type::$variant),)+ _ => None }
            }
        }
    )+ };
}

stored_names! {
    Dialect {
        AskUserQuestion = "ask_user_question",
        AskUserQuestionClaude = "AskUserQuestion",
        Question = "question",
        AskUser = "ask_user",
        Questions = "questions",
    }
    Driver { BuiltIn = "built_in", External = "external" }
    Surface {
        Terminal = "terminal",
        Web = "web",
        Link = "link",
        Cli = "cli",
        Http = "http",
        Mcp = "mcp",
        Telegram = "telegram",
        Slack = "slack",
        Ntfy = "ntfy",
        Push = "push",
        Email = "email",
        Command = "command",
        System = "system",
    }
    UndeliverableReason {
        NobodyThere = "nobody_there",
        Disabled = "disabled",
        LimitReached = "limit_reached",
        SubAgent = "sub_agent",
    }
    FailureKind {
        Overloaded = "overloaded",
        Network = "network",
        Malformed = "malformed",
        Refused = "refused",
        TooManyRounds = "too_many_rounds",
        SameFailures = "same_failures",
    }
    WebhookEvent { InquiryResolved = "inquiry_resolved", InquiryReminder = "inquiry_reminder" }
}
