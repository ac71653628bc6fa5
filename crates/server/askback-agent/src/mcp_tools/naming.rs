//! The names under which the model sees the tools of MCP servers.

/// Longest tool name that providers accept.
const NAME_CHARS_MAX: usize = 64;

/// `server__tool`, with only the characters that providers accept. The prefix keeps the tools of two
/// servers apart, and keeps a server from replacing an ask tool.
pub(super) fn tool_name(server: &str, tool: &str) -> String {
    let allowed = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    let name = format!("{server}__{tool}");
    name.chars()
        .take(NAME_CHARS_MAX)
        .map(|ch| if allowed(ch) { ch } else { '_' })
        .collect()
}
