//! `cargo xtask dist`: everything that a release publishes, in `target/dist`, from binaries that were built before.
//!
//! The same binaries and the same commit give the same bytes. Nothing is downloaded, unless the binary of this machine
//! has to be built first.
#![expect(
    clippy::format_push_string,
    clippy::format_collect,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "it writes small texts, about files that it has named itself"
)]

mod bill_of_materials;
mod build;
mod image;
mod listings;
mod packages;
mod target;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

use packages::{Binary, pretty};
use target::Target;
use tree::{Tree, sha256};

/// The shells whose completions are packed, with the names of their files.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "askback.bash"),
    ("zsh", "_askback"),
    ("fish", "askback.fish"),
    ("powershell", "askback.ps1"),
    ("nushell", "askback.nu"),
];

/// What all packages of a release share.
struct Release {
    root: PathBuf,
    version: String,
    description: String,
    licence: String,
    repository: String,
    commit: String,
    /// The time of the commit, which all files have.
    seconds: u64,
    date_rfc2822: String,
    /// The README of packages, shorter than that of the repository.
    readme: String,
    completions: Tree,
    manual: Tree,
}

/// A file of `target/dist`.
struct Package {
    name: String,
    target: String,
    bytes: Vec<u8>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Arguments {
    /// Triples and paths.
    binaries: Vec<(String, PathBuf)>,
    /// The target to build for, and nothing more.
    build: Option<String>,
    check: bool,
    twice: bool,
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let arguments = parse(arguments)?;
    let directory = crate::target_directory(root);
    if let Some(triple) = &arguments.build {
        let path = build::binary(root, &directory, Target::named(triple)?)?;
        println!("{}", path.display());
        return Ok(true);
    }
    let given = if arguments.binaries.is_empty() {
        let target = build::default_target(root)?;
        let path = build::binary(root, &directory, target)?;
        vec![(target.triple.to_owned(), path)]
    } else {
        arguments.binaries
    };
    let out = directory.join("dist");
    let sums = write(root, &given, &out)?;
    if arguments.twice {
        let again = write(root, &given, &directory.join("dist-again"))?;
        for line in sums.lines().filter(|line| !again.contains(line)) {
            println!("dist: differs in the second run: {line}");
        }
        ensure!(sums == again, "two runs gave different files");
        println!("dist: the second run gave the same files");
    }
    if arguments.check {
        let status = Command::new(root.join("scripts/dist-check"))
            .arg(&out)
            .status()?;
        return Ok(status.success());
    }
    Ok(true)
}

fn parse(arguments: &[&str]) -> anyhow::Result<Arguments> {
    let mut parsed = Arguments::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--check" => parsed.check = true,
            "--twice" => parsed.twice = true,
            "--build" => {
                let target = rest.next().context("--build needs a target")?;
                parsed.build = Some((*target).to_owned());
            }
            "--binary" => {
                let binary = rest.next().and_then(|it| it.split_once('='));
                let (triple, path) = binary.context("--binary needs TARGET=PATH")?;
                parsed.binaries.push((triple.to_owned(), path.into()));
            }
            unknown => bail!(
                "unknown argument {unknown}; --binary TARGET=PATH, --build TARGET, --check and --twice are known"
            ),
        }
    }
    Ok(parsed)
}

/// Writes all files, and returns the text of `SHA256SUMS`.
fn write(root: &Path, given: &[(String, PathBuf)], out: &Path) -> anyhow::Result<String> {
    let mut binaries: Vec<Binary> = Vec::new();
    for (triple, path) in given {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let target = Target::named(triple)?;
        let same = |it: &Binary| it.target.npm_package() == target.npm_package();
        ensure!(
            !binaries.iter().any(same),
            "two binaries for the same platform as {triple}"
        );
        binaries.push(Binary { target, bytes });
    }
    let stage = out.with_extension("stage");
    for directory in [out, &stage] {
        if directory.exists() {
            fs::remove_dir_all(directory)?;
        }
        fs::create_dir_all(directory)?;
    }
    let release = Release::read(root, given, &stage)?;
    let mut packages = vec![release.npm_main(&binaries)?];
    for binary in &binaries {
        packages.extend(release.packages(binary, &stage)?);
    }
    packages.extend(release.image(&binaries)?);
    packages.extend(release.listings(&packages)?);
    let sums = release.sums(&mut packages)?;
    for package in &packages {
        let path = out.join(&package.name);
        fs::create_dir_all(path.parent().unwrap_or(out))?;
        fs::write(path, &package.bytes)?;
    }
    release.completions.write(&out.join("completions"))?;
    release.manual.write(&out.join("man"))?;
    fs::remove_dir_all(&stage)?;
    for package in packages
        .iter()
        .filter(|it| !it.name.starts_with("oci/blobs"))
    {
        println!("{:>10}  {}", package.bytes.len(), package.name);
    }
    Ok(sums)
}

