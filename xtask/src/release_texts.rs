//! The version and the owner of the repository are decided in `Cargo.toml`. Files that must repeat them, because other
//! programs read them as they are, repeat the same.

use crate::sources::SourceFile;

/// Where versions are checked. The owner is checked everywhere.
const DIRECTORIES: [&str; 4] = [".agents/", ".claude-plugin/", "clients/", "plugins/"];

pub(crate) struct Released<'a> {
    pub(crate) version: &'a str,
    /// The address of the repository.
    pub(crate) repository: &'a str,
}

pub(crate) fn findings(files: &[SourceFile], released: &Released<'_>) -> Vec<String> {
    let owner = released.repository.rsplit('/').nth(1).unwrap_or_default();
    let version = released.version;
    let mut found = Vec::new();
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            let at = format!("{}:{}", file.path, index + 1);
            for start in ["github.com/", "io.github."] {
                let others = between(line, start, "/askback").filter(|it| *it != owner);
                found.extend(others.map(|other| {
                    format!("{at}: the owner is {other}, but {owner} in Cargo.toml; write {owner}.")
                }));
            }
            if !DIRECTORIES.iter().any(|it| file.path.starts_with(it)) {
                continue;
            }
            let json = between(line, "\"version\": \"", "\"");
            let toml = line.strip_prefix("version = \"");
            let toml = toml.and_then(|rest| rest.strip_suffix('"'));
            let versions = json.chain(toml).chain(pinned(line));
            found.extend(versions.filter(|it| *it != version).map(|other| {
                format!(
                    "{at}: the version is {other}, but {version} in Cargo.toml; write {version}."
                )
            }));
        }
    }
    found
}

/// The words between two texts of a line.
fn between<'a>(line: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    let rests = line.split(start).skip(1);
    let words = rests.filter_map(move |rest| Some(rest.split_once(end)?.0));
    words.filter(|word| !word.contains(['/', ' ', '"', '{', '$']))
}

/// The versions in `askback@1.2.3`.
fn pinned(line: &str) -> impl Iterator<Item = &str> {
    let rests = line.split("askback@").skip(1);
    let versions = rests.map(|rest| rest.split([' ', '"', '`']).next().unwrap_or_default());
    versions.filter(|it| it.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str) -> Vec<String> {
        let file = SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let released = Released {
            version: "1.2.3",
            repository: "https://github.com/someone/askback",
        };
        findings(&[file], &released)
    }

    #[test]
    fn other_versions_and_owners_are_found() {
        let good = "\"version\": \"1.2.3\", exec npx -y askback@1.2.3 mcp; askback@askback\n\
                    https://github.com/someone/askback/releases, io.github.someone/askback, https://github.com/a/b\n";
        assert_eq!(check("plugins/x.json", good), Vec::<String>::new());
        assert_eq!(
            check(
                "plugins/x.json",
                "\"version\": \"1.2.2\"\nuvx askback@1.2.4 mcp"
            ),
            [
                "plugins/x.json:1: the version is 1.2.2, but 1.2.3 in Cargo.toml; write 1.2.3.",
                "plugins/x.json:2: the version is 1.2.4, but 1.2.3 in Cargo.toml; write 1.2.3.",
            ]
        );
        assert_eq!(
            check(
                "clients/x.toml",
                "version = \"1.2.2\"\npython_version = \"3.10\""
            ),
            ["clients/x.toml:1: the version is 1.2.2, but 1.2.3 in Cargo.toml; write 1.2.3."]
        );
        assert_eq!(
            check("docs/x.md", "mcp-name: io.github.other/askback"),
            ["docs/x.md:1: the owner is other, but someone in Cargo.toml; write someone."]
        );
    }
}
