//! Recipients: the people and groups that a question may be for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A person or a group. It contains no account and no address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecipientResponse {
    /// What `recipient` of a question names.
    pub alias: String,
    /// The name of the person; the alias of a group. Empty if the configuration names nobody.
    pub name: String,
    /// The aliases of the members of a group. Missing for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<String>>,
    /// Whether a question to them is sent through a channel. Otherwise they see it in the browser and at the
    /// terminal only.
    #[serde(default)]
    pub reachable: bool,
}
