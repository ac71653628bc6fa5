//! A question keeps nothing open after the agent that asked it has gone.

use std::fs;
use std::time::Duration;

use super::support::mcp_client::{Era, open, question};
use super::support::mcp_http_client::HttpAgent;
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

/// Agents of each era.
const AGENTS: usize = 20;

/// Connections and files that the server has open.
fn open_files(server: &Server) -> usize {
    let files = fs::read_dir(format!("/proc/{}/fd", server.pid()));
    files.expect("the process runs").count()
}

/// Counts files only: memory that open calls used is reused, but not all of it is returned to the system.
#[tokio::test]
async fn questions_of_agents_that_have_gone_hold_no_connection() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    // The connections that are kept for later requests are there.
    let first = HttpAgent::start(&server.address, Era::Old);
    first.call("list_questions", &serde_json::json!({}));
    let before = open_files(&server);
    let agents: Vec<HttpAgent> = (0..2 * AGENTS)
        .map(|number| {
            let era = if number < AGENTS { Era::Old } else { Era::New };
            HttpAgent::start(&server.address, era)
        })
        .collect();
    let ask = |(number, agent): (usize, &HttpAgent)| {
        agent.begin(
            "ask_user_question",
            &question(&format!("Which of {number}?")),
        )
    };
    let calls: Vec<_> = agents.iter().enumerate().map(ask).collect();
    within("all are asked", async {
        while open(&server.client).await.len() < 2 * AGENTS {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    // Each call has a connection, and polls over another one.
    assert!(open_files(&server) >= before + 2 * AGENTS);
    for (agent, call) in agents.iter().zip(calls) {
        agent.give_up(call);
    }
    within("the connections are closed", async {
        // A few are kept for later requests.
        while open_files(&server) > before + AGENTS {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    assert_eq!(open(&server.client).await.len(), 2 * AGENTS);
}
