//! The schema under which a tool is offered.

use askback_core::contract::{Contract, Flavor};
use askback_core::conversation::spawn;
use askback_core::dialect::Dialect;
use askback_engine::ports::ToolDefinition;
use serde_json::Value;

/// The schema in a strict subset, for the tools of askback itself; nothing for others, whose
/// schemas are not known to lie in it.
pub(super) fn strict_schema(tool: &ToolDefinition, flavor: Flavor) -> Option<Value> {
    let contract = own(&tool.name)?;
    (contract.schema(Flavor::Plain) == tool.input_schema).then(|| contract.schema(flavor))
}

fn own(name: &str) -> Option<&'static Contract> {
    if name == spawn::NAME {
        return Some(&spawn::CONTRACT);
    }
    Dialect::from_name(name).map(Dialect::contract)
}
