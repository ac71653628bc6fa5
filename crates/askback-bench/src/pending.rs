//! Pending questions: their cost in memory, on disk and at a restart.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::clients::Asker;
use crate::comparison::run_alternating;
use crate::cycles::{ms, ratio};
use crate::http::Connection;
use crate::process::{self, Server};
use crate::table::Row;
use crate::{Scale, empty_directory, question, script};

/// Connections that ask concurrently.
const CONNECTIONS: usize = 64;
/// How often a list is read; the median counts.
const READS: usize = 51;
/// How long an idle server is watched.
const IDLE: Duration = Duration::from_secs(20);

/// What a number of pending questions costs.
#[derive(Debug)]
struct PendingCosts {
    memory: u64,
    /// The size of the files after a graceful shutdown.
    disk: u64,
    payload: u64,
    list: Duration,
    /// From `kill -9` to the first answer accepted, start of the process included.
    restart: Duration,
    /// The share of one processor that the idle server uses.
    idle: f64,
}

#[derive(Deserialize)]
struct InquiryPage {
    items: Vec<Value>,
}

/// Compares few pending questions with many.
pub(crate) async fn measure(binary: &Path, root: &Path, scale: &Scale) -> anyhow::Result<Vec<Row>> {
    println!("measuring pending questions");
    let few_in = empty_directory(root, "pending", scale.pending_few)?;
    let (few_server, few) = measure_count(binary, &few_in, scale.pending_few).await?;
    let many_in = empty_directory(root, "pending", scale.pending_many)?;
    let (many_server, many) = measure_count(binary, &many_in, scale.pending_many).await?;
    let cycles = scale.cycles_alone.min(500);
    let servers = [&few_server, &many_server];
    let [few_cycle, many_cycle] = run_alternating(servers, (Asker::BuiltIn, 1), cycles).await?;
    let cycle = many_cycle.p50.as_secs_f64() / few_cycle.p50.as_secs_f64();
    let cycles = format!("{} / {} ms", ms(many_cycle.p50), ms(few_cycle.p50));
    let mut rows = rows(&few, &many, scale);
    rows.push(Row::at_most(
        6,
        "cycle p50, many of few pending",
        cycle,
        1.2,
        cycles,
    ));
    Ok(rows)
}

fn rows(few: &PendingCosts, many: &PendingCosts, scale: &Scale) -> Vec<Row> {
    let grown = many.memory.saturating_sub(few.memory);
    let each = ratio(grown, scale.pending_many as u64);
    let resident = format!("{} / {} bytes", many.memory, few.memory);
    let all = ratio(many.memory, 1 << 20);
    let more = (scale.pending_many - scale.pending_few) as u64;
    let disk = ratio(many.disk.saturating_sub(few.disk), more);
    let disk_max = ratio(2 * many.payload + 512, 1);
    let payload = format!("payload {} bytes", many.payload);
    let list = many.list.as_secs_f64() / few.list.as_secs_f64();
    let lists = format!("{} / {} ms", ms(many.list), ms(few.list));
    let restart = many.restart.as_secs_f64();
    let restarts = format!("{} ms with few", ms(few.restart));
    let none = String::new;
    vec![
        Row::at_most(
            4,
            "bytes of memory per pending question",
            each,
            64.0,
            resident,
        ),
        Row::at_most(4, "MiB of memory with all pending", all, 48.0, none()),
        Row::at_most(
            5,
            "bytes on disk per pending question",
            disk,
            disk_max,
            payload,
        ),
        Row::at_most(6, "first page of the inbox, many of few", list, 1.5, lists),
        Row::at_most(7, "seconds from kill to an answer", restart, 0.3, restarts),
        Row::at_most(8, "processor share while idle", many.idle, 0.001, none()),
    ]
}

/// Asks `count` questions, restarts the server and measures it. Returns the running server.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
async fn measure_count(
    binary: &Path,
    data: &Path,
    count: usize,
) -> anyhow::Result<(Server, PendingCosts)> {
    let server = Server::askback(binary, data, &script())?;
    let asked = ask(&server, count).await;
    asked.map_err(|error| server.explain(error))?;
    server.stop()?;
    let disk = process::size(data)?;
    Server::askback(binary, data, &script())?.kill()?;
    let start = Instant::now();
    let server = Server::askback(binary, data, &script())?;
    let measured = measure_restarted(&server, (disk, start)).await;
    let measured = measured.map_err(|error| server.explain(error))?;
    Ok((server, measured))
}

/// Measures a server that was started at `start`, and whose files have this size.
async fn measure_restarted(
    server: &Server,
    (disk, start): (u64, Instant),
) -> anyhow::Result<PendingCosts> {
    let id = first_page(server).await?.0.context("nothing is pending")?;
    let mut connection = Connection::open(&server.address).await?;
    let path = format!("/inquiries/{id}/answer");
    connection
        .send("POST", &path, r#"{"answers":{"q1":"Yes"}}"#)
        .await?;
    let restart = start.elapsed();
    let mut times = Vec::new();
    for _ in 0..READS {
        times.push(first_page(server).await?.1);
    }
    times.sort();
    let memory = server.memory()?;
    let used = server.resource_usage()?.cpu;
    tokio::time::sleep(IDLE).await;
    let idle = server
        .resource_usage()?
        .cpu
        .saturating_sub(used)
        .as_secs_f64()
        / IDLE.as_secs_f64();
    Ok(PendingCosts {
        memory,
        disk,
        payload: question().to_string().len() as u64,
        list: times[READS / 2],
        restart,
        idle,
    })
}

async fn ask(server: &Server, count: usize) -> anyhow::Result<()> {
    let body = json!({"dialect": "question", "input": question()}).to_string();
    let mut tasks = Vec::new();
    for first in 0..CONNECTIONS {
        let mut connection = Connection::open(&server.address).await?;
        let body = body.clone();
        tasks.push(tokio::spawn(async move {
            for _ in (first..count).step_by(CONNECTIONS) {
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
async fn first_page(server: &Server) -> anyhow::Result<(Option<String>, Duration)> {
    let mut connection = Connection::open(&server.address).await?;
    let start = Instant::now();
    let page = connection
        .send("GET", "/inquiries?status=pending&limit=50", "")
        .await?;
    let taken = start.elapsed();
    let page: InquiryPage = serde_json::from_slice(&page)?;
    let id = page.items.first().and_then(|item| item["id"].as_str());
    Ok((id.map(str::to_owned), taken))
}
