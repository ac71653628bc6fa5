//! Apps and dialects: what conversations can be started for, and how agents may ask.

use std::collections::BTreeMap;

use askback_core::dialect::{Dialect, Flavor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// An app: a system prompt with its tools, under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AppResponse {
    /// Its id.
    pub id: String,
    /// Its name in the caller's language, as far as it has one.
    pub name: String,
    /// Its names by language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The ask tools the model sees, by name, and others it may use; `*` stands for every other.
    #[serde(default)]
    pub tools: Vec<String>,
    /// The model, if it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether it is the one that conversations get which name none.
    #[serde(default)]
    pub default: bool,
}

/// A dialect: one tool contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DialectResponse {
    /// The name of the tool.
    pub name: String,
    /// What a model is told about it.
    pub description: String,
    /// What a system prompt says while the tool is enabled.
    pub guidance: String,
    /// The JSON Schema of its input.
    #[schema(value_type = Object)]
    pub input_schema: Value,
}

impl From<Dialect> for DialectResponse {
    fn from(dialect: Dialect) -> DialectResponse {
        let contract = dialect.contract();
        DialectResponse {
            name: contract.name.to_owned(),
            description: contract.description.to_owned(),
            guidance: dialect.guidance().to_owned(),
            input_schema: contract.schema(Flavor::Plain),
        }
    }
}
