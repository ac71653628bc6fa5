//! Questions that only wait: what they cost in memory, on disk and at a restart.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::Connection;
use crate::process::{self, Server};
use crate::{question, script};

/// Connections that ask side by side.
const LANES: usize = 64;
/// How often a list is read; the middle time counts.
const READS: usize = 51;
/// How long an idle server is watched.
const IDLE: Duration = Duration::from_secs(20);

/// What a number of parked questions came to.
#[derive(Debug)]
pub(crate) struct Parked {
    pub(crate) memory: u64,
    /// The size of its files after it has ended in good order.
    pub(crate) disk: u64,
    pub(crate) payload: u64,
    pub(crate) list: Duration,
    /// From the kill to the first answer taken, start of the process included.
    pub(crate) restart: Duration,
    /// The share of one processor that waiting takes.
    pub(crate) idle: f64,
}

#[derive(Deserialize)]
struct Page {
    items: Vec<Value>,
}

/// Parks questions and measures around them. The server goes on.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
pub(crate) async fn measure(
    binary: &Path,
    data: &Path,
    count: usize,
) -> anyhow::Result<(Server, Parked)> {
    let server = Server::askback(binary, data, &script())?;
    let parked = park(&server, count).await;
    parked.map_err(|error| server.explain(error))?;
    server.stop()?;
    let disk = process::size(data)?;
    Server::askback(binary, data, &script())?.kill()?;
    let start = Instant::now();
    let server = Server::askback(binary, data, &script())?;
    let measured = measure_parked(&server, (disk, start)).await;
    let parked = measured.map_err(|error| server.explain(error))?;
    Ok((server, parked))
}

/// Measures a server that was started just now, and whose data took so much room.
async fn measure_parked(server: &Server, (disk, start): (u64, Instant)) -> anyhow::Result<Parked> {
    let id = pending(server).await?.0.context("something waits")?;
    let mut connection = Connection::open(&server.address).await?;
    let path = format!("/inquiries/{id}/answer");
    connection
        .send("POST", &path, r#"{"answers":{"q1":"Yes"}}"#)
        .await?;
    let restart = start.elapsed();
    let mut times = Vec::new();
    for _ in 0..READS {
        times.push(pending(server).await?.1);
    }
    times.sort();
    let memory = server.memory()?;
    let used = server.used()?.cpu;
    tokio::time::sleep(IDLE).await;
    let idle = server.used()?.cpu.saturating_sub(used).as_secs_f64() / IDLE.as_secs_f64();
    Ok(Parked {
        memory,
        disk,
        payload: question().to_string().len() as u64,
        list: times[READS / 2],
        restart,
        idle,
    })
}

async fn park(server: &Server, count: usize) -> anyhow::Result<()> {
    let body = json!({"dialect": "question", "input": question()}).to_string();
    let mut tasks = Vec::new();
    for lane in 0..LANES {
        let mut connection = Connection::open(&server.address).await?;
        let body = body.clone();
        tasks.push(tokio::spawn(async move {
            for _ in (lane..count).step_by(LANES) {
                connection.send("POST", "/inquiries", &body).await?;
            }
            anyhow::Ok(())
        }));
    }
    for task in tasks {
        task.await??;
    }
    Ok(())
}

/// The first id of the pending list, and how long it took to read its first page.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
async fn pending(server: &Server) -> anyhow::Result<(Option<String>, Duration)> {
    let mut connection = Connection::open(&server.address).await?;
    let start = Instant::now();
    let page = connection
        .send("GET", "/inquiries?status=pending&limit=50", "")
        .await?;
    let taken = start.elapsed();
    let page: Page = serde_json::from_slice(&page)?;
    let id = page.items.first().and_then(|item| item["id"].as_str());
    Ok((id.map(str::to_owned), taken))
}
