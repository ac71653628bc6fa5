//! The connection to one MCP server, and the task that keeps it.

use parking_lot::Mutex;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askback_engine::ports::ToolDefinition;
use rmcp::RoleClient;
use rmcp::model::{ProtocolVersion, Tool};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, Peer, RunningService};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport};
use serde_json::Value;
use tokio::io::BufReader;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::watch;

use super::McpServerAddress;
use super::elicitation::{ActiveCalls, ServerRequests};
use super::http_client::LimitedHttpClient;
use super::limited_lines::{CopyEnd, copy_lines};
use super::naming::tool_name;

/// How long connecting and listing the tools may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// The wait before the second attempt. It doubles with each failure.
const RETRY_DELAY_MIN: Duration = Duration::from_secs(1);
const RETRY_DELAY_MAX: Duration = Duration::from_mins(1);

/// Capacity of the pipe between the check of a server's lines and rmcp.
const PIPE_BYTES: usize = 64 << 10;

/// Secrets of askback, which the programs it starts must not get.
const SECRET_VARIABLES: [&str; 5] = [
    "ASKBACK_API_KEY",
    "ASKBACK_TOKEN",
    "ASKBACK_WEBHOOK_SECRET",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
];

pub(super) struct Connection {
    name: String,
    address: McpServerAddress,
    state: Mutex<State>,
    /// Whether the last connection was closed because of a line that was too long.
    line_too_long: Arc<AtomicBool>,
    calls: Arc<ActiveCalls>,
    /// Counts the attempts to connect that have succeeded or failed.
    attempts: watch::Sender<u64>,
}

struct State {
    /// Or why there is no connection.
    peer: Result<Peer<RoleClient>, String>,
    /// The tools of the last connection. They stay while the server is away, so that the model's
    /// tools do not change with every interruption.
    tools: Vec<NamedTool>,
}

struct NamedTool {
    /// The server's own name.
    tool: String,
    definition: ToolDefinition,
}

type Service = RunningService<RoleClient, ServerRequests>;

/// A connection, with the program behind it. Dropping it ends both.
struct Connected {
    service: Service,
    _child: Option<Child>,
}

