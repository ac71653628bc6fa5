//! `askback install` shows a change to the settings of agents, writes it after confirmation, and can undo it. What
//! it writes for which agent is tested in `src/agent_settings`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use askback_client::Client;
use askback_wire::token::Token;
use serde_json::{Value, json};

use super::support::pty::Pty;
use super::support::run_binary::command;
use super::support::server_process::{Directory, Server, TOKEN};

/// The binary in this home directory, without agents on its PATH.
fn in_home(directory: &Directory, args: &[&str]) -> Command {
    let mut run = command(args);
    for name in [
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
        "CLINE_MCP_SETTINGS_PATH",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "KIMI_CODE_HOME",
        "CONTINUE_GLOBAL_DIR",
    ] {
        run.env_remove(name);
    }
    run.env("HOME", directory.path())
        .env("PATH", "/nowhere")
        .stdin(Stdio::null());
    run
}

fn run(directory: &Directory, args: &[&str]) -> (Option<i32>, String) {
    let run = in_home(directory, args).output().expect("it runs");
    let said = [run.stdout, run.stderr].concat();
    (run.status.code(), String::from_utf8(said).expect("text"))
}

fn install(directory: &Directory, args: &[&str]) -> (Option<i32>, String) {
    run(directory, &[&["install"], args].concat())
}

fn make(directory: &Directory, file: &str, text: &str) -> std::path::PathBuf {
    let path = directory.path().join(file);
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    fs::write(&path, text).expect("written");
    path
}

fn write_file(file: &Path, text: &str) {
    fs::write(file, text).expect("written");
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("ours");
}

