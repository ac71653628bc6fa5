//! `askback serve`: runs the server until it is stopped.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};

use askback_server::DEFAULT_PORT;
use askback_wire::server_process::ServerRole;

use super::phone;
use crate::args::{LogFormat, ServeArgs};
use crate::connect::{embedded_server_runs, take_data_dir};
use crate::embedded_server::{EmbeddedServer, ServerStart, listen, listen_for_phone};
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;
use crate::{logging, provider, runtime};

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let format = args.log.unwrap_or(LogFormat::Pretty);
    logging::start(format);
    let serve = || runtime::block_on(serve(args, format));
    #[cfg(feature = "otel")]
    let serve = || crate::trace_export::during(serve);
    match (serve(), format) {
        (Err(error), LogFormat::Json) => {
            tracing::error!("{error:#}");
            Err(Failure::Ended(1))
        }
        (served, LogFormat::Json | LogFormat::Pretty) => Ok(served?),
    }
}

async fn serve(args: &ServeArgs, format: LogFormat) -> anyhow::Result<()> {
    let mut settings = Settings::gather(&args.settings)?;
    #[cfg(feature = "conformance")]
    {
        settings.mcp.conformance = args.conformance;
    }
    let default = SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT));
    // Fails on wrong settings before a running server is asked to hand over.
    let llm = provider::or_scripted(&settings)?;
    if let Some(problem) = llm.setup_problem() {
        tracing::warn!("{problem}");
    }
    let address = settings.listen.unwrap_or(default);
    let early = match listen(&settings, address).await {
        Ok(listener) => Some(listener),
        // Without a port there is no point in asking another process to hand over.
        Err(error) if embedded_server_runs(&settings.data) => return Err(error),
        // A stopping `askback serve` may still hold the port.
        Err(error) => {
            tracing::debug!("{error:#}; retrying later");
            None
        }
    };
    let directory = take_data_dir(&settings.data).await?;
    let listener = match early {
        Some(listener) => listener,
        None => listen(&settings, address).await?,
    };
    let is_local = listener.local_addr()?.ip().is_loopback();
    let phone = if args.phone && is_local {
        Some(listen_for_phone(listener.local_addr()?.port()).await?)
    } else {
        None
    };
    if let (Some(phone), None) = (&phone, &settings.public_url) {
        let url = format!("http://{}", phone.local_addr()?);
        settings.public_url = Some(url.parse()?);
    }
    let start = ServerStart {
        role: ServerRole::Dedicated,
        listener,
        phone,
        llm,
    };
    let server = EmbeddedServer::start(&settings, directory, start).await?;
    // Whoever reads the address may stop the server at once.
    let stop = runtime::stop_signal();
    let printed = match format {
        LogFormat::Json => print_event(&server, &settings),
        LogFormat::Pretty if args.phone => print_address(&server, &settings),
        LogFormat::Pretty => {
            print_address(&server, &settings).and_then(|()| print_for_programs(&server, &settings))
        }
    };
    if let Err(error) = printed {
        // The parent process may have read the first line and closed the pipe.
        tracing::debug!(%error, "cannot print the address");
    }
    if args.phone
        && let Err(error) = print_phone_code(&server).await
    {
        tracing::warn!("no code for a phone: {error:#}");
    }
    tokio::select! {
        () = stop => tracing::info!("stopping"),
        // Nothing else stops it: no process takes over from `askback serve`.
        () = server.stopping() => {}
    }
    server.stop().await
}

async fn print_phone_code(server: &EmbeddedServer) -> anyhow::Result<()> {
    let client = askback_client::Client::discovered(&server.discovery)?;
    let code = phone::create_code(&client, None).await?;
    match phone::print(&code) {
        Ok(()) | Err(Failure::Ended(_)) => Ok(()),
        Err(Failure::Refused(text)) => Err(anyhow::anyhow!(text)),
        Err(Failure::Broken(error)) => Err(error),
    }
}

/// One JSON object. It goes to a log, so it names the file of a generated token, not the token.
fn print_event(server: &EmbeddedServer, settings: &Settings) -> std::io::Result<()> {
    let address = server.discovery.base_url();
    let token_file = settings
        .token
        .is_none()
        .then(|| settings.data.join("token"));
    let event = serde_json::json!({
        "timestamp": jiff::Timestamp::now(),
        "level": "INFO",
        "fields": {
            "message": "listening",
            "address": address,
            "openapi": format!("{address}/openapi.json"),
            "token_file": token_file,
        },
    });
    let mut out = output::stdout();
    writeln!(out, "{event}")?;
    out.flush()
}

/// The first line is the bare address, for programs. A generated token is printed in an address that
/// signs a browser in. A token that the user chose is not printed, because output may go to a log.
fn print_address(server: &EmbeddedServer, settings: &Settings) -> std::io::Result<()> {
    let address = server.discovery.base_url();
    let mut out = output::stdout();
    writeln!(out, "{address}")?;
    if settings.token.is_none() {
        writeln!(
            out,
            "In a browser: {address}/?token={}",
            server.discovery.token.reveal()
        )?;
    } else {
        writeln!(out, "In a browser: {address}/?token=… with your token")?;
    }
    out.flush()
}

/// Where a program finds what it needs. Whoever wants to scan a code reads only that.
fn print_for_programs(server: &EmbeddedServer, settings: &Settings) -> std::io::Result<()> {
    let address = server.discovery.base_url();
    let mut out = output::stdout();
    if settings.token.is_none() {
        let token = settings.data.join("token");
        writeln!(
            out,
            "Programs authenticate with the token in {}.",
            token.display()
        )?;
    }
    writeln!(out, "The API is described at {address}/openapi.json")?;
    out.flush()
}
