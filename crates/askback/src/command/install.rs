//! `askback install`: names askback in the settings of an agent, after showing the change.

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
        client.undo()?
    } else {
        let entry = client.entry(&program()?, &more(args)?);
        if args.print {
            writeln!(out, "{}\n{entry}", client.file()?.display())?;
            return Ok(());
        }
        client.install(&entry)?
    };
    let Some(change) = change else {
        let state = if args.undo {
            "is not set up"
        } else {
            "is set up already"
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
    for line in difference(change.before.as_deref().unwrap_or_default(), &change.after) {
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
        writeln!(out, "The file as it was: {}", backup.display())?;
    }
    if args.undo {
        writeln!(out, "Removed.")?;
    } else {
        writeln!(
            out,
            "Done. Start {} anew, and leave `askback inbox` open.",
            client.name()
        )?;
    }
    Ok(())
}

/// This program, by its path: an agent may not have ours.
fn program() -> anyhow::Result<String> {
    let program = std::env::current_exe().context("cannot tell where askback is")?;
    let program = program
        .to_str()
        .context("the path of askback is not text")?;
    Ok(program.to_owned())
}

/// What `askback mcp` is started with beside its defaults.
fn more(args: &InstallArgs) -> anyhow::Result<Vec<String>> {
    let mut more = Vec::new();
    if let Some(data) = &args.data {
        let data = std::path::absolute(data).context("the data directory")?;
        more.push("--data".to_owned());
        more.push(
            data.to_str()
                .context("the data directory is not text")?
                .to_owned(),
        );
    }
    if let Some(url) = &args.url {
        more.extend(["--url".to_owned(), url.clone()]);
    }
    Ok(more)
}

/// The lines that go and the lines that come.
fn difference(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(old, new)| old == new).count()
    };
    let head = same(&mut old.iter().zip(&new));
    let rest = old.len().min(new.len()) - head;
    let tail = same(&mut old.iter().rev().zip(new.iter().rev())).min(rest);
    let gone = old[head..old.len() - tail]
        .iter()
        .map(|line| format!("- {line}"));
    let come = new[head..new.len() - tail]
        .iter()
        .map(|line| format!("+ {line}"));
    gone.chain(come).collect()
}

fn confirmed(out: &mut impl std::io::Write) -> Result<bool, Failure> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        let refusal = "Nothing was written: confirm with --yes, or look at the entry with --print.";
        return Err(Failure::Refused(refusal.to_owned()));
    }
    write!(out, "Write this? [y/N] ")?;
    out.flush()?;
    let mut line = String::new();
    stdin.lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Writes the file as a whole, and keeps it as it was beside it.
fn write(change: &Change) -> anyhow::Result<Option<PathBuf>> {
    // Settings are often links into a repository: what they lead to is written.
    let file = change
        .file
        .canonicalize()
        .unwrap_or_else(|_| change.file.clone());
    let directory = file.parent().context("the file has no directory")?;
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot make {}", directory.display()))?;
    let backup = match &change.before {
        Some(before) => Some(keep(&file, before)?),
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

/// Keeps what was there, under a name that is free.
fn keep(file: &Path, before: &str) -> anyhow::Result<PathBuf> {
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
    let kept = fs::write(&backup, before).and_then(|()| {
        let permissions = fs::metadata(file)?.permissions();
        fs::set_permissions(&backup, permissions)
    });
    kept.with_context(|| format!("cannot write {}", backup.display()))?;
    Ok(backup)
}

fn sibling(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    file.with_file_name(name)
}
