//! Refuses a public type name that is defined in two places of the workspace: a reader who searches
//! for it must find one thing.

use std::collections::BTreeMap;

use crate::sources::SourceFile;

/// Names that may be defined more than once, each with the reason.
const ALLOWED: &[(&str, &str)] = &[
    (
        "Clock",
        "the same idea in two layers: the terminal must not depend on the engine",
    ),
    (
        "Token",
        "the same secret, on the wire and compared in constant time by the server",
    ),
];

/// Finds public types of product code that share a name.
pub(crate) fn findings(sources: &[SourceFile]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| is_product(source)) {
        for name in source.text.lines().filter_map(public_type) {
            places.entry(name).or_default().push(&source.path);
        }
    }
    let twice = places.into_iter().filter(|(name, places)| {
        places.len() > 1 && !ALLOWED.iter().any(|(allowed, _)| allowed == name)
    });
    twice
        .map(|(name, places)| {
            let places = places.join(", ");
            format!("`{name}` names more than one public type ({places}); rename all but one.")
        })
        .collect()
}

fn is_product(source: &SourceFile) -> bool {
    source.path.starts_with("crates/") && source.is_rust() && !source.is_test()
}

/// The name of the public type that a line defines, if it does. Types within a crate
/// (`pub(crate)`) have their module to tell them apart.
fn public_type(line: &str) -> Option<&str> {
    let mut words = line.trim_start().strip_prefix("pub ")?.split(' ');
    if !matches!(words.next()?, "struct" | "enum" | "trait" | "type") {
        return None;
    }
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    // A macro writes `$name` here, which is no name yet.
    Some(&name[..end.unwrap_or(name.len())]).filter(|name| !name.is_empty())
}

#[cfg(test)]
#[path = "type_names_tests.rs"]
mod tests;
