//! What a caller may see and do.

use askback_channels::{AliasProof, NamedRecipient, Recipients};
use askback_core::id::InquiryId;
use askback_core::identity::Identity;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_engine::InquiryView;
use askback_wire::credential::ScopeName;
use askback_wire::link::LinkAllow;

/// What a caller may see and do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Everything.
    Admin,
    /// Ask, and follow what was asked under this name.
    Agent { name: String },
    /// See and answer what is for this person.
    Respondent(Respondent),
    /// See and answer this inquiry.
    Inquiry { id: InquiryId, allow: LinkAllow },
    /// Read metrics.
    Metrics,
}

/// A person, and how they have proved who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Respondent {
    pub(crate) alias: String,
    pub(crate) proof: AliasProof,
    /// Whether they see what is for nobody in particular.
    pub(crate) sees_unaddressed: bool,
}

impl Scope {
    pub(crate) fn name(&self) -> ScopeName {
        match self {
            Scope::Admin => ScopeName::Admin,
            Scope::Agent { .. } => ScopeName::Agent,
            Scope::Respondent(_) => ScopeName::Respondent,
            Scope::Inquiry { .. } => ScopeName::Inquiry,
            Scope::Metrics => ScopeName::Metrics,
        }
    }

    /// The name under which an agent asks.
    pub(crate) fn agent(&self) -> Option<&str> {
        match self {
            Scope::Agent { name } => Some(name),
            Scope::Admin | Scope::Respondent(_) | Scope::Inquiry { .. } | Scope::Metrics => None,
        }
    }

    /// The alias of the person who acts.
    pub(crate) fn person(&self) -> Option<&str> {
        match self {
            Scope::Respondent(person) => Some(&person.alias),
            Scope::Admin | Scope::Agent { .. } | Scope::Inquiry { .. } | Scope::Metrics => None,
        }
    }

    /// Whose idempotency keys the caller uses. Administrators share theirs.
    pub(crate) fn key_owner(&self) -> Option<String> {
        match self {
            Scope::Admin | Scope::Metrics => None,
            Scope::Agent { name } => Some(format!("agent/{name}")),
            Scope::Respondent(person) => Some(format!("person/{}", person.alias)),
            Scope::Inquiry { id, .. } => Some(format!("inquiry/{id}")),
        }
    }

    /// Whether an inquiry exists for the caller.
    pub(crate) fn sees(&self, view: &InquiryView, recipients: &Recipients) -> bool {
        match self {
            Scope::Admin => true,
            Scope::Agent { name } => view.row.credential.as_deref() == Some(name),
            Scope::Respondent(person) => {
                // Nothing is left to say for whom a deleted inquiry was.
                !view.inquiry.questions().is_empty() && person.may_see(&view.inquiry, recipients)
            }
            Scope::Inquiry { id, .. } => view.row.id == *id,
            Scope::Metrics => false,
        }
    }

    /// Whether the caller may do what a link with this permission allows.
    pub(crate) fn allows(&self, what: LinkAllow) -> bool {
        match self {
            Scope::Inquiry { allow, .. } => what <= *allow,
            Scope::Admin | Scope::Agent { .. } | Scope::Respondent(_) | Scope::Metrics => true,
        }
    }

    /// Who acts. The caller says from where; who they are follows from the scope, unless that is everybody's.
    pub(crate) fn actor(&self, claimed: Actor, recipients: &Recipients) -> Actor {
        match self {
            Scope::Admin | Scope::Metrics => claimed,
            // A page says who uses it, which nobody has proved: it is none of the people who are known here, and whoever has
            // the token of this question is one for the record.
            Scope::Inquiry { id, .. } => Actor {
                name: claimed.name.filter(|name| !recipients.is_called(name)),
                identity: Identity::new("page", &id.to_string()),
                surface: if claimed.surface == Surface::Web {
                    Surface::Web
                } else {
                    Surface::Http
                },
                ..claimed
            },
            Scope::Agent { name } => Actor {
                name: Text::clean(name, Lines::One),
                ..claimed
            },
            Scope::Respondent(person) => {
                let known = recipients.people.get(&person.alias);
                let name = known.map_or(person.alias.as_str(), |known| known.name.as_str());
                Actor {
                    name: Text::clean(name, Lines::One),
                    identity: person.proof.identity(&person.alias),
                    ..claimed
                }
            }
        }
    }
}

impl Respondent {
    fn may_see(&self, inquiry: &Inquiry, recipients: &Recipients) -> bool {
        let recipient = inquiry.recipient();
        let named = recipient.and_then(|named| NamedRecipient::parse(named.as_str()).alias);
        if inquiry.is_private() {
            return named == Some(&*self.alias);
        }
        self.is_addressed(recipient, recipients)
    }

    /// Whether a question for this recipient is for the person: named, in a group, or for nobody in particular.
    pub(crate) fn is_addressed(&self, recipient: Option<&Text>, recipients: &Recipients) -> bool {
        let alias = recipient.and_then(|named| NamedRecipient::parse(named.as_str()).alias);
        match alias {
            None => self.sees_unaddressed,
            Some(alias) => recipients.includes(alias, &self.alias),
        }
    }
}

#[cfg(test)]
#[path = "scope_tests.rs"]
mod tests;
