//! Pending questions: their cost in memory, on disk and at a restart.

use std::path::Path;
use std::sync::Arc;
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
/// How often to check whether agents have asked.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
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
}

#[derive(Deserialize)]
struct Page {
    items: Vec<Value>,
}

/// Compares few pending questions with many.
pub(crate) async fn measure(
    binary: &Path,
    root: &Path,
    asker: Asker,
    scale: &Scale,
) -> anyhow::Result<Vec<Row>> {
    let path = asker.name();
    println!("measuring pending questions, {path}");
    let data = |count| empty_directory(root, &format!("pending-{path}"), count);
    let (few_count, many_count) = (scale.pending_few, scale.pending_many);
    let (few_server, few) = measure_count(binary, &data(few_count)?, asker, few_count).await?;
    let (many_server, many) = measure_count(binary, &data(many_count)?, asker, many_count).await?;
    let idle = idle_share(&many_server).await?;
    let cycles = scale.cycles_alone.min(500);
    let servers = [&few_server, &many_server];
    let [few_cycle, many_cycle] = run_alternating(servers, asker, 1, cycles).await?;
    let cycle = many_cycle.p50.as_secs_f64() / few_cycle.p50.as_secs_f64();
    let cycles = format!("{} / {} ms", ms(many_cycle.p50), ms(few_cycle.p50));
    let mut rows = rows(path, &few, &many, scale);
    let what = format!("{path}: processor share while idle");
    rows.push(Row::at_most(8, &what, idle, 0.001, String::new()));
    let what = format!("{path}: cycle p50, many of few pending");
    rows.push(Row::at_most(6, &what, cycle, 1.2, cycles));
    if asker == Asker::External {
        rows.push(nothing_pending(&few_server, &many_server).await?);
    }
    Ok(rows)
}

/// The pending list when all questions are answered, with many of them and with few.
async fn nothing_pending(few: &Server, many: &Server) -> anyhow::Result<Row> {
    let mut lists = Vec::new();
    for server in [few, many] {
        let answered = answer_all(server).await;
        answered.map_err(|error| server.explain(error))?;
        lists.push(median_list(server).await?);
    }
    let [few, many] = <[_; 2]>::try_from(lists).map_err(|_| anyhow::anyhow!("two lists"))?;
    let times = many.as_secs_f64() / few.as_secs_f64();
    let from = format!("{} / {} ms", ms(many), ms(few));
    let what = "empty pending list, many answered of few";
    Ok(Row::at_most(6, what, times, 1.5, from))
}

