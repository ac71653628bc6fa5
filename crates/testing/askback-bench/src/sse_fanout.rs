//! Many SSE clients: what each costs the server, and how soon a question has reached them all.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;
use tokio::io::{BufReader, Lines};
use tokio::net::TcpStream;

use crate::cycles::ratio;
use crate::http::{self, Connection};
use crate::process::Server;
use crate::table::Row;
use crate::{question, script};

/// Clients that connect at the same time.
const AT_ONCE: usize = 100;
/// Questions asked one after the other.
const QUESTIONS: usize = 20;
/// How long a question may take to reach a client before the run fails.
const EVENT_TIMEOUT: Duration = Duration::from_secs(30);

type Feed = Lines<BufReader<TcpStream>>;

/// Opens this many feeds on one server and asks.
pub(crate) async fn measure(binary: &Path, data: &Path, count: usize) -> anyhow::Result<Vec<Row>> {
    println!("measuring {count} clients");
    let server = Server::askback(binary, data, &script())?;
    let mut connection = Connection::open(&server.address).await?;
    ask(&mut connection).await?;
    let before = server.memory()?;
    let mut feeds = connect(&server, count).await?;
    let grown = server.memory()?.saturating_sub(before);
    let mut times = Vec::new();
    for _ in 0..QUESTIONS {
        let (back, taken) = ask_and_time(&mut connection, feeds).await?;
        feeds = back;
        times.extend(taken);
    }
    times.sort();
    let p99 = times[times.len() * 99 / 100];
    let p50 = times[times.len() / 2];
    let each = ratio(grown, count as u64) / 1024.0;
    let from = format!("{count} feeds, {grown} bytes in all");
    let spread = format!("p50 {:.0} ms, over {QUESTIONS} questions", ms(p50));
    Ok(vec![
        Row::at_most(11, "KB of memory for each client", each, 20.0, from),
        Row::at_most(11, "ms to reach a client, p99", ms(p99), 250.0, spread),
    ])
}

async fn ask(connection: &mut Connection) -> anyhow::Result<()> {
    let body = json!({"dialect": "question", "input": question()}).to_string();
    connection.send("POST", "/inquiries", &body).await?;
    Ok(())
}

async fn connect(server: &Server, count: usize) -> anyhow::Result<Vec<Feed>> {
    let mut feeds = Vec::with_capacity(count);
    while feeds.len() < count {
        let tasks: Vec<_> = (0..AT_ONCE.min(count - feeds.len()))
            .map(|_| {
                let address = server.address.clone();
                tokio::spawn(async move { http::feed(&address).await })
            })
            .collect();
        for task in tasks {
            let feed = task.await?;
            feeds.push(feed.context("a client could not connect; see `ulimit -n`")?);
        }
    }
    Ok(feeds)
}

/// Asks, and measures from then until each client has read the question.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
async fn ask_and_time(
    connection: &mut Connection,
    feeds: Vec<Feed>,
) -> anyhow::Result<(Vec<Feed>, Vec<Duration>)> {
    let start = Instant::now();
    let tasks: Vec<_> = feeds
        .into_iter()
        .map(|feed| {
            tokio::spawn(tokio::time::timeout(
                EVENT_TIMEOUT,
                read_until_asked(feed, start),
            ))
        })
        .collect();
    ask(connection).await?;
    let (mut feeds, mut times) = (Vec::new(), Vec::new());
    for task in tasks {
        let (feed, taken) = task.await?.context("a client received nothing")??;
        feeds.push(feed);
        times.push(taken);
    }
    Ok((feeds, times))
}

async fn read_until_asked(mut feed: Feed, start: Instant) -> anyhow::Result<(Feed, Duration)> {
    loop {
        let line = feed.next_line().await?.context("a feed ended")?;
        if line == "event: inquiry" {
            return Ok((feed, start.elapsed()));
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
