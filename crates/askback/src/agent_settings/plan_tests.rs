//! Installing and removing askback leaves the settings of every agent as they were.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use tempfile::TempDir;

use askback_server::LocalAgents;

use super::super::check::{Finding, connection, dead_programs, findings, forbidden_tool};
use super::super::{McpServer, ToolPermission, claude_hook};
use super::*;

/// A home directory, removed with the test.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().expect("created"))
    }

    fn env(&self) -> Environment {
        Environment::with([
            ("HOME", self.0.path()),
            ("PATH", &self.0.path().join("bin")),
        ])
    }

    fn write(&self, file: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(file);
        fs::create_dir_all(path.parent().expect("a directory")).expect("created");
        fs::write(&path, text).expect("written");
        path
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join(file)).expect("there")
    }

    fn program(&self) -> String {
        self.program_on_path("askback")
    }

    fn program_on_path(&self, name: &str) -> String {
        let program = self.write(&format!("bin/{name}"), "");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("ours");
        program.to_str().expect("text").to_owned()
    }

    /// Every file and directory, with its mode and its bytes. Not askback's own state.
    fn tree(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let mut found = BTreeMap::new();
        let mut directories = vec![self.0.path().to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(&directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                let metadata = fs::symlink_metadata(&path).expect("metadata");
                let bytes = if metadata.is_dir() {
                    directories.push(path.clone());
                    Vec::new()
                } else if metadata.is_symlink() {
                    b"link".to_vec()
                } else {
                    fs::read(&path).expect("there")
                };
                found.insert(path, (metadata.permissions().mode(), bytes));
            }
        }
        found.retain(|path, _| !path.starts_with(self.0.path().join(".local")));
        found
    }

    fn install(&self, agent: AgentClient, wanted: &Wanted) -> Plan {
        let plan = Plan::new(agent, &self.env(), Some(wanted)).expect("a plan");
        plan.write(&self.env()).expect("written");
        plan
    }

    fn undo(&self, agent: AgentClient) {
        let plan = Plan::new(agent, &self.env(), None).expect("a plan");
        plan.write(&self.env()).expect("written");
    }
}

fn tools(agent: AgentClient, program: &str) -> Wanted {
    started_by(agent, &[program])
}

fn started_by(agent: AgentClient, launcher: &[&str]) -> Wanted {
    let server = McpServer::Stdio {
        launcher: launcher.iter().map(|&word| word.to_owned()).collect(),
        args: Vec::new(),
        hold: None,
    };
    Wanted {
        entry: Some(agent.entry(&server, ToolPermission::Granted)),
        hook: None,
        permission: true,
        own_tool_off: true,
    }
}

fn hook() -> Wanted {
    let matcher = claude_hook::matcher("/opt/askback hook claude-code");
    Wanted {
        entry: None,
        hook: Some(matcher.to_string()),
        permission: true,
        own_tool_off: true,
    }
}

/// The ways to set up each agent.
fn ways() -> Vec<(AgentClient, Wanted)> {
    let all = AgentClient::ALL.into_iter();
    let mut ways: Vec<_> = all
        .map(|agent| (agent, tools(agent, "/opt/askback")))
        .collect();
    ways.push((AgentClient::ClaudeCode, hook()));
    let both = Wanted {
        hook: hook().hook,
        own_tool_off: false,
        ..tools(AgentClient::ClaudeCode, "/opt/askback")
    };
    ways.push((AgentClient::ClaudeCode, both));
    ways
}

