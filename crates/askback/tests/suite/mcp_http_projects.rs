//! Directories with any name are the right project over HTTP.

use askback_core::id::InquiryId;
use serde_json::{Value, json};

use super::support::mcp_client::{Era, only_open, question};
use super::support::mcp_http_client::HttpAgent;
use super::support::run_binary::command;
use super::support::server_process::{Directory, Server};

const DIRECTORIES: [&str; 5] = [
    "/home/me/web shop",
    "/srv/c++ & c#",
    "/srv/100%41",
    "/srv/żółw 日本",
    "/srv/what?project=x",
];

/// What Claude Code's helper prints for the address of the server.
fn printed_headers(address: Option<&str>) -> Value {
    let mut helper = command(&["hook", "claude-code-headers"]);
    helper.env_remove("CLAUDE_CODE_MCP_SERVER_URL");
    if let Some(address) = address {
        helper.env("CLAUDE_CODE_MCP_SERVER_URL", address);
    }
    let done = helper.output().expect("the binary starts");
    assert!(done.status.success(), "{done:?}");
    serde_json::from_slice(&done.stdout).expect("an object")
}

#[tokio::test]
async fn any_directory_is_the_right_project() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    for project in DIRECTORIES {
        let address = format!("{}/mcp?project={project}", server.address);
        let encoded = printed_headers(Some(&address));
        let encoded = encoded["Askback-Project"].as_str().expect("a header");
        for (era, header) in [
            (Era::New, encoded),
            (Era::New, project),
            (Era::Old, project),
        ] {
            let agent = HttpAgent::in_project(&server.address, era, header);
            let call = agent.begin("ask_user_question", &question("Which database?"));
            let id = only_open(&server.client).await;
            let found = server.client.inquiry(&InquiryId::new(id.clone())).await;
            let asker = found.expect("it is there").asker;
            let asker = asker.expect("an agent asked");
            assert_eq!(asker.project.as_deref(), Some(project));
            call.disconnect();
            let withdrawn = agent.call("withdraw_question", &json!({"question_id": id}));
            assert_eq!(withdrawn["structuredContent"]["status"], "withdrawn");
        }
    }
}

#[test]
fn without_a_directory_there_is_no_header() {
    for address in [
        None,
        Some("http://127.0.0.1:7777/mcp"),
        Some("http://127.0.0.1:7777/mcp?project="),
    ] {
        assert_eq!(printed_headers(address), json!({}));
    }
}
