//! Growth: what a store with millions of questions costs beside an empty one.

mod loader;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use askback_postgres::{PostgresOptions, PostgresStore};
use askback_store::{SqliteOptions, SqliteStore, Synchronous};
use askback_store_testing::PostgresServer;

use crate::clients::{Asker, Clients};
use crate::comparison::run_alternating;
use crate::cycles::{CycleTotals, ms, ratio};
use crate::http::Connection;
use crate::process::Server;
use crate::table::Row;
use crate::{Scale, empty_directory, script};
use loader::{Load, Template};

/// Target 13.
const TARGET: u8 = 13;
/// How often a list is read; the median counts.
const READS: usize = 21;
/// What a page or a program reads first, each with the most milliseconds.
const READ_PATHS: &[(&str, f64)] = &[
    ("/inquiries?status=pending", 50.0),
    ("/inquiries?status=answered", 50.0),
    ("/inquiries?status=declined", 50.0),
    ("/inquiries", 50.0),
    ("/inquiries?asker_client=bench&asker_project=/srv/7", 50.0),
    ("/inquiries?asker_client=bench&status=pending", 50.0),
    ("/inquiries?key=nobody-has-used-it", 50.0),
    ("/conversations", 50.0),
    ("/conversations?state=awaiting_user_response", 50.0),
    ("/conversations?driver=built_in", 50.0),
    ("/asker-sessions?client=bench&project=/srv/7", 50.0),
    ("/audit", 50.0),
    ("/metrics", 10.0),
];
/// What retention deletes at the start.
const KEEP: &str = "30d";
/// How long cycles are watched while it does.
const RETENTION_WATCHED: Duration = Duration::from_mins(1);

pub(crate) async fn measure(binary: &Path, root: &Path, scale: &Scale) -> anyhow::Result<Vec<Row>> {
    let template = Template::read(binary, &empty_directory(root, "growth-template", 1)?).await?;
    let mut rows = sqlite(binary, root, scale, &template).await?;
    rows.extend(postgres(binary, root, scale, &template).await?);
    Ok(rows)
}

async fn sqlite(
    binary: &Path,
    root: &Path,
    scale: &Scale,
    template: &Template,
) -> anyhow::Result<Vec<Row>> {
    let load = Load::of(scale.growth_sqlite);
    let grown_data = empty_directory(root, "growth", load.questions)?;
    let database = grown_data.join("data/askback.db");
    // It makes the directory as it must be, and the schema.
    Server::askback(binary, &grown_data, &script())?.stop()?;
    let options = SqliteOptions {
        synchronous: Synchronous::Normal,
        ..SqliteOptions::default()
    };
    let loaded = {
        let store = SqliteStore::open(&database, options)?;
        load.write(&store, template).await?
    };
    let empty = Server::askback(
        binary,
        &empty_directory(root, "growth-empty", 1)?,
        &script(),
    )?;
    let mut rows = vec![reported("SQLite", "questions loaded/s", loaded)];
    let (grown, ready) = timed_start(binary, &grown_data, &[])?;
    rows.push(at_most("SQLite", "seconds to ready", ready, 0.5));
    rows.extend(cycles("SQLite", [&empty, &grown], scale).await?);
    rows.extend(reads("SQLite", &grown).await?);
    rows.push(memory("SQLite", &grown)?);
    grown.stop()?;
    rows.extend(copies(binary, &grown_data, load.questions)?);
    rows.push(retention(binary, &grown_data).await?);
    Ok(rows)
}

async fn postgres(
    binary: &Path,
    root: &Path,
    scale: &Scale,
    template: &Template,
) -> anyhow::Result<Vec<Row>> {
    let load = Load::of(scale.growth_postgres);
    let server = PostgresServer::start_durable()?;
    let [empty_url, url] = [server.create_database()?, server.create_database()?];
    let data = |number| empty_directory(root, "growth-postgres", number);
    let start = |number, url: &str| {
        Server::askback_with(binary, &data(number)?, &script(), &["--store", url])
    };
    start(1, &url)?.stop()?;
    server.run_sql(&url, "ALTER SYSTEM SET synchronous_commit = off")?;
    server.run_sql(&url, "SELECT pg_reload_conf()")?;
    let loaded = {
        let store = PostgresStore::open(PostgresOptions::parse(&url)?).await?;
        load.write(&store, template).await?
    };
    server.run_sql(&url, "ALTER SYSTEM SET synchronous_commit = on")?;
    server.run_sql(&url, "SELECT pg_reload_conf()")?;
    server.run_sql(&url, "VACUUM (ANALYZE)")?;
    let empty = start(2, &empty_url)?;
    let mut rows = vec![reported("PostgreSQL", "questions loaded/s", loaded)];
    let (first, ready) = timed_start(binary, &data(3)?, &["--store", &url])?;
    rows.push(at_most("PostgreSQL", "seconds to ready", ready, 0.5));
    let second = start(4, &url)?;
    rows.extend(cycles("PostgreSQL", [&empty, &first], scale).await?);
    rows.extend(reads("PostgreSQL", &second).await?);
    rows.push(memory("PostgreSQL", &second)?);
    Ok(rows)
}