impl Release {
    fn read(root: &Path, given: &[(String, PathBuf)], stage: &Path) -> anyhow::Result<Release> {
        let metadata = output(
            root,
            "cargo",
            &["metadata", "--no-deps", "--format-version", "1"],
        )?;
        let metadata: Value = serde_json::from_str(&metadata)?;
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let package = packages.into_iter().find(|it| it["name"] == "askback");
        let package = package.context("no crate askback")?;
        let field = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
        let git = |format: &str| output(root, "git", &["log", "-1", &format!("--format={format}")]);
        let mut release = Release {
            root: root.to_owned(),
            version: field("version"),
            description: field("description"),
            licence: field("license"),
            repository: field("repository"),
            commit: git("%H")?,
            seconds: git("%ct")?.parse().context("the time of the commit")?,
            date_rfc2822: git("%cD")?,
            readme: fs::read_to_string(root.join("crates/askback/README.md"))?,
            completions: Tree::default(),
            manual: Tree::default(),
        };
        let own = |path: &&PathBuf| Command::new(path).arg("--version").output().is_ok();
        let runnable = given.iter().map(|(_, path)| path).find(own);
        let path =
            runnable.context("none of the binaries runs on this machine, to print completions")?;
        let program = path.to_str().context("a path is not UTF-8")?;
        let said = output(root, program, &["--version"])?;
        let expected = format!("askback {}", release.version);
        ensure!(
            said.starts_with(&expected),
            "{program} is {said}, not {expected}"
        );
        for (shell, file) in COMPLETIONS {
            let script = output(root, program, &["completions", shell])?;
            release
                .completions
                .add(file.to_owned(), 0o644, (script + "\n").into_bytes());
        }
        let pages = stage.join("man");
        output(
            root,
            program,
            &["man", pages.to_str().context("a path is not UTF-8")?],
        )?;
        release.manual = Tree::read(&pages)?;
        Ok(release)
    }

    /// A file of the repository, with the version and the address in place of `@VERSION@` and `@REPOSITORY@`.
    fn template(&self, path: &str) -> anyhow::Result<String> {
        let text = fs::read_to_string(self.root.join(path)).with_context(|| path.to_owned())?;
        let text = text.replace("@VERSION@", &self.version);
        Ok(text.replace("@REPOSITORY@", &self.repository))
    }

    fn licences(&self) -> Tree {
        let names = ["LICENSE-APACHE", "LICENSE-MIT"].into_iter();
        names.fold(Tree::default(), |tree, name| match self.template(name) {
            Ok(text) => tree.text(name, text),
            Err(_) => tree,
        })
    }

    /// The owner of the repository.
    fn owner(&self) -> &str {
        self.repository.rsplit('/').nth(1).unwrap_or_default()
    }

    /// The name in the registry of MCP servers.
    fn mcp_name(&self) -> String {
        format!("io.github.{}/askback", self.owner())
    }

    #[expect(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "it is one of the ways to make a package, each of which can fail"
    )]
    fn package(&self, name: String, binary: &Binary, bytes: Vec<u8>) -> anyhow::Result<Package> {
        Ok(Package {
            name,
            target: binary.target.triple.to_owned(),
            bytes,
        })
    }

    /// Adds `dist-manifest.json` and `SHA256SUMS`, and returns the text of the latter.
    fn sums(&self, packages: &mut Vec<Package>) -> anyhow::Result<String> {
        let mut files = Vec::new();
        for package in packages.iter() {
            let sha256 = sha256(&package.bytes)?;
            let size = package.bytes.len();
            files.push(json!({"name": package.name, "target": package.target, "size": size, "sha256": sha256}));
        }
        let rustc = output(&self.root, "rustc", &["--version"])?;
        let manifest =
            json!({"version": self.version, "commit": self.commit, "rustc": rustc, "files": files});
        packages.push(Package::for_all("dist-manifest.json", pretty(&manifest)));
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        let mut sums = String::new();
        for package in packages.iter() {
            sums += &format!("{}  {}\n", sha256(&package.bytes)?, package.name);
        }
        packages.push(Package::for_all("SHA256SUMS", sums.clone()));
        Ok(sums)
    }
}

impl Package {
    fn for_all(name: impl Into<String>, text: impl Into<String>) -> Package {
        Package {
            name: name.into(),
            target: "all".to_owned(),
            bytes: text.into().into_bytes(),
        }
    }
}

/// What a program prints, without the last newline.
fn output(root: &Path, program: &str, args: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program)
        .args(args)
        .current_dir(root)
        .output()
        .with_context(|| format!("{program} does not start"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{program} {} failed: {said}",
        args.join(" ")
    );
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

#[cfg(test)]
#[path = "dist_tests.rs"]
mod tests;
