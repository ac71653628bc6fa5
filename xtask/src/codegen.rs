//! The generated files that are committed: what they must hold, writing them, and finding stale
//! ones.
//!
//! A new generated file is one more entry in [`all`]; nothing else changes.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context;
use askback_core::contract::{Contract, Flavor};
use askback_core::conversation::spawn;
use askback_core::dialect::Dialect;

use crate::workspace::Workspace;
use crate::{crate_graph, wire_types};

/// The directory that holds generated files only.
const SCHEMAS: &str = "schemas";

/// A generated file.
#[derive(Debug)]
pub(crate) struct Generated {
    /// Where it lies, from the top of the repository, with `/` between the parts.
    pub(crate) path: String,
    pub(crate) content: String,
}

/// Every generated file with the content that it must have now.
pub(crate) fn all(root: &Path) -> anyhow::Result<Vec<Generated>> {
    let contracts = Dialect::TOOLS.into_iter().map(Dialect::contract);
    Ok(contracts
        .chain([&spawn::CONTRACT])
        .flat_map(tool_schemas)
        .chain([openapi(), wire_types()?, architecture(root)?])
        .collect())
}

/// One tool in the form that each provider takes.
fn tool_schemas(contract: &'static Contract) -> impl Iterator<Item = Generated> {
    Flavor::ALL.iter().map(move |(provider, flavor)| Generated {
        path: format!("{SCHEMAS}/tools/{provider}/{}.json", contract.name),
        content: format!("{}\n", contract.tool_json(*flavor)),
    })
}

/// The description of the HTTP API.
fn openapi() -> Generated {
    Generated {
        path: format!("{SCHEMAS}/openapi.json"),
        content: askback_server::openapi_json().to_owned(),
    }
}

/// The same for the browser side.
fn wire_types() -> anyhow::Result<Generated> {
    Ok(Generated {
        path: "web/lib/wire.d.ts".to_owned(),
        content: wire_types::declarations(askback_server::openapi_json())?,
    })
}

/// The page on the code, with the picture of its crates.
fn architecture(root: &Path) -> anyhow::Result<Generated> {
    let path = "ARCHITECTURE.md";
    let page = fs::read_to_string(root.join(path)).context(path)?;
    Ok(Generated {
        path: path.to_owned(),
        content: crate_graph::with_picture(&page, &Workspace::load(root)?)?,
    })
}

/// Writes the files that differ from what they must hold. Files without a generator are left to
/// [`check`].
pub(crate) fn write(root: &Path) -> anyhow::Result<bool> {
    let generated = all(root)?;
    let on_disk = on_disk(root, &generated)?;
    let mut written = 0;
    for file in &generated {
        if on_disk.get(&file.path) == Some(&file.content) {
            continue;
        }
        let path = root.join(&file.path);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
        }
        fs::write(&path, &file.content).with_context(|| file.path.clone())?;
        println!("codegen: wrote {}", file.path);
        written += 1;
    }
    println!("codegen: {} files, {written} written", generated.len());
    Ok(true)
}

/// Prints what is stale, missing or left over, and writes nothing.
pub(crate) fn check(root: &Path) -> anyhow::Result<bool> {
    let findings = findings_in(root)?;
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!("codegen: every generated file is fresh");
    }
    Ok(findings.is_empty())
}

/// The findings of [`check`] for the repository as it lies on disk.
pub(crate) fn findings_in(root: &Path) -> anyhow::Result<Vec<String>> {
    let generated = all(root)?;
    Ok(findings(&generated, &on_disk(root, &generated)?))
}

/// Compares what must be there with what is.
fn findings(generated: &[Generated], on_disk: &BTreeMap<String, String>) -> Vec<String> {
    let wrong = generated.iter().filter_map(|file| {
        let fault = match on_disk.get(&file.path) {
            None => "is missing",
            Some(content) if *content != file.content => "is stale",
            Some(_) => return None,
        };
        Some(format!(
            "{}: the generated file {fault}; run `cargo xtask codegen` and commit what it writes.",
            file.path
        ))
    });
    let left_over = on_disk
        .keys()
        .filter(|path| !generated.iter().any(|file| file.path == **path))
        .map(|path| {
            format!(
                "{path}: no generator in xtask/src/codegen.rs makes this file; delete it, or add \
                 its generator."
            )
        });
    wrong.chain(left_over).collect()
}

/// What lies on disk now: the generated files that exist, and everything below [`SCHEMAS`].
fn on_disk(root: &Path, generated: &[Generated]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    collect(root, SCHEMAS, &mut files)?;
    for file in generated {
        match fs::read_to_string(root.join(&file.path)) {
            Ok(content) => {
                files.insert(file.path.clone(), content);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).context(file.path.clone()),
        }
    }
    Ok(files)
}

/// Reads all files below a directory of the repository; a directory that does not exist holds none.
fn collect(root: &Path, below: &str, files: &mut BTreeMap<String, String>) -> anyhow::Result<()> {
    let entries = match fs::read_dir(root.join(below)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).context(below.to_owned()),
    };
    for entry in entries {
        let entry = entry.context(below.to_owned())?;
        let path = format!("{below}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(root, &path, files)?;
        } else {
            let bytes = fs::read(entry.path()).with_context(|| path.clone())?;
            files.insert(path, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "codegen_tests.rs"]
mod tests;
