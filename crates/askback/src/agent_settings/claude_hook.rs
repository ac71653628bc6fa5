//! The hook in Claude Code's settings that answers its built-in `AskUserQuestion` tool from askback.

use serde_json::{Value, json};

use super::json_text::{self, Step};

/// Where hooks before a tool call are.
pub(super) const PATH: &[&str] = &["hooks", "PreToolUse"];
pub(crate) const TOOL: &str = "AskUserQuestion";
/// A question may wait for days. Claude Code shows its own dialog after this time.
const TIMEOUT_SECONDS: u32 = 7 * 24 * 60 * 60;
/// What Claude Code shows while it waits for the hook.
const STATUS: &str = "Waiting for your answer in `askback inbox`, in the browser or on your phone";

/// The settings that run this command before a call of the tool.
pub(crate) fn matcher(command: &str) -> Value {
    let hook = json!({
        "type": "command",
        "command": command,
        "timeout": TIMEOUT_SECONDS,
        "statusMessage": STATUS,
    });
    json!({"matcher": TOOL, "hooks": [hook]})
}

/// The hooks before a tool call.
fn matchers(text: &str) -> Result<Vec<Value>, String> {
    let sources = json_text::items(text, PATH)?;
    // What cannot be read, such as an item with comments, is not ours.
    let read = |source| serde_json::from_str(source).unwrap_or(Value::Null);
    Ok(sources.into_iter().map(read).collect())
}

fn hooks(matcher: &Value) -> &[Value] {
    matcher["hooks"].as_array().map_or(&[], Vec::as_slice)
}

fn command(hook: &Value) -> &str {
    hook["command"].as_str().unwrap_or_default()
}

fn is_ours(hook: &Value) -> bool {
    let command = command(hook);
    let is_hook = command.ends_with(" hook claude-code") || command.contains(" hook claude-code ");
    is_hook && command.contains("askback")
}

/// The command of our hook; none if it is not there.
pub(super) fn command_in(text: &str) -> Result<Option<String>, String> {
    let matchers = matchers(text)?;
    let mut ours = matchers.iter().flat_map(hooks).filter(|hook| is_ours(hook));
    Ok(ours.next().map(|hook| command(hook).to_owned()))
}

/// Whether this matcher, as JSON, is there.
pub(super) fn has(text: &str, wanted: &str) -> bool {
    let wanted: Option<Value> = serde_json::from_str(wanted).ok();
    matchers(text).is_ok_and(|matchers| matchers.into_iter().any(|found| Some(found) == wanted))
}

/// Removes our hook, and its matcher if nothing else is in it.
pub(super) fn remove(text: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    while let Some((matcher, hook)) = first_of_ours(&matchers(&text)?) {
        let mut path = vec![Step::Key(PATH[0]), Step::Key(PATH[1]), Step::Index(matcher)];
        if let Some(hook) = hook {
            path.extend([Step::Key("hooks"), Step::Index(hook)]);
        }
        text = json_text::remove(&text, &path)?;
    }
    Ok(text)
}

/// The index of the first matcher with our hook, and the index of the hook if there are others in it.
fn first_of_ours(matchers: &[Value]) -> Option<(usize, Option<usize>)> {
    matchers.iter().enumerate().find_map(|(number, matcher)| {
        let hooks = hooks(matcher);
        let ours = hooks.iter().position(is_ours)?;
        Some((number, (hooks.len() > 1).then_some(ours)))
    })
}

/// The commands of other programs that Claude Code runs for the same tool. It takes the first decision.
pub(crate) fn others(text: &str) -> Vec<String> {
    let matchers = matchers(text).unwrap_or_default();
    let others = matchers
        .iter()
        .filter(|matcher| covers_tool(matcher["matcher"].as_str().unwrap_or_default()))
        .flat_map(hooks)
        .filter(|hook| !is_ours(hook))
        .map(|hook| command(hook).to_owned());
    others.collect()
}

/// Whether a pattern of Claude Code covers the tool: names between bars, each of which may end with `.*`.
fn covers_tool(pattern: &str) -> bool {
    let covers = |name: &str| match name.trim().strip_suffix(".*") {
        Some(start) => TOOL.starts_with(start),
        None => matches!(name.trim(), "" | "*" | TOOL),
    };
    pattern.split('|').any(covers)
}

#[cfg(test)]
#[path = "claude_hook_tests.rs"]
mod tests;
