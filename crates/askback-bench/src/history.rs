//! Whether a cycle writes more when the conversation is long.

use std::path::Path;

use crate::cycles::ms;
use crate::lanes::{Asker, Lanes};
use crate::process::Server;
use crate::table::Row;
use crate::{Extent, empty_directory, script};

pub(crate) async fn measure(binary: &Path, root: &Path, extent: &Extent) -> anyhow::Result<Row> {
    println!("measuring a growing conversation");
    let server = Server::askback(binary, &empty_directory(root, "history", 0)?, &script())?;
    let row = grow(&server, extent).await;
    row.map_err(|error| server.explain(error))
}

async fn grow(server: &Server, extent: &Extent) -> anyhow::Result<Row> {
    let mut lanes = Lanes::open(server, Asker::BuiltIn, 1).await?;
    let warm = lanes.run(server, 10).await?.figures()?;
    let short = lanes.run(server, 200).await?.figures()?;
    let between = extent.history.saturating_sub(210);
    lanes.run(server, between).await?;
    let long = lanes.run(server, 200).await?.figures()?;
    let times = long.written_per_cycle / short.written_per_cycle;
    let from = format!(
        "{:.0} / {:.0} bytes; p50 {} / {} ms; first ten {:.0} bytes",
        long.written_per_cycle,
        short.written_per_cycle,
        ms(long.p50),
        ms(short.p50),
        warm.written_per_cycle
    );
    let what = "bytes written per cycle, long history of short";
    Ok(Row::at_most(5, what, times, 1.1, from))
}
