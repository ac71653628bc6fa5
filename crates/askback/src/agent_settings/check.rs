//! Whether an agent is set up, and whether its questions will arrive.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    AgentClient, Environment, Part, Purpose, SERVER_NAME, Traits, claude_hook, settings_file,
};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A sentence about an agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    Fine(String),
    Problem(String),
}

/// How the agent asks through askback; none if it does not.
pub(crate) fn connection(agent: AgentClient, env: &Environment) -> Option<&'static str> {
    let parts = agent.parts(env).ok()?;
    let has = |purpose| {
        let mut parts = parts.iter().filter(|part| part.purpose == purpose);
        parts.any(|part| value(part).is_ok_and(|value| value.is_some()))
    };
    let has_tools = has(Purpose::AskTools) && foreign_entry(&parts).is_none();
    match (has(Purpose::Hook), has_tools) {
        (true, true) => Some("hook and MCP server"),
        (true, false) => Some("hook"),
        (false, true) => Some("MCP server"),
        (false, false) => None,
    }
}

/// What is to be said about an agent; nothing if it does not use askback and its settings can be read.
pub(crate) fn findings(agent: AgentClient, env: &Environment) -> Vec<Finding> {
    let Ok(parts) = agent.parts(env) else {
        return Vec::new();
    };
    let name = agent.name();
    let mut problems = Vec::new();
    for part in &parts {
        let file = part.file.display();
        if let Err(why) = value(part) {
            problems.push(format!("{name}: {file} is broken: {why}"));
        }
        problems.extend(dead_program(part, env).map(|program| {
            format!("{name}: {file} starts {program}, which does not exist; run `askback doctor --repair` or `askback install {name}`")
        }));
    }
    problems.dedup();
    problems.extend(foreign_entry(&parts).map(|(file, what)| {
        format!(
            "{name}: the entry \"{SERVER_NAME}\" in {} is not askback's: {what}, not `askback mcp`. To replace it, run \
             `askback install {name}`; to keep it, give it another name",
            file.display()
        )
    }));
    problems.extend(forbidden_tool(agent, env).map(|why| format!("{name} cannot ask: {why}")));
    let mut found: Vec<Finding> = problems.into_iter().map(Finding::Problem).collect();
    let other = parts.iter().find_map(other_version);
    found.extend(other.map(|other| {
        Finding::Problem(format!(
            "{name} starts askback {other}, but this is {VERSION}; run `askback install {name}`"
        ))
    }));
    if let Some(how) = connection(agent, env)
        && found.is_empty()
    {
        let asks = asks_first(agent, &parts).map_or(String::new(), |text| format!(". {text}"));
        found.push(Finding::Fine(format!("{name} is set up ({how}){asks}")));
    }
    found.extend(other_hooks(&parts).map(|command| {
        Finding::Fine(format!(
            "{name} also runs `{command}` when it asks. If that decides, too, the first decision counts."
        ))
    }));
    found
}

/// Why the agent cannot ask with its own tool although askback answers it: a rule of the user or of the project in the
/// current directory, which is left alone.
pub(crate) fn forbidden_tool(agent: AgentClient, env: &Environment) -> Option<String> {
    let Traits {
        own_tool,
        project_files,
        ..
    } = agent.traits();
    let parts = agent.parts(env).ok()?;
    let hook = parts.iter().find(|part| part.purpose == Purpose::Hook)?;
    value(hook).ok()??;
    let rule = parts
        .iter()
        .find(|part| part.purpose == Purpose::OwnToolOff)?;
    let mut files = vec![rule.file.clone()];
    files.extend(env.in_current_directory(project_files));
    let has_rule = |file: &PathBuf| {
        let text = settings_file::read(file).ok().flatten();
        text.is_some_and(|text| matches!(rule.setting.value(&text), Ok(Some(_))))
    };
    let file = files.into_iter().find(has_rule)?;
    let (file, tool) = (file.display(), own_tool?);
    Some(format!(
        "a rule in permissions.deny of {file} forbids {tool}, the tool with which it asks. Remove \"{tool}\" there"
    ))
}

/// The file with an entry of askback's name that does not start `askback mcp`, and what the entry does instead.
fn foreign_entry(parts: &[Part]) -> Option<(&Path, String)> {
    let part = parts.iter().find(|it| it.purpose == Purpose::AskTools)?;
    let value = value(part).ok()??;
    if is_ours(&value) {
        return None;
    }
    let what = match program(part, &value) {
        Some(program) => format!("it starts `{program}`"),
        None => "it starts something else".to_owned(),
    };
    Some((&part.file, what))
}

/// Whether an entry, as JSON or YAML, has the word `mcp` in its command or arguments, or the URL of an MCP server.
pub(super) fn is_ours(entry: &str) -> bool {
    let is_end = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '[' | ']' | ',');
    let mut words = entry.split(is_end);
    words.any(|word| word == "mcp" || (word.contains("://") && word.contains("/mcp")))
}

