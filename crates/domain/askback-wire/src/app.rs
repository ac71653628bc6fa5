//! Apps and dialects: what a server offers to users and agents.

use std::collections::BTreeMap;

use askback_core::dialect::{AgentHost, Dialect, Flavor};
use askback_macros::skip_none;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// An app: a named system prompt with its tools.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AppResponse {
    /// What to send as `app` when starting a conversation.
    pub id: String,
    /// The name to show, in English if there is no other.
    pub name: String,
    /// Names by language tag.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    /// What the app does.
    pub description: Option<String>,
    /// Names of the ask tools and of other tools that the model may use. `*` stands for all other tools.
    #[serde(default)]
    pub tools: Vec<String>,
    /// The model, if the app requires one.
    pub model: Option<String>,
    /// Whether conversations without `app` use this one.
    #[serde(default)]
    pub default: bool,
}

/// A dialect: one tool contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DialectResponse {
    /// The name of the tool.
    pub name: String,
    /// The tool description for the model.
    pub description: String,
    /// What to add to the system prompt while the tool is enabled.
    pub guidance: String,
    /// The JSON Schema of the tool input.
    #[schema(value_type = BTreeMap<String, Value>)]
    pub input_schema: Value,
}

impl From<Dialect> for DialectResponse {
    fn from(dialect: Dialect) -> DialectResponse {
        let contract = dialect.contract();
        DialectResponse {
            name: contract.name.to_owned(),
            description: contract.description.told_by(AgentHost::Askback),
            guidance: dialect.guidance(AgentHost::Askback),
            input_schema: contract.schema(Flavor::Plain),
        }
    }
}