/// Settings of somebody else, in different styles.
const OTHERS: [(&str, &str); 11] = [
    (".claude.json", r#"{"numStartups":3,"mcpServers":{}}"#),
    (
        ".claude/settings.json",
        "{\n\t\"permissions\": {\n\t\t\"deny\": [\"WebFetch\"]\n\t},\n\t\"hooks\": {\"PreToolUse\": []}\n}",
    ),
    (
        ".codex/config.toml",
        "# mine\nmodel = \"x\"   # fast\n\n\n[mcp_servers.other]\ncommand = \"y\"\n\n\n",
    ),
    (
        ".gemini/settings.json",
        "// mine\n{\n    /* colours */ \"ui\": { \"theme\": \"dark\" }, // the end\n}\n\n",
    ),
    (
        ".config/opencode/opencode.jsonc",
        "{\r\n  \"permission\": { \"*\": \"ask\", }, // careful\r\n  \"mcp\": {\r\n    \"other\": {}\r\n  }\r\n}\r\n",
    ),
    (".copilot/mcp-config.json", "{ }"),
    (
        ".qwen/settings.json",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"Read\"\n    ]\n  }\n}\n",
    ),
    (".kimi-code/mcp.json", "\n"),
    (
        ".cline/data/settings/cline_mcp_settings.json",
        "{\"mcpServers\": {\"other\": {\"command\": \"x\"}, \"last\": {}}}\n",
    ),
    (
        ".config/goose/config.yaml",
        "# mine\nextensions:\n  developer: # built in\n    enabled: true\n\n# the model\nGOOSE_MODEL: x",
    ),
    (
        ".continue/config.yaml",
        "name: mine\nmcpServers: []   \nmodels:\n  - name: a\n",
    ),
];

#[test]
fn undo_leaves_no_trace_in_an_empty_home() {
    for (agent, wanted) in ways() {
        let home = Home::new();
        home.install(agent, &wanted);
        let env = home.env();
        assert!(connection(agent, &env).is_some(), "{agent:?}");
        let again = Plan::new(agent, &env, Some(&wanted)).expect("a plan");
        assert!(again.changes.is_empty(), "{agent:?}: {again:?}");
        home.undo(agent);
        assert_eq!(home.tree(), BTreeMap::new(), "{agent:?}");
        assert!(
            !home.0.path().join(".local/state/askback").exists(),
            "{agent:?}"
        );
        assert!(
            Plan::new(agent, &env, None)
                .expect("a plan")
                .changes
                .is_empty()
        );
    }
}

#[test]
fn undo_restores_other_settings_byte_for_byte() {
    let home = Home::new();
    for (file, text) in OTHERS {
        let path = home.write(file, text);
        fs::set_permissions(path, fs::Permissions::from_mode(0o640)).expect("ours");
    }
    let before = home.tree();
    for (agent, wanted) in ways() {
        // Also if it was set up in another way first.
        home.install(agent, &tools(agent, "/old/askback"));
        let plan = home.install(agent, &wanted);
        assert_eq!(plan.notes, Vec::<String>::new(), "{agent:?}");
        assert_ne!(home.tree(), before, "{agent:?}");
        home.undo(agent);
        assert_eq!(home.tree(), before, "{agent:?}");
    }
}

/// What others have written since stays, and nothing empty is left behind.
#[test]
fn undo_of_a_changed_file_removes_only_askback() {
    for (agent, wanted) in ways() {
        for (file, text) in OTHERS {
            let home = Home::new();
            let path = home.write(file, text);
            home.install(agent, &wanted);
            let installed = fs::read_to_string(&path).expect("there");
            if installed == text {
                continue;
            }
            // A line that a program or a person adds at the end.
            let changed = format!("{}\n\n", installed.trim_end());
            fs::write(&path, changed).expect("written");
            home.undo(agent);
            let left = fs::read_to_string(&path).expect("there");
            assert!(!left.contains("askback"), "{agent:?}: {left}");
            let empty = [
                "\"PreToolUse\": []",
                "\"mcpServers\": {}",
                "\"deny\": []",
                "\"allow\": []",
            ];
            for empty in empty.iter().filter(|empty| !text.contains(**empty)) {
                assert!(!left.contains(empty), "{agent:?}: {left}");
            }
            for line in text.lines().filter(|line| line.contains("other")) {
                assert!(left.contains(line.trim()), "{agent:?}: {left}");
            }
        }
    }
}

/// A file that install created goes even if the agent has written it anew, as long as nothing else is in it.
#[test]
fn created_file_goes_although_the_agent_formatted_it() {
    let home = Home::new();
    let agent = AgentClient::Gemini;
    home.install(agent, &tools(agent, "/opt/askback"));
    let text = home.read(".gemini/settings.json");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    home.write(".gemini/settings.json", &value.to_string());
    home.undo(agent);
    assert_eq!(home.tree(), BTreeMap::new());
}

/// The user's own rules against a tool, and for one, are not taken for askback's.
#[test]
fn rules_of_the_user_stay() {
    let home = Home::new();
    let qwen = "{\"permissions\": {\"deny\": [\"ask_user_question\"]}}";
    let opencode = "{\"permission\": {\"question\": \"allow\"}}";
    let qwen_file = home.write(".qwen/settings.json", qwen);
    let opencode_file = home.write(".config/opencode/opencode.json", opencode);
    for (agent, file, before) in [
        (AgentClient::Qwen, qwen_file, qwen),
        (AgentClient::Opencode, opencode_file, opencode),
    ] {
        home.install(agent, &tools(agent, "/opt/askback"));
        let text = fs::read_to_string(&file).expect("there");
        assert!(!text.contains("\"question\": \"deny\""), "{text}");
        // Changed by somebody, so that the parts are removed one by one.
        fs::write(&file, format!("{text} ")).expect("written");
        home.undo(agent);
        let left = fs::read_to_string(&file).expect("there");
        assert_eq!(left.trim_end(), before);
    }
}

/// The rules that were asked for, at the places that the agents read.
#[test]
fn rules_are_written_or_left_out() {
    let home = Home::new();
    let read =
        |file: &str| -> serde_json::Value { serde_json::from_str(&home.read(file)).expect("JSON") };
    for agent in AgentClient::ALL {
        home.install(agent, &tools(agent, "/opt/askback"));
    }
    let claude = read(".claude/settings.json");
    assert_eq!(claude["permissions"]["allow"][0], "mcp__askback");
    assert_eq!(claude["permissions"]["deny"][0], "AskUserQuestion");
    let gemini = read(".gemini/settings.json");
    assert_eq!(gemini["mcpServers"]["askback"]["trust"], true);
    assert_eq!(
        home.read(".gemini/policies/askback.toml"),
        super::super::GEMINI_POLICY
    );
    let qwen = read(".qwen/settings.json");
    assert_eq!(qwen["permissions"]["allow"][0], "mcp__askback");
    assert_eq!(qwen["permissions"]["deny"][0], "ask_user_question");
    let opencode = read(".config/opencode/opencode.json");
    assert_eq!(opencode["permission"]["askback_*"], "allow");
    assert_eq!(opencode["permission"]["question"], "deny");
    let codex = home.read(".codex/config.toml");
    assert!(
        codex.contains("default_tools_approval_mode = \"approve\""),
        "{codex}"
    );

    let bare = Wanted {
        permission: false,
        own_tool_off: false,
        ..tools(AgentClient::Qwen, "/opt/askback")
    };
    home.install(AgentClient::Qwen, &bare);
    assert!(read(".qwen/settings.json").get("permissions").is_none());
}

/// opencode takes the last rule that matches, so ours comes after a rule for all tools. A rule that has no place is
/// named, and the tools are set up all the same.
#[test]
fn rules_of_opencode_come_last_or_are_named() {
    let home = Home::new();
    let agent = AgentClient::Opencode;
    let file = ".config/opencode/opencode.json";
    home.write(file, "{\"permission\": {\"*\": \"ask\"}}");
    home.install(agent, &tools(agent, "/opt/askback"));
    let text = home.read(file);
    assert!(text.find("\"*\"") < text.find("\"askback_*\""), "{text}");
    home.undo(agent);
    home.write(file, "{\"permission\": \"ask\"}");
    let plan = home.install(agent, &tools(agent, &home.program()));
    assert_eq!(plan.notes.len(), 2, "{:?}", plan.notes);
    assert!(connection(agent, &home.env()).is_some());
    let [Finding::Fine(text)] = &findings(agent, &home.env())[..] else {
        panic!("{:?}", findings(agent, &home.env()));
    };
    assert!(text.contains("ask for permission"), "{text}");
    home.undo(agent);
    assert_eq!(home.read(file), "{\"permission\": \"ask\"}");
}

#[test]
fn links_stay_links_and_broken_files_are_not_written() {
    let home = Home::new();
    let agent = AgentClient::Gemini;
    let target = home.write("dotfiles/gemini.json", "{}");
    fs::create_dir(home.0.path().join(".gemini")).expect("created");
    symlink(
        "../dotfiles/gemini.json",
        home.0.path().join(".gemini/settings.json"),
    )
    .expect("linked");
    // A link to a file that does not exist yet.
    fs::create_dir(home.0.path().join(".qwen")).expect("created");
    symlink(
        "../dotfiles/qwen.json",
        home.0.path().join(".qwen/settings.json"),
    )
    .expect("linked");
    let before = home.tree();
    for agent in [agent, AgentClient::Qwen] {
        home.install(agent, &tools(agent, "/opt/askback"));
    }
    assert!(
        fs::read_to_string(&target)
            .expect("there")
            .contains("askback")
    );
    assert!(home.read("dotfiles/qwen.json").contains("askback"));
    for agent in [agent, AgentClient::Qwen] {
        home.undo(agent);
    }
    assert_eq!(home.read("dotfiles/qwen.json"), "{}\n");
    fs::remove_file(home.0.path().join("dotfiles/qwen.json")).expect("there");
    assert_eq!(home.tree(), before);
    fs::write(&target, "{ broken").expect("written");
    let broken = home.tree();
    let env = home.env();
    assert!(Plan::new(agent, &env, Some(&tools(agent, "/opt/askback"))).is_err());
    assert!(Plan::new(agent, &env, None).is_err());
    assert_eq!(home.tree(), broken);
}

/// Agents write their settings, too. Nothing is written if one of several files was changed.
#[test]
fn change_between_reading_and_writing_is_noticed() {
    let home = Home::new();
    let agent = AgentClient::ClaudeCode;
    home.write(".claude/settings.json", "{}");
    let plan = Plan::new(agent, &home.env(), Some(&tools(agent, "/opt/askback"))).expect("a plan");
    home.write(".claude/settings.json", "{\"model\": \"opus\"}");
    let before = home.tree();
    let error = plan.write(&home.env()).expect_err("changed");
    assert!(
        error.to_string().contains("was changed meanwhile"),
        "{error}"
    );
    assert_eq!(home.tree(), before);
}

/// A link in the place of the new file is not followed.
#[test]
fn link_in_the_way_is_not_followed() {
    let home = Home::new();
    let precious = home.write("precious", "precious");
    home.write(".claude.json", "{}");
    symlink(&precious, home.0.path().join(".claude.json.askback-new")).expect("linked");
    let agent = AgentClient::ClaudeCode;
    home.install(agent, &tools(agent, "/opt/askback"));
    assert_eq!(home.read("precious"), "precious");
    assert!(home.read(".claude.json").contains("askback"));
}

/// A repair changes only the program. What install wrote can be undone afterwards, byte for byte.
#[test]
fn repair_replaces_the_program_and_nothing_else() {
    let home = Home::new();
    let program = home.program();
    let env = home.env();
    for agent in AgentClient::ALL {
        let before = home.tree();
        home.install(agent, &tools(agent, "/gone/askback"));
        let with_gone = home.tree();
        assert_eq!(dead_programs(agent, &env), ["/gone/askback"], "{agent:?}");
        let repair = Repair {
            gone: "/gone/askback",
            instead: &program,
        };
        let plan = Plan::repair(agent, &env, repair).expect("planned");
        plan.write(&env).expect("written");
        assert_eq!(dead_programs(agent, &env), [""; 0], "{agent:?}");
        for (path, (mode, bytes)) in with_gone {
            let text = String::from_utf8_lossy(&bytes).replace("/gone/askback", &program);
            assert_eq!(home.tree()[&path], (mode, text.into_bytes()), "{agent:?}");
        }
        home.undo(agent);
        assert_eq!(home.tree(), before, "{agent:?}");
    }
    let repair = Repair {
        gone: "/a/b",
        instead: "/c",
    };
    assert_eq!(
        repair.apply("\"/a/b\" '/a/b' /a/b x/a/b /a/bc"),
        "\"/c\" '/c' /c x/a/b /a/bc"
    );
}

/// npx and uvx go on fetching the version that install wrote, after another one was installed.
#[test]
fn doctor_names_another_version() {
    let home = Home::new();
    let launchers = [("npx", vec!["npx", "-y"]), ("uvx", vec!["uvx"])];
    for (fetcher, words) in &launchers {
        home.program_on_path(fetcher);
        for agent in AgentClient::ALL {
            let found = |version: &str| {
                let package = format!("askback@{version}");
                let words = [&words[..], &[&package]].concat();
                home.install(agent, &started_by(agent, &words));
                let found = findings(agent, &home.env());
                home.undo(agent);
                found
            };
            let [Finding::Fine(_)] = &found(env!("CARGO_PKG_VERSION"))[..] else {
                panic!("{agent:?}: {:?}", found(env!("CARGO_PKG_VERSION")));
            };
            let other = found("0.0.1");
            let [Finding::Problem(text), ..] = &other[..] else {
                panic!("{agent:?}: {other:?}");
            };
            assert!(
                text.contains("starts askback 0.0.1, but this is "),
                "{text}"
            );
        }
    }
    home.program_on_path("npx");
    let hook = claude_hook::matcher("npx -y askback@0.0.1 hook claude-code");
    let wanted = Wanted {
        entry: None,
        hook: Some(hook.to_string()),
        permission: true,
        own_tool_off: true,
    };
    home.install(AgentClient::ClaudeCode, &wanted);
    let found = format!("{:?}", findings(AgentClient::ClaudeCode, &home.env()));
    assert!(found.contains("starts askback 0.0.1"), "{found}");
}

/// What doctor says: a program that has gone, an agent that asks first, another program on the same hook.
#[test]
fn doctor_names_dead_paths_permissions_and_other_hooks() {
    let home = Home::new();
    let program = home.program();
    let env = home.env();
    for agent in AgentClient::ALL {
        assert_eq!(findings(agent, &env), [], "{agent:?}");
        home.install(agent, &tools(agent, "/gone/askback"));
        let [Finding::Problem(text)] = &findings(agent, &env)[..] else {
            panic!("{:?}", findings(agent, &env));
        };
        assert!(
            text.contains("starts /gone/askback, which does not exist"),
            "{text}"
        );
        home.install(agent, &tools(agent, &program));
        let [Finding::Fine(text)] = &findings(agent, &env)[..] else {
            panic!("{:?}", findings(agent, &env));
        };
        assert!(text.contains("is set up (MCP server)"), "{text}");
        assert_eq!(
            text.contains("permission"),
            agent == AgentClient::Kimi,
            "{text}"
        );
        let bare = Wanted {
            permission: false,
            ..tools(agent, "askback")
        };
        home.install(agent, &bare);
        let asks = [
            AgentClient::ClaudeCode,
            AgentClient::Qwen,
            AgentClient::Kimi,
        ];
        let found = format!("{:?}", findings(agent, &env));
        assert_eq!(
            found.contains("permission"),
            asks.contains(&agent),
            "{found}"
        );
    }
    let logger = "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"*\", \"hooks\": [{\"command\": \"logger\"}]}]}}";
    home.write(".claude/settings.json", logger);
    let hook = claude_hook::matcher("'/it'\\''s gone/askback' hook claude-code").to_string();
    let wanted = Wanted {
        entry: None,
        hook: Some(hook),
        permission: true,
        own_tool_off: true,
    };
    home.install(AgentClient::ClaudeCode, &wanted);
    let found = format!("{:?}", findings(AgentClient::ClaudeCode, &env));
    assert!(found.contains("starts /it's gone/askback"), "{found}");
    assert!(found.contains("also runs `logger`"), "{found}");
}

/// The user's rule against Claude Code's question tool stays. The hook is of no use with it, and that is said.
#[test]
fn rule_that_forbids_the_question_tool_is_named() {
    let home = Home::new();
    let agent = AgentClient::ClaudeCode;
    let file = ".claude/settings.json";
    home.write(file, "{\"permissions\":{\"deny\":[\"AskUserQuestion\"]}}");
    let matcher = claude_hook::matcher(&format!("{} hook claude-code", home.program()));
    let wanted = Wanted {
        hook: Some(matcher.to_string()),
        ..hook()
    };
    home.install(agent, &wanted);
    let found = findings(agent, &home.env());
    let [Finding::Problem(text)] = &found[..] else {
        panic!("{found:?}");
    };
    let path = home.0.path().join(file).display().to_string();
    assert!(
        text.contains("claude-code cannot ask: ")
            && text.contains(&format!(
                "permissions.deny of {path} forbids AskUserQuestion"
            ))
            && text.contains("Remove \"AskUserQuestion\" there"),
        "{text}"
    );
    assert!(home.read(file).contains("\"deny\":[\"AskUserQuestion\"]"));
    // With the ask tools alone, the rule is what install would have written.
    home.install(agent, &tools(agent, &home.program()));
    let found = findings(agent, &home.env());
    assert!(matches!(found[..], [Finding::Fine(_)]), "{found:?}");
}

/// A rule of the project in which askback is run counts as well, and the file with it is named.
#[test]
fn rule_of_the_project_that_forbids_the_question_tool_is_named() {
    let rule = "{\"permissions\":{\"deny\":[\"AskUserQuestion\"]}}";
    for file in [".claude/settings.json", ".claude/settings.local.json"] {
        let (home, project) = (Home::new(), Home::new());
        let agent = AgentClient::ClaudeCode;
        home.install(agent, &hook());
        let env = Environment::with([("HOME", home.0.path()), ("PWD", project.0.path())]);
        assert_eq!(forbidden_tool(agent, &env), None);
        let path = project.write(file, rule).display().to_string();
        let why = forbidden_tool(agent, &env).unwrap_or_default();
        let expected = format!("a rule in permissions.deny of {path} forbids AskUserQuestion");
        assert!(why.contains(&expected), "{why}");
        let elsewhere = Environment::with([("HOME", home.0.path()), ("PWD", home.0.path())]);
        assert_eq!(forbidden_tool(agent, &elsewhere), None);
    }
}

/// An agent that is set up and cannot ask is among those that `askback install` says something about.
#[test]
fn agent_whose_question_tool_is_forbidden_is_not_ready() {
    let home = Home::new();
    home.install(AgentClient::ClaudeCode, &hook());
    let ready = |env: &Environment| AgentClient::local(env).ready;
    assert_eq!(ready(&home.env()), ["claude-code"]);
    let text = home.read(".claude/settings.json").replacen(
        '{',
        "{\"permissions\": {\"deny\": [\"AskUserQuestion\"]},",
        1,
    );
    home.write(".claude/settings.json", &text);
    let LocalAgents { ready, rest } = AgentClient::local(&home.env());
    assert_eq!((ready, rest), (vec![], vec!["claude-code".to_owned()]));
}

/// An entry that has only the name is not repaired, not called set up and not removed. Install replaces it.
#[test]
fn entry_of_another_program_is_not_ours() {
    let home = Home::new();
    let env = home.env();
    for (agent, file, before) in [
        (
            AgentClient::Codex,
            ".codex/config.toml",
            "[mcp_servers.askback]\ncommand = \"/gone/old\"\n",
        ),
        (
            AgentClient::Codex,
            ".codex/config.toml",
            "[mcp_servers]\naskback = { command = \"/gone/old\" }\n",
        ),
        (
            AgentClient::Gemini,
            ".gemini/settings.json",
            "{\"mcpServers\": {\"askback\": {\"command\": \"/gone/old\"}}}",
        ),
        (
            AgentClient::Goose,
            ".config/goose/config.yaml",
            "extensions:\n  askback:\n    cmd: /gone/old\n    type: stdio\n",
        ),
    ] {
        home.write(file, before);
        assert_eq!(dead_programs(agent, &env), [""; 0], "{before}");
        assert_eq!(connection(agent, &env), None, "{before}");
        let found = findings(agent, &env);
        let [Finding::Problem(text)] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(
            text.contains("is not askback's: it starts `/gone/old`, not `askback mcp`"),
            "{text}"
        );
        home.undo(agent);
        assert_eq!(home.read(file), before);
        if !before.contains("= {") {
            home.install(agent, &tools(agent, &home.program()));
            assert!(connection(agent, &env).is_some(), "{}", home.read(file));
            home.undo(agent);
            assert_eq!(home.read(file), before);
        }
    }
}

/// A rule of the user for the same tools stays as it is, and so does the file after undo.
#[test]
fn permission_that_the_user_has_set_stays() {
    for rule in ["ask", "deny"] {
        let home = Home::new();
        let agent = AgentClient::Opencode;
        let file = ".config/opencode/opencode.json";
        let line = format!("\"askback_*\": \"{rule}\"");
        let before = format!("{{\n  \"permission\": {{\n    {line}\n  }}\n}}\n");
        home.write(file, &before);
        let plan = Plan::new(agent, &home.env(), Some(&tools(agent, &home.program())));
        let notes = plan.expect("a plan").notes;
        assert!(notes[0].contains("a rule of yours"), "{notes:?}");
        home.install(agent, &tools(agent, &home.program()));
        assert!(home.read(file).contains(&line), "{}", home.read(file));
        home.undo(agent);
        assert_eq!(home.read(file), before);
    }
}

/// Valid TOML that is not edited is not called broken.
#[test]
fn inline_toml_is_left_with_what_to_do() {
    let home = Home::new();
    let agent = AgentClient::Codex;
    for (text, advice) in [
        (
            "[mcp_servers]\naskback = { command = \"askback\", args = [\"mcp\"] }\n",
            "written inline or in another unusual way, not below a line [mcp_servers.askback]. Nothing is broken: remove \
             that entry",
        ),
        (
            "mcp_servers = { other = { command = \"x\" } }\n",
            "write each server below a line [mcp_servers.NAME]",
        ),
    ] {
        home.write(".codex/config.toml", text);
        let wanted = tools(agent, "/opt/askback");
        let why = Plan::new(agent, &home.env(), Some(&wanted)).expect_err("refused");
        let why = why.to_string();
        assert!(why.contains(advice), "{why}");
        assert!(!why.contains("Repair the file"), "{why}");
        assert_eq!(home.read(".codex/config.toml"), text);
    }
}

/// A line at the end of the file is in askback's table. It is not lost.
#[test]
fn keys_that_somebody_else_added_to_the_table_stay() {
    let home = Home::new();
    let agent = AgentClient::Codex;
    let file = ".codex/config.toml";
    let wanted = tools(agent, "/opt/askback");
    home.install(agent, &wanted);
    let text = format!("{}x = 1\n", home.read(file));
    home.write(file, &text);
    for wanted in [None, Some(&wanted)] {
        let why = Plan::new(agent, &home.env(), wanted).expect_err("refused");
        let why = why.to_string();
        assert!(
            why.contains("[mcp_servers.askback] has settings that askback did not write")
                && why.contains(": x. "),
            "{why}"
        );
    }
    assert_eq!(home.read(file), text);
    // What is below a header with askback's name belongs to it.
    let text = text.replace("x = 1\n", "[mcp_servers.askback.env]\nx = \"1\"\n");
    home.write(file, &text);
    home.undo(agent);
    assert!(!home.0.path().join(file).exists());
}
