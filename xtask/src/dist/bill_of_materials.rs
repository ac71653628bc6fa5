//! Every crate that is compiled into the program on any platform that has packages, as a `CycloneDX` document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::target::Target;
use super::{Release, output};

impl Release {
    pub(super) fn bill_of_materials(&self) -> anyhow::Result<Value> {
        let arguments = ["metadata", "--locked", "--format-version", "1"];
        let metadata: Value = serde_json::from_str(&output(&self.root, "cargo", &arguments)?)?;
        let lock = std::fs::read_to_string(self.root.join("Cargo.lock"))?;
        let arguments = [
            "tree",
            "--locked",
            "--package",
            "askback",
            "--edges",
            "normal,build",
        ];
        let format = ["--prefix", "none", "--no-dedupe", "--format", "{p}"];
        let targets: Vec<&str> = Target::triples()
            .flat_map(|triple| ["--target", triple])
            .collect();
        let arguments = [&arguments[..], &format, &targets].concat();
        let tree = output(&self.root, "cargo", &arguments)?;
        Ok(document(&metadata, &lock, &crates_of(&tree), &self.version))
    }
}

/// Names and versions of what `cargo tree` lists.
fn crates_of(tree: &str) -> BTreeSet<(String, String)> {
    let lines = tree.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (name, version) = (words.next()?, words.next()?);
        Some((name.to_owned(), version.trim_start_matches('v').to_owned()))
    });
    lines.collect()
}

fn document(
    metadata: &Value,
    lock: &str,
    used: &BTreeSet<(String, String)>,
    version: &str,
) -> Value {
    let sums = checksums(lock);
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut components: BTreeMap<String, Value> = BTreeMap::new();
    for package in packages {
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        let id = (text("name"), text("version"));
        if !used.contains(&id) || id.0 == "askback" {
            continue;
        }
        let url = format!("pkg:cargo/{}@{}", id.0, id.1);
        let mut component = json!({
            "type": "library",
            "bom-ref": url,
            "name": id.0,
            "version": id.1,
            "purl": url,
            "scope": "required",
        });
        if let Some(licence) = package["license"].as_str() {
            let expression = licence.replace('/', " OR ");
            component["licenses"] = json!([{ "expression": expression }]);
        }
        if let Some(sum) = sums.get(&id) {
            component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
        }
        components.insert(url, component);
    }
    let own = format!("pkg:cargo/askback@{version}");
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": own, "name": "askback", "version": version, "purl": own,
        }},
        "components": components.into_values().collect::<Vec<Value>>(),
    })
}

/// The checksums of `Cargo.lock` by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut sums = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let mut lines = package.lines();
            let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            value.map(|value| value.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(sum)) =
            (field("name"), field("version"), field("checksum"))
        {
            sums.insert((name, version), sum);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_of_the_tree_are_listed_with_their_checksums() {
        let metadata = json!({"packages": [
            {"name": "askback", "version": "0.1.0", "license": "MIT"},
            {"name": "used", "version": "1.2.3", "license": "MIT/Apache-2.0"},
            {"name": "unused", "version": "1.0.0", "license": "MIT"},
        ]});
        let lock = "[[package]]\nname = \"used\"\nversion = \"1.2.3\"\nchecksum = \"abc\"\n";
        let used = crates_of("askback v0.1.0 (/src)\nused v1.2.3 (*)\n");
        let document = document(&metadata, lock, &used, "0.1.0");
        assert_eq!(
            document["components"],
            json!([{
                "type": "library",
                "bom-ref": "pkg:cargo/used@1.2.3",
                "name": "used",
                "version": "1.2.3",
                "purl": "pkg:cargo/used@1.2.3",
                "scope": "required",
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "hashes": [{"alg": "SHA-256", "content": "abc"}],
            }])
        );
    }
}
