//! Measures askback against the baseline: the smallest program that could do its main job.
//!
//! Times of one machine mean nothing on another, so every time is a ratio to the baseline's, taken in
//! the same run. Counts and sizes are absolute. Run it with `cargo xtask bench`.
#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "the printed table is the result"
)]

mod baseline;
mod clients;
mod comparison;
mod cycles;
mod growth;
mod history;
mod http;
mod pending;
mod postgres;
mod process;
mod sse_fanout;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use clients::Asker;
use table::Row;

const USAGE: &str = "usage: askback-bench run ASKBACK DIRECTORY [--quick] [PART…]
       askback-bench baseline DIRECTORY
parts: cycles external history pending sse, and growth and postgres only if they are named";

/// What is measured only if it is named: it needs PostgreSQL, and growth 20 GB of disk.
const NAMED_PARTS: &[&str] = &["growth", "postgres"];

/// What can be measured by itself.
const PARTS: &[&str] = &["cycles", "external", "history", "pending", "sse"];

/// How much is measured.
struct Scale {
    /// Cycles of one asker.
    cycles_alone: usize,
    /// Cycles of all askers together, where there are several.
    cycles_together: usize,
    pending_few: usize,
    pending_many: usize,
    /// Answers in the long conversation.
    history: usize,
    sse_clients: usize,
    /// Questions in the grown stores.
    growth_sqlite: usize,
    growth_postgres: usize,
}

const FULL: Scale = Scale {
    cycles_alone: 2_000,
    cycles_together: 20_000,
    pending_few: 1_000,
    pending_many: 100_000,
    history: 5_000,
    sse_clients: 10_000,
    growth_sqlite: 10_000_000,
    growth_postgres: 1_000_000,
};
const QUICK: Scale = Scale {
    cycles_alone: 300,
    cycles_together: 3_000,
    pending_few: 500,
    pending_many: 5_000,
    history: 500,
    sse_clients: 1_000,
    growth_sqlite: 100_000,
    growth_postgres: 20_000,
};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["baseline", data] => baseline::serve(Path::new(data)).await?,
        ["run", binary, directory, rest @ ..] => {
            let quick = rest.contains(&"--quick");
            let scale = if quick { QUICK } else { FULL };
            let parts: Vec<&str> = rest.iter().copied().filter(|it| *it != "--quick").collect();
            let is_known = |part: &&str| PARTS.contains(part) || NAMED_PARTS.contains(part);
            if let Some(unknown) = parts.iter().find(|part| !is_known(part)) {
                let known = [PARTS, NAMED_PARTS].concat().join(", ");
                anyhow::bail!("there is no part `{unknown}`; the parts are {known}");
            }
            let parts = if parts.is_empty() { PARTS } else { &parts };
            let (binary, root) = (Path::new(binary), Path::new(directory));
            let rows = measure(binary, root, parts, &scale).await?;
            fs::write(
                root.join("bench.json"),
                serde_json::to_string_pretty(&rows)?,
            )?;
            if !table::print(&rows) {
                return Ok(ExitCode::FAILURE);
            }
        }
        _ => {
            eprintln!("{USAGE}");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The question for both servers.
fn question() -> Value {
    json!({
        "question": "Which way should the service keep its sessions from now on?",
        "options": [
            {"label": "Yes", "description": "In the database, beside everything else that must last"},
            {"label": "No", "description": "In memory, gone with the process, as quick as can be"},
        ],
    })
}

/// A scripted agent that keeps asking. Each answer is a new message, so that no turn gets too long.
fn script() -> String {
    let calls = json!([{"tool": "question", "input": question()}]);
    json!({"steps": [{ "calls": calls }], "repeat_from": 1}).to_string()
}

async fn measure(
    binary: &Path,
    root: &Path,
    parts: &[&str],
    scale: &Scale,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (part, asker) in [("cycles", Asker::BuiltIn), ("external", Asker::External)] {
        if parts.contains(&part) {
            rows.extend(comparison::measure(binary, root, asker, scale).await?);
        }
    }
    if parts.contains(&"history") {
        rows.extend(history::measure(binary, root, scale).await?);
    }
    if parts.contains(&"pending") {
        for asker in [Asker::BuiltIn, Asker::External] {
            rows.extend(pending::measure(binary, root, asker, scale).await?);
        }
    }
    if parts.contains(&"sse") {
        let data = empty_directory(root, "sse", scale.sse_clients)?;
        rows.extend(sse_fanout::measure(binary, &data, scale.sse_clients).await?);
    }
    if parts.contains(&"growth") {
        rows.extend(growth::measure(binary, root, scale).await?);
    }
    if parts.contains(&"postgres") {
        rows.extend(postgres::measure(binary, root, scale).await?);
    }
    rows.sort_by_key(|row| row.target);
    Ok(rows)
}

/// A new, empty directory below `root`.
fn empty_directory(root: &Path, name: &str, count: usize) -> anyhow::Result<PathBuf> {
    let path = root.join(format!("{name}-{count}"));
    if path.exists() {
        fs::remove_dir_all(&path)?;
    }
    fs::create_dir_all(&path)?;
    Ok(path)
}
