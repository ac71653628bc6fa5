//! The packages of one binary: archive, npm, wheel, deb, rpm, MCP bundle, extension of Gemini CLI.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::target::{GLIBC, Libc, Target};
use super::tree::{Tree, ar, sha256};
use super::{Package, Release};

const UNIT: &str = "usr/lib/systemd/system/askback.service";
const DOCS: &str = "usr/share/doc/askback/";

/// A binary, and the platform that it is for.
pub(super) struct Binary {
    pub(super) target: &'static Target,
    pub(super) bytes: Vec<u8>,
}

impl Release {
    /// All packages of this binary but the container image.
    pub(super) fn packages(&self, binary: &Binary, stage: &Path) -> anyhow::Result<Vec<Package>> {
        let mut packages = vec![
            self.archive(binary)?,
            self.npm_platform(binary)?,
            self.wheel(binary)?,
            self.mcp_bundle(binary)?,
            self.gemini_extension(binary)?,
        ];
        if binary.target.is_linux() {
            packages.push(self.deb(binary)?);
            packages.extend(self.rpm(binary, stage)?);
        }
        Ok(packages)
    }

    fn archive(&self, binary: &Binary) -> anyhow::Result<Package> {
        let name = format!("askback-{}-{}", self.version, binary.target.triple);
        let content = self
            .licences()
            .program("askback", &binary.bytes)
            .text("README.md", &self.readme)
            .merge("completions/", &self.completions)
            .merge("man/", &self.manual);
        let tree = Tree::default().merge(&format!("{name}/"), &content);
        self.package(format!("{name}.tar.gz"), binary, tree.tar_gz(self.seconds)?)
    }

    fn npm_platform(&self, binary: &Binary) -> anyhow::Result<Package> {
        let target = binary.target;
        let mut manifest = json!({
            "name": target.npm_package(),
            "version": self.version,
            "description": format!("The program of the package askback for {} on {}", target.os, target.cpu),
            "license": self.licence,
            "repository": self.npm_repository(),
            "os": [target.os],
            "cpu": [target.cpu],
            "files": ["bin/askback"],
            "preferUnplugged": true,
        });
        if target.libc == Libc::Glibc {
            manifest["libc"] = json!(["glibc"]);
        }
        let tree = self.licences().program("bin/askback", &binary.bytes);
        self.npm(binary.target.triple, &manifest, tree)
    }

    /// The package that people install. npm takes the one of its platform from the optional dependencies.
    pub(super) fn npm_main(&self, binaries: &[Binary]) -> anyhow::Result<Package> {
        let platforms = binaries
            .iter()
            .map(|binary| (binary.target.npm_package(), json!(self.version)));
        let manifest = json!({
            "name": "askback",
            "version": self.version,
            "description": self.description,
            "license": self.licence,
            "repository": self.npm_repository(),
            "keywords": ["llm", "agent", "mcp", "human-in-the-loop", "questions"],
            "bin": {"askback": "bin/askback.js"},
            "files": ["bin/askback.js"],
            "engines": {"node": ">=18"},
            "optionalDependencies": platforms.collect::<serde_json::Map<String, Value>>(),
            "mcpName": self.mcp_name(),
        });
        let script = self.template("packaging/askback.js")?;
        let tree = self.licences().program("bin/askback.js", script.as_bytes());
        self.npm("all", &manifest, tree.text("README.md", &self.readme))
    }

    fn npm(&self, target: &str, manifest: &Value, tree: Tree) -> anyhow::Result<Package> {
        let tree = tree.text("package.json", pretty(manifest));
        let name = manifest["name"].as_str().unwrap_or_default();
        let name = name.trim_start_matches('@').replace('/', "-");
        let tree = Tree::default().merge("package/", &tree);
        Ok(Package {
            name: format!("npm/{name}-{}.tgz", self.version),
            target: target.to_owned(),
            bytes: tree.tar_gz(self.seconds)?,
        })
    }

    fn wheel(&self, binary: &Binary) -> anyhow::Result<Package> {
        let version = &self.version;
        let tag = binary.target.wheel_tag;
        let info = format!("askback-{version}.dist-info/");
        let metadata = format!(
            "Metadata-Version: 2.4\nName: askback\nVersion: {version}\nSummary: {}\nLicense-Expression: {}\n\
             License-File: LICENSE-APACHE\nLicense-File: LICENSE-MIT\nRequires-Python: >=3.8\n\
             Project-URL: Repository, {}\nDescription-Content-Type: text/markdown\n\n{}",
            self.description, self.licence, self.repository, self.readme
        );
        let tags = tag.split('.').map(|tag| format!("Tag: py3-none-{tag}\n"));
        let tags: String = tags.collect();
        let wheel =
            format!("Wheel-Version: 1.0\nGenerator: askback\nRoot-Is-Purelib: false\n{tags}");
        let tree = Tree::default()
            .program(
                format!("askback-{version}.data/scripts/askback"),
                &binary.bytes,
            )
            .text(format!("{info}METADATA"), metadata)
            .text(format!("{info}WHEEL"), wheel)
            .merge(&format!("{info}licenses/"), &self.licences());
        let mut record = String::new();
        for (path, bytes) in tree.files() {
            let hash = base64_url(&sha256(bytes)?);
            record += &format!("{path},sha256={hash},{}\n", bytes.len());
        }
        record += &format!("{info}RECORD,,\n");
        let tree = tree.text(format!("{info}RECORD"), record);
        let name = format!("askback-{version}-py3-none-{tag}.whl");
        self.package(name, binary, tree.zip()?)
    }

