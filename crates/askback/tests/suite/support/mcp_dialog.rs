//! The dialogs of a scripted MCP client on standard input and output.

use std::fs;

use serde_json::{Value, json};

use super::mcp_client::{Agent, Era};
use super::server_process::Directory;

/// How fast a refusal must be to be taken for a program's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replies {
    /// Every reply counts as a person's.
    ByAPerson,
    /// Every refusal counts as a program's.
    ByAProgram,
}

/// A configuration file for a server or an agent whose client has dialogs.
pub(crate) fn config(directory: &Directory, replies: Replies) -> String {
    let limit = match replies {
        Replies::ByAPerson => "0s",
        Replies::ByAProgram => "1h",
    };
    let path = directory.path().join("dialogs.toml");
    let text = format!("[mcp]\nelicitation = \"always\"\ninstant_reply = \"{limit}\"\n");
    fs::write(&path, text).expect("it can be written");
    path.to_str().expect("a path").to_owned()
}

/// What a client with dialogs declares.
pub(crate) fn capabilities() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}})
}

/// An agent whose client has dialogs.
pub(crate) fn agent_with_dialogs(directory: &Directory, args: &[&str]) -> Agent {
    agent_that_replies(directory, Replies::ByAPerson, args)
}

pub(crate) fn agent_that_replies(directory: &Directory, replies: Replies, args: &[&str]) -> Agent {
    let config = config(directory, replies);
    let mut all = vec!["--config", config.as_str()];
    all.extend(args);
    Agent::with_capabilities(directory, ("test-agent", Era::Old), &all, capabilities())
}

/// A dialog that waits for its reply.
#[derive(Debug)]
pub(crate) struct Dialog {
    /// The call that waits.
    pub(crate) call: i64,
    /// The request to the client.
    request: Value,
    /// What the dialog shows.
    pub(crate) shown: Value,
}

impl Dialog {
    /// Calls a tool, and waits for the dialog.
    pub(crate) fn open(agent: &mut Agent, tool: &str, arguments: &Value) -> Dialog {
        let params = json!({"name": tool, "arguments": arguments});
        let call = agent.request("tools/call", params);
        Dialog::next(agent, call)
    }

    /// The dialog that a call opens.
    fn next(agent: &mut Agent, call: i64) -> Dialog {
        let message = agent.message();
        assert_eq!(message["method"], "elicitation/create", "{message}");
        Dialog {
            call,
            request: message["id"].clone(),
            shown: message["params"].clone(),
        }
    }

    /// Sends the reply. Returns the call that gets the result.
    pub(crate) fn reply(&self, agent: &mut Agent, reply: &Value) -> i64 {
        agent.write(&json!({"jsonrpc": "2.0", "id": self.request, "result": reply}));
        self.call
    }

    /// Sends a reply that is no answer, and gives the dialog that follows.
    pub(crate) fn reply_and_reopen(&self, agent: &mut Agent, reply: &Value) -> Dialog {
        let call = self.reply(agent, reply);
        Dialog::next(agent, call)
    }

    /// Whether a message tells the client to close this dialog.
    pub(crate) fn is_closed_by(&self, message: &Value) -> bool {
        message["method"] == "notifications/cancelled"
            && message["params"]["requestId"] == self.request
    }
}

/// The reply of a person who chose.
pub(crate) fn accept(content: &Value) -> Value {
    json!({"action": "accept", "content": content})
}
