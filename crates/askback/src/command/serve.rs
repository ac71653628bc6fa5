//! `askback serve`: the server.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};

use crate::args::{LogFormat, ServeArgs};
use crate::carry::Carried;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::{logging, runtime};

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
    let carried = Carried::start(&settings, settings.listen.unwrap_or(usual)).await?;
    say_where(&carried)?;
    runtime::stop_signal().await;
    tracing::info!("stopping");
    carried.stop().await
}

/// The bare address comes first, for programs; the one that opens a browser session follows.
fn say_where(carried: &Carried) -> anyhow::Result<()> {
    let address = &carried.address;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{address}")?;
    writeln!(out, "Open {address}/?token={}", carried.token.reveal())?;
    out.flush()?;
    Ok(())
}