impl Connection {
    pub(super) fn new(name: String, address: McpServerAddress) -> Connection {
        Connection {
            name,
            address,
            state: Mutex::new(State {
                peer: Err("it is starting".to_owned()),
                tools: Vec::new(),
            }),
            line_too_long: Arc::default(),
            calls: Arc::default(),
            attempts: watch::Sender::new(0),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn calls(&self) -> &ActiveCalls {
        &self.calls
    }

    pub(super) fn peer(&self) -> Result<Peer<RoleClient>, String> {
        self.state.lock().peer.clone()
    }

    pub(super) fn definitions(&self) -> Vec<ToolDefinition> {
        let state = self.state.lock();
        let tools = state.tools.iter();
        tools.map(|tool| tool.definition.clone()).collect()
    }

    /// The server's own name of a tool, by the name that the model sees.
    pub(super) fn tool_name(&self, name: &str) -> Option<String> {
        let state = self.state.lock();
        let found = state.tools.iter().find(|tool| tool.definition.name == name);
        found.map(|tool| tool.tool.clone())
    }

    /// Whether the last connection was closed because the server sent more than can be read.
    pub(super) fn sent_too_much(&self) -> bool {
        self.line_too_long.load(Ordering::Relaxed)
    }

    /// Waits until the first attempt has succeeded or failed.
    pub(super) async fn first_attempt(&self) {
        let mut attempts = self.attempts.subscribe();
        // The sender lives as long as `self`.
        drop(attempts.wait_for(|attempts| *attempts > 0).await);
    }

    /// Waits for a connection, but not for long.
    pub(super) async fn reconnected(&self) {
        let mut attempts = self.attempts.subscribe();
        let connected = attempts.wait_for(|_| self.peer().is_ok());
        if tokio::time::timeout(CONNECT_TIMEOUT, connected)
            .await
            .is_err()
        {
            tracing::warn!(server = self.name, "no connection to go on with a call");
        }
    }

    /// Connects, waits until the connection ends, and connects again, for ever.
    pub(super) async fn keep_connected(self: Arc<Connection>) {
        let mut delay = RETRY_DELAY_MIN;
        loop {
            let attempt = tokio::time::timeout(CONNECT_TIMEOUT, self.connect()).await;
            let reason = match attempt.unwrap_or_else(|_| Err("it does not respond".to_owned())) {
                Ok(connected) => {
                    delay = RETRY_DELAY_MIN;
                    tracing::info!(server = self.name, "connected to the MCP server");
                    self.attempts.send_modify(|attempts| *attempts += 1);
                    let reason = connected.service.waiting().await;
                    tracing::debug!(server = self.name, ?reason, "the connection ended");
                    if self.sent_too_much() {
                        "it sent too much at once".to_owned()
                    } else {
                        "it stopped".to_owned()
                    }
                }
                Err(reason) => reason,
            };
            tracing::warn!(
                server = self.name,
                reason,
                "no connection to the MCP server"
            );
            self.state.lock().peer = Err(reason);
            self.attempts.send_modify(|attempts| *attempts += 1);
            tokio::time::sleep(delay).await;
            delay = (delay * 2).min(RETRY_DELAY_MAX);
        }
    }

    async fn connect(&self) -> Result<Connected, String> {
        let connected = match &self.address {
            McpServerAddress::Command { command, args, env } => {
                let mut command = Command::new(command);
                for variable in SECRET_VARIABLES {
                    command.env_remove(variable);
                }
                let mut child = command
                    .args(args)
                    .envs(env)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null())
                    .kill_on_drop(true)
                    .spawn()
                    .map_err(|error| error.to_string())?;
                let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
                    return Err("it has no standard input or output".to_owned());
                };
                let transport = AsyncRwTransport::new_client(self.check_lines(output), input);
                let service = self.serve(transport).await?;
                Connected {
                    service,
                    _child: Some(child),
                }
            }
            McpServerAddress::Url { url, token } => {
                // TLS needs a process-wide crypto provider. If one is installed already, it stays.
                drop(rustls::crypto::ring::default_provider().install_default());
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                config.auth_header.clone_from(token);
                let client = LimitedHttpClient::new().map_err(|error| error.to_string())?;
                let transport = StreamableHttpClientTransport::with_client(client, config);
                let service = self.serve(transport).await?;
                Connected {
                    service,
                    _child: None,
                }
            }
        };
        let tools = connected.service.peer().list_all_tools().await;
        let tools = tools.map_err(|error| error.to_string())?;
        let mut state = self.state.lock();
        state.tools = tools.into_iter().map(|tool| self.named(tool)).collect();
        state.peer = Ok(connected.service.peer().clone());
        drop(state);
        Ok(connected)
    }

    /// The output of a server. It ends at a line that is too long, and with it the connection.
    fn check_lines(&self, output: ChildStdout) -> tokio::io::DuplexStream {
        let (mut checked, lines) = tokio::io::duplex(PIPE_BYTES);
        let line_too_long = Arc::clone(&self.line_too_long);
        line_too_long.store(false, Ordering::Relaxed);
        tokio::spawn(async move {
            let end = copy_lines(BufReader::new(output), &mut checked).await;
            // Before the pipe is closed, which ends the call.
            line_too_long.store(end == CopyEnd::LineTooLong, Ordering::Relaxed);
            drop(checked);
        });
        lines
    }

    /// Speaks the newest protocol that the server knows.
    async fn serve<T, E, A>(&self, transport: T) -> Result<Service, String>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let requests = ServerRequests {
            server: self.name.clone(),
            calls: Arc::clone(&self.calls),
        };
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::LATEST],
            legacy_version: None,
        };
        let service = requests.serve_with_lifecycle(transport, lifecycle).await;
        service.map_err(|error| error.to_string())
    }

    fn named(&self, tool: Tool) -> NamedTool {
        NamedTool {
            definition: ToolDefinition {
                name: tool_name(&self.name, &tool.name),
                description: tool.description.unwrap_or_default().into_owned(),
                input_schema: Value::Object(tool.input_schema.as_ref().clone()),
            },
            tool: tool.name.into_owned(),
        }
    }
}
