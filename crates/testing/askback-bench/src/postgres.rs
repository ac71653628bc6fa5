//! One node and two nodes on PostgreSQL, beside what `pgbench` needs for one insert with its commit on the
//! same server.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use askback_store_testing::PostgresServer;
use serde_json::json;

use crate::clients::{Asker, Clients};
use crate::cycles::{CycleTotals, ms};
use crate::http::Connection;
use crate::process::Server;
use crate::table::Row;
use crate::{Scale, empty_directory, question, script};

/// Target 12.
const TARGET: u8 = 12;
const LIMIT: f64 = 3.0;
/// How many parts a measurement is divided into, with one of `pgbench` beside each.
const ROUNDS: usize = 4;
/// Clients that ask the questions which stay pending.
const FILLING: usize = 32;
/// What `pgbench` inserts: as many bytes as a question has.
const INSERT: &str = "INSERT INTO insert_and_commit (body) VALUES (repeat('x', 500));\n";

/// Two nodes and their database.
struct Nodes<'a> {
    postgres: &'a PostgresServer,
    url: String,
    first: Server,
    second: Server,
}

pub(crate) async fn measure(binary: &Path, root: &Path, scale: &Scale) -> anyhow::Result<Vec<Row>> {
    let postgres = PostgresServer::start_durable()?;
    let url = postgres.create_database()?;
    let (sql, store) = (root.join("insert.sql"), ["--store", url.as_str()]);
    fs::write(&sql, INSERT)?;
    postgres.run_sql(
        &url,
        "CREATE TABLE insert_and_commit (id bigserial PRIMARY KEY, body text)",
    )?;
    let data = [1, 2].map(|number| empty_directory(root, "postgres", number));
    let [first, second] = data;
    let nodes = Nodes {
        first: Server::askback_with(binary, &first?, &script(), &store)?,
        second: Server::askback_with(binary, &second?, &script(), &store)?,
        postgres: &postgres,
        url: url.clone(),
    };
    let mut rows = Vec::new();
    let mut pending = 0;
    for wanted in [0, scale.pending_few, scale.pending_many] {
        nodes.fill(wanted - pending).await?;
        pending = wanted;
        rows.push(nodes.latency(&sql, pending, scale).await?);
        if wanted != scale.pending_few {
            rows.extend(nodes.throughput(&sql, pending, scale).await?);
        }
    }
    Ok(rows)
}

