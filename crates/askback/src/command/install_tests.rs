//! Which settings the flags of `askback install` ask for.

use clap::Parser as _;
use serde_json::{Value, json};

use super::*;
use crate::args::{Args, Command};

fn parse(line: &[&str]) -> InstallArgs {
    let words = ["askback", "install"]
        .into_iter()
        .chain(line.iter().copied());
    match Args::try_parse_from(words).map(|args| args.command) {
        Ok(Command::Install(args)) => args,
        other => panic!("{line:?}: {other:?}"),
    }
}

fn wanted_for(line: &[&str]) -> Result<Wanted, Failure> {
    let args = parse(line);
    let agent = args.client.expect("an agent");
    let launcher = Launcher {
        words: vec!["/opt/askback".to_owned()],
        warning: None,
    };
    let token = if needs_token(&args) {
        TokenSource::Agent(AgentToken::Given("a-token-of-an-agent".to_owned()))
    } else {
        TokenSource::None
    };
    let setup = Setup { agent, args: &args };
    setup.wanted(&launcher, &token)
}

fn entry(line: &[&str]) -> String {
    let wanted = wanted_for(line).unwrap_or_else(|failure| panic!("{failure:?}"));
    wanted.entry.unwrap_or_default()
}

/// Claude Code's model has one tool that asks, or two that both reach askback.
#[test]
fn claude_code_gets_the_hook_or_mcp_tools() {
    let found = |line: &[&str]| {
        let line = [&["claude-code"], line].concat();
        let wanted = wanted_for(&line).unwrap_or_else(|failure| panic!("{failure:?}"));
        let hides_own_tool = wanted.entry.is_some() && wanted.own_tool_off;
        (
            wanted.hook.is_some(),
            wanted.entry.is_some(),
            hides_own_tool,
        )
    };
    assert_eq!(found(&[]), (true, false, false));
    assert_eq!(found(&["--keep-own-tool"]), (true, false, false));
    assert_eq!(found(&["--mcp"]), (false, true, true));
    assert_eq!(found(&["--hold", "5m"]), (false, true, true));
    assert_eq!(found(&["--tools", "ask_user"]), (false, true, true));
    assert_eq!(found(&["--mcp", "--keep-own-tool"]), (true, true, false));
}

#[test]
fn hook_names_the_data_directory() {
    let line = ["claude-code", "--data", "/srv/two words"];
    let hook = wanted_for(&line).expect("settings").hook.expect("a hook");
    let hook: Value = serde_json::from_str(&hook).expect("JSON");
    let expected = "/opt/askback hook claude-code --data '/srv/two words'";
    assert_eq!(hook["hooks"][0]["command"], expected);
}

/// `--hold` shortens the wait, and the agent's own time-out stays a little longer.
#[test]
fn hold_window_and_tools_can_be_chosen() {
    let text = entry(&["codex", "--no-allow"]);
    assert!(
        text.contains("tool_timeout_sec = 3600") && text.contains("3590s"),
        "{text}"
    );
    assert!(!text.contains("approval"), "{text}");
    let text = entry(&["codex", "--hold", "5m"]);
    assert!(
        text.contains("\"300s\"") && text.contains("tool_timeout_sec = 310"),
        "{text}"
    );
    assert!(
        text.contains("default_tools_approval_mode = \"approve\""),
        "{text}"
    );
    let text = entry(&["gemini", "--tools", "ask_user_question,ask_user"]);
    let read: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        read["args"],
        json!(["mcp", "--tools", "ask_user_question,ask_user"])
    );
    assert_eq!(read["trust"], true);
}

/// The token of this machine's server is not given to another machine.
#[test]
fn server_elsewhere_needs_its_own_token() {
    for url in ["http://192.0.2.1:7777", "https://localhost:7@ask.example"] {
        let refused = wanted_for(&["copilot", "--http", "--url", url]);
        let Err(Failure::Refused(text)) = refused else {
            panic!("{refused:?}");
        };
        assert!(text.contains("--token-file"), "{text}");
    }
}

#[test]
fn every_agent_gets_address_and_token_over_http() {
    for agent in AgentClient::ALL {
        let url = "http://127.0.0.1:7777";
        let text = entry(&[agent.name(), "--http", "--url", url, "--to", "anna"]);
        assert!(
            text.contains("http://127.0.0.1:7777/mcp")
                && text.contains("Bearer a-token-of-an-agent")
                && text.contains("Askback-Recipient"),
            "{text}"
        );
        assert_eq!(
            text.contains("/opt/askback"),
            agent == AgentClient::ClaudeCode,
            "{text}"
        );
    }
}

/// Whom the agent asks, and with which token, is an argument of the command that it starts.
#[test]
fn recipient_and_token_of_a_server_elsewhere_are_arguments() {
    let url = "https://askback.example";
    let line = [
        "codex",
        "--url",
        url,
        "--token-file",
        "/srv/agent.token",
        "--to",
        "anna",
    ];
    let text = entry(&line);
    let expected =
        r#""--url", "https://askback.example", "--token-file", "/srv/agent.token", "--to", "anna""#;
    let expected = expected.replace(", ", ",");
    assert!(text.replace(", ", ",").contains(&expected), "{text}");
    let hook = wanted_for(&["claude-code", "--to", "anna"])
        .expect("settings")
        .hook;
    assert!(hook.expect("a hook").contains("hook claude-code --to anna"));
    let alone = wanted_for(&["codex", "--token-file", "/srv/agent.token"]);
    assert!(matches!(alone, Err(Failure::Refused(_))), "{alone:?}");
}

#[test]
fn print_needs_an_agent() {
    assert!(Args::try_parse_from(["askback", "install", "--print"]).is_err());
}
