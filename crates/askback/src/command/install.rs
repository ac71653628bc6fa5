//! `askback install`: adds askback to the settings of agents, after showing the change.

mod agent_token;
mod diff;
mod launcher;

use std::fs;
use std::io::{IsTerminal as _, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use askback_server::data_dir;
use askback_tui::prompt::is_on_loopback;
use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;

use super::confirm;
use super::hook::PROJECT_PARAMETER;
use crate::agent_settings::check::{connection, forbidden_tool};
use crate::agent_settings::{
    AgentClient, Change, Environment, McpServer, Plan, Purpose, Repair, ToolPermission, Wanted,
    claude_hook, plan,
};
use crate::args::InstallArgs;
use crate::failure::{Failure, refuse};
use crate::output;
use crate::settings::{data_dir_or_default, token_of_server};
use agent_token::{AgentToken, PLACEHOLDER};
use launcher::Launcher;

pub(crate) fn run(args: &InstallArgs) -> Result<(), Failure> {
    let env = Environment::read();
    let mut out = output::stdout();
    let Some(agent) = args.client else {
        return if args.undo {
            undo_all(args, &env, &mut out)
        } else {
            offer_all(args, &env, &mut out)
        };
    };
    let setup = Setup { agent, args };
    if args.undo {
        return undo(setup, &env, &mut out);
    }
    if args.print {
        return print(setup, &env, &mut out);
    }
    if !args.yes && !agent.is_on_this_machine(&env) {
        return refuse(format!(
            "{} was not found on this machine: {}. If you use it all the same, confirm with --yes, or print the \
             settings with --print.",
            agent.name(),
            agent.traces(&env)?
        ));
    }
    install(setup, &env, &mut out)
}

/// Lists the agents on this machine, and sets up those that the user confirms.
fn offer_all(args: &InstallArgs, env: &Environment, out: &mut impl Write) -> Result<(), Failure> {
    let agents = AgentClient::ALL.into_iter();
    let (found, missing): (Vec<_>, Vec<_>) = agents.partition(|it| it.is_on_this_machine(env));
    let mut rest = Vec::new();
    for agent in found {
        let name = agent.name();
        let state = if let Some(how) = connection(agent, env) {
            match forbidden_tool(agent, env) {
                Some(why) => format!("set up ({how}), but it cannot ask: {why}"),
                None => format!("set up ({how})"),
            }
        } else {
            rest.push(agent);
            "not set up".to_owned()
        };
        writeln!(out, "{name:12} {state}")?;
    }
    let missing: Vec<&str> = missing.into_iter().map(AgentClient::name).collect();
    // Whoever has something to decide is not told what is not there.
    if rest.is_empty() && !missing.is_empty() {
        writeln!(out, "Not found on this machine: {}", missing.join(", "))?;
    }
    if missing.len() == AgentClient::ALL.len() {
        writeln!(
            out,
            "There is nothing to set up. Without an agent: `askback demo`. For another agent that speaks MCP, the command of \
             the server is `askback mcp`."
        )?;
    } else if rest.is_empty() {
        writeln!(out, "There is nothing to set up.")?;
    } else if !args.yes && !std::io::stdin().is_terminal() {
        writeln!(
            out,
            "To set up an agent, run `askback install` with its name, or with --yes for all that were found."
        )?;
        return Ok(());
    }
    each(rest, out, |agent, out| {
        install(Setup { agent, args }, env, out)
    })
}

fn undo_all(args: &InstallArgs, env: &Environment, out: &mut impl Write) -> Result<(), Failure> {
    let mut users = Vec::new();
    for agent in AgentClient::ALL {
        // What is wrong with a file is reported below.
        if Plan::new(agent, env, None).map_or(true, |plan| !plan.changes.is_empty()) {
            users.push(agent);
        }
    }
    if users.is_empty() {
        writeln!(out, "No agent uses askback.")?;
    }
    each(users, out, |agent, out| {
        undo(Setup { agent, args }, env, out)
    })
}

/// An agent that fails does not keep the others from their turn.
fn each<W: Write>(
    agents: Vec<AgentClient>,
    out: &mut W,
    action: impl Fn(AgentClient, &mut W) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut failed = false;
    for agent in agents {
        writeln!(out, "\n{}:", agent.name())?;
        if let Err(failure) = action(agent, out) {
            out.flush()?;
            failure.report();
            failed = true;
        }
    }
    if failed {
        return Err(Failure::Ended(1));
    }
    Ok(())
}

fn print(setup: Setup<'_>, env: &Environment, out: &mut impl Write) -> Result<(), Failure> {
    let Setup { agent, args } = setup;
    let launcher = find_launcher(env)?;
    let token = TokenSource::Placeholder;
    let wanted = setup.wanted(&launcher, &token)?;
    if needs_token(args) {
        writeln!(
            output::stderr(),
            "Make a token for the agent, and put it where {PLACEHOLDER} stands: askback token create {} --scope agent",
            agent_token::name(agent)
        )?;
    }
    for (file, text) in plan::snippets(agent, env, &wanted)? {
        writeln!(output::stderr(), "Add this to {}:", file.display())?;
        writeln!(out, "{}", text.trim_end())?;
        out.flush()?;
    }
    Ok(())
}

fn undo(setup: Setup<'_>, env: &Environment, out: &mut impl Write) -> Result<(), Failure> {
    let Setup { agent, args } = setup;
    let plan = Plan::new(agent, env, None)?;
    if plan.changes.is_empty() {
        writeln!(out, "{} does not use askback.", agent.name())?;
        return Ok(());
    }
    for change in &plan.changes {
        setup.show(change, out)?;
    }
    if args.print || !is_confirmed(args, out)? {
        writeln!(out, "Nothing was written.")?;
        return Ok(());
    }
    let has_token = setup
        .settings_texts(env)
        .iter()
        .any(|text| !agent_token::tokens_in(text).is_empty());
    plan.write(env)?;
    writeln!(out, "Removed.")?;
    if has_token {
        let name = agent_token::name(agent);
        writeln!(
            out,
            "Its token still works. To end it: askback token revoke {name}"
        )?;
    }
    Ok(())
}

fn install(setup: Setup<'_>, env: &Environment, out: &mut impl Write) -> Result<(), Failure> {
    let Setup { agent, args } = setup;
    let name = agent.name();
    let launcher = find_launcher(env)?;
    let token = setup.find_token(env)?;
    let mut plan = Plan::new(agent, env, Some(&setup.wanted(&launcher, &token)?))?;
    for change in &plan.changes {
        setup.show(change, out)?;
    }
    for note in plan.notes.iter().chain(&launcher.warning) {
        writeln!(out, "{note}")?;
    }
    if plan.changes.is_empty() {
        let how = connection(agent, env).unwrap_or("MCP server");
        match forbidden_tool(agent, env) {
            Some(why) => writeln!(
                out,
                "{name} is already set up ({how}), but it cannot ask: {why}."
            )?,
            None => writeln!(out, "{name} is already set up ({how}).")?,
        }
        return Ok(());
    }
    if !is_confirmed(args, out)? {
        writeln!(out, "Nothing was written.")?;
        return Ok(());
    }
    if let TokenSource::Agent(new @ AgentToken::New { .. }) = &token {
        let made = new.get()?;
        if args.http {
            let token = TokenSource::Agent(AgentToken::Found(made));
            plan = Plan::new(agent, env, Some(&setup.wanted(&launcher, &token)?))?;
        } else {
            agent_token::write_token_file(&setup.own_token_file()?, &made)?;
        }
    }
    plan.write(env)?;
    let open_files = plan
        .changes
        .iter()
        .filter(|change| args.http && is_readable_by_others(&change.file));
    for change in open_files {
        let file = change.file.display();
        writeln!(
            out,
            "{file} contains the token, and other users can read it: run chmod go-rwx {file}"
        )?;
    }
    let elsewhere = args.url.as_deref().map(|url| {
        format!("Its questions appear on {url}, where people sign in with tokens of their own.")
    });
    let where_to_answer = elsewhere.as_deref().unwrap_or(if args.http {
        "It needs a running `askback serve`. Its questions appear in the browser and in `askback inbox`."
    } else {
        "Its questions appear in `askback inbox`, and in a browser with `askback serve`."
    });
    if let Some(why) = forbidden_tool(agent, env) {
        writeln!(
            out,
            "Written, but {name} cannot ask: {why}, then restart {name}."
        )?;
    } else {
        writeln!(out, "Done. Restart {name}. {where_to_answer}")?;
    }
    if let Some(hint) = agent.traits().permission_hint {
        writeln!(out, "{hint}")?;
    }
    Ok(())
}

/// What is set up, and how.
#[derive(Clone, Copy)]
struct Setup<'a> {
    agent: AgentClient,
    args: &'a InstallArgs,
}

