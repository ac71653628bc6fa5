//! `askback mcp`: an agent asks over MCP on standard input and output.

use std::path::Path;

use askback_core::outcome::Surface;
use askback_mcp::{Options, Place, Presence};
use askback_wire::duration::HumanDuration;

use crate::args::{LogFormat, McpArgs};
use crate::connect::{Connection, Model, Patience, actor};
use crate::failure::Failure;
use crate::settings::{self, Settings, variable};
use crate::{logging, runtime};

pub(crate) fn run(args: &McpArgs) -> Result<(), Failure> {
    logging::start(LogFormat::Pretty);
    let options = options(args)?;
    let runtime = runtime::start()?;
    let served = runtime.block_on(serve(args, options));
    // Standard input cannot be read without blocking everywhere; nobody waits for it here.
    runtime.shutdown_background();
    Ok(served?)
}

fn options(args: &McpArgs) -> anyhow::Result<Options> {
    let file = settings::mcp(args.connect.settings.config.as_deref())?;
    let mut options = Options::default();
    if !args.tools.is_empty() {
        options.dialects = args.tools.iter().map(|tool| tool.0).collect();
    } else if !file.tools.is_empty() {
        options.dialects = file.tools;
    }
    options.hold = args.hold.or(file.hold).map(HumanDuration::std_duration);
    Ok(options)
}

async fn serve(args: &McpArgs, options: Options) -> anyhow::Result<()> {
    let data = Settings::gather(&args.connect.settings)?.data;
    let session = variable("CLAUDE_CODE_SESSION_ID");
    let presence = Presence::begin(&data.join("agents"), session.as_deref());
    let connection = Connection::open_with(&args.connect, Model::OrNone, Patience::None).await?;
    let client = connection.client.clone().acting_as(&actor(Surface::Mcp));
    let place = place(args.project.as_deref());
    tokio::select! {
        finished = askback_mcp::serve_stdio(client, options, place, presence) => finished?,
        () = runtime::stop_signal() => {}
    }
    connection.close().await
}

/// What the agent works on.
fn place(project: Option<&str>) -> Place {
    let named = project.map(str::to_owned);
    let named = named.or_else(|| variable("CLAUDE_PROJECT_DIR"));
    let here = || {
        let directory = std::env::current_dir().ok()?;
        directory.to_str().map(str::to_owned)
    };
    let project = named.or_else(here).map(|project| {
        let real = Path::new(&project).canonicalize().ok();
        real.and_then(|path| path.to_str().map(str::to_owned))
            .unwrap_or(project)
    });
    Place { project }
}
