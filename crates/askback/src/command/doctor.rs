//! `askback doctor`: whether everything works here, and the limits.

use std::io::Write as _;

use crate::args::DoctorArgs;
use crate::connect::Connection;
use crate::failure::Failure;
use crate::runtime;
use crate::settings::Settings;

pub(crate) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let well = runtime::block_on(examine(args))?;
    if well {
        return Ok(());
    }
    Err(Failure::Broken(anyhow::anyhow!(
        "something is not right; see above"
    )))
}

async fn examine(args: &DoctorArgs) -> anyhow::Result<bool> {
    let settings = Settings::gather(&args.connect.settings)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "askback {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "data directory: {}", settings.data.display())?;
    writeln!(
        out,
        "provider: {}",
        settings.provider.as_deref().unwrap_or("scripted")
    )?;
    let connection = match Connection::open(&args.connect).await {
        Ok(connection) => connection,
        Err(error) => {
            writeln!(out, "server: not well: {error:#}")?;
            return Ok(false);
        }
    };
    let client = &connection.client;
    writeln!(out, "server: {}", client.base_url())?;
    let mut well = true;
    for check in client.ready().await?.checks {
        well &= check.ok;
        let verdict = if check.ok { "well" } else { "not well" };
        let detail = check
            .detail
            .map(|detail| format!(": {detail}"))
            .unwrap_or_default();
        writeln!(out, "{}: {verdict}{detail}", check.name)?;
    }
    writeln!(out, "\nlimits:")?;
    let limits = askback_core::limits::ALL
        .iter()
        .chain(askback_api::limits::ALL);
    for (name, limit) in limits {
        writeln!(out, "  {name}: {limit}")?;
    }
    drop(out);
    connection.close().await?;
    Ok(well)
}
