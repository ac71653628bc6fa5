//! The dialogs of a scripted MCP client on standard input and output, in both protocol eras.

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
pub(crate) fn agent_with_dialogs(directory: &Directory, era: Era, args: &[&str]) -> Agent {
    agent_that_replies(directory, era, Replies::ByAPerson, args)
}

pub(crate) fn agent_that_replies(
    directory: &Directory,
    era: Era,
    replies: Replies,
    args: &[&str],
) -> Agent {
    let config = config(directory, replies);
    let mut all = vec!["--config", config.as_str()];
    all.extend(args);
    Agent::with_capabilities(directory, ("test-agent", era), &all, capabilities())
}

/// A dialog that waits for its reply.
#[derive(Debug)]
pub(crate) struct Dialog {
    era: Era,
    /// The call that waits, in the old era.
    pub(crate) call: i64,
    /// What the call was.
    params: Value,
    /// The request to the client, in the old era.
    request: Value,
    /// What the dialog shows.
    pub(crate) shown: Value,
    pub(crate) state: Value,
}

impl Dialog {
    /// Calls a tool, and waits for the dialog.
    pub(crate) fn open(agent: &mut Agent, era: Era, tool: &str, arguments: &Value) -> Dialog {
        let params = json!({"name": tool, "arguments": arguments});
        let call = agent.request("tools/call", params.clone());
        Dialog::next(agent, era, call, params)
    }

    /// The dialog that a call opens.
    fn next(agent: &mut Agent, era: Era, call: i64, params: Value) -> Dialog {
        let message = agent.message();
        let (shown, state) = match era {
            Era::Old => {
                assert_eq!(message["method"], "elicitation/create", "{message}");
                (message["params"].clone(), Value::Null)
            }
            Era::New => {
                let result = &message["result"];
                assert_eq!(result["resultType"], "input_required", "{message}");
                let request = &result["inputRequests"]["question"];
                assert_eq!(request["method"], "elicitation/create", "{message}");
                (request["params"].clone(), result["requestState"].clone())
            }
        };
        Dialog {
            era,
            call,
            params,
            request: message["id"].clone(),
            shown,
            state,
        }
    }

    /// Sends the reply. Returns the call that gets the result.
    pub(crate) fn reply(&self, agent: &mut Agent, reply: &Value) -> i64 {
        if self.era == Era::Old {
            agent.write(&json!({"jsonrpc": "2.0", "id": self.request, "result": reply}));
            return self.call;
        }
        self.retry(agent, &json!({"question": reply}))
    }

    /// Makes the call of the new era again with these responses.
    pub(crate) fn retry(&self, agent: &mut Agent, responses: &Value) -> i64 {
        let mut params = self.params.clone();
        params["requestState"] = self.state.clone();
        params["inputResponses"] = responses.clone();
        agent.request("tools/call", params)
    }

    /// Sends a reply that is no answer, and gives the dialog that follows.
    pub(crate) fn reply_and_reopen(&self, agent: &mut Agent, reply: &Value) -> Dialog {
        let call = self.reply(agent, reply);
        Dialog::next(agent, self.era, call, self.params.clone())
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
