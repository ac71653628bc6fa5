//! Keeps clocks, randomness, threads of an async runtime, logging and operating-system access out
//! of `askback-core`, by looking at what the crate pulls in.
//!
//! The standard library's own doors to the machine are listed in `banned_words.rs`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::workspace::{Package, Workspace, dependency_tree};

const CORE: &str = "askback-core";

/// Libraries the core must not reach through any chain of normal dependencies, with what they
/// bring.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "an async runtime",
        &[
            "async-executor",
            "async-io",
            "async-std",
            "futures-executor",
            "mio",
            "polling",
            "smol",
            "socket2",
            "tokio",
        ],
    ),
    (
        "randomness",
        &[
            "fastrand",
            "getrandom",
            "nanoid",
            "oorandom",
            "rand",
            "rand_core",
            "ulid",
            "uuid",
        ],
    ),
    (
        "a clock",
        &[
            "chrono",
            "coarsetime",
            "iana-time-zone",
            "instant",
            "quanta",
            "time",
            "web-time",
        ],
    ),
    (
        "logging",
        &["env_logger", "log", "slog", "tracing", "tracing-core"],
    ),
    (
        "access to the operating system",
        &[
            "dirs",
            "hostname",
            "libc",
            "nix",
            "num_cpus",
            "rustix",
            "tempfile",
            "walkdir",
            "whoami",
            "windows-sys",
        ],
    ),
];

/// The library of dates and times, allowed in the core while it has no clock and reads no zone
/// files.
const DATES: &str = "jiff";

/// The features of [`DATES`] that bring the clock or the zone files of the machine.
const CLOCK_FEATURES: &[&str] = &[
    "std",
    "tz-system",
    "tzdb-bundle-platform",
    "tzdb-concatenated",
    "tzdb-zoneinfo",
];

/// The findings for the repository as it lies on disk; none while it has no core.
pub(crate) fn findings_in(root: &Path, workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let Some(core) = workspace.package(CORE) else {
        return Ok(Vec::new());
    };
    let mut findings = date_findings(core);
    findings.extend(tree_findings(&dependency_tree(root, CORE)?));
    Ok(findings)
}

/// Finds what would let the core read a clock, draw a random number, log, or touch the machine,
/// and says by which chain of dependencies it comes in. Each library is named once, and not at all
/// where another forbidden one brings it along.
fn tree_findings(tree: &str) -> Vec<String> {
    let mut found: BTreeMap<&str, String> = BTreeMap::new();
    let mut chain: Vec<&str> = Vec::new();
    for (depth, name) in tree.lines().filter_map(parse_line) {
        chain.truncate(depth);
        let brought_along = chain.iter().any(|above| brings(above).is_some());
        chain.push(name);
        if let (false, Some(what)) = (brought_along, brings(name)) {
            found.entry(name).or_insert_with(|| {
                format!(
                    "{CORE}: {name} brings {what} into the core by way of {}; turn off the feature \
                     that pulls it in, or hand the value to the core in the context.",
                    chain.join(" → ")
                )
            });
        }
    }
    found.into_values().collect()
}

/// What a forbidden library brings; `None` for any other.
fn brings(name: &str) -> Option<&'static str> {
    let (what, _) = FORBIDDEN.iter().find(|(_, names)| names.contains(&name))?;
    Some(what)
}

/// Reads a line such as `2memchr v2.8.3 (*)`: the depth in the tree, then the package's name.
fn parse_line(line: &str) -> Option<(usize, &str)> {
    let (package, _) = line.split_once(' ')?;
    let name = package.trim_start_matches(|c: char| c.is_ascii_digit());
    let depth = package[..package.len() - name.len()].parse().ok()?;
    Some((depth, name))
}

/// Finds a declaration of [`DATES`] in the core that switches its clock on.
fn date_findings(core: &Package) -> Vec<String> {
    core.dependencies
        .iter()
        .filter(|dependency| dependency.name == DATES && dependency.kind.is_none())
        .filter_map(|dependency| {
            let clock = dependency
                .features
                .iter()
                .find(|feature| CLOCK_FEATURES.contains(&feature.as_str()));
            let with = match (dependency.uses_default_features, clock) {
                (false, None) => return None,
                (true, _) => "its default features".to_owned(),
                (false, Some(feature)) => format!("the feature `{feature}`"),
            };
            Some(format!(
                "{CORE}: {DATES} is declared with {with}, which lets the core read the clock; \
                 declare it with `default-features = false` and none of {}.",
                CLOCK_FEATURES.join(", ")
            ))
        })
        .collect()
}

#[cfg(test)]
#[path = "purity_tests.rs"]
mod tests;
