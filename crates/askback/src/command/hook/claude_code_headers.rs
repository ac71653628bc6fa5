//! `askback hook claude-code-headers`: the `headersHelper` of askback's entry in Claude Code's settings.
//!
//! Claude Code replaces `${PWD:-}` in the address of a server without encoding it, so that a directory with `#`
//! or `&` does not arrive. Before it connects, it runs this command with the same address in a variable.

use std::io::Write as _;

use askback_mcp::{PROJECT_HEADER, project_header_value};
use serde_json::json;

use crate::failure::Failure;
use crate::output;

/// The address of the server, with variables replaced.
const ADDRESS_VARIABLE: &str = "CLAUDE_CODE_MCP_SERVER_URL";

/// What stands before the directory, which ends the address.
pub(crate) const PROJECT_PARAMETER: &str = "?project=";

pub(crate) fn run() -> Result<(), Failure> {
    let address = std::env::var(ADDRESS_VARIABLE).unwrap_or_default();
    let headers = match address.split_once(PROJECT_PARAMETER) {
        Some((_, project)) if !project.is_empty() => {
            json!({ PROJECT_HEADER: project_header_value(project) })
        }
        Some(_) | None => json!({}),
    };
    writeln!(output::stdout(), "{headers}")?;
    Ok(())
}
