//! The options of an MCP server.

use std::time::Duration;

use askback_core::dialect::Dialect;
use askback_core::text::Text;
use askback_wire::elicitation_form::FormWords;

/// The options of an MCP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpOptions {
    /// The ask tools that the model sees.
    pub dialects: Vec<Dialect>,
    /// Overrides how long a call waits for an answer. By default that depends on the client.
    pub hold: Option<Duration>,
    /// What the agent works on, usually a directory. People see its last part.
    pub project: Option<String>,
    /// The alias of the person or group whom the agent asks. A client over HTTP names it in [`RECIPIENT_HEADER`](crate::RECIPIENT_HEADER).
    pub recipient: Option<String>,
    /// The name of the agent's token, if the server was reached with one. Such an agent may not answer, so that no dialog is
    /// opened.
    pub token: Option<Text>,
    /// Whether dialogs of the client show questions, too.
    pub elicitation: Elicitation,
    /// A dialog that is refused faster than this was refused by a program: nobody is there.
    pub instant_reply: Duration,
    /// Words in these dialogs, in the language of the person.
    pub form_words: FormWords,
}

/// Whether dialogs of the client show questions, beside the inbox. Only clients of the `initialize` era have them: one of the
/// 2026-07-28 era cannot be told to close a dialog after the question was answered elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Elicitation {
    /// Never.
    Off,
    /// If the client says that it has dialogs, and is not known to fail on them.
    #[default]
    Auto,
    /// If the client says that it has dialogs.
    Always,
}

impl Default for McpOptions {
    fn default() -> McpOptions {
        McpOptions {
            dialects: vec![Dialect::AskUserQuestion],
            hold: None,
            project: None,
            recipient: None,
            token: None,
            elicitation: Elicitation::default(),
            instant_reply: Duration::from_millis(300),
            form_words: FormWords::default(),
        }
    }
}
