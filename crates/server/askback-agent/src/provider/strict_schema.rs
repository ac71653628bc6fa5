//! The schemas of askback's own tools in the subset that a provider can enforce.

use askback_core::contract::{Contract, Flavor};
use askback_core::conversation::spawn;
use askback_core::dialect::Dialect;
use askback_engine::ports::ToolDefinition;
use serde_json::Value;

/// The tool's schema in a provider's strict subset. `None` for other people's tools, whose schemas
/// may lie outside of it, and for a tool that only shares its name with one of ours.
pub(super) fn strict_schema(tool: &ToolDefinition, flavor: Flavor) -> Option<Value> {
    let contract = builtin_contract(&tool.name)?;
    (contract.schema(Flavor::Plain) == tool.input_schema).then(|| contract.schema(flavor))
}

fn builtin_contract(name: &str) -> Option<&'static Contract> {
    if name == spawn::NAME {
        return Some(&spawn::CONTRACT);
    }
    Dialect::of_tool(name).map(Dialect::contract)
}
