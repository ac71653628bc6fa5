//! `askback install` changes one entry of an agent's settings and nothing else, and can undo it.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use super::support::run_binary::command;
use super::support::server_process::Directory;

fn install(directory: &Directory, args: &[&str]) -> (Option<i32>, String) {
    let mut run = command(&["install"]);
    for name in [
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
        "XDG_CONFIG_HOME",
        "KIMI_CODE_HOME",
    ] {
        run.env_remove(name);
    }
    let run = run
        .args(args)
        .env("HOME", directory.path())
        .env_remove("CLINE_MCP_SETTINGS_PATH")
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let said = [run.stdout, run.stderr].concat();
    (run.status.code(), String::from_utf8(said).expect("text"))
}

#[test]
fn entry_is_added_and_removed_beside_others() {
    let directory = Directory::new();
    let file = directory.path().join(".claude.json");
    let before = "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n";
    fs::write(&file, before).expect("written");
    let (code, said) = install(&directory, &["claude-code", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("+     \"askback\": {"), "{said}");
    let after = fs::read_to_string(&file).expect("read");
    let read: Value = serde_json::from_str(&after).expect("JSON");
    assert_eq!(
        read["mcpServers"]["askback"]["args"],
        serde_json::json!(["mcp"])
    );
    assert_eq!(read["mcpServers"]["other"]["command"], "x");
    let backup = directory.path().join(".claude.json.askback-backup");
    assert_eq!(fs::read_to_string(backup).expect("kept"), before);
    let (code, said) = install(&directory, &["claude-code"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("already set up"), "{said}");
    let (code, said) = install(&directory, &["claude-code", "--undo", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(fs::read_to_string(&file).expect("read"), before);
}

/// Nothing is written without confirmation, or into a file that cannot be parsed.
#[test]
fn nothing_is_written_without_confirmation() {
    let directory = Directory::new();
    let (code, said) = install(&directory, &["codex"]);
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = install(&directory, &["codex", "--print"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("tool_timeout_sec = 3600") && said.contains("3590s"),
        "{said}"
    );
    assert!(!directory.path().join(".codex").exists());
    let file = directory.path().join(".gemini");
    fs::create_dir(&file).expect("made");
    let file = file.join("settings.json");
    fs::write(&file, "{ broken").expect("written");
    let (code, said) = install(&directory, &["gemini", "--yes"]);
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(fs::read_to_string(&file).expect("read"), "{ broken");
}

/// Every agent gets a file that is read back as it was meant, and `--undo` removes the entry.
#[test]
fn every_agent_can_be_set_up_from_nothing() {
    let files = [
        ("claude-code", ".claude.json"),
        ("codex", ".codex/config.toml"),
        ("gemini", ".gemini/settings.json"),
        ("opencode", ".config/opencode/opencode.json"),
        ("copilot", ".copilot/mcp-config.json"),
        ("qwen", ".qwen/settings.json"),
        ("kimi", ".kimi-code/mcp.json"),
        ("cline", ".cline/data/settings/cline_mcp_settings.json"),
    ];
    let directory = Directory::new();
    for (client, file) in files {
        let (code, said) = install(&directory, &[client, "--yes", "--data", "/srv/askback"]);
        assert_eq!(code, Some(0), "{said}");
        let text = fs::read_to_string(directory.path().join(file)).expect("written");
        assert!(
            text.contains("/srv/askback") && text.contains("mcp"),
            "{client}: {text}"
        );
        let (code, said) = install(&directory, &[client, "--undo", "--yes"]);
        assert_eq!(code, Some(0), "{said}");
        let text = fs::read_to_string(directory.path().join(file)).expect("there");
        assert!(!text.contains("askback"), "{client}: {text}");
    }
}

/// What `--print` writes to standard output can be pasted: into an empty file, it is what `install` writes.
#[test]
fn printed_settings_can_be_pasted() {
    for (client, file) in [
        ("claude-code", ".claude.json"),
        ("codex", ".codex/config.toml"),
        ("opencode", ".config/opencode/opencode.json"),
    ] {
        let directory = Directory::new();
        let printed = command(&["install", client, "--print"])
            .env("HOME", directory.path())
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .output()
            .expect("it runs");
        let (code, said) = install(&directory, &[client, "--yes"]);
        assert_eq!(code, Some(0), "{said}");
        let written = fs::read_to_string(directory.path().join(file)).expect("written");
        let printed = String::from_utf8(printed.stdout).expect("text");
        assert_eq!(printed.trim(), written.trim(), "{client}");
    }
}
