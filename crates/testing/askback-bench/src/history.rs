//! Whether a cycle writes more when the conversation is long.

use std::path::Path;

use crate::clients::{Asker, Clients};
use crate::cycles::ms;
use crate::process::Server;
use crate::table::Row;
use crate::{Scale, empty_directory, script};

pub(crate) async fn measure(binary: &Path, root: &Path, scale: &Scale) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for asker in [Asker::BuiltIn, Asker::ExternalInOneConversation] {
        println!("measuring a growing conversation, {}", asker.name());
        let data = empty_directory(root, &format!("history-{}", asker.name()), 0)?;
        let server = Server::askback(binary, &data, &script())?;
        let row = grow(&server, asker, scale).await;
        rows.push(row.map_err(|error| server.explain(error))?);
    }
    Ok(rows)
}

async fn grow(server: &Server, asker: Asker, scale: &Scale) -> anyhow::Result<Row> {
    let mut clients = Clients::open(server, asker, 1).await?;
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
    let what = format!("{}: bytes per cycle, long history of short", asker.name());
    Ok(Row::at_most(5, &what, times, 1.1, from))
}