    fn mcp_bundle(&self, binary: &Binary) -> anyhow::Result<Package> {
        let target = binary.target;
        let manifest = json!({
            "manifest_version": "0.3",
            "name": "askback",
            "version": self.version,
            "description": self.description,
            "author": {"name": "The authors of askback"},
            "repository": {"type": "git", "url": self.repository},
            "license": self.licence,
            "server": {
                "type": "binary",
                "entry_point": "server/askback",
                "mcp_config": {"command": "${__dirname}/server/askback", "args": ["mcp"]},
            },
            "compatibility": {"platforms": [target.os]},
        });
        let tree = Tree::default()
            .text("manifest.json", pretty(&manifest))
            .program("server/askback", &binary.bytes);
        let name = format!("askback-{}-{}-{}.mcpb", self.version, target.os, target.cpu);
        self.package(name, binary, tree.zip()?)
    }

    /// Gemini CLI looks for an archive of this name in a release. The program in it is the one that is started.
    fn gemini_extension(&self, binary: &Binary) -> anyhow::Result<Package> {
        let text = self.template("plugins/askback/gemini-extension.json")?;
        let mut manifest: Value = serde_json::from_str(&text)?;
        manifest["mcpServers"]["askback"]["command"] = json!("${extensionPath}/askback");
        manifest["mcpServers"]["askback"]["args"] = json!(["mcp"]);
        let tree = self
            .licences()
            .text("gemini-extension.json", pretty(&manifest))
            .program("askback", &binary.bytes);
        let name = format!("{}.{}.askback.tar.gz", binary.target.os, binary.target.cpu);
        self.package(name, binary, tree.tar_gz(self.seconds)?)
    }

    /// What a package of a distribution installs.
    fn system_tree(&self, binary: &Binary) -> anyhow::Result<Tree> {
        let example = self.template("examples/operations/askback.service")?;
        let unit = example
            .replace("/usr/local/bin/", "/usr/bin/")
            .replace("# /etc/systemd/system/askback.service\n", "");
        let mut tree = Tree::default().program("usr/bin/askback", &binary.bytes);
        for (path, bytes) in self.manual.files() {
            let packed = super::tree::gzip(bytes)?;
            tree.add(format!("usr/share/man/man1/{path}.gz"), 0o644, packed);
        }
        for (name, path) in [
            ("askback.bash", "bash-completion/completions/askback"),
            ("_askback", "zsh/vendor-completions/_askback"),
            ("askback.fish", "fish/vendor_completions.d/askback.fish"),
        ] {
            let found = self.completions.files().find(|(it, _)| *it == name);
            let (_, bytes) = found.with_context(|| format!("no completions in {name}"))?;
            tree.add(format!("usr/share/{path}"), 0o644, bytes.to_vec());
        }
        Ok(tree.text(UNIT, unit))
    }

    fn deb(&self, binary: &Binary) -> anyhow::Result<Package> {
        let (version, arch) = (&self.version, binary.target.deb_arch);
        let owner = self.owner();
        let maintainer = format!("The authors of askback <{owner}@users.noreply.github.com>");
        let changes = format!(
            "askback ({version}-1) unstable; urgency=medium\n\n  * See {}/blob/v{version}/CHANGELOG.md\n\n \
             -- {maintainer}  {}\n",
            self.repository, self.date_rfc2822
        );
        let mut tree = self.system_tree(binary)?.text(
            format!("{DOCS}copyright"),
            format!(
                "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: {}\n\nFiles: *\n\
                 Copyright: (c) askback contributors\nLicense: MIT or Apache-2.0\n Apache-2.0 is in \
                 /usr/share/common-licenses/Apache-2.0. MIT:\n{}",
                self.repository,
                indented(&self.template("LICENSE-MIT")?)
            ),
        );
        tree.add(
            format!("{DOCS}changelog.Debian.gz"),
            0o644,
            super::tree::gzip(changes.as_bytes())?,
        );
        let kibibytes: usize = tree
            .files()
            .map(|(_, bytes)| bytes.len().div_ceil(1024))
            .sum();
        let depends = match binary.target.libc {
            Libc::Glibc => format!("Depends: libc6 (>= {GLIBC})\n"),
            Libc::Musl | Libc::System => String::new(),
        };
        let control = format!(
            "Package: askback\nVersion: {version}-1\nArchitecture: {arch}\nMaintainer: \
             {maintainer}\nInstalled-Size: {kibibytes}\n{depends}Recommends: ca-certificates\nSection: \
             utils\nPriority: optional\nHomepage: {}\nDescription: structured questions of AI agents to their users\n \
             {}\n",
            self.repository, self.description
        );
        let sums = md5_sums(&tree)?;
        let control = Tree::default()
            .text("control", control)
            .text("md5sums", sums);
        let members = [
            ("debian-binary", b"2.0\n".to_vec()),
            ("control.tar.gz", control.tar_gz(self.seconds)?),
            ("data.tar.gz", tree.tar_gz(self.seconds)?),
        ];
        let bytes = ar(&members, self.seconds);
        self.package(format!("askback_{version}-1_{arch}.deb"), binary, bytes)
    }