impl Setup<'_> {
    /// What the agent should have. Claude Code gets the hook for its own question tool, unless MCP tools are asked for:
    /// the model is not given two tools for one purpose, of which only one reaches askback.
    fn wanted(self, launcher: &Launcher, token: &TokenSource) -> Result<Wanted, Failure> {
        let Setup { agent, args } = self;
        let has_hook = agent == AgentClient::ClaudeCode;
        let asks_for_mcp = args.mcp || args.http || args.hold.is_some() || !args.tools.is_empty();
        let with_mcp = !has_hook || asks_for_mcp;
        let with_hook = has_hook && (!with_mcp || args.keep_own_tool);
        let permission = if args.no_allow {
            ToolPermission::Unchanged
        } else {
            ToolPermission::Granted
        };
        let mut wanted = Wanted {
            entry: None,
            hook: None,
            permission: !args.no_allow,
            own_tool_off: !args.keep_own_tool,
        };
        check_token(args)?;
        if with_mcp {
            wanted.entry = Some(agent.entry(&self.server(launcher, token)?, permission));
        }
        if with_hook {
            let command = self.hook_command(launcher, token)?;
            wanted.hook = Some(claude_hook::matcher(&command).to_string());
        }
        Ok(wanted)
    }

    fn find_token(self, env: &Environment) -> Result<TokenSource, Failure> {
        let Setup { agent, args } = self;
        check_token(args)?;
        if !needs_token(args) {
            return Ok(TokenSource::None);
        }
        let base_url = base_url(args)?;
        let offered = token_of_server(args.token_file.as_deref(), args.data.as_deref())?;
        let texts = self.settings_texts(env);
        let token = AgentToken::find(agent, &base_url, &offered, &texts)?;
        Ok(TokenSource::Agent(token))
    }

    /// Where a token of the agent may be: its settings, and the file for `askback mcp`.
    fn settings_texts(self, env: &Environment) -> Vec<String> {
        let parts = self.agent.parts(env).unwrap_or_default();
        let files = parts.into_iter().map(|part| part.file);
        let files = files.chain(self.own_token_file().ok());
        files
            .filter_map(|file| fs::read_to_string(file).ok())
            .collect()
    }

    fn own_token_file(self) -> anyhow::Result<PathBuf> {
        let data = data_dir_or_default(self.args.data.as_deref())?;
        Ok(agent_token::token_file(&data, self.agent))
    }

    fn server(self, launcher: &Launcher, token: &TokenSource) -> anyhow::Result<McpServer> {
        let Setup { agent, args } = self;
        if !args.http {
            return Ok(McpServer::Stdio {
                launcher: launcher.words.clone(),
                args: self.mcp_args(token)?,
                hold: args.hold,
            });
        }
        let base = base_url(args)?;
        let mut url = format!("{}/mcp", base.trim_end_matches('/'));
        let mut headers_helper = None;
        if agent == AgentClient::ClaudeCode {
            // It has no sessions over HTTP, and replaces variables. An empty project counts as none.
            url.push_str(PROJECT_PARAMETER);
            url.push_str("${PWD:-}");
            headers_helper = Some(launcher.shell_line(&["hook", "claude-code-headers"]));
        }
        let token = match token {
            TokenSource::Agent(token) => token.shown(),
            TokenSource::None | TokenSource::Placeholder => PLACEHOLDER,
        };
        Ok(McpServer::Http {
            url,
            token: token.to_owned(),
            recipient: args.to.clone(),
            headers_helper,
        })
    }

    /// The command line of the hook, for a shell.
    fn hook_command(self, launcher: &Launcher, token: &TokenSource) -> anyhow::Result<String> {
        let connect = self.connect_args(token)?;
        let words = ["hook", "claude-code"].into_iter();
        let words: Vec<&str> = words.chain(connect.iter().map(String::as_str)).collect();
        Ok(launcher.shell_line(&words))
    }

    /// The arguments of `askback mcp`.
    fn mcp_args(self, token: &TokenSource) -> anyhow::Result<Vec<String>> {
        let mut found = self.connect_args(token)?;
        if !self.args.tools.is_empty() {
            let tools: Vec<&str> = self.args.tools.iter().map(|tool| tool.name()).collect();
            found.extend(["--tools".to_owned(), tools.join(",")]);
        }
        Ok(found)
    }

    /// The arguments with which `askback mcp` or `askback hook` finds its server, and whom it asks.
    fn connect_args(self, token: &TokenSource) -> anyhow::Result<Vec<String>> {
        let args = self.args;
        let mut found = Vec::new();
        if let Some(data) = &args.data {
            found.extend(["--data".to_owned(), absolute(data)?]);
        }
        if let Some(url) = &args.url {
            found.extend(["--url".to_owned(), url.clone()]);
        }
        let token_file = match (token, &args.token_file) {
            (TokenSource::None, _) | (_, None) => None,
            (TokenSource::Agent(AgentToken::Given(_)), Some(file)) => Some(file.clone()),
            (_, Some(_)) => Some(self.own_token_file()?),
        };
        if let Some(file) = token_file {
            found.extend(["--token-file".to_owned(), absolute(&file)?]);
        }
        if let Some(to) = &args.to {
            found.extend(["--to".to_owned(), to.clone()]);
        }
        Ok(found)
    }

    /// Shows what changes in a file, after the reason for each part.
    fn show(self, change: &Change, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{}", change.file.display())?;
        for reason in change.purposes.iter().filter_map(|it| self.reason(*it)) {
            writeln!(out, "  {reason}:")?;
        }
        let before = change.before.as_deref().unwrap_or_default();
        for line in diff::shown(before, change.after.as_deref().unwrap_or_default()) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn reason(self, purpose: Purpose) -> Option<String> {
        let Setup { agent, args } = self;
        match purpose {
            Purpose::AskTools if agent.entry_has_permission() && !args.no_allow => Some(
                "askback's tools, and permission to call them without asking you first (--no-allow leaves that out)"
                    .to_owned(),
            ),
            Purpose::AskTools => Some("askback's tools".to_owned()),
            Purpose::Hook => {
                let tool = agent.traits().own_tool?;
                Some(format!("{tool}, its own question tool, asks through askback"))
            }
            Purpose::Permission => Some(
                "permission to call askback's tools without asking you first (--no-allow leaves it out)".to_owned(),
            ),
            Purpose::OwnToolOff => {
                let tool = agent.traits().own_tool?;
                Some(format!(
                    "{tool}, its own question tool, is switched off: what it asks appears only in the agent's window \
                     (--keep-own-tool leaves it on)"
                ))
            }
        }
    }
}

