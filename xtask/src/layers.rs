//! Which crate of the workspace may use which, and which crate alone may name an external library.
//!
//! Dependencies point one way: core ← {store, stored} ← engine, store ← postgres, engine ← agent ← server, core ← wire ← {agent, server, client, tui}, wire ← client ← mcp, core ← locale ← {channels, server, tui}, engine ← channels ← server, and the binary uses them all. The two tables are the rule;
//! the functions below them compare the manifests.

use crate::workspace::{Package, SpecialKind, Workspace};

/// The crate with generated inputs for tests.
const TESTKIT: &str = "askback-testkit";

/// Crates for tests: a dev-dependency of any crate, a normal one only where the table says so. Tests of the engine run
/// several nodes on PostgreSQL.
const TEST_CRATES: [&str; 4] = [
    TESTKIT,
    "askback-fakes",
    "askback-store-testing",
    "askback-postgres",
];

/// The crates of the workspace, each with the crates of the workspace that it may use. A row names
/// only rows above it, so the table itself has no cycle.
pub(crate) const LAYERS: &[(&str, &[&str])] = &[
    ("askback-core", &[]),
    ("askback-macros", &[]),
    ("askback-store", &["askback-core"]),
    ("askback-postgres", &["askback-core", "askback-store"]),
    ("askback-store-testing", &["askback-core", "askback-store"]),
    ("askback-stored", &["askback-core", "askback-macros"]),
    (
        "askback-engine",
        &["askback-core", "askback-store", "askback-stored"],
    ),
    ("askback-wire", &["askback-core", "askback-macros"]),
    (
        "askback-agent",
        &[
            "askback-core",
            "askback-store",
            "askback-engine",
            "askback-wire",
        ],
    ),
    ("askback-fakes", &["askback-core", "askback-agent"]),
    ("askback-client", &["askback-core", "askback-wire"]),
    ("askback-locale", &["askback-core"]),
    (
        "askback-channels",
        &[
            "askback-core",
            "askback-store",
            "askback-engine",
            "askback-wire",
            "askback-locale",
        ],
    ),
    (
        "askback-server",
        &[
            "askback-core",
            "askback-store",
            "askback-stored",
            "askback-engine",
            "askback-agent",
            "askback-wire",
            "askback-locale",
            "askback-channels",
        ],
    ),
    (
        "askback-mcp",
        &["askback-core", "askback-wire", "askback-client"],
    ),
    ("askback-terminal", &[]),
    (
        "askback-tui",
        &[
            "askback-core",
            "askback-wire",
            "askback-locale",
            "askback-terminal",
        ],
    ),
    (
        TESTKIT,
        &[
            "askback-core",
            "askback-stored",
            "askback-store",
            "askback-engine",
            "askback-agent",
            "askback-wire",
            "askback-locale",
            "askback-channels",
            "askback-server",
        ],
    ),
    (
        "askback",
        &[
            "askback-core",
            "askback-store",
            "askback-postgres",
            "askback-engine",
            "askback-agent",
            "askback-wire",
            "askback-client",
            "askback-locale",
            "askback-channels",
            "askback-server",
            "askback-mcp",
            "askback-terminal",
            "askback-tui",
        ],
    ),
    (
        "askback-bench",
        &[
            "askback-core",
            "askback-store",
            "askback-postgres",
            "askback-store-testing",
        ],
    ),
    (
        "askback-sim",
        &[
            "askback-core",
            "askback-store",
            "askback-engine",
            "askback-locale",
            "askback-channels",
            TESTKIT,
        ],
    ),
    (
        "xtask",
        &[
            "askback-core",
            "askback-store",
            "askback-engine",
            "askback-agent",
            "askback-wire",
            "askback-locale",
            "askback-channels",
            "askback-server",
            "askback-mcp",
            "askback-terminal",
            "askback-tui",
            TESTKIT,
            "askback",
        ],
    ),
];

/// External libraries, each with the only crates whose manifests may name it, for tests or
/// otherwise. It keeps a change of database driver, HTTP framework or SDK inside one crate.
const OWNERS: &[(&str, &[&str])] = &[
    // The benchmark's baseline is a program of its own, made of the same parts. Tests look into the database.
    (
        "rusqlite",
        &[
            "askback-store",
            "askback-store-testing",
            "askback-postgres",
            "askback-bench",
        ],
    ),
    ("tokio-postgres", &["askback-postgres"]),
    ("axum", &["askback-server", "askback-bench"]),
    ("genai", &["askback-agent"]),
    (
        "reqwest",
        &[
            "askback-agent",
            "askback-client",
            "askback-channels",
            "askback-server",
        ],
    ),
    // The server makes spans, the binary says where they go.
    ("opentelemetry", &["askback-server", "askback"]),
    ("opentelemetry-otlp", &["askback"]),
    ("opentelemetry_sdk", &["askback"]),
    // The server side of MCP, and the client with which the agent uses other people's tools.
    ("rmcp", &["askback-mcp", "askback-agent"]),
    // In askback-tui only a test names it, to measure processor time. askback-channels ends the processes of a
    // command.
    (
        "rustix",
        &[
            "askback-terminal",
            "askback-tui",
            "askback-server",
            "askback-channels",
        ],
    ),
    ("signal-hook", &["askback-terminal"]),
];

/// Finds workspace crates that the table does not know and dependencies that it does not allow.
pub(crate) fn layer_findings(workspace: &Workspace) -> Vec<String> {
    workspace
        .packages
        .iter()
        .flat_map(
            |package| match LAYERS.iter().find(|(name, _)| *name == package.name) {
                Some((_, may_use)) => against_layer(workspace, package, may_use),
                None => vec![format!(
                    "{}: the crate has no row in LAYERS; add one in xtask/src/layers.rs that \
                     says which crates it may use.",
                    package.name
                )],
            },
        )
        .collect()
}

fn against_layer(workspace: &Workspace, package: &Package, may_use: &[&str]) -> Vec<String> {
    package
        .dependencies
        .iter()
        .filter(|dependency| workspace.package(&dependency.name).is_some())
        .filter(|dependency| {
            let for_tests = dependency.kind == Some(SpecialKind::Dev)
                && TEST_CRATES.contains(&dependency.name.as_str());
            !for_tests && !may_use.contains(&dependency.name.as_str())
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
            if let Some((library, owners)) = owners
                && !owners.contains(&package.name.as_str())
            {
                findings.push(format!(
                    "{}: the manifest names {library}, which only {} may name; use what that \
                     crate offers instead.",
                    package.name,
                    listed(owners)
                ));
            }
        }
    }
    findings
}

/// The names in a row as a sentence has them.
fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        "no other crate of the workspace".to_owned()
    } else {
        names.join(", ")
    }
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
