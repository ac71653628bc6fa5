//! Cycles: an answer is sent, the agent has it and asks again, and the question is seen.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::http::{self, Connection};
use crate::process::Server;

/// How long a question may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_secs(20);
const ANSWER: &str = r#"{"answers":{"q1":"Yes"}}"#;

/// What a run of cycles came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) p50: Duration,
    pub(crate) per_second: f64,
    pub(crate) cpu_per_cycle: Duration,
    pub(crate) written_per_cycle: f64,
    /// Waits for the disk; nothing is known of the floor's.
    pub(crate) waits_per_cycle: Option<f64>,
}

/// What runs of cycles have cost so far.
#[derive(Debug, Default)]
pub(crate) struct Cost {
    times: Vec<Duration>,
    elapsed: Duration,
    cpu: Duration,
    written: u64,
    waits: Option<u64>,
}

impl Cost {
    /// Adds what another run has cost.
    pub(crate) fn add(&mut self, other: Cost) {
        self.times.extend(other.times);
        self.elapsed += other.elapsed;
        self.cpu += other.cpu;
        self.written += other.written;
        let waits = other.waits.map(|waits| waits + self.waits.unwrap_or(0));
        self.waits = waits.or(self.waits);
    }

    /// What it comes to for each cycle.
    pub(crate) fn figures(mut self) -> anyhow::Result<Figures> {
        self.times.sort();
        let count = self.times.len();
        let each = u32::try_from(count)?;
        Ok(Figures {
            p50: *self.times.get(count / 2).context("no cycle was run")?,
            per_second: ratio(count as u64, 1) / self.elapsed.as_secs_f64(),
            cpu_per_cycle: self.cpu / each,
            written_per_cycle: ratio(self.written, count as u64),
            waits_per_cycle: self.waits.map(|waits| ratio(waits, count as u64)),
        })
    }
}

/// Conversations that wait for an answer, each with its own connection.
pub(crate) struct Lanes {
    lanes: Vec<Lane>,
    reader: JoinHandle<()>,
}

struct Lane {
    path: String,
    connection: Connection,
    asked: mpsc::UnboundedReceiver<()>,
}

impl Drop for Lanes {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

#[derive(Deserialize)]
struct Begun {
    id: String,
}

#[derive(Deserialize)]
struct StateChange {
    r#type: String,
    conversation_id: String,
}

impl Lanes {
    /// Begins this many conversations and waits for their first questions.
    pub(crate) async fn begin(server: &Server, count: usize) -> anyhow::Result<Lanes> {
        let mut feed = http::feed(&server.address).await?;
        let mut connection = Connection::open(&server.address).await?;
        let mut ids = Vec::new();
        for _ in 0..count {
            let begun = connection.send("POST", "/conversations", r#"{"message":"go"}"#);
            ids.push(serde_json::from_slice::<Begun>(&begun.await?)?.id);
        }
        let mut lanes = Vec::new();
        let mut waiting = HashMap::new();
        for id in ids {
            let (sender, asked) = mpsc::unbounded_channel();
            lanes.push(Lane {
                path: format!("/conversations/{id}/respond"),
                connection: Connection::open(&server.address).await?,
                asked,
            });
            waiting.insert(id, sender);
        }
        let reader = tokio::spawn(async move {
            while let Ok(Some(line)) = feed.next_line().await {
                tell(&waiting, &line);
            }
        });
        let mut lanes = Lanes { lanes, reader };
        for lane in &mut lanes.lanes {
            let asked = tokio::time::timeout(PATIENCE, lane.asked.recv()).await;
            asked
                .context("no question came")?
                .context("the feed ended")?;
        }
        Ok(lanes)
    }

    /// Runs cycles in all conversations side by side, and looks at what they cost.
    #[expect(
        clippy::disallowed_methods,
        reason = "measuring time is what this is for"
    )]
    pub(crate) async fn run(&mut self, server: &Server, cycles: usize) -> anyhow::Result<Cost> {
        let before = (server.used()?, waits(server).await?);
        let start = Instant::now();
        let runs: Vec<_> = std::mem::take(&mut self.lanes)
            .into_iter()
            .map(|lane| tokio::spawn(lane.run(cycles)))
            .collect();
        let mut times = Vec::new();
        for run in runs {
            let (lane, taken) = run.await??;
            self.lanes.push(lane);
            times.extend(taken);
        }
        let elapsed = start.elapsed();
        let after = (server.used()?, waits(server).await?);
        let waits = before.1.zip(after.1);
        Ok(Cost {
            times,
            elapsed,
            cpu: after.0.cpu.saturating_sub(before.0.cpu),
            written: after.0.written - before.0.written,
            waits: waits.map(|(before, after)| after - before),
        })
    }
}

impl Lane {
    #[expect(
        clippy::disallowed_methods,
        reason = "measuring time is what this is for"
    )]
    async fn run(mut self, cycles: usize) -> anyhow::Result<(Lane, Vec<Duration>)> {
        let mut times = Vec::with_capacity(cycles);
        for _ in 0..cycles {
            let start = Instant::now();
            self.connection.send("POST", &self.path, ANSWER).await?;
            let asked = tokio::time::timeout(PATIENCE, self.asked.recv()).await;
            asked
                .context("no question came")?
                .context("the feed ended")?;
            times.push(start.elapsed());
        }
        Ok((self, times))
    }
}

fn tell(waiting: &HashMap<String, mpsc::UnboundedSender<()>>, line: &str) {
    let change = line
        .strip_prefix("data: ")
        .filter(|data| data.contains("awaiting_user_response"))
        .and_then(|data| serde_json::from_str::<StateChange>(data).ok());
    if let Some(change) = change
        && change.r#type == "awaiting_user_response"
        && let Some(lane) = waiting.get(&change.conversation_id)
    {
        // A lane that has ended waits no more.
        lane.send(()).ok();
    }
}

/// How often the server has waited for the disk, if it says so.
async fn waits(server: &Server) -> anyhow::Result<Option<u64>> {
    let mut connection = Connection::open(&server.address).await?;
    let Ok(figures) = connection.send("GET", "/metrics", "").await else {
        return Ok(None);
    };
    let figures = String::from_utf8(figures)?;
    let line = figures
        .lines()
        .find_map(|line| line.strip_prefix("askback_store_transactions_total "));
    Ok(line.map(str::parse).transpose()?)
}

/// One number for each of another.
#[expect(clippy::cast_precision_loss, reason = "far below what a float holds")]
pub(crate) fn ratio(of: u64, to: u64) -> f64 {
    of as f64 / to as f64
}
