//! A question that an agent asks without MCP, such as through a hook.
//!
//! It follows the same rules as a tool call: the same call of the same session attaches to the open question, an
//! outcome that was not delivered is told to the next session of the same agent in the same project, and
//! nothing is resolved because the asking process ends.

use askback_client::{Client, ClientError};
use askback_core::dialect::Dialect;
use askback_core::id::InquiryId;
use askback_wire::asker::DeliveryState;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use rmcp::model::Implementation;
use serde_json::Value;
use uuid::Uuid;

use crate::call::executor::ToolExecutor;
use crate::call::retry::retry_while_unreachable;
use crate::delivery::report_delivery;
use crate::options::McpOptions;
use crate::session::asker::Asker;
use crate::session::lock::SessionLock;
use crate::session::{CallSession, Sessions};

/// Asks as one session of an agent.
pub struct AgentQuestions {
    recipient: Option<String>,
    executor: ToolExecutor,
    asker: Asker,
}

askback_core::debug_only!(AgentQuestions: asker);

impl AgentQuestions {
    /// `agent` is the name under which the agent also connects over MCP, such as `claude-code`.
    pub fn new(
        client: Client,
        agent: &str,
        project: Option<&str>,
        session_lock: SessionLock,
    ) -> AgentQuestions {
        let session = CallSession::agent(session_lock.session());
        let info = Implementation::new(agent, "");
        AgentQuestions {
            asker: Asker::new(Some(&info), project, session, None),
            recipient: None,
            executor: ToolExecutor::new(
                client,
                McpOptions::default(),
                Sessions::Process(session_lock),
            ),
        }
    }

    /// The same for the person or group with this alias.
    #[must_use]
    pub fn addressed_to(mut self, recipient: Option<String>) -> AgentQuestions {
        self.recipient = recipient;
        self
    }

    /// Asks, or returns the question of the same call in the same session of the agent, if no delivery of its
    /// outcome was started.
    pub async fn ask(
        &self,
        dialect: Dialect,
        input: Value,
    ) -> Result<InquiryResponse, ClientError> {
        self.executor.take_over(&self.asker).await?;
        let params = NewInquiryParams {
            dialect: Some(dialect.name().to_owned()),
            input,
            source: Some(self.asker.source()),
            key: Some(format!("agent-{}", Uuid::now_v7().simple())),
            asker: Some(self.asker.to_params()),
            recipient: self.recipient.clone(),
            ..NewInquiryParams::default()
        };
        let client = self.executor.client_of(&self.asker);
        let asked = retry_while_unreachable(|| client.ask(&params)).await?;
        self.executor.attachments.attach(&asked).await;
        Ok(asked)
    }

    /// Shows other processes that the session runs. Never returns.
    pub async fn note_that_it_runs(&self) {
        self.executor.sessions.note_that_it_runs().await;
    }

    /// Reports that the outcome is about to be given to the agent, or whether it was.
    pub async fn report_delivery(&self, id: &InquiryId, state: DeliveryState) {
        report_delivery(&self.executor.client, id, state).await;
    }
}
