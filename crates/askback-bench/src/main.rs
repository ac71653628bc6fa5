//! Measures askback beside the floor: the smallest program that could do its main job.
//!
//! Times of one machine mean nothing on another, so every time is told as a ratio to the floor's,
//! taken in the same run. What is a count is told as it is. Run it by `cargo xtask bench`.
#![expect(
    clippy::print_stdout,
    reason = "what a measurement prints is what it is run for"
)]

mod crowd;
mod cycles;
mod floor;
mod http;
mod parked;
mod process;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use serde_json::{Value, json};

use cycles::{Cost, Figures, Lanes};
use process::Server;
use table::Row;

const USAGE: &str =
    "usage: askback-bench run ASKBACK DIRECTORY [--quick] [cycles] [history] [parked] [crowd]
       askback-bench crowd ASKBACK DIRECTORY
       askback-bench floor DIRECTORY";

/// How often two servers take turns.
const TURNS: usize = 10;

/// What can be measured by itself.
const PARTS: &[&str] = &["cycles", "history", "parked", "crowd"];

/// How much is measured.
struct Extent {
    alone: usize,
    company: usize,
    parked_few: usize,
    parked_many: usize,
    history: usize,
    listeners: usize,
}

const WHOLE: Extent = Extent {
    alone: 2_000,
    company: 20_000,
    parked_few: 1_000,
    parked_many: 100_000,
    history: 5_000,
    listeners: 10_000,
};
const QUICK: Extent = Extent {
    alone: 300,
    company: 3_000,
    parked_few: 500,
    parked_many: 5_000,
    history: 500,
    listeners: 1_000,
};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["floor", data] => floor::serve(Path::new(data)).await?,
        ["crowd", binary, directory] => {
            let data = fresh(Path::new(directory), "crowd", WHOLE.listeners)?;
            let rows = crowd::measure(Path::new(binary), &data, WHOLE.listeners).await?;
            table::print(&rows);
        }
        ["run", binary, directory, rest @ ..] => {
            let extent = if rest.contains(&"--quick") {
                QUICK
            } else {
                WHOLE
            };
            let parts: Vec<&str> = rest.iter().copied().filter(|it| *it != "--quick").collect();
            if let Some(unknown) = parts.iter().find(|part| !PARTS.contains(part)) {
                anyhow::bail!(
                    "`{unknown}` is nothing to measure; there are {}",
                    PARTS.join(", ")
                );
            }
            let parts = if parts.is_empty() { PARTS } else { &parts };
            let measured = Measured {
                binary: Path::new(binary),
                root: Path::new(directory),
            };
            let rows = measure(&measured, parts, &extent).await?;
            let json = Path::new(directory).join("bench.json");
            fs::write(&json, serde_json::to_string_pretty(&rows)?)?;
            let hold = table::print(&rows);
            return Ok(if hold {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            });
        }
        _ => {
            eprintln!("{USAGE}");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the agent asks, in both programs.
fn question() -> Value {
    json!({
        "question": "Which way should the service keep its sessions from now on?",
        "options": [
            {"label": "Yes", "description": "In the database, beside everything else that must last"},
            {"label": "No", "description": "In memory, gone with the process, as quick as can be"},
        ],
    })
}

/// An agent that asks for ever. The answer is the next message, so that no turn gets too long.
fn script() -> String {
    let calls = json!([{"tool": "question", "input": question()}]);
    json!({"steps": [{ "calls": calls }], "repeat_from": 1}).to_string()
}

/// What is measured, and where its data goes.
struct Measured<'a> {
    binary: &'a Path,
    root: &'a Path,
}

async fn measure(
    &Measured { binary, root }: &Measured<'_>,
    parts: &[&str],
    extent: &Extent,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    if parts.contains(&"cycles") {
        rows.extend(side_by_side(binary, root, extent).await?);
    }
    if parts.contains(&"history") {
        rows.push(growing_history(binary, root, extent).await?);
    }
    if parts.contains(&"parked") {
        rows.extend(waiting(binary, root, extent).await?);
    }
    if parts.contains(&"crowd") {
        let crowd = fresh(root, "crowd", extent.listeners)?;
        rows.extend(crowd::measure(binary, &crowd, extent.listeners).await?);
    }
    rows.sort_by_key(|row| row.target);
    Ok(rows)
}

/// Both programs with one, 16 and 64 conversations.
async fn side_by_side(binary: &Path, root: &Path, extent: &Extent) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (conversations, waits) in [(1, 2.0), (16, 0.4), (64, 0.15)] {
        let cycles = if conversations == 1 {
            extent.alone
        } else {
            extent.company / conversations
        };
        println!("measuring {conversations} conversations");
        let floor = Server::floor(&fresh(root, "floor", conversations)?)?;
        let data = fresh(root, "askback", conversations)?;
        let askback = Server::askback(binary, &data, &script())?;
        let [floor, askback] = by_turns([&floor, &askback], conversations, cycles).await?;
        if conversations == 1 {
            let from = format!("{} / {} ms", ms(askback.p50), ms(floor.p50));
            let times = askback.p50.as_secs_f64() / floor.p50.as_secs_f64();
            rows.push(Row::at_most(
                1,
                "cycle p50, times the floor",
                times,
                1.5,
                from,
            ));
        } else {
            let share = askback.per_second / floor.per_second;
            let from = format!(
                "{:.0} / {:.0} a second",
                askback.per_second, floor.per_second
            );
            let what = format!("cycles/s with {conversations}, of the floor");
            rows.push(Row::at_least(3, &what, share, 0.6, from));
            let what = format!("processor ms per cycle with {conversations}");
            let cpu = askback.cpu_per_cycle.as_secs_f64() * 1e3;
            let from = format!("floor {:.3}", floor.cpu_per_cycle.as_secs_f64() * 1e3);
            rows.push(Row::at_most(3, &what, cpu, 0.3, from));
        }
        let what = format!("waits for the disk per cycle with {conversations}");
        let waited = askback.waits_per_cycle.context("askback counts them")?;
        rows.push(Row::at_most(2, &what, waited, waits, String::new()));
    }
    Ok(rows)
}

