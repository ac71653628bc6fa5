//! The picture of the crates in ARCHITECTURE.md, drawn from their manifests.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;

use crate::workspace::Workspace;

const START: &str = "<!-- crates: drawn by `cargo xtask codegen` -->\n";
const END: &str = "<!-- end of the crates -->\n";

/// Crates that no program of ours contains. They would only hide the others.
const LEFT_OUT: &[&str] = &[
    "askback-bench",
    "askback-fakes",
    "askback-sim",
    "askback-store-testing",
    "askback-testkit",
    "xtask",
];

/// The page with the picture of this workspace.
pub(crate) fn with_picture(page: &str, workspace: &Workspace) -> anyhow::Result<String> {
    let (before, rest) = page.split_once(START).context("the picture has no start")?;
    let (_, after) = rest.split_once(END).context("the picture has no end")?;
    Ok(format!("{before}{START}{}{END}{after}", picture(workspace)))
}

/// An arrow leads from a crate to each crate that it uses, unless one of the others leads there too.
fn picture(workspace: &Workspace) -> String {
    let uses = uses(workspace);
    let mut picture = "```mermaid\ngraph TD\n".to_owned();
    for (name, used) in &uses {
        let leads_to = |from: &str, to: &str| reachable(&uses, from).contains(to);
        let direct = used.iter().filter(|to| {
            let mut others = used.iter().filter(|other| other != to);
            !others.any(|other| leads_to(other, to))
        });
        for to in direct {
            picture.extend(["    ", name, " --> ", to, "\n"]);
        }
    }
    picture.push_str("```\n");
    picture
}

/// The crates that each crate uses, by names without the prefix that all have.
fn uses(workspace: &Workspace) -> BTreeMap<&str, BTreeSet<&str>> {
    let is_drawn = |name: &str| !LEFT_OUT.contains(&name) && workspace.package(name).is_some();
    let packages = workspace.packages.iter();
    let packages = packages.filter(|package| is_drawn(&package.name));
    let row = packages.map(|package| {
        let used = package.dependencies.iter();
        let used = used.filter(|used| used.kind.is_none() && is_drawn(&used.name));
        (
            short(&package.name),
            used.map(|used| short(&used.name)).collect(),
        )
    });
    row.collect()
}

fn short(name: &str) -> &str {
    name.strip_prefix("askback-").unwrap_or(name)
}

fn reachable<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &str) -> BTreeSet<&'a str> {
    let direct = uses.get(from).into_iter().flatten();
    let mut found: BTreeSet<&str> = direct.copied().collect();
    for next in found.clone() {
        found.extend(reachable(uses, next));
    }
    found
}

#[cfg(test)]
#[path = "crate_graph_tests.rs"]
mod tests;
