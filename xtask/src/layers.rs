//! Which crate of the workspace may use which, and which crate alone may name an external library.
//!
//! Dependencies point one way: core ← {store, stored} ← engine, store ← postgres, engine ← agent ← server, core ← wire ← {agent, server, client, tui}, wire ← client ← mcp, core ← locale ← {channels, server, tui}, engine ← channels ← server, and the binary uses them all. The two tables are the rule;
//! the functions below them compare the manifests.

use crate::workspace::{Package, SpecialKind, Workspace};

/// Crates for tests: a dev-dependency of any crate, a normal one only where the table says so. Tests of the engine run
/// several nodes on PostgreSQL.
const TEST_CRATES: [&str; 4] = [
    "askback-testkit",
    "askback-fakes",
    "askback-store-testing",
    "askback-postgres",
];

/// The crates of the workspace, each with the crates of the workspace that it may use, without `askback-` before their
/// names. A row names only rows above it, so the table itself has no cycle.
const LAYERS: &[(&str, &str)] = &[
    ("core", ""),
    ("macros", ""),
    ("store", "core"),
    ("postgres", "core store"),
    ("store-testing", "core store"),
    ("stored", "core macros"),
    ("engine", "core store stored"),
    ("wire", "core macros"),
    ("agent", "core store engine wire"),
    ("fakes", "core agent"),
    ("client", "core wire"),
    ("locale", "core"),
    ("channels", "core store engine wire locale"),
    (
        "server",
        "core store stored engine agent wire locale channels",
    ),
    ("mcp", "core wire client"),
    ("terminal", ""),
    ("tui", "core wire locale terminal"),
    (
        "testkit",
        "core stored store engine agent wire locale channels server",
    ),
    (
        "askback",
        "core store postgres engine agent wire client locale channels server mcp terminal tui",
    ),
    ("bench", "core store postgres store-testing"),
    ("sim", "core store engine locale channels testkit"),
    (
        "xtask",
        "core store engine agent wire locale channels server mcp terminal tui testkit askback",
    ),
];

/// External libraries, each with the only crates whose manifests may name it, for tests or
/// otherwise. It keeps a change of database driver, HTTP framework or SDK inside one crate.
const OWNERS: &[(&str, &str)] = &[
    // The benchmark's baseline is a program of its own, made of the same parts. Tests look into the database.
    ("rusqlite", "store store-testing postgres bench"),
    ("tokio-postgres", "postgres"),
    ("axum", "server bench"),
    ("genai", "agent"),
    ("reqwest", "agent client channels server"),
    // The server makes spans, the binary says where they go.
    ("opentelemetry", "server askback"),
    ("opentelemetry-otlp", "askback"),
    ("opentelemetry_sdk", "askback"),
    // The server side of MCP, and the client with which the agent uses other people's tools.
    ("rmcp", "mcp agent"),
    // In askback-tui only a test names it, to measure processor time. askback-channels ends the processes of a
    // command.
    ("rustix", "terminal tui server channels"),
    ("signal-hook", "terminal"),
];

/// Finds workspace crates that the table does not know and dependencies that it does not allow.
pub(crate) fn layer_findings(workspace: &Workspace) -> Vec<String> {
    workspace
        .packages
        .iter()
        .flat_map(|package| {
            let mut rows = LAYERS.iter();
            match rows.find(|(name, _)| full_name(name) == package.name) {
                Some((_, may_use)) => against_layer(workspace, package, &full_names(may_use)),
                None => vec![format!(
                    "{}: the crate has no row in LAYERS; add one in xtask/src/layers.rs that \
                     says which crates it may use.",
                    package.name
                )],
            }
        })
        .collect()
}

fn against_layer(workspace: &Workspace, package: &Package, may_use: &[String]) -> Vec<String> {
    package
        .dependencies
        .iter()
        .filter(|dependency| workspace.package(&dependency.name).is_some())
        .filter(|dependency| {
            let for_tests = dependency.kind == Some(SpecialKind::Dev)
                && TEST_CRATES.contains(&dependency.name.as_str());
            !for_tests && !may_use.contains(&dependency.name)
        })
        .map(|dependency| {
            format!(
                "{}: the manifest names {}, but this layer may use {}; move the code that needs \
                 it to a crate that may, or pass the value in.",
                package.name,
                dependency.name,
                listed(may_use)
            )
        })
        .collect()
}

/// Finds manifests that name an external library which belongs to another crate.
pub(crate) fn owner_findings(workspace: &Workspace) -> Vec<String> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        for dependency in &package.dependencies {
            let owners = OWNERS.iter().find(|(name, _)| *name == dependency.name);
            let owners = owners.map(|(library, owners)| (library, full_names(owners)));
            if let Some((library, owners)) = owners
                && !owners.contains(&package.name)
            {
                findings.push(format!(
                    "{}: the manifest names {library}, which only {} may name; use what that \
                     crate offers instead.",
                    package.name,
                    listed(&owners)
                ));
            }
        }
    }
    findings
}

/// The crates of a row.
fn full_names(row: &str) -> Vec<String> {
    row.split_whitespace().map(full_name).collect()
}

fn full_name(short: &str) -> String {
    match short {
        "askback" | "xtask" => short.to_owned(),
        _ => format!("askback-{short}"),
    }
}

/// The names in a row as a sentence has them.
fn listed(names: &[String]) -> String {
    if names.is_empty() {
        "no other crate of the workspace".to_owned()
    } else {
        names.join(", ")
    }
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
