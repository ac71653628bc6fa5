//! Runs the repository's own rules and prints what they find, one sentence to a line.

use std::path::Path;

use anyhow::Context as _;

use crate::release_texts::Released;
use crate::workspace::Workspace;
use crate::{
    banned_words, codegen, doc_paths, file_names, layers, lengths, links, purity, release_texts,
    sources, type_names,
};

/// Reads the repository once, applies every rule, and says whether all of them hold.
pub(crate) fn run(root: &Path) -> anyhow::Result<bool> {
    let workspace = Workspace::load(root)?;
    let paths = sources::paths(root)?;
    let sources = sources::read(root, &paths)?;
    let documents = sources::read_docs(root, &paths)?;
    let askback = workspace.package("askback").context("no crate askback")?;
    let released = Released {
        version: &askback.version,
        repository: askback.repository.as_deref().unwrap_or_default(),
    };

    let findings = [
        layers::layer_findings(&workspace),
        layers::owner_findings(&workspace),
        purity::findings_in(root, &workspace)?,
        lengths::findings(&sources),
        banned_words::findings(&sources),
        links::findings(&documents, &paths),
        release_texts::findings(&sources::read_listings(root, &paths)?, &released),
        release_texts::findings(&documents, &released),
        type_names::findings(&sources),
        file_names::findings(&paths),
        doc_paths::findings_in(root, &paths)?,
        codegen::findings_in(root)?,
    ]
    .concat();

    for finding in &findings {
        println!("{finding}");
    }
    let (files, crates) = (paths.len(), workspace.packages.len());
    match findings.len() {
        0 => println!("tidy: {files} files, {crates} crates, no findings"),
        1 => println!("tidy: {files} files, {crates} crates, 1 finding"),
        found => println!("tidy: {files} files, {crates} crates, {found} findings"),
    }
    Ok(findings.is_empty())
}
