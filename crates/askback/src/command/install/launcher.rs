//! The command line that starts askback from the settings of an agent, and goes on working after an upgrade.

use std::path::{Path, PathBuf};

use crate::agent_settings::Environment;
use crate::installation::{Installation, is_of_one_node_version};
use crate::shell_quoting::shell_quoted;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Launcher {
    /// The program and its first arguments.
    pub(super) words: Vec<String>,
    /// What the user has to know, if the command may stop working.
    pub(super) warning: Option<String>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Directories of programs that link to the current version.
const LINK_DIRECTORIES: [&str; 3] = [
    "/usr/local/bin",
    "/run/current-system/sw/bin",
    "/nix/var/nix/profiles/default/bin",
];

impl Launcher {
    /// For the program that runs now. The agent's PATH may be different, so the command has a full path wherever one
    /// lasts.
    pub(super) fn find(program: &Path, env: &Environment) -> Launcher {
        let installation = Installation::of(program);
        let lasting = links(&installation, env)
            .find(|link| !is_short_lived(link, env) && leads_to(link, program));
        if let Some(link) = lasting {
            return Launcher::of([link.display().to_string()]);
        }
        let package = format!("askback@{VERSION}");
        if installation == Installation::Npx || is_of_one_node_version(program) {
            return Launcher::of(["npx", "-y", &package]);
        }
        if installation == Installation::Uvx {
            return Launcher::of(["uvx", &package]);
        }
        let shown = program.display();
        let warning = is_short_lived(program, env).then(|| {
            format!(
                "{shown} is in a directory that may be removed at any time. Install askback in a lasting place and \
                 run this again; `askback doctor` says when the path has gone."
            )
        });
        Launcher {
            words: vec![shown.to_string()],
            warning,
        }
    }

    /// The command with these arguments, for a shell.
    pub(super) fn shell_line(&self, args: &[&str]) -> String {
        let words = self
            .words
            .iter()
            .map(String::as_str)
            .chain(args.iter().copied());
        let words: Vec<String> = words.map(shell_quoted).collect();
        words.join(" ")
    }

    fn of<const N: usize>(words: [impl Into<String>; N]) -> Launcher {
        Launcher {
            words: words.map(Into::into).into(),
            warning: None,
        }
    }
}

/// Paths under which the program may be known, the best one first.
fn links(installation: &Installation, env: &Environment) -> impl Iterator<Item = PathBuf> {
    let directories = LINK_DIRECTORIES.map(|directory| Path::new(directory).join("askback"));
    let homebrew = installation
        .homebrew_prefix()
        .map(|prefix| prefix.join("bin/askback"));
    env.program_on_path("askback")
        .into_iter()
        .chain(homebrew)
        .chain(env.user_links("askback"))
        .chain(directories)
}

/// Whether a path is a link to this program, or the script of an npm package that starts it.
fn leads_to(link: &Path, program: &Path) -> bool {
    let (Ok(target), Ok(program)) = (link.canonicalize(), program.canonicalize()) else {
        return false;
    };
    let modules = |path: &Path| {
        let found = path.ancestors().filter(|it| it.ends_with("node_modules"));
        found.last().map(Path::to_owned)
    };
    target == program
        || modules(&target).is_some_and(|found| Some(found) == modules(&program))
            && target.iter().any(|part| part == "askback")
}

/// Whether a package manager removes this path with the next upgrade, or when it clears its cache.
fn is_short_lived(path: &Path, env: &Environment) -> bool {
    Installation::of(path).is_replaced()
        || is_of_one_node_version(path)
        || path.starts_with(env.temporary_directory())
}

#[cfg(test)]
#[path = "launcher_tests.rs"]
mod tests;