/// The agent has not the environment of this shell: its questions would go to another inbox.
#[test]
fn data_directory_of_the_environment_is_written_down() {
    let directory = Directory::new();
    let mut print = in_home(&directory, &["install", "codex", "--print"]);
    let printed = print
        .env("ASKBACK_DATA", "/srv/questions")
        .output()
        .expect("it runs");
    let printed = String::from_utf8(printed.stdout).expect("text");
    assert!(
        printed.contains(r#""--data","/srv/questions""#),
        "{printed}"
    );
}

/// The hook comes without a flag, `--mcp` replaces it, and one `--undo` removes whatever is there.
#[test]
fn claude_code_is_set_up_and_restored() {
    let directory = Directory::new();
    let before = "{\n  \"model\": \"opus\"\n}\n";
    let settings = make(&directory, ".claude/settings.json", before);
    let servers = directory.path().join(".claude.json");
    let read = |file: &Path| -> Value {
        serde_json::from_str(&fs::read_to_string(file).expect("there")).expect("JSON")
    };
    let (code, said) = install(&directory, &["claude-code", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("AskUserQuestion, its own question tool, asks through askback:\n"),
        "{said}"
    );
    assert!(
        said.contains("+ ") && said.contains("\"statusMessage\""),
        "{said}"
    );
    let hook = &read(&settings)["hooks"]["PreToolUse"][0];
    assert_eq!(hook["matcher"], "AskUserQuestion");
    assert!(!servers.exists());
    let (code, said) = install(&directory, &["claude-code"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("claude-code is already set up (hook)"),
        "{said}"
    );

    let (code, said) = install(&directory, &["claude-code", "--mcp", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("--no-allow") && said.contains("--keep-own-tool"),
        "{said}"
    );
    let rules = json!({"allow": ["mcp__askback"], "deny": ["AskUserQuestion"]});
    assert_eq!(
        read(&settings),
        json!({"model": "opus", "permissions": rules})
    );
    assert_eq!(
        read(&servers)["mcpServers"]["askback"]["args"],
        json!(["mcp"])
    );

    let (code, said) = install(&directory, &["claude-code", "--undo", "--yes"]);
    assert_eq!((code, said.contains("Removed.")), (Some(0), true), "{said}");
    assert_eq!(fs::read_to_string(&settings).expect("there"), before);
    assert!(!servers.exists());
    let (_, said) = install(&directory, &["claude-code", "--undo"]);
    assert!(said.contains("claude-code does not use askback"), "{said}");
}

/// A file that changes in several places is shown once: what it is afterwards, not the way there.
#[test]
fn change_of_a_file_is_shown_once() {
    let directory = Directory::new();
    let file = ".config/opencode/opencode.json";
    let before = "{\n  \"permission\": {\n    \"bash\": \"ask\"\n  },\n  \"model\": \"x\"\n}\n";
    make(&directory, file, before);
    let (code, said) = install(&directory, &["opencode", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    let (first, rest) = lines.split_first().expect("lines");
    assert!(first.ends_with(file), "{said}");
    let reasons = rest
        .iter()
        .take_while(|line| line.starts_with("  "))
        .count();
    assert_eq!(reasons, 3, "{said}");
    let changed: Vec<&str> = rest[reasons..]
        .iter()
        .copied()
        .take_while(|line| line.starts_with("+ "))
        .collect();
    assert_eq!(changed[0], "+     \"askback_*\": \"allow\",", "{said}");
    assert_eq!(changed[1], "+     \"question\": \"deny\"", "{said}");
    assert_eq!(changed[2], "+   \"mcp\": {", "{said}");
    let said_after = &rest[reasons + changed.len()..];
    let has_change = |line: &&str| line.starts_with("+ ") || line.starts_with("- ");
    assert!(!said_after.iter().any(has_change), "{said}");
}

/// Nothing is written without confirmation, or for an agent that is not there.
#[test]
fn nothing_is_written_without_confirmation() {
    let directory = Directory::new();
    let (code, said) = install(&directory, &["codex"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no program `codex` on PATH"), "{said}");
    let (code, said) = install(&directory, &["codex", "--print"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("[mcp_servers.askback]"), "{said}");
    assert!(!directory.path().join(".codex").exists());
    let file = make(&directory, ".gemini/settings.json", "{}");
    let (code, said) = install(&directory, &["gemini"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("--yes"), "{said}");
    assert_eq!(fs::read_to_string(&file).expect("there"), "{}");
}

/// Where no agent is found, the way on is named.
#[test]
fn machine_without_agents_is_told_what_else_there_is() {
    let directory = Directory::new();
    let (code, said) = install(&directory, &[]);
    assert_eq!(code, Some(0), "{said}");
    for part in ["nothing to set up", "askback demo", "askback mcp"] {
        assert!(said.contains(part), "{said}");
    }
}

/// Without a name, the agents on this machine are listed, and all are set up or restored at once.
#[test]
fn agents_on_this_machine_are_found() {
    let directory = Directory::new();
    let codex = make(&directory, ".codex/config.toml", "model = \"x\" # mine\n");
    let broken = make(&directory, ".qwen/settings.json", "{ broken");
    fs::create_dir(directory.path().join(".gemini")).expect("made");
    let (code, said) = install(&directory, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("codex        not set up\n"), "{said}");
    assert!(!said.contains("Not found"), "{said}");
    assert!(said.contains("--yes for all that were found"), "{said}");
    // One that cannot be set up does not keep the others from it.
    let (code, said) = install(&directory, &["--yes"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("cannot be edited safely"), "{said}");
    fs::remove_file(broken).expect("there");
    fs::remove_dir(directory.path().join(".qwen")).expect("there");
    let (code, said) = install(&directory, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("codex        set up (MCP server)\n"),
        "{said}"
    );
    assert!(
        said.contains("gemini       set up (MCP server)\n"),
        "{said}"
    );
    assert!(said.contains("nothing to set up"), "{said}");
    assert!(
        said.contains("Not found on this machine: claude-code, opencode, "),
        "{said}"
    );
    let (code, said) = install(&directory, &["--undo", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(
        fs::read_to_string(codex).expect("there"),
        "model = \"x\" # mine\n"
    );
    let gemini = fs::read_dir(directory.path().join(".gemini")).expect("there");
    assert_eq!(gemini.count(), 0);
    let (_, said) = install(&directory, &["--undo"]);
    assert!(said.contains("No agent uses askback."), "{said}");
}

/// Over HTTP the agent gets a token of its own, which may ask and no more; installing again keeps it. A new settings file is
/// readable by this user only.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agent_over_http_has_a_token_of_its_own() {
    let directory = Directory::new();
    let data = directory.path().join("data");
    let server = Server::start_with(&directory, &[]);
    let data_flag = data.to_str().expect("a path").to_owned();
    let token = directory.path().join("admin.token");
    write_file(&token, TOKEN);
    let token = token.to_str().expect("a path").to_owned();
    let args = [
        "copilot",
        "--yes",
        "--http",
        "--data",
        &data_flag,
        "--token-file",
        &token,
    ];
    let (code, said) = install(&directory, &args);
    assert_eq!(code, Some(0), "{said}");
    let file = directory.path().join(".copilot/mcp-config.json");
    let written = fs::read_to_string(&file).expect("written");
    assert!(!written.contains(TOKEN), "{written}");
    let at = written.find("askback_").expect("a token");
    let own = Client::new(&server.address, Some(Token::new(&written[at..at + 72])));
    let me = own.expect("an address").me().await.expect("it works");
    assert_eq!(me.scope.as_str(), "agent");
    assert!(me.agent.is_some_and(|name| name.starts_with("copilot@")));
    let (code, said) = install(&directory, &args);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("already set up"), "{said}");
    assert_eq!(fs::read_to_string(&file).expect("there"), written);
    let mode = fs::metadata(&file).expect("written").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // What is kept for `--undo` is private, too.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("ours");
    let (code, said) = install(&directory, &["copilot", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    let kept = directory.path().join(".local/state/askback/install");
    for entry in fs::read_dir(kept).expect("a directory") {
        let metadata = entry.expect("a file").metadata().expect("there");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
}

/// The token goes to the server that has it, not to whoever has the default port.
#[test]
fn http_entry_has_the_address_of_the_server_of_the_data_directory() {
    let directory = Directory::new();
    let token = directory.path().join("token");
    write_file(&token, "a-token-of-a-server\n");
    let data = directory.path().join("data");
    let [token, data] = [token, data].map(|path| path.to_str().expect("a path").to_owned());
    let args = ["copilot", "--http", "--print", "--data", &data];
    let args = [&args[..], &["--token-file", &token]].concat();
    let (code, said) = install(&directory, &args);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("--url") && !said.contains("7777"), "{said}");
    let server = Server::start_with(&directory, &[]);
    let (code, said) = install(&directory, &args);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(&format!("{}/mcp", server.address)), "{said}");
}

/// What `--print` writes to standard output can be pasted: into an empty file, it is what `install` writes.
#[test]
fn printed_settings_can_be_pasted() {
    for (client, file) in [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/config.toml"),
        ("opencode", ".config/opencode/opencode.json"),
        ("goose", ".config/goose/config.yaml"),
        ("continue", ".continue/config.yaml"),
    ] {
        let directory = Directory::new();
        let printed = in_home(&directory, &["install", client, "--print"]).output();
        let printed = String::from_utf8(printed.expect("it runs").stdout).expect("text");
        let (code, said) = install(&directory, &[client, "--yes"]);
        assert_eq!(code, Some(0), "{said}");
        let written = fs::read_to_string(directory.path().join(file)).expect("written");
        assert_eq!(printed.trim(), written.trim(), "{client}");
    }
}

/// `askback doctor` lists what is set up, and what is wrong with it.
#[test]
fn doctor_checks_the_agents() {
    let directory = Directory::new();
    for args in [&["goose", "--yes"][..], &["claude-code", "--yes"]] {
        let (code, said) = install(&directory, args);
        assert_eq!(code, Some(0), "{said}");
    }
    let data = directory.path().join("data").display().to_string();
    let doctor = || run(&directory, &["doctor", "--offline", "--data", &data]);
    fs::create_dir(directory.path().join(".gemini")).expect("made");
    let (code, said) = doctor();
    assert_eq!(code, Some(0), "{said}");
    for line in [
        "agent: goose is set up (MCP server)\n",
        "agent: claude-code is set up (hook)\n",
        "agent: not set up, but on this machine: gemini. Run `askback install`\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
    // What cannot be edited is named with the reason.
    let twice = r#"{"mcpServers": {}, "mcpServers": {}}"#;
    let file = make(&directory, ".claude.json", twice);
    let (code, said) = install(&directory, &["claude-code", "--mcp", "--yes"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("\"mcpServers\" occurs twice") && said.contains("Repair the file"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&file).expect("there"), twice);
    let (code, said) = doctor();
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("agent: error: claude-code: ") && said.contains("occurs twice"),
        "{said}"
    );
    let gone = json!({"mcpServers": {"askback": {"command": "/gone/askback", "args": ["mcp"]}}});
    fs::write(&file, gone.to_string()).expect("written");
    let (code, said) = doctor();
    assert_eq!(code, Some(1), "{said}");
    let line = said.lines().find(|line| line.contains("/gone/askback"));
    assert!(
        line.is_some_and(|it| it.contains("claude-code") && it.contains("doctor --repair")),
        "{said}"
    );
    let repair = ["doctor", "--repair", "--offline", "--data", &data];
    let (code, said) = run(&directory, &repair);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("repaired: claude-code starts "), "{said}");
    assert!(!fs::read_to_string(&file).expect("there").contains("/gone"));
    assert_eq!(doctor().0, Some(0));
}

/// A file that the agent changed while the person was asked is left as it is.
#[test]
fn file_that_changed_meanwhile_is_not_written() {
    let directory = Directory::new();
    let file = make(&directory, ".gemini/settings.json", "{}");
    let home = directory.path().to_str().expect("a path");
    let mut pty = Pty::with(&["install", "gemini"], &[("HOME", home)], (100, 60));
    pty.shows("Write this?");
    let changed = r#"{"theme": "dark"}"#;
    fs::write(&file, changed).expect("written");
    pty.send("y\r");
    pty.shows("was changed meanwhile");
    assert_ne!(pty.ends(), 0);
    assert_eq!(fs::read_to_string(&file).expect("there"), changed);
}

/// A rule of the user that forbids the question tool is not removed, and success is not claimed.
#[test]
fn rule_against_the_question_tool_is_said() {
    let directory = Directory::new();
    let rule = r#"{"permissions":{"deny":["AskUserQuestion"]}}"#;
    let file = make(&directory, ".claude/settings.json", rule);
    for (args, start) in [
        (
            &["claude-code", "--yes"][..],
            "Written, but claude-code cannot ask: ",
        ),
        (
            &["claude-code", "--yes"],
            "claude-code is already set up (hook), but it cannot ask: ",
        ),
        (&[], "claude-code  set up (hook), but it cannot ask: "),
    ] {
        let (code, said) = install(&directory, args);
        assert_eq!(code, Some(0), "{said}");
        let line = said.lines().find(|line| line.starts_with(start));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        assert!(
            line.contains(&file.display().to_string())
                && line.contains("Remove \"AskUserQuestion\""),
            "{line}"
        );
        assert!(
            !said.contains("Done.") && !said.contains("Its questions"),
            "{said}"
        );
    }
    let data = directory.path().join("data").display().to_string();
    let (code, said) = run(&directory, &["doctor", "--offline", "--data", &data]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("agent: error: claude-code cannot ask: ") && !said.contains("is set up"),
        "{said}"
    );
}

/// Doctor does not repair the entry of another program.
#[test]
fn entry_of_another_program_is_not_repaired() {
    let directory = Directory::new();
    let text = "[mcp_servers]\n\"askback\" = { command = \"old\" }\n";
    let file = make(&directory, ".codex/config.toml", text);
    let data = directory.path().join("data").display().to_string();
    let repair = ["doctor", "--repair", "--offline", "--data", &data];
    let (code, said) = run(&directory, &repair);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("it starts `old`, not `askback mcp`") && !said.contains("repaired"),
        "{said}"
    );
    let (code, said) = install(&directory, &["codex", "--yes"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("Nothing is broken: remove that entry"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&file).expect("there"), text);
}
