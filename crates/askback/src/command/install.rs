//! `askback install`: adds askback to the settings of an agent, after showing the change.

use std::fs;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::agent_settings::Change;
use crate::args::InstallArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &InstallArgs) -> Result<(), Failure> {
    let client = args.client.0;
    let mut out = std::io::stdout().lock();
    let change = if args.undo {
        client.uninstall()?
    } else {
        let entry = client.entry(&program()?, &mcp_args(args)?);
        if args.print {
            let file = client.file()?;
            writeln!(std::io::stderr().lock(), "Add this to {}:", file.display())?;
            writeln!(out, "{}", client.snippet(&entry)?.trim_end())?;
            return Ok(());
        }
        client.install(&entry)?
    };
    let Some(change) = change else {
        let state = if args.undo {
            "does not use askback"
        } else {
            "is already set up"
        };
        writeln!(
            out,
            "{} {state}: {}",
            client.name(),
            client.file()?.display()
        )?;
        return Ok(());
    };
    writeln!(out, "{}", change.file.display())?;
    for line in diff(change.before.as_deref().unwrap_or_default(), &change.after) {
        writeln!(out, "{line}")?;
    }
    if args.undo && args.print {
        return Ok(());
    }
    if !args.yes && !confirmed(&mut out)? {
        writeln!(out, "Nothing was written.")?;
        return Ok(());
    }
    if let Some(backup) = write(&change)? {
        writeln!(out, "Backup: {}", backup.display())?;
    }
    if args.undo {
        writeln!(out, "Removed.")?;
    } else {
        writeln!(
            out,
            "Done. Restart {}, and keep `askback inbox` open to see its questions.",
            client.name()
        )?;
    }
    Ok(())
}

/// The full path of this program: the agent's PATH may be different.
fn program() -> anyhow::Result<String> {
    let program = std::env::current_exe().context("cannot find the path of askback")?;
    let program = program
        .to_str()
        .context("the path of askback is not UTF-8")?;
    Ok(program.to_owned())
}

/// Further arguments for `askback mcp`.
fn mcp_args(args: &InstallArgs) -> anyhow::Result<Vec<String>> {
    let mut mcp_args = Vec::new();
    if let Some(data) = &args.data {
        let data = std::path::absolute(data).context("cannot resolve the data directory")?;
        mcp_args.push("--data".to_owned());
        mcp_args.push(
            data.to_str()
                .context("the path of the data directory is not UTF-8")?
                .to_owned(),
        );
    }
    if let Some(url) = &args.url {
        mcp_args.extend(["--url".to_owned(), url.clone()]);
    }
    Ok(mcp_args)
}

/// Removed and added lines, without context.
fn diff(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(old, new)| old == new).count()
    };
    let head = same(&mut old.iter().zip(&new));
    let rest = old.len().min(new.len()) - head;
    let tail = same(&mut old.iter().rev().zip(new.iter().rev())).min(rest);
    let removed = old[head..old.len() - tail]
        .iter()
        .map(|line| format!("- {line}"));
    let added = new[head..new.len() - tail]
        .iter()
        .map(|line| format!("+ {line}"));
    removed.chain(added).collect()
}

fn confirmed(out: &mut impl std::io::Write) -> Result<bool, Failure> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        let refusal =
            "Nothing was written. Confirm with --yes, or print the settings with --print.";
        return Err(Failure::Refused(refusal.to_owned()));
    }
    write!(out, "Write this? [y/N] ")?;
    out.flush()?;
    let mut line = String::new();
    stdin.lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Replaces the file atomically. Returns the backup of the old one.
fn write(change: &Change) -> anyhow::Result<Option<PathBuf>> {
    // Settings files are often symbolic links into a repository: write to the target.
    let file = change
        .file
        .canonicalize()
        .unwrap_or_else(|_| change.file.clone());
    let directory = file.parent().context("the file has no directory")?;
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    let backup = match &change.before {
        Some(before) => Some(back_up(&file, before)?),
        None => None,
    };
    let new = sibling(&file, "new");
    let written = fs::write(&new, &change.after).and_then(|()| {
        if let Ok(metadata) = fs::metadata(&file) {
            fs::set_permissions(&new, metadata.permissions())?;
        }
        fs::rename(&new, &file)
    });
    written.with_context(|| format!("cannot write {}", file.display()))?;
    Ok(backup)
}

/// Never overwrites an earlier backup.
fn back_up(file: &Path, before: &str) -> anyhow::Result<PathBuf> {
    let mut number = 0;
    let backup = loop {
        let ending = if number == 0 {
            "askback-backup".to_owned()
        } else {
            format!("askback-backup{number}")
        };
        let backup = sibling(file, &ending);
        if !backup.exists() {
            break backup;
        }
        number += 1;
    };
    let written = fs::write(&backup, before).and_then(|()| {
        let permissions = fs::metadata(file)?.permissions();
        fs::set_permissions(&backup, permissions)
    });
    written.with_context(|| format!("cannot write {}", backup.display()))?;
    Ok(backup)
}

fn sibling(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    file.with_file_name(name)
}