fn rows(path: &str, few: &PendingCosts, many: &PendingCosts, scale: &Scale) -> Vec<Row> {
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
    let row = |target, what: &str, measured, limit, from| {
        Row::at_most(target, &format!("{path}: {what}"), measured, limit, from)
    };
    vec![
        row(
            4,
            "bytes of memory per pending question",
            each,
            64.0,
            resident,
        ),
        row(
            4,
            "MiB of memory with all pending",
            all,
            48.0,
            String::new(),
        ),
        row(
            5,
            "bytes on disk per pending question",
            disk,
            disk_max,
            payload,
        ),
        row(6, "first page of the inbox, many of few", list, 1.5, lists),
        row(7, "seconds from kill to an answer", restart, 0.3, restarts),
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
    asker: Asker,
    count: usize,
) -> anyhow::Result<(Server, PendingCosts)> {
    let server = Server::askback(binary, data, &script())?;
    let questions = ask(&server, asker, count).await;
    questions.map_err(|error| server.explain(error))?;
    server.stop()?;
    let disk = process::size(data)?;
    Server::askback(binary, data, &script())?.kill()?;
    let start = Instant::now();
    let server = Server::askback(binary, data, &script())?;
    let measured = measure_restarted(&server, disk, start).await;
    let measured = measured.map_err(|error| server.explain(error))?;
    Ok((server, measured))
}

/// Measures a server that was started at `start`, and whose files have this size.
async fn measure_restarted(
    server: &Server,
    disk: u64,
    start: Instant,
) -> anyhow::Result<PendingCosts> {
    let id = first_page(server).await?.0.context("nothing is pending")?;
    let mut connection = Connection::open(&server.address).await?;
    let path = format!("/inquiries/{id}/answer");
    connection
        .send("POST", &path, r#"{"answers":{"q1":"Yes"}}"#)
        .await?;
    let restart = start.elapsed();
    let list = median_list(server).await?;
    let memory = server.memory()?;
    Ok(PendingCosts {
        memory,
        disk,
        payload: question().to_string().len() as u64,
        list,
        restart,
    })
}

/// The share of one processor that the idle server uses.
async fn idle_share(server: &Server) -> anyhow::Result<f64> {
    let before = server.resource_usage()?.cpu;
    tokio::time::sleep(IDLE).await;
    let used = server.resource_usage()?.cpu.saturating_sub(before);
    Ok(used.as_secs_f64() / IDLE.as_secs_f64())
}

/// Asks `count` questions, and returns when all are pending.
async fn ask(server: &Server, asker: Asker, count: usize) -> anyhow::Result<()> {
    let (path, body) = if asker == Asker::BuiltIn {
        ("/conversations", json!({"message": "go"}))
    } else {
        let body = json!({"dialect": "question", "input": question()});
        ("/inquiries", body)
    };
    let body = body.to_string();
    let requests = (0..count)
        .map(|_| (path.to_owned(), body.clone()))
        .collect();
    post_all(server, requests).await?;
    if asker == Asker::BuiltIn {
        all_have_asked(server).await?;
    }
    Ok(())
}

/// Sends requests over several connections.
async fn post_all(server: &Server, requests: Vec<(String, String)>) -> anyhow::Result<()> {
    let requests = Arc::new(requests);
    let mut tasks = Vec::new();
    for first in 0..CONNECTIONS {
        let mut connection = Connection::open(&server.address).await?;
        let requests = Arc::clone(&requests);
        tasks.push(tokio::spawn(async move {
            for (path, body) in requests.iter().skip(first).step_by(CONNECTIONS) {
                connection.send("POST", path, body).await?;
            }
            anyhow::Ok(())
        }));
    }
    for task in tasks {
        task.await??;
    }
    Ok(())
}

/// Waits until no agent has anything left to do but wait.
async fn all_have_asked(server: &Server) -> anyhow::Result<()> {
    let mut connection = Connection::open(&server.address).await?;
    for state in ["llm_requesting", "tool_executing"] {
        let path = format!("/conversations?state={state}&limit=1");
        loop {
            let page = connection.send("GET", &path, "").await?;
            if serde_json::from_slice::<Page>(&page)?.items.is_empty() {
                break;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
    Ok(())
}

/// Answers everything that is pending.
async fn answer_all(server: &Server) -> anyhow::Result<()> {
    let mut connection = Connection::open(&server.address).await?;
    loop {
        let path = "/inquiries?status=pending&limit=200";
        let page = connection.send("GET", path, "").await?;
        let page: Page = serde_json::from_slice(&page)?;
        if page.items.is_empty() {
            return Ok(());
        }
        let ids = page.items.iter().filter_map(|item| item["id"].as_str());
        let answer = r#"{"answers":{"q1":"Yes"}}"#.to_owned();
        let requests = ids.map(|id| (format!("/inquiries/{id}/answer"), answer.clone()));
        post_all(server, requests.collect()).await?;
    }
}

/// The median time of reading the first page of the pending list.
async fn median_list(server: &Server) -> anyhow::Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..READS {
        times.push(first_page(server).await?.1);
    }
    times.sort();
    Ok(times[READS / 2])
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
    let page: Page = serde_json::from_slice(&page)?;
    let id = page.items.first().and_then(|item| item["id"].as_str());
    Ok((id.map(str::to_owned), taken))
}
