//! `askback install` changes one entry of an agent's settings and nothing else, and can undo it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::support::pty::Pty;
use super::support::run_binary::command;
use super::support::server_process::Directory;

fn install(directory: &Directory, args: &[&str]) -> (Option<i32>, String) {
    let mut run = command(&["install"]);
    for name in [
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
        "XDG_CONFIG_HOME",
        "KIMI_CODE_HOME",
        "CONTINUE_GLOBAL_DIR",
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
        ("goose", ".config/goose/config.yaml"),
        ("continue", ".continue/config.yaml"),
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
        let token = directory.path().join("token");
        write_token(&token);
        let token = token.to_str().expect("a path");
        let http = [client, "--yes", "--http", "--token-file", token];
        let (code, said) = install(&directory, &http);
        assert_eq!(code, Some(0), "{said}");
        let text = fs::read_to_string(directory.path().join(file)).expect("written");
        assert!(
            text.contains("http://127.0.0.1:7777/mcp")
                && text.contains("Bearer a-token-of-a-server"),
            "{client}: {text}"
        );
        assert!(!text.contains("/askback\""), "no program: {client}: {text}");
    }
}

fn write_token(file: &Path) {
    fs::write(file, "a-token-of-a-server\n").expect("written");
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("ours");
}

/// `--http` without a token says where one comes from; with the token of a data directory, a new settings
/// file is readable by this user only.
#[test]
fn http_needs_a_token() {
    let directory = Directory::new();
    let data = directory.path().join("data");
    fs::create_dir(&data).expect("made");
    let data_flag = data.to_str().expect("a path").to_owned();
    let args = ["copilot", "--yes", "--http", "--data", &data_flag];
    let (code, said) = install(&directory, &args);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("askback serve"), "{said}");
    write_token(&data.join("token"));
    let (code, said) = install(&directory, &args);
    assert_eq!(code, Some(0), "{said}");
    let file = directory.path().join(".copilot/mcp-config.json");
    let mode = |file: &Path| {
        let metadata = fs::metadata(file).expect("written");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode(&file), 0o600);
    // The backup that the removal makes has the token, even if the settings are readable by others.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("ours");
    let (code, said) = install(&directory, &["copilot", "--undo", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    let backup = directory
        .path()
        .join(".copilot/mcp-config.json.askback-backup");
    let text = fs::read_to_string(&backup).expect("written");
    assert!(text.contains("a-token-of-a-server"), "{text}");
    assert_eq!(mode(&backup), 0o600);
}

/// `--hold` shortens the wait, and the agent's own time-out stays a little longer.
#[test]
fn hold_window_can_be_chosen() {
    let directory = Directory::new();
    let (code, said) = install(&directory, &["codex", "--print", "--hold", "5m"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("\"300s\"") && said.contains("tool_timeout_sec = 310"),
        "{said}"
    );
}

/// The hook is added beside other hooks, replaced by a new one, and removed alone.
#[test]
fn ask_tools_can_be_chosen() {
    let directory = Directory::new();
    let tools = "ask_user_question,ask_user";
    let (code, said) = install(&directory, &["claude-code", "--print", "--tools", tools]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("--tools") && said.contains(tools), "{said}");
}

/// The token of this machine's server is not given to another machine.
#[test]
fn server_elsewhere_needs_its_own_token() {
    let directory = Directory::new();
    let data = directory.path().join(".local/share/askback");
    fs::create_dir_all(&data).expect("created");
    write_token(&data.join("token"));
    for url in ["http://192.0.2.1:7777", "https://localhost:7@ask.example"] {
        let (code, said) = install(&directory, &["copilot", "--http", "--print", "--url", url]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("--token-file"), "{said}");
    }
    let (code, said) = install(&directory, &["copilot", "--http", "--print"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn claude_hook_is_added_and_removed() {
    let directory = Directory::new();
    fs::create_dir(directory.path().join(".claude")).expect("made");
    let file = directory.path().join(".claude/settings.json");
    let other = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]});
    let before = json!({"hooks": {"PreToolUse": [other]}, "model": "opus"});
    fs::write(&file, before.to_string()).expect("written");
    for data in ["/srv/one", "/srv/two words"] {
        let (code, said) = install(
            &directory,
            &["claude-code", "--hook", "--yes", "--data", data],
        );
        assert_eq!(code, Some(0), "{said}");
    }
    let read = || -> Value {
        serde_json::from_str(&fs::read_to_string(&file).expect("read")).expect("JSON")
    };
    let after = read();
    let hooks = &after["hooks"]["PreToolUse"];
    assert_eq!(hooks.as_array().map(Vec::len), Some(2), "{after}");
    assert_eq!(hooks[1]["matcher"], "AskUserQuestion");
    let command = hooks[1]["hooks"][0]["command"].as_str().unwrap_or_default();
    assert!(
        command.ends_with(" hook claude-code --data '/srv/two words'"),
        "{command}"
    );
    let (code, said) = install(&directory, &["claude-code", "--hook", "--undo", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(read(), before);
    // Somebody's own hook for the same tool stays, also if ours was added beside it.
    let ours = json!({"type": "command", "command": "/x/askback hook claude-code"});
    let logger = json!({"type": "command", "command": "logger"});
    let both = json!({"matcher": "AskUserQuestion", "hooks": [logger, ours]});
    let shared = json!({"hooks": {"PreToolUse": [both]}});
    fs::write(&file, shared.to_string()).expect("written");
    let (code, said) = install(&directory, &["claude-code", "--hook", "--undo", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(read()["hooks"]["PreToolUse"][0]["hooks"], json!([logger]));
    let (code, said) = install(&directory, &["codex", "--hook", "--yes"]);
    assert_eq!(code, Some(2), "{said}");
}

/// `askback doctor` lists what is set up.
#[test]
fn doctor_lists_agents_that_are_set_up() {
    let directory = Directory::new();
    for args in [&["goose", "--yes"][..], &["claude-code", "--hook", "--yes"]] {
        let (code, said) = install(&directory, args);
        assert_eq!(code, Some(0), "{said}");
    }
    let data = directory.path().join("data").display().to_string();
    let run = command(&["doctor", "--offline", "--data", &data])
        .env("HOME", directory.path())
        .env_remove("CLAUDE_CONFIG_DIR")
        .env_remove("XDG_CONFIG_HOME")
        .output()
        .expect("it runs");
    let said = String::from_utf8(run.stdout).expect("text");
    assert!(said.contains("agent: goose is set up"), "{said}");
    assert!(
        said.contains("agent: the hook of claude-code is set up"),
        "{said}"
    );
    assert!(!said.contains("agent: codex"), "{said}");
}

/// What `--print` writes to standard output can be pasted: into an empty file, it is what `install` writes.
#[test]
fn printed_settings_can_be_pasted() {
    for (client, file) in [
        ("claude-code", ".claude.json"),
        ("codex", ".codex/config.toml"),
        ("opencode", ".config/opencode/opencode.json"),
        ("goose", ".config/goose/config.yaml"),
        ("continue", ".continue/config.yaml"),
    ] {
        let directory = Directory::new();
        let printed = command(&["install", client, "--print"])
            .env("HOME", directory.path())
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CONTINUE_GLOBAL_DIR")
            .output()
            .expect("it runs");
        let (code, said) = install(&directory, &[client, "--yes"]);
        assert_eq!(code, Some(0), "{said}");
        let written = fs::read_to_string(directory.path().join(file)).expect("written");
        let printed = String::from_utf8(printed.stdout).expect("text");
        assert_eq!(printed.trim(), written.trim(), "{client}");
    }
}

/// F-M5: the new text is written to a new file. A link in its place is not followed.
#[test]
fn link_in_the_way_is_not_followed() {
    let directory = Directory::new();
    let target = directory.path().join("precious");
    fs::write(&target, "precious").expect("written");
    for name in [".claude.json.new", ".claude.json.askback-backup"] {
        std::os::unix::fs::symlink(&target, directory.path().join(name)).expect("linked");
    }
    fs::write(directory.path().join(".claude.json"), "{}").expect("written");
    let (code, said) = install(&directory, &["claude-code", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(fs::read_to_string(&target).expect("there"), "precious");
    let backup = directory.path().join(".claude.json.askback-backup1");
    assert_eq!(fs::read_to_string(backup).expect("there"), "{}");
}

/// F-M5: what cannot be edited is refused with the reason, and `askback doctor` finds it.
#[test]
fn broken_settings_are_named_with_the_reason() {
    let directory = Directory::new();
    let file = directory.path().join(".claude.json");
    let twice = r#"{"mcpServers": {}, "mcpServers": {}}"#;
    fs::write(&file, twice).expect("written");
    let (code, said) = install(&directory, &["claude-code", "--yes"]);
    assert_ne!(code, Some(0), "{said}");
    assert!(said.contains("\"mcpServers\" occurs twice"), "{said}");
    assert!(said.contains("Repair the file"), "{said}");
    assert_eq!(fs::read_to_string(&file).expect("there"), twice);
    let doctor = || {
        let data = directory.path().join("data").display().to_string();
        let run = command(&["doctor", "--offline", "--data", &data])
            .env("HOME", directory.path())
            .env_remove("CLAUDE_CONFIG_DIR")
            .output()
            .expect("it runs");
        let said = String::from_utf8(run.stdout).expect("text");
        (run.status.code(), said)
    };
    let (code, said) = doctor();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("occurs twice"), "{said}");
    let gone = json!({"mcpServers": {"askback": {"command": "/gone/askback", "args": ["mcp"]}}});
    fs::write(&file, gone.to_string()).expect("written");
    let (code, said) = doctor();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("starts /gone/askback"), "{said}");
}

/// A file that the agent changed while the person was asked is left as it is.
#[test]
fn file_that_changed_meanwhile_is_not_written() {
    let directory = Directory::new();
    let file = directory.path().join(".gemini/settings.json");
    fs::create_dir_all(file.parent().expect("a directory")).expect("made");
    fs::write(&file, "{}").expect("written");
    let home = directory.path().to_str().expect("a path");
    let mut pty = Pty::with(&["install", "gemini"], &[("HOME", home)], (100, 30));
    pty.shows("Write this?");
    let changed = r#"{"theme": "dark"}"#;
    fs::write(&file, changed).expect("written");
    pty.send("y\r");
    pty.shows("was changed meanwhile");
    assert_ne!(pty.ends(), 0);
    assert_eq!(fs::read_to_string(&file).expect("there"), changed);
}
