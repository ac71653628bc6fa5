//! `askback serve`: the server.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::bail;
use askback_wire::server_process::ServerRole;

use crate::args::{LogFormat, ServeArgs};
use crate::connect::{is_embedded_elsewhere, take_data_dir};
use crate::embedded_server::{EmbeddedServer, ServerPlan, listen};
use crate::failure::Failure;
use crate::settings::Settings;
use crate::{logging, provider, runtime};

/// The port unless it is said otherwise.
const PORT: u16 = 7777;

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    logging::start(args.log.unwrap_or(LogFormat::Pretty));
    runtime::block_on(serve(args))?;
    Ok(())
}

async fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let settings = Settings::gather(&args.settings)?;
    let usual = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT));
    // What is wrong with the settings is said before a server that runs is asked to stop.
    let llm = provider::choose(&settings)?;
    let address = settings.listen.unwrap_or(usual);
    let early = match listen(&settings, address).await {
        Ok(listener) => Some(listener),
        // Nobody is asked to hand over in favour of a server that cannot listen.
        Err(error) if is_embedded_elsewhere(&settings.data) => return Err(error),
        // Another serve that is about to stop may have the address until then.
        Err(error) => {
            tracing::debug!("{error:#}; trying again later");
            None
        }
    };
    let directory = take_data_dir(&settings.data).await?;
    let listener = match early {
        Some(listener) => listener,
        None => listen(&settings, address).await?,
    };
    let plan = ServerPlan {
        role: ServerRole::Dedicated,
        listener,
        llm,
    };
    let server = EmbeddedServer::start(&settings, directory, plan).await?;
    if let Err(error) = say_where(&server, &settings) {
        // Whoever started it may have read the first line and gone.
        tracing::debug!(%error, "nobody reads where the server is");
    }
    tokio::select! {
        () = runtime::stop_signal() => tracing::info!("stopping"),
        () = server.stopping() => {
            server.stop().await?;
            let data = settings.data.display();
            bail!("the data directory {data} was removed or replaced: start the server again");
        }
    }
    server.stop().await
}

/// The bare address comes first, for programs; then how to get in, for people. A token that was
/// made here is shown in the address that exchanges it for a cookie; one that somebody chose they
/// know, and it stays out of what may be a log.
fn say_where(server: &EmbeddedServer, settings: &Settings) -> std::io::Result<()> {
    let address = server.discovery.base_url();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{address}")?;
    if settings.token.is_none() {
        writeln!(
            out,
            "In a browser: {address}/?token={}",
            server.discovery.token.reveal()
        )?;
        let token = settings.data.join("token");
        writeln!(
            out,
            "Programs authenticate with the token in {}.",
            token.display()
        )?;
    } else {
        writeln!(out, "In a browser: {address}/?token=… with your token")?;
    }
    writeln!(out, "The API is described at {address}/openapi.json")?;
    out.flush()
}
