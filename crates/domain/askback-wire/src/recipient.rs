//! Recipients: the people and groups that a question may be for.

use askback_macros::skip_none;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A person or a group. It contains no account and no address.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecipientResponse {
    /// What `recipient` of a question names.
    pub alias: String,
    /// The name of the person; the alias of a group. Empty if the configuration names nobody.
    pub name: String,
    /// The aliases of the members of a group. Missing for a person.
    pub members: Option<Vec<String>>,
    /// Whether a question to them is sent through a channel. Otherwise they see it in the browser and at the
    /// terminal only.
    #[serde(default)]
    pub reachable: bool,
    /// Who gets questions for the group first. Missing if all members get them at once.
    pub on_call: Option<OnCallResponse>,
    /// Whether the configuration of the server has it, and it is changed there.
    #[serde(default)]
    pub configured: bool,
}

/// Who is on call in a group.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OnCallResponse {
    /// The alias of the member who gets a question that is asked now. The others get it by and by, if it has a deadline.
    pub now: String,
    /// After how many days the next member is the first.
    pub days: Option<u32>,
    /// The day on which the first member began, in UTC.
    #[schema(value_type = Option<String>, format = Date)]
    pub since: Option<Date>,
}

/// A person, or with `members` a group.
#[skip_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RecipientParams {
    /// The name of the person that others see.
    pub name: Option<String>,
    /// Accounts of the person, such as `proxy:anna@example.org`, the name under which a proxy knows her. Accounts that are linked
    /// come in addition.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identities: Vec<String>,
    /// The aliases of the members of a group.
    pub members: Option<Vec<String>>,
    /// Asks one member first. Without it, all members get questions at once.
    pub on_call: Option<OnCallParams>,
}

/// How the members of a group are on call.
#[skip_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OnCallParams {
    /// After how many days the next member is the first, such as 7. Without it, the first one always is.
    pub days: Option<u32>,
    /// The day on which the first member began, in UTC: today if it is missing.
    #[schema(value_type = Option<String>, format = Date)]
    pub since: Option<Date>,
}

/// What else is known of a person who is to be forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ForgetParams {
    /// Names that they have acted under besides the present one, such as an earlier one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Somebody who was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ForgottenResponse {
    /// What is shown in place of their name and alias.
    pub pseudonym: String,
}
