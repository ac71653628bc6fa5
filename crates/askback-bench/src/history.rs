//! Whether a cycle writes more when the conversation is long.

use std::path::Path;

use crate::clients::{Asker, Clients};
use crate::cycles::ms;
use crate::process::Server;
use crate::table::Row;
use crate::{Scale, empty_directory, script};

pub(crate) async fn measure(binary: &Path, root: &Path, scale: &Scale) -> anyhow::Result<Row> {
    println!("measuring a growing conversation");
    let server = Server::askback(binary, &empty_directory(root, "history", 0)?, &script())?;
    let row = grow(&server, scale).await;
    row.map_err(|error| server.explain(error))
}

async fn grow(server: &Server, scale: &Scale) -> anyhow::Result<Row> {
    let mut clients = Clients::open(server, Asker::BuiltIn, 1).await?;
    let warm = clients.run(server, 10).await?.stats()?;
    let short = clients.run(server, 200).await?.stats()?;
    let between = scale.history.saturating_sub(210);
    clients.run(server, between).await?;
    let long = clients.run(server, 200).await?.stats()?;
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
