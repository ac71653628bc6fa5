//! `askback mcp`: the MCP server on standard input and output.

use std::path::Path;

use askback_core::outcome::Surface;
use askback_mcp::{McpOptions, SessionLock};

use crate::args::{LogFormat, McpArgs};
use crate::connect::{Connection, FallbackModel, TakeoverDelay, actor};
use crate::failure::Failure;
use crate::settings::{Settings, variable};
use crate::{logging, runtime};

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
    let mut options = settings.mcp.options(&settings.data);
    if !args.tools.is_empty() {
        options.dialects = args.tools.iter().map(|tool| tool.0).collect();
    }
    if let Some(hold) = args.hold {
        options.hold = Some(hold.std_duration());
    }
    if let Some(elicitation) = args.elicitation {
        options.elicitation = elicitation.into();
    }
    options.project = project(args.project.as_deref());
    options
}

async fn serve(args: &McpArgs, settings: &Settings, options: McpOptions) -> anyhow::Result<()> {
    let session = variable("CLAUDE_CODE_SESSION_ID");
    let session_lock = SessionLock::acquire(&settings.data.join("agents"), session.as_deref());
    let connection =
        Connection::open_with(&args.connect, FallbackModel::None, TakeoverDelay::None).await?;
    let client = connection.client.clone().acting_as(&actor(Surface::Mcp));
    tokio::select! {
        finished = askback_mcp::serve_stdio(client, options, session_lock) => finished?,
        () = runtime::stop_signal() => {}
    }
    connection.close().await
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
