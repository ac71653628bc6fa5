//! `askback install`: adds askback to the settings of an agent, after showing the change.

use std::fs;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::hook::PROJECT_PARAMETER;
use super::link::is_on_loopback;
use crate::agent_settings::{AgentClient, Change, McpServer, claude_hook, read_optional};
use crate::args::{InstallArgs, shell_quoted};
use crate::failure::Failure;
use crate::settings::token_of_server;

/// Where `askback serve` listens by default.
const DEFAULT_URL: &str = "http://127.0.0.1:7777";

pub(crate) fn run(args: &InstallArgs) -> Result<(), Failure> {
    let target = Target::new(args)?;
    let mut out = std::io::stdout().lock();
    let file = target.file()?;
    if args.print && !args.undo {
        writeln!(std::io::stderr().lock(), "Add this to {}:", file.display())?;
        writeln!(out, "{}", target.snippet(args)?.trim_end())?;
        return Ok(());
    }
    let change = if args.undo {
        target.uninstall()?
    } else {
        target.install(args)?
    };
    let name = args.client.0.name();
    let Some(change) = change else {
        let state = if args.undo {
            "does not use askback"
        } else {
            "is already set up"
        };
        writeln!(out, "{name} {state}: {}", file.display())?;
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
    if has_changed(&change)? {
        return Err(Failure::Refused(format!(
            "{} was changed meanwhile. Nothing was written: try again.",
            change.file.display()
        )));
    }
    if let Some(backup) = write(&change)? {
        writeln!(out, "Backup: {}", backup.display())?;
    }
    if args.undo {
        writeln!(out, "Removed.")?;
        return Ok(());
    }
    if args.http && is_readable_by_others(&file) {
        let file = file.display();
        writeln!(
            out,
            "{file} contains the token, and other users can read it: run chmod go-rwx {file}"
        )?;
    }
    if args.http {
        writeln!(
            out,
            "Done. Restart {name}. It needs a running `askback serve`, whose link opens the questions in a \
             browser; they also appear in `askback inbox`."
        )?;
        return Ok(());
    }
    writeln!(
        out,
        "Done. Restart {name}. Its questions appear in `askback inbox`; to answer in a browser, run \
         `askback serve` and open the link that it prints."
    )?;
    Ok(())
}

/// What is set up.
enum Target {
    McpServer(AgentClient),
    ClaudeHook,
}

impl Target {
    fn new(args: &InstallArgs) -> Result<Target, Failure> {
        let client = args.client.0;
        if args.hook && client == AgentClient::ClaudeCode {
            return Ok(Target::ClaudeHook);
        }
        if args.hook {
            return Err(Failure::Refused(format!(
                "{} has no hook that can answer its questions; only claude-code has one. Omit --hook.",
                client.name()
            )));
        }
        if args.http
            && !args.undo
            && args.token_file.is_none()
            && !is_on_loopback(args.url.as_deref().unwrap_or(DEFAULT_URL))
        {
            return Err(Failure::Refused(
                "The server is on another machine, so the token of this one is not for it. Give its token \
                 with --token-file."
                    .to_owned(),
            ));
        }
        Ok(Target::McpServer(client))
    }

    fn file(&self) -> anyhow::Result<PathBuf> {
        match self {
            Target::McpServer(client) => client.file(),
            Target::ClaudeHook => claude_hook::file(),
        }
    }

    fn snippet(&self, args: &InstallArgs) -> anyhow::Result<String> {
        match self {
            Target::McpServer(client) => client.snippet(&client.entry(&server(args)?)),
            Target::ClaudeHook => Ok(claude_hook::snippet(&hook_command(args)?)),
        }
    }

    fn install(&self, args: &InstallArgs) -> anyhow::Result<Option<Change>> {
        match self {
            Target::McpServer(client) => client.install(&client.entry(&server(args)?)),
            Target::ClaudeHook => claude_hook::install(&hook_command(args)?),
        }
    }

    fn uninstall(&self) -> anyhow::Result<Option<Change>> {
        match self {
            Target::McpServer(client) => client.uninstall(),
            Target::ClaudeHook => claude_hook::uninstall(),
        }
    }
}

fn server(args: &InstallArgs) -> anyhow::Result<McpServer> {
    if !args.http {
        return Ok(McpServer::Stdio {
            program: program()?,
            args: mcp_args(args)?,
            hold: args.hold,
        });
    }
    let base = args.url.as_deref().unwrap_or(DEFAULT_URL);
    let mut url = format!("{}/mcp", base.trim_end_matches('/'));
    let mut headers_helper = None;
    if args.client.0 == AgentClient::ClaudeCode {
        // It has no sessions over HTTP, and replaces variables. An empty project counts as none.
        url.push_str(PROJECT_PARAMETER);
        url.push_str("${PWD:-}");
        let words = [
            program()?,
            "hook".to_owned(),
            "claude-code-headers".to_owned(),
        ];
        headers_helper = Some(words.map(|word| shell_quoted(&word)).join(" "));
    }
    let token = token_of_server(args.token_file.as_deref(), args.data.as_deref())?;
    Ok(McpServer::Http {
        url,
        token,
        headers_helper,
    })
}

/// The command line of the hook, for a shell.
fn hook_command(args: &InstallArgs) -> anyhow::Result<String> {
    let words = [program()?, "hook".to_owned(), "claude-code".to_owned()];
    let words: Vec<String> = words
        .into_iter()
        .chain(connect_args(args)?)
        .map(|word| shell_quoted(&word))
        .collect();
    Ok(words.join(" "))
}

/// The full path of this program: the agent's PATH may be different.
fn program() -> anyhow::Result<String> {
    let program = std::env::current_exe().context("cannot find the path of askback")?;
    let program = program
        .to_str()
        .context("the path of askback is not UTF-8")?;
    Ok(program.to_owned())
}

/// The arguments of `askback mcp`.
fn mcp_args(args: &InstallArgs) -> anyhow::Result<Vec<String>> {
    let mut found = connect_args(args)?;
    if !args.tools.is_empty() {
        let tools: Vec<&str> = args.tools.iter().map(|tool| tool.0.name()).collect();
        found.extend(["--tools".to_owned(), tools.join(",")]);
    }
    Ok(found)
}

/// The arguments with which `askback mcp` or `askback hook` finds its server.
fn connect_args(args: &InstallArgs) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    if let Some(data) = &args.data {
        let data = std::path::absolute(data).context("cannot resolve the data directory")?;
        found.push("--data".to_owned());
        found.push(
            data.to_str()
                .context("the path of the data directory is not UTF-8")?
                .to_owned(),
        );
    }
    if let Some(url) = &args.url {
        found.extend(["--url".to_owned(), url.clone()]);
    }
    Ok(found)
}

