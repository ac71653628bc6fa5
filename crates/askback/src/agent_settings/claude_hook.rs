//! The hook in Claude Code's settings that answers its built-in `AskUserQuestion` tool from askback.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use serde_json::{Value, json};

use super::{Change, claude_directory, json_text, not_editable, read_optional};

const PATH: &[&str] = &["hooks", "PreToolUse"];
const TOOL: &str = "AskUserQuestion";
/// A question may wait for days. Claude Code shows its own dialog after this time.
const TIMEOUT_SECONDS: u32 = 7 * 24 * 60 * 60;

pub(crate) fn file() -> anyhow::Result<PathBuf> {
    Ok(claude_directory()?.join("settings.json"))
}

/// The settings that run this command, as they are in an empty file.
pub(crate) fn snippet(command: &str) -> String {
    format!("{:#}", json!({"hooks": {"PreToolUse": [matcher(command)]}}))
}

fn matcher(command: &str) -> Value {
    json!({
        "matcher": TOOL,
        "hooks": [{"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}],
    })
}

/// None if the hook is there already.
pub(crate) fn install(command: &str) -> anyhow::Result<Option<Change>> {
    edit(|matchers| {
        let mut matchers = without_ours(matchers);
        matchers.push(matcher(command));
        matchers
    })
}

/// None if there is no hook.
pub(crate) fn uninstall() -> anyhow::Result<Option<Change>> {
    edit(without_ours)
}

pub(crate) fn is_set_up() -> bool {
    let text = file()
        .ok()
        .and_then(|file| std::fs::read_to_string(file).ok());
    let matchers = text.and_then(|text| matchers(&text));
    matchers.is_some_and(|matchers| matchers.iter().any(is_ours))
}

/// The hooks before a tool call. None if they are not a list.
fn matchers(text: &str) -> Option<Vec<Value>> {
    match json_text::get(text, PATH).ok()? {
        Some(list) => serde_json::from_str(list).ok(),
        None => Some(Vec::new()),
    }
}

/// Removes our hook, and its matcher if nothing else is in it.
fn without_ours(mut matchers: Vec<Value>) -> Vec<Value> {
    matchers.retain_mut(|matcher| {
        if !is_ours(matcher) {
            return true;
        }
        let Some(hooks) = matcher["hooks"].as_array_mut() else {
            return true;
        };
        hooks.retain(|hook| !is_our_hook(hook));
        !hooks.is_empty()
    });
    matchers
}

fn is_ours(matcher: &Value) -> bool {
    let hooks = matcher["hooks"].as_array();
    matcher["matcher"] == TOOL && hooks.is_some_and(|hooks| hooks.iter().any(is_our_hook))
}

fn is_our_hook(hook: &Value) -> bool {
    let command = hook["command"].as_str();
    command.is_some_and(|command| command.contains(" hook claude-code"))
}

const NO_LIST: &str = "it is not valid JSON, or its hooks are not a list";

fn edit(change: impl FnOnce(Vec<Value>) -> Vec<Value>) -> anyhow::Result<Option<Change>> {
    let file = file()?;
    let before = read_optional(&file)?;
    let text = before.as_deref().unwrap_or_default();
    let Some(old) = matchers(text) else {
        bail!(not_editable(&file, NO_LIST))
    };
    let new = change(old.clone());
    if new == old {
        return Ok(None);
    }
    let after = json_text::set(text, PATH, &Value::Array(new));
    let after = after.map_err(|why| anyhow!(not_editable(&file, &why.to_string())))?;
    Ok(Some(Change {
        file,
        before,
        after,
    }))
}