fn check_token(args: &InstallArgs) -> Result<(), Failure> {
    if args.http && args.token_file.is_none() && !args.url.as_deref().is_none_or(is_on_loopback) {
        return refuse(
            "The server is on another machine, so the token of this one is not for it. Give its token \
             with --token-file.",
        );
    }
    if args.token_file.is_some() && !needs_token(args) {
        return refuse("--token-file is for a server at --url, or for --http.");
    }
    Ok(())
}

/// Where the token of the agent comes from.
enum TokenSource {
    /// The server of the data directory needs none of its own.
    None,
    /// Nothing is written, so that none is made.
    Placeholder,
    Agent(AgentToken),
}

/// Whether the agent needs a token of its own.
fn needs_token(args: &InstallArgs) -> bool {
    args.http || (args.url.is_some() && args.token_file.is_some())
}

/// Where the agent sends the token: to the server that has it, not to whoever has the default port.
fn base_url(args: &InstallArgs) -> anyhow::Result<String> {
    if let Some(url) = &args.url {
        return Ok(url.clone());
    }
    let data = data_dir_or_default(args.data.as_deref())?;
    data_dir::check_trusted(&data)?;
    let running = Discovery::of_running(&data)?.filter(|it| it.role == ServerRole::Dedicated);
    if let Some(running) = running {
        return Ok(running.base_url());
    }
    bail!(
        "no `askback serve` runs for {}, so its address is not known: start it first, or give the address with --url",
        data.display()
    );
}