    /// None without `rpmbuild`, which only a machine with the tools of RPM has.
    fn rpm(&self, binary: &Binary, stage: &Path) -> anyhow::Result<Option<Package>> {
        let has_rpmbuild = Command::new("rpmbuild").arg("--version").output().is_ok();
        if !has_rpmbuild {
            ensure!(
                std::env::var_os("CI").is_none(),
                "rpmbuild is not installed"
            );
            println!(
                "dist: no rpm, because rpmbuild is not installed (on Debian, the package rpm)"
            );
            return Ok(None);
        }
        let (version, arch) = (&self.version, binary.target.rpm_arch);
        let top = stage.join(binary.target.triple);
        let files = top.join("files");
        let tree = self.system_tree(binary)?;
        let tree = tree.merge("usr/share/licenses/askback/", &self.licences());
        tree.write(&files)?;
        let paths: String = tree.files().map(|(path, _)| format!("/{path}\n")).collect();
        let requires = match binary.target.libc {
            Libc::Glibc => format!("Requires: glibc >= {GLIBC}\n"),
            Libc::Musl | Libc::System => String::new(),
        };
        let spec = format!(
            "Name: askback\nVersion: {version}\nRelease: 1\nSummary: Structured questions of AI agents to their users\n\
             License: {}\nURL: {}\nAutoReqProv: no\n{requires}%description\n{}\n%install\nmkdir -p %{{buildroot}}\n\
             cp -a {}/. %{{buildroot}}/\n%files\n%defattr(-,root,root)\n{paths}",
            self.licence,
            self.repository,
            self.description,
            files.display()
        );
        fs::write(top.join("askback.spec"), spec)?;
        let mut command = Command::new("rpmbuild");
        command.args(["--quiet", "-bb", "--target", arch]);
        for define in [
            &format!("_topdir {}", top.display()),
            "_build_id_links none",
            "debug_package %{nil}",
            "__os_install_post %{nil}",
            "_buildhost localhost",
            "_binary_payload w9.gzdio",
            "use_source_date_epoch_as_buildtime 1",
            "clamp_mtime_to_source_date_epoch 1",
        ] {
            command.args(["--define", define]);
        }
        let output = command
            .arg(top.join("askback.spec"))
            .env("SOURCE_DATE_EPOCH", self.seconds.to_string())
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "rpmbuild failed: {said}");
        let name = format!("askback-{version}-1.{arch}.rpm");
        let bytes = fs::read(top.join("RPMS").join(arch).join(&name))?;
        Ok(Some(self.package(name, binary, bytes)?))
    }

    fn npm_repository(&self) -> Value {
        json!({"type": "git", "url": format!("git+{}.git", self.repository)})
    }
}

/// The checksums with which `dpkg --verify` finds changed files.
fn md5_sums(tree: &Tree) -> anyhow::Result<String> {
    let mut sums = String::new();
    for (path, bytes) in tree.files() {
        let line = super::tree::filter("md5sum", &[], bytes)?;
        sums += &format!("{}  {path}\n", String::from_utf8_lossy(&line[..32]));
    }
    Ok(sums)
}

/// As continuation lines of a Debian control file.
fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_end() {
        "" => " .\n".to_owned(),
        line => format!(" {line}\n"),
    });
    lines.collect()
}

pub(super) fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Hexadecimal digits as base64 without padding, in the alphabet of URLs.
pub(super) fn base64_url(hex: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: String = hex
        .chars()
        .map(|digit| format!("{:04b}", digit.to_digit(16).unwrap_or_default()))
        .collect();
    let bits: Vec<char> = bits.chars().collect();
    let letters = bits.chunks(6).map(|six| {
        let padded = six.iter().chain(std::iter::repeat(&'0')).take(6);
        let index = padded.fold(0, |value, bit| value * 2 + usize::from(*bit == '1'));
        char::from(ALPHABET[index])
    });
    letters.collect()
}