fn at_most(store: &str, what: &str, measured: f64, limit: f64) -> Row {
    Row::at_most(
        TARGET,
        &format!("{store}: {what}"),
        measured,
        limit,
        String::new(),
    )
}

fn reported(store: &str, what: &str, measured: f64) -> Row {
    Row::without_target(TARGET, &format!("{store}: {what}"), measured, String::new())
}

/// A server, and the seconds until it accepted requests.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
fn timed_start(binary: &Path, data: &Path, further: &[&str]) -> anyhow::Result<(Server, f64)> {
    let start = Instant::now();
    let server = Server::askback_with(binary, data, &script(), further)?;
    Ok((server, start.elapsed().as_secs_f64()))
}

async fn cycles(store: &str, servers: [&Server; 2], scale: &Scale) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for asker in [Asker::BuiltIn, Asker::External] {
        let [empty, grown] = run_alternating(servers, asker, 1, scale.cycles_alone).await?;
        let times = grown.p50.as_secs_f64() / empty.p50.as_secs_f64();
        let what = format!("{store}: {} cycle p50, of an empty store", asker.name());
        let from = format!("{} / {} ms", ms(grown.p50), ms(empty.p50));
        rows.push(Row::at_most(TARGET, &what, times, 1.3, from));
    }
    Ok(rows)
}

/// The median time of each first page.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
async fn reads(store: &str, server: &Server) -> anyhow::Result<Vec<Row>> {
    let mut connection = Connection::open(&server.address).await?;
    let mut rows = Vec::new();
    for (path, limit) in READ_PATHS {
        let mut times = Vec::new();
        for _ in 0..READS {
            let start = Instant::now();
            connection.send("GET", path, "").await?;
            times.push(start.elapsed());
        }
        let first = times[0];
        times.sort();
        let what = format!("{store}: ms of GET {path}");
        let from = format!("the first time {} ms", ms(first));
        let median = times[READS / 2].as_secs_f64() * 1e3;
        rows.push(Row::at_most(TARGET, &what, median, *limit, from));
    }
    Ok(rows)
}

fn memory(store: &str, server: &Server) -> anyhow::Result<Row> {
    let used = ratio(server.memory()?, 1 << 20);
    Ok(at_most(store, "MiB of memory", used, 64.0))
}

/// How fast everything is copied: as a backup, and by moving it to another store.
fn copies(binary: &Path, data: &Path, questions: usize) -> anyhow::Result<Vec<Row>> {
    let source = data.join("data");
    let [backup, moved] = ["backup.db", "moved.db"].map(|name| data.join(name));
    let from = format!("sqlite:{}", source.join("askback.db").display());
    let to = format!("sqlite:{}", moved.display());
    let mut copy_all = Command::new(binary);
    copy_all
        .arg("backup")
        .arg(&backup)
        .arg("--data")
        .arg(&source);
    let mut migrate = Command::new(binary);
    migrate.args(["migrate", "--from", &from, "--to", &to]);
    let mut rows = Vec::new();
    for (what, command, made) in [
        ("questions/s of a backup", copy_all, backup),
        ("questions/s of migrate", migrate, moved),
    ] {
        let seconds = timed_run(command)?;
        let rate = ratio(questions as u64, 1) / seconds;
        let what = format!("SQLite: {what}");
        let from = format!("{seconds:.1} s");
        rows.push(Row::at_least(TARGET, &what, rate, 20_000.0, from));
        remove_database(&made)?;
    }
    Ok(rows)
}

#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
fn timed_run(mut command: Command) -> anyhow::Result<f64> {
    let start = Instant::now();
    let run = command.output()?;
    let said = String::from_utf8_lossy(&run.stderr);
    anyhow::ensure!(run.status.success(), "{command:?}: {said}");
    Ok(start.elapsed().as_secs_f64())
}

fn remove_database(path: &Path) -> anyhow::Result<()> {
    let parent = path.parent().context("it is in a directory")?;
    let name = path.file_name().context("it has a name")?.to_string_lossy();
    for entry in std::fs::read_dir(parent)? {
        let found: PathBuf = entry?.path();
        let found_name = found.file_name().unwrap_or_default().to_string_lossy();
        if found_name.starts_with(name.as_ref()) {
            std::fs::remove_file(&found)?;
        }
    }
    Ok(())
}

/// The longest cycle while old conversations are deleted, beyond the median.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
async fn retention(binary: &Path, data: &Path) -> anyhow::Result<Row> {
    let server = Server::askback_with(binary, data, &script(), &["--keep", KEEP])?;
    let mut clients = Clients::open(&server, Asker::External, 1).await?;
    let start = Instant::now();
    let mut watched = CycleTotals::default();
    while start.elapsed() < RETENTION_WATCHED {
        watched.add(clients.run(&server, 100).await?);
    }
    let longest = watched.times.iter().max().copied().unwrap_or_default();
    let count = watched.times.len();
    let median = watched.stats()?.p50;
    let delay = longest.saturating_sub(median).as_secs_f64() * 1e3;
    Ok(Row::at_most(
        TARGET,
        "SQLite: ms that retention delays a cycle",
        delay,
        50.0,
        format!("{count} cycles, p50 {} ms", ms(median)),
    ))
}