impl Nodes<'_> {
    /// Asks questions that nobody answers. They need not survive a power failure.
    async fn fill(&self, count: usize) -> anyhow::Result<()> {
        if count == 0 {
            return Ok(());
        }
        let set = |value: &str| {
            let all = "ALTER SYSTEM SET synchronous_commit";
            self.postgres
                .run_sql(&self.url, &format!("{all} = {value}"))?;
            self.postgres.run_sql(&self.url, "SELECT pg_reload_conf()")
        };
        set("off")?;
        let mut filling = Vec::new();
        for client in 0..FILLING {
            let mut connection = Connection::open(&self.first.address).await?;
            let asks = count / FILLING + usize::from(client < count % FILLING);
            filling.push(tokio::spawn(async move {
                let body = json!({"dialect": "question", "input": question()}).to_string();
                for _ in 0..asks {
                    connection.send("POST", "/inquiries", &body).await?;
                }
                anyhow::Ok(())
            }));
        }
        for client in filling {
            client.await??;
        }
        set("on")?;
        self.postgres.run_sql(&self.url, "VACUUM (ANALYZE)")?;
        self.postgres.run_sql(&self.url, "CHECKPOINT")?;
        Ok(())
    }

    /// One asker: asked on the first node, answered on the second, the outcome seen on the first.
    async fn latency(&self, sql: &Path, pending: usize, scale: &Scale) -> anyhow::Result<Row> {
        let (first, second) = (&self.first, Some(&self.second));
        let mut across = Clients::open_across(first, second, Asker::External, 1).await?;
        let mut alone = Clients::open(&self.first, Asker::External, 1).await?;
        let cycles = scale.cycles_alone / ROUNDS;
        let (mut inserts, mut crossing, mut staying) =
            (Vec::new(), CycleTotals::default(), CycleTotals::default());
        for _ in 0..ROUNDS {
            inserts.extend(self.pgbench(sql, 1, cycles)?.0);
            crossing.add(across.run(&self.first, cycles).await?);
            staying.add(alone.run(&self.first, cycles).await?);
        }
        let insert = median(&mut inserts)?;
        let (crossing, staying) = (crossing.stats()?, staying.stats()?);
        let times = crossing.p50.as_secs_f64() / insert.as_secs_f64();
        let (crossing, staying, insert) = (ms(crossing.p50), ms(staying.p50), ms(insert));
        Ok(Row::at_most(
            TARGET,
            &format!("two nodes, p50 of insert+commit, {pending} pending"),
            times,
            LIMIT,
            format!("{crossing} ms; on one node {staying} ms; pgbench {insert} ms"),
        ))
    }

    /// Cycles a second with many askers, on one node and on both.
    async fn throughput(
        &self,
        sql: &Path,
        pending: usize,
        scale: &Scale,
    ) -> anyhow::Result<Vec<Row>> {
        let mut rows = Vec::new();
        for askers in [16, 64] {
            let cycles = scale.cycles_together / askers;
            let inserts = self.pgbench(sql, askers, cycles)?.1;
            let mut alone = Clients::open(&self.first, Asker::External, askers).await?;
            let alone = alone.run(&self.first, cycles).await?.stats()?;
            let half = askers / 2;
            let mut first =
                Clients::open_across(&self.first, Some(&self.second), Asker::External, half)
                    .await?;
            let mut second =
                Clients::open_across(&self.second, Some(&self.first), Asker::External, half)
                    .await?;
            let (first, second) = tokio::join!(
                first.run(&self.first, cycles),
                second.run(&self.second, cycles)
            );
            let (first, second) = (first?.stats()?, second?.stats()?);
            let both = first.per_second + second.per_second;
            rows.push(Row::without_target(
                TARGET,
                &format!("cycles/s on two nodes with {askers}, {pending} pending"),
                both,
                format!(
                    "p50 {} ms; on one node {:.0}/s, p50 {} ms; pgbench {inserts:.0} inserts/s",
                    ms(first.p50),
                    alone.per_second,
                    ms(alone.p50)
                ),
            ));
        }
        Ok(rows)
    }

    /// The times of single inserts with their commits, and how many there were in a second.
    fn pgbench(
        &self,
        sql: &Path,
        clients: usize,
        each: usize,
    ) -> anyhow::Result<(Vec<Duration>, f64)> {
        let directory = sql
            .parent()
            .context("it is in a directory")?
            .join("pgbench");
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir_all(&directory)?;
        let database = self.url.rsplit('/').next().unwrap_or_default();
        let run = Command::new(self.postgres.programs().join("pgbench"))
            .args(["-n", "-l", "-j", "2", "-U", "askback", "-M", "prepared"])
            .args(["-c", &clients.to_string(), "-t", &each.to_string(), "-f"])
            .arg(sql)
            .arg("-h")
            .arg(self.postgres.socket_dir())
            .arg(database)
            .current_dir(&directory)
            .output()?;
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        anyhow::ensure!(
            run.status.success(),
            "pgbench: {}",
            String::from_utf8_lossy(&run.stderr)
        );
        let line = said.lines().find_map(|line| line.strip_prefix("tps = "));
        let number = line.and_then(|line| line.split(' ').next());
        let rate = number.context("pgbench says no rate")?.parse()?;
        let mut times = Vec::new();
        for file in fs::read_dir(&directory)? {
            for line in fs::read_to_string(file?.path())?.lines() {
                let micros = line.split(' ').nth(2).context("no time")?.parse()?;
                times.push(Duration::from_micros(micros));
            }
        }
        Ok((times, rate))
    }
}

fn median(times: &mut [Duration]) -> anyhow::Result<Duration> {
    times.sort();
    times
        .get(times.len() / 2)
        .copied()
        .context("nothing was measured")
}
