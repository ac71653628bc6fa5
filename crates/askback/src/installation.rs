//! How a copy of askback was installed, as far as its path and the files beside it tell.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::shell_quoting::shell_quoted;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Installation {
    /// In the cache of npx.
    Npx,
    NpmGlobal(NodeTool),
    /// In the `node_modules` of this directory.
    NpmProject(PathBuf),
    /// In the cache of uvx.
    Uvx,
    UvTool,
    Pipx,
    /// A Python package below this directory: a virtual environment, or a prefix such as `~/.local`.
    Python(PathBuf),
    /// Below this prefix.
    Homebrew(PathBuf),
    Nix,
    Cargo,
    /// Built in this checkout.
    Checkout(PathBuf),
    Deb,
    Rpm,
    ContainerImage,
    /// A file that no package manager knows, in this directory.
    File(PathBuf),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeTool {
    Npm,
    Pnpm,
    Bun,
}

/// Pairs of directories in which a version manager of Node.js keeps one version.
const NODE_VERSIONS: [[&str; 2]; 4] = [
    ["versions", "node"],
    ["fnm", "node-versions"],
    ["installs", "node"],
    ["installs", "nodejs"],
];

impl Installation {
    pub(crate) fn of(program: &Path) -> Installation {
        Installation::in_system(program, Path::new("/"))
    }

    /// The databases of system packages are looked for below this root.
    fn in_system(program: &Path, root: &Path) -> Installation {
        of_node(program)
            .or_else(|| of_python(program))
            .or_else(|| of_package_manager(program, root))
            .unwrap_or_else(|| {
                let directory = program.parent().unwrap_or(program);
                Installation::File(directory.to_owned())
            })
    }

    /// Whether the package manager keeps each version in a directory of its own, or may remove the copy unasked.
    pub(crate) fn is_replaced(&self) -> bool {
        let is_replaced = matches!(
            self,
            Installation::Npx
                | Installation::Uvx
                | Installation::UvTool
                | Installation::Pipx
                | Installation::Homebrew(_)
                | Installation::Nix
        );
        is_replaced
            || matches!(self, Installation::Python(prefix) if is_virtual_environment(prefix))
    }

    pub(crate) fn homebrew_prefix(&self) -> Option<&Path> {
        if let Installation::Homebrew(prefix) = self {
            return Some(prefix);
        }
        None
    }

    /// What it is, to complete the sentence "This program is …", and the command line that updates it, for a shell.
    fn facts(&self) -> (&'static str, String) {
        let path = |path: &Path| shell_quoted(&path.to_string_lossy());
        let (is, update) = match self {
            Installation::Npx => ("in the cache of npx", "npx -y askback@latest"),
            Installation::NpmGlobal(NodeTool::Npm) => {
                ("a global package of npm", "npm install -g askback@latest")
            }
            Installation::NpmGlobal(NodeTool::Pnpm) => {
                ("a global package of pnpm", "pnpm add -g askback@latest")
            }
            Installation::NpmGlobal(NodeTool::Bun) => {
                ("a global package of Bun", "bun add -g askback@latest")
            }
            Installation::NpmProject(directory) => {
                let update = format!("npm install --prefix {} askback@latest", path(directory));
                return ("an npm package of a project", update);
            }
            Installation::Uvx => ("in the cache of uvx", "uvx askback@latest"),
            Installation::UvTool => ("a tool of uv", "uv tool upgrade askback"),
            Installation::Pipx => ("an application of pipx", "pipx upgrade askback"),
            Installation::Python(prefix) if is_virtual_environment(prefix) => {
                let python = path(&prefix.join("bin/python"));
                let update = format!("{python} -m pip install --upgrade askback");
                return ("a package of a Python environment", update);
            }
            Installation::Python(_) => (
                "a Python package",
                "python3 -m pip install --upgrade askback",
            ),
            Installation::Homebrew(_) => ("a package of Homebrew", "brew upgrade askback"),
            Installation::Nix => ("a package of Nix", "nix profile upgrade askback"),
            Installation::Cargo => ("installed by cargo", "cargo install --locked askback"),
            Installation::Checkout(directory) => {
                let directory = path(directory);
                let update = format!(
                    "git -C {directory} pull && cargo build --manifest-path {directory}/Cargo.toml --release"
                );
                return ("built from a checkout", update);
            }
            Installation::Deb => (
                "a Debian package",
                "sudo apt install ./askback_*.deb   # the new file",
            ),
            Installation::Rpm => (
                "an RPM package",
                "sudo dnf install ./askback-*.rpm   # the new file",
            ),
            Installation::ContainerImage => (
                "part of a container image",
                "podman pull IMAGE:latest   # or docker pull",
            ),
            Installation::File(directory) => {
                let repository = env!("CARGO_PKG_REPOSITORY");
                let directory = path(directory);
                let update = format!(
                    "curl -fsSL {repository}/releases/latest/download/install.sh | ASKBACK_INSTALL_DIR={directory} sh"
                );
                return ("a file that no package manager knows", update);
            }
        };
        (is, update.to_owned())
    }