/// What a cycle writes when the conversation is short, and when it is long.
async fn growing_history(binary: &Path, root: &Path, extent: &Extent) -> anyhow::Result<Row> {
    println!("measuring a growing conversation");
    let server = Server::askback(binary, &fresh(root, "history", 0)?, &script())?;
    let row = grow(&server, extent).await;
    row.map_err(|error| server.explain(error))
}

async fn grow(server: &Server, extent: &Extent) -> anyhow::Result<Row> {
    let mut lanes = Lanes::begin(server, 1).await?;
    let warm = lanes.run(server, 10).await?.figures()?;
    let early = lanes.run(server, 200).await?.figures()?;
    lanes
        .run(server, extent.history.saturating_sub(210))
        .await?;
    let late = lanes.run(server, 200).await?.figures()?;
    let times = late.written_per_cycle / early.written_per_cycle;
    let from = format!(
        "{:.0} / {:.0} bytes; p50 {} / {} ms; first ten {:.0} bytes",
        late.written_per_cycle,
        early.written_per_cycle,
        ms(late.p50),
        ms(early.p50),
        warm.written_per_cycle
    );
    Ok(Row::at_most(
        5,
        "bytes per cycle, long of short",
        times,
        1.1,
        from,
    ))
}

/// Few and many parked questions.
async fn waiting(binary: &Path, root: &Path, extent: &Extent) -> anyhow::Result<Vec<Row>> {
    println!("measuring parked questions");
    let few_in = fresh(root, "parked", extent.parked_few)?;
    let (few_server, few) = parked::measure(binary, &few_in, extent.parked_few).await?;
    let many_in = fresh(root, "parked", extent.parked_many)?;
    let (many_server, many) = parked::measure(binary, &many_in, extent.parked_many).await?;
    let cycles = extent.alone.min(500);
    let [few_cycle, many_cycle] = by_turns([&few_server, &many_server], 1, cycles).await?;
    let grown = many.memory.saturating_sub(few.memory);
    let each = cycles::ratio(grown, extent.parked_many as u64);
    let memory = cycles::ratio(many.memory, 1 << 20);
    let allowed = cycles::ratio(2 * many.payload + 512, 1);
    let disk = cycles::ratio(
        many.disk.saturating_sub(few.disk),
        (extent.parked_many - extent.parked_few) as u64,
    );
    let list = many.list.as_secs_f64() / few.list.as_secs_f64();
    let cycle = many_cycle.p50.as_secs_f64() / few_cycle.p50.as_secs_f64();
    let lists = format!("{} / {} ms", ms(many.list), ms(few.list));
    let both = format!("{} / {} ms", ms(many_cycle.p50), ms(few_cycle.p50));
    let restart = many.restart.as_secs_f64();
    let restarts = format!("{} ms with few", ms(few.restart));
    let payload = format!("payload {} bytes", many.payload);
    let resident = format!("{} / {} bytes", many.memory, few.memory);
    Ok(vec![
        Row::at_most(
            4,
            "bytes of memory per parked question",
            each,
            64.0,
            resident,
        ),
        Row::at_most(
            4,
            "MiB of memory with all parked",
            memory,
            48.0,
            String::new(),
        ),
        Row::at_most(
            5,
            "bytes on disk per parked question",
            disk,
            allowed,
            payload,
        ),
        Row::at_most(6, "first page of the inbox, many of few", list, 1.5, lists),
        Row::at_most(6, "cycle p50, many of few parked", cycle, 1.2, both),
        Row::at_most(7, "seconds from kill to an answer", restart, 0.3, restarts),
        Row::at_most(
            8,
            "processor share while all wait",
            many.idle,
            0.001,
            String::new(),
        ),
    ])
}

/// Runs cycles on both servers by turns, so that whatever else the machine does hits both alike.
async fn by_turns(
    servers: [&Server; 2],
    conversations: usize,
    cycles: usize,
) -> anyhow::Result<[Figures; 2]> {
    let slice = (cycles / TURNS).max(1);
    let mut lanes = Vec::new();
    for server in servers {
        let mut begun = Lanes::begin(server, conversations)
            .await
            .map_err(|error| server.explain(error))?;
        // Not counted: what is done for the first time takes longer.
        let warm = begun.run(server, slice).await;
        warm.map_err(|error| server.explain(error))?;
        lanes.push((server, begun, Cost::default()));
    }
    for _ in 0..TURNS {
        for (server, lanes, cost) in &mut lanes {
            let run = lanes.run(server, slice).await;
            cost.add(run.map_err(|error| server.explain(error))?);
        }
    }
    let [(.., first), (.., second)] =
        <[_; 2]>::try_from(lanes).map_err(|_| anyhow!("two servers"))?;
    Ok([first.figures()?, second.figures()?])
}

/// An empty directory below the one that was named.
fn fresh(root: &Path, name: &str, count: usize) -> anyhow::Result<PathBuf> {
    let path = root.join(format!("{name}-{count}"));
    if path.exists() {
        fs::remove_dir_all(&path)?;
    }
    fs::create_dir_all(&path)?;
    Ok(path)
}

fn ms(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}