/// Whether the file is no longer what the change was made for: agents write their settings, too.
fn has_changed(change: &Change) -> anyhow::Result<bool> {
    Ok(read_optional(&change.file)? != change.before)
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
    // Left by a run that was killed, or a link that somebody else put there: it is not followed.
    drop(fs::remove_file(&new));
    let written = write_private(&new, &change.after).and_then(|()| {
        if let Ok(metadata) = fs::metadata(&file) {
            fs::set_permissions(&new, metadata.permissions())?;
        }
        fs::rename(&new, &file)
    });
    written.with_context(|| format!("cannot write {}", file.display()))?;
    Ok(backup)
}

/// Never overwrites an earlier backup. Stays private even if the settings are not: it may contain the token.
fn back_up(file: &Path, before: &str) -> anyhow::Result<PathBuf> {
    let mut number = 0;
    let (backup, written) = loop {
        let ending = if number == 0 {
            "askback-backup".to_owned()
        } else {
            format!("askback-backup{number}")
        };
        let backup = sibling(file, &ending);
        match write_private(&backup, before) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            written => break (backup, written),
        }
    };
    written.with_context(|| format!("cannot write {}", backup.display()))?;
    Ok(backup)
}

/// A new file. Only this user can read it: settings of agents often contain secrets.
fn write_private(file: &Path, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    options.open(file)?.write_all(text.as_bytes())
}

fn is_readable_by_others(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

fn sibling(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    file.with_file_name(name)
}
