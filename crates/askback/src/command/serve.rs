//! `askback serve`: the server.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};

use askback_api::server_process::ServerRole;

use crate::args::{LogFormat, ServeArgs};
use crate::connect::take_data_dir;
use crate::embedded_server::{EmbeddedServer, ServerPlan};
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
    let directory = take_data_dir(&settings.data).await?;
    let plan = ServerPlan {
        listen: settings.listen.unwrap_or(usual),
        role: ServerRole::Dedicated,
        llm,
    };
    let server = EmbeddedServer::start(&settings, directory, plan).await?;
    if let Err(error) = say_where(&server, &settings) {
        // Whoever started it may have read the first line and gone.
        tracing::debug!(%error, "nobody reads where the server is");
    }
    runtime::stop_signal().await;
    tracing::info!("stopping");
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
        writeln!(out, "Programs show the token in {}.", token.display())?;
    } else {
        writeln!(out, "In a browser: {address}/?token=… with your token")?;
    }
    writeln!(out, "The API is described at {address}/openapi.json")?;
    out.flush()
}
