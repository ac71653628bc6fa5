//! The environment variables that say where agents keep their settings, and which programs can be run.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

const NAMES: [&str; 10] = [
    "HOME",
    "PATH",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "KIMI_CODE_HOME",
    "CLINE_MCP_SETTINGS_PATH",
    "CONTINUE_GLOBAL_DIR",
];

/// The directory of this process.
const CURRENT_DIRECTORY: &str = "PWD";

#[derive(Debug, Default)]
pub(crate) struct Environment(BTreeMap<&'static str, String>);

impl Environment {
    /// Of this process.
    pub(crate) fn read() -> Environment {
        let variable = |name| Some((name, crate::settings::variable(name)?));
        let mut found: BTreeMap<_, _> = NAMES.into_iter().filter_map(variable).collect();
        // A program that starts this one in another directory may have left the variable as it was.
        let directory = std::env::current_dir().ok();
        let directory = directory.and_then(|path| path.to_str().map(str::to_owned));
        found.extend(directory.map(|path| (CURRENT_DIRECTORY, path)));
        Environment(found)
    }

    #[cfg(test)]
    pub(crate) fn with<const N: usize>(variables: [(&'static str, &Path); N]) -> Environment {
        let text = |path: &Path| path.to_str().unwrap_or_default().to_owned();
        let variables = variables.map(|(name, path)| (name, text(path)));
        Environment(variables.into_iter().collect())
    }

    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// This path in the home directory.
    pub(super) fn in_home(&self, path: &str) -> anyhow::Result<PathBuf> {
        let home = self.variable("HOME").context("HOME is not set")?;
        Ok(Path::new(home).join(path))
    }

    /// These paths in the directory in which this process runs.
    pub(super) fn in_current_directory(&self, paths: &[&str]) -> Vec<PathBuf> {
        let directory = self.variable(CURRENT_DIRECTORY).map(Path::new);
        let paths = paths.iter();
        directory.map_or_else(Vec::new, |it| paths.map(|path| it.join(path)).collect())
    }

    /// The directory in this variable, or else this one in the home directory.
    pub(super) fn directory(&self, variable: &str, in_home: &str) -> anyhow::Result<PathBuf> {
        match self.variable(variable) {
            Some(directory) => Ok(PathBuf::from(directory)),
            None => self.in_home(in_home),
        }
    }

    pub(super) fn config_home(&self) -> anyhow::Result<PathBuf> {
        self.directory("XDG_CONFIG_HOME", ".config")
    }

    /// Where programs keep what is not worth a backup.
    pub(super) fn state_home(&self) -> anyhow::Result<PathBuf> {
        self.directory("XDG_STATE_HOME", ".local/state")
    }

    /// Where programs keep what the system may remove.
    pub(crate) fn temporary_directory(&self) -> &Path {
        Path::new(self.variable("TMPDIR").unwrap_or("/tmp"))
    }

    /// Where package managers link to a program of this user.
    pub(crate) fn user_links(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let directories = [".local/bin", ".nix-profile/bin"];
        let links = directories.map(|directory| Some(self.in_home(directory).ok()?.join(name)));
        links.into_iter().flatten()
    }

    /// The program that a shell would run for this name. Relative directories of PATH do not count: they change
    /// with the working directory.
    pub(crate) fn program_on_path(&self, name: &str) -> Option<PathBuf> {
        let directories = std::env::split_paths(self.variable("PATH")?);
        let mut programs = directories
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join(name));
        programs.find(|program| is_executable(program))
    }

    /// Whether this program can be started: a path, or a name on PATH.
    pub(super) fn can_start(&self, program: &str) -> bool {
        if program.contains('/') {
            return is_executable(Path::new(program));
        }
        self.program_on_path(program).is_some()
    }
}

fn is_executable(program: &Path) -> bool {
    std::fs::metadata(program)
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