    pub(crate) fn update_line(&self) -> String {
        self.facts().1
    }
}

impl fmt::Display for Installation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.facts().0)
    }
}

/// Whether the path belongs to one version of Node.js, or to one shell, and goes with it.
pub(crate) fn is_of_one_node_version(path: &Path) -> bool {
    has_part(path, "fnm_multishells") || NODE_VERSIONS.iter().any(|pair| has_parts(path, pair))
}

fn of_node(program: &Path) -> Option<Installation> {
    if has_part(program, "_npx") {
        return Some(Installation::Npx);
    }
    let modules = program
        .ancestors()
        .filter(|it| it.ends_with("node_modules"));
    let directory = modules.last()?.parent()?;
    Some(if has_parts(directory, &["pnpm", "global"]) {
        Installation::NpmGlobal(NodeTool::Pnpm)
    } else if has_parts(directory, &[".bun", "install"]) {
        Installation::NpmGlobal(NodeTool::Bun)
    } else if directory.ends_with("lib") {
        Installation::NpmGlobal(NodeTool::Npm)
    } else {
        Installation::NpmProject(directory.to_owned())
    })
}

fn of_python(program: &Path) -> Option<Installation> {
    if is_in_uv_cache(program) {
        return Some(Installation::Uvx);
    }
    let prefix = program.parent()?.parent()?;
    if has_parts(program, &["uv", "tools"]) {
        return Some(Installation::UvTool);
    }
    if has_parts(program, &["pipx", "venvs"]) {
        return Some(Installation::Pipx);
    }
    (is_virtual_environment(prefix) || has_python_package(prefix))
        .then(|| Installation::Python(prefix.to_owned()))
}

fn of_package_manager(program: &Path, root: &Path) -> Option<Installation> {
    if program.starts_with("/nix/store") {
        return Some(Installation::Nix);
    }
    if let Some(cellar) = program.ancestors().find(|it| it.ends_with("Cellar")) {
        return Some(Installation::Homebrew(cellar.parent()?.to_owned()));
    }
    if program.parent()?.parent()?.join(".crates.toml").exists() {
        return Some(Installation::Cargo);
    }
    let checkout = program.ancestors().filter(|it| it.ends_with("target"));
    let mut checkout = checkout.filter_map(Path::parent);
    if let Some(found) = checkout.find(|it| it.join("crates/askback/Cargo.toml").exists()) {
        return Some(Installation::Checkout(found.to_owned()));
    }
    if program != root.join("usr/bin/askback") {
        return None;
    }
    let exists = |path: &str| root.join(path).exists();
    if exists("etc/askback-image") {
        Some(Installation::ContainerImage)
    } else if exists("var/lib/dpkg/info/askback.list") {
        Some(Installation::Deb)
    } else {
        let has_rpm = exists("usr/lib/sysimage/rpm") || exists("var/lib/rpm");
        has_rpm.then_some(Installation::Rpm)
    }
}

fn is_in_uv_cache(path: &Path) -> bool {
    let parts: Vec<&[u8]> = path.iter().map(OsStr::as_encoded_bytes).collect();
    parts
        .windows(2)
        .any(|pair| pair[0] == b"uv" && pair[1].starts_with(b"archive"))
}

fn is_virtual_environment(prefix: &Path) -> bool {
    prefix.join("pyvenv.cfg").exists()
}

/// Whether pip has written down a package of this name below the prefix.
fn has_python_package(prefix: &Path) -> bool {
    let entries = |directory: &Path| std::fs::read_dir(directory).into_iter().flatten().flatten();
    let starts_with = |entry: &std::fs::DirEntry, start: &[u8]| {
        entry.file_name().as_encoded_bytes().starts_with(start)
    };
    entries(&prefix.join("lib"))
        .filter(|it| starts_with(it, b"python3"))
        .flat_map(|python| ["site-packages", "dist-packages"].map(|it| python.path().join(it)))
        .any(|packages| entries(&packages).any(|it| starts_with(&it, b"askback-")))
}

fn has_part(path: &Path, wanted: &str) -> bool {
    has_parts(path, &[wanted])
}

/// Whether these directories follow each other in the path.
fn has_parts(path: &Path, wanted: &[&str]) -> bool {
    let parts: Vec<&OsStr> = path.iter().collect();
    parts.windows(wanted.len()).any(|found| found == wanted)
}

#[cfg(test)]
#[path = "installation_tests.rs"]
mod tests;