/// The programs that the settings of an agent start and that have gone, each once.
pub(crate) fn dead_programs(agent: AgentClient, env: &Environment) -> Vec<String> {
    let parts = agent.parts(env).unwrap_or_default();
    let mut dead: Vec<String> = parts
        .iter()
        .filter_map(|it| dead_program(it, env))
        .collect();
    dead.dedup();
    dead
}

fn dead_program(part: &Part, env: &Environment) -> Option<String> {
    let value = value(part).ok()??;
    if part.purpose == Purpose::AskTools && !is_ours(&value) {
        return None;
    }
    let program = program(part, &value)?;
    (!env.can_start(&program)).then_some(program)
}

/// The version that a setting fetches with npx or uvx, if it is not this one.
fn other_version(part: &Part) -> Option<String> {
    let value = value(part).ok()??;
    let (_, rest) = value.split_once("askback@")?;
    let version = rest.split(['"', '\'', ' ', ',']).next()?;
    (version.starts_with(|first: char| first.is_ascii_digit()) && version != VERSION)
        .then(|| version.to_owned())
}

/// The value of a part in its file.
fn value(part: &Part) -> Result<Option<String>, String> {
    let text = settings_file::read(&part.file).map_err(|error| format!("{error:#}"))?;
    let value = part.setting.value(&text.unwrap_or_default());
    match part.purpose {
        Purpose::AskTools | Purpose::Hook => value,
        // A rule may be of another form, such as one for all tools.
        Purpose::Permission | Purpose::OwnToolOff => Ok(value.unwrap_or_default()),
    }
}

/// The program that a setting starts.
fn program(part: &Part, value: &str) -> Option<String> {
    match part.purpose {
        Purpose::Hook => Some(first_shell_word(value)),
        Purpose::AskTools => {
            let entry: Value = serde_json::from_str(value).unwrap_or_else(|_| yaml_command(value));
            let command = &entry["command"];
            let program = command.as_str().or_else(|| command[0].as_str());
            program.map(str::to_owned)
        }
        Purpose::Permission | Purpose::OwnToolOff => None,
    }
}

/// The command among the fields of a YAML entry, as in JSON.
fn yaml_command(fields: &str) -> Value {
    let mut commands = fields.lines().filter_map(|line| {
        let (key, value) = line.split_once(": ")?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.trim()));
        matches!(key, "cmd" | "command").then_some(value)
    });
    serde_json::json!({ "command": commands.next() })
}

/// Undoes the quotes that `askback install` writes.
fn first_shell_word(line: &str) -> String {
    let Some(quoted) = line.strip_prefix('\'') else {
        return line.split(' ').next().unwrap_or_default().to_owned();
    };
    let word = quoted.replace(r"'\''", "\u{0}");
    let word = word.split('\'').next().unwrap_or_default();
    word.replace('\u{0}', "'")
}

/// What to do if the agent asks for permission before it asks a question.
fn asks_first(agent: AgentClient, parts: &[Part]) -> Option<String> {
    let value = |purpose| {
        let mut parts = parts.iter().filter(|part| part.purpose == purpose);
        parts.find_map(|part| value(part).ok().flatten())
    };
    let entry: Value = serde_json::from_str(&value(Purpose::AskTools)?).unwrap_or_default();
    let is_allowed = value(Purpose::Permission).is_some();
    let name = agent.name();
    let asks = match agent {
        AgentClient::ClaudeCode | AgentClient::Qwen => !is_allowed,
        AgentClient::Gemini => entry["trust"] != true,
        AgentClient::Opencode => !is_allowed && asks_for_all_tools(parts),
        AgentClient::Kimi => return agent.traits().permission_hint.map(str::to_owned),
        AgentClient::Codex
        | AgentClient::Copilot
        | AgentClient::Cline
        | AgentClient::Goose
        | AgentClient::Continue => false,
    };
    asks.then(|| {
        format!(
            "It may ask for permission before each question: `askback install {name}` adds the rule that \
             allows it"
        )
    })
}

/// Whether opencode asks before it calls a tool that no rule names.
fn asks_for_all_tools(parts: &[Part]) -> bool {
    let file = parts.first().map(|part| &part.file);
    let text = file.and_then(|file| settings_file::read(file).ok().flatten());
    let text = text.unwrap_or_default();
    let rule = |path| super::json_text::get(&text, path).ok().flatten();
    [rule(&["permission"]), rule(&["permission", "*"])].contains(&Some(r#""ask""#))
}

fn other_hooks(parts: &[Part]) -> impl Iterator<Item = String> {
    let hook = parts.iter().find(|part| part.purpose == Purpose::Hook);
    let text = hook.and_then(|part| settings_file::read(&part.file).ok().flatten());
    let text = text.filter(|_| hook.is_some_and(|part| value(part).is_ok_and(|it| it.is_some())));
    claude_hook::others(&text.unwrap_or_default()).into_iter()
}
