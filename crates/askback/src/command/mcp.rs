//! `askback mcp`: the MCP server on standard input and output.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use askback_client::Client;
use askback_core::outcome::Surface;
use askback_core::text::Text;
use askback_mcp::{McpOptions, SessionLock};
use askback_wire::credential::ScopeName;

use crate::args::{LogFormat, McpArgs};
use crate::connect::{Connection, FallbackModel, TakeoverDelay, actor};
use crate::failure::Failure;
use crate::settings::{Settings, variable};
use crate::{logging, runtime};

/// The window of Claude Code moves a call to the background after two minutes, and its model goes on without the answer.
const CLAUDE_WINDOW_HOLD: Duration = Duration::from_secs(110);

pub(crate) fn run(args: &McpArgs) -> Result<(), Failure> {
    logging::start(LogFormat::Pretty);
    let settings = Settings::gather(&args.connect.settings)?;
    let options = options(args, &settings);
    let runtime = runtime::start()?;
    let served = runtime.block_on(serve(args, &settings, options));
    // A blocked read of standard input would delay the exit.
    runtime.shutdown_background();
    Ok(served?)
}

fn options(args: &McpArgs, settings: &Settings) -> McpOptions {
    let mut options = settings.mcp.options();
    if !args.tools.is_empty() {
        options.dialects.clone_from(&args.tools);
    }
    if let Some(hold) = args.hold {
        options.hold = Some(hold.std_duration());
    }
    if let Some(elicitation) = args.elicitation {
        options.elicitation = elicitation.into();
    }
    let entrypoint = variable("CLAUDE_CODE_ENTRYPOINT");
    options.hold = options.hold.or_else(|| window_hold(entrypoint.as_deref()));
    options.project = project(args.project.as_deref());
    options.recipient.clone_from(&args.to);
    options
}

/// How long a call waits in the window of Claude Code. In `claude -p` it may wait without limit. Both have the same
/// name as MCP clients, but not the same entry point.
fn window_hold(entrypoint: Option<&str>) -> Option<Duration> {
    (entrypoint == Some("cli")).then_some(CLAUDE_WINDOW_HOLD)
}

async fn serve(args: &McpArgs, settings: &Settings, options: McpOptions) -> anyhow::Result<()> {
    let session = variable("CLAUDE_CODE_SESSION_ID");
    let session_lock = SessionLock::acquire(&settings.data.join("agents"), session.as_deref());
    let connection =
        Connection::open_with(&args.connect, FallbackModel::None, TakeoverDelay::NONE).await?;
    let client = connection.client.clone().acting_as(&actor(Surface::Mcp));
    let options = McpOptions {
        token: agent_token(args, &client).await?,
        ..options
    };
    tokio::select! {
        finished = askback_mcp::serve_stdio(client, options, session_lock) => finished?,
        () = runtime::stop_signal() => {}
    }
    connection.close().await
}

/// The name of the agent's token. The server of this computer is reached with the token of its data directory, which may act for
/// every agent.
async fn agent_token(args: &McpArgs, client: &Client) -> anyhow::Result<Option<Text>> {
    if args.connect.url.is_none() {
        return Ok(None);
    }
    match client.me().await {
        Ok(me) => match me.scope {
            ScopeName::Admin => Ok(None),
            ScopeName::Agent => Ok(me.agent.as_deref().and_then(Text::name)),
            scope @ (ScopeName::Respondent
            | ScopeName::Inquiry
            | ScopeName::Metrics
            | ScopeName::Unknown(_)) => bail!(
                "a token with the scope {scope} cannot ask questions. Make one that can: askback token create NAME --scope agent"
            ),
        },
        // The calls say what is wrong.
        Err(error) => {
            tracing::debug!(%error, "cannot ask the server who this is");
            Ok(None)
        }
    }
}

/// --project, what the agent says, or the current directory.
pub(crate) fn project(named: Option<&str>) -> Option<String> {
    let named = named.map(str::to_owned);
    let named = named.or_else(|| variable("CLAUDE_PROJECT_DIR"));
    let here = || {
        let directory = std::env::current_dir().ok()?;
        directory.to_str().map(str::to_owned)
    };
    named.or_else(here).map(|project| {
        let real = Path::new(&project).canonicalize().ok();
        real.and_then(|path| path.to_str().map(str::to_owned))
            .unwrap_or(project)
    })
}

#[cfg(test)]
#[path = "mcp_tests.rs"]
mod tests;
