//! Credentials: tokens that permit a part of what the server's token does.

use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::duration::HumanDuration;
use crate::link::LinkAllow;
use crate::string_enum::string_enum;

/// Names the agent for which a caller with every right acts. What it sends may then do no more than that agent's token could.
pub const AGENT_HEADER: &str = "x-askback-agent";

string_enum! {
    /// What a credential permits.
    ScopeName {
        /// Everything.
        Admin => "admin",
        /// Ask, and follow, wait for and withdraw what was asked with it.
        Agent => "agent",
        /// See and answer what is for one person.
        Respondent => "respondent",
        /// See and answer one question.
        Inquiry => "inquiry",
        /// Read metrics.
        Metrics => "metrics",
    }
}

/// Creates a credential.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewCredentialParams {
    /// Names it in lists. An agent asks under this name.
    pub name: String,
    /// `admin`, `agent`, `respondent` or `metrics`.
    pub scope: ScopeName,
    /// The alias of the person it is for. Required with `respondent`, and only there.
    pub person: Option<String>,
    /// How long it is valid, such as `90d`. Without it, until it is revoked.
    pub expires_in: Option<HumanDuration>,
}

/// A credential, without its secret.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CredentialResponse {
    /// Identifies it, to revoke it.
    pub name: String,
    /// What it permits.
    pub scope: ScopeName,
    /// The alias of the person it is for.
    pub person: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// A new credential. Its token is shown this one time.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewCredentialResponse {
    /// What to send as `Authorization: Bearer`.
    pub token: String,
    /// The credential.
    pub credential: CredentialResponse,
}

// Leaves out the token.
askback_core::debug_only!(NewCredentialResponse: credential);

/// Who a caller is.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MeResponse {
    /// What the caller may do.
    pub scope: ScopeName,
    /// The name under which an agent asks.
    pub agent: Option<String>,
    /// The alias of the person.
    pub person: Option<String>,
    /// The name of the person, as others see it.
    pub person_name: Option<String>,
    /// The aliases of the groups of the person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
}

/// Creates a token for one inquiry. The body may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewInquiryTokenParams {
    /// How long it is valid: `5m`, `2h`. By default a day, at most a week.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<HumanDuration>,
    /// What its holder may do. By default `decline`.
    pub allow: LinkAllow,
}

/// A token with which one inquiry can be read, followed and answered.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InquiryTokenResponse {
    /// What to send as `Authorization: Bearer`, or to give to `<askback-question>`.
    pub token: String,
    /// When it ends.
    pub expires_at: Timestamp,
    /// What its holder may do.
    pub allow: LinkAllow,
}

// Leaves out the token.
askback_core::debug_only!(InquiryTokenResponse: expires_at);