fn find_launcher(env: &Environment) -> anyhow::Result<Launcher> {
    let program = std::env::current_exe().context("cannot find the path of askback")?;
    program
        .to_str()
        .context("the path of askback is not UTF-8")?;
    Ok(Launcher::find(&program, env))
}

/// Puts this program in place of one that has gone. Returns its path.
pub(super) fn repair(agent: AgentClient, env: &Environment, gone: &str) -> anyhow::Result<String> {
    let launcher = find_launcher(env)?;
    let name = agent.name();
    let [program] = launcher.words.as_slice() else {
        let line = launcher.shell_line(&[]);
        bail!(
            "this program is started by `{line}`, which takes a new entry: run `askback install {name}`"
        );
    };
    let instead = program.as_str();
    let plan = Plan::repair(agent, env, Repair { gone, instead })?;
    if plan.changes.is_empty() {
        bail!("{gone} is written in a way that is not understood: run `askback install {name}`");
    }
    plan.write(env)?;
    Ok(program.clone())
}

fn absolute(path: &Path) -> anyhow::Result<String> {
    let path = std::path::absolute(path).context("cannot resolve a path")?;
    let text = path.to_str();
    Ok(text
        .with_context(|| format!("{} is not UTF-8", path.display()))?
        .to_owned())
}

fn is_confirmed(args: &InstallArgs, out: &mut impl Write) -> Result<bool, Failure> {
    if args.yes {
        return Ok(true);
    }
    let refusal = "Nothing was written. Confirm with --yes, or print the settings with --print.";
    confirm::is_confirmed("Write this?", refusal, out)
}

fn is_readable_by_others(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(test)]
#[path = "install_tests.rs"]
mod tests;
