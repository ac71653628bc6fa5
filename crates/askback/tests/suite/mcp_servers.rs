//! The built-in agent calls the tools of MCP servers in the configuration, and survives their death.

use std::fs;
use std::process::Command;

use askback_core::id::ConversationId;
use askback_wire::message::MessageParams;
use serde_json::json;

use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

async fn last_reply(server: &Server, id: &ConversationId) -> String {
    server.reaches(id, "idle").await;
    server.transcript(id).await.pop().expect("there is a reply")
}

async fn ask_again(server: &Server, id: &ConversationId) -> String {
    let again = MessageParams {
        text: "again".to_owned(),
        message_id: None,
    };
    server
        .client
        .send_message(id, &again)
        .await
        .expect("it is sent");
    last_reply(server, id).await
}

/// Another `askback mcp` is the MCP server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configured_server_is_called_and_its_death_is_an_error_result() {
    let directory = Directory::new();
    let file = |name: &str| directory.path().join(name).display().to_string();
    let script = json!({"steps": [
        {"calls": [{"tool": "other__list_questions"}]},
        {"say": "{{result}}"}], "repeat_from": 1});
    fs::write(file("script.json"), script.to_string()).expect("written");
    let launch = format!(
        "echo $$ > '{}'; exec '{}' mcp --data '{}'",
        file("pid"),
        env!("CARGO_BIN_EXE_askback"),
        file("other")
    );
    let config = format!("[mcp_servers.other]\ncommand = \"sh\"\nargs = [\"-c\", {launch:?}]\n");
    fs::write(file("askback.toml"), config).expect("written");
    let provider = format!("scripted:{}", file("script.json"));
    let config = file("askback.toml");
    let server = Server::start_with(&directory, &["--provider", &provider, "--config", &config]);

    let id = server.begin("go").await;
    let reply = last_reply(&server, &id).await;
    assert!(reply.contains("open_questions"), "{reply}");

    let pid = fs::read_to_string(file("pid")).expect("it runs");
    let killed = Command::new("kill").args(["-9", pid.trim()]).status();
    assert!(killed.expect("a signal is sent").success());
    let reply = ask_again(&server, &id).await;
    assert!(
        reply.contains("The MCP server \"other\"") || reply.contains("the MCP server \"other\""),
        "{reply}"
    );

    within("the server is started again", async {
        while !ask_again(&server, &id).await.contains("open_questions") {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    })
    .await;
}

#[test]
fn server_needs_either_a_command_or_a_url() {
    let directory = Directory::new();
    let config = directory.path().join("askback.toml");
    for table in [
        "",
        "command = \"a\"\nurl = \"http://b/\"\n",
        "program = \"a\"\n",
    ] {
        fs::write(&config, format!("[mcp_servers.files]\n{table}")).expect("written");
        let run = super::support::run_binary::askback(
            &["serve", "--config", config.to_str().expect("a path")],
            "",
        );
        assert_ne!(run.code, Some(0));
        assert!(
            run.err.contains("files") || run.err.contains("program"),
            "{}",
            run.err
        );
    }
}
