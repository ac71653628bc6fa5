//! Compares askback with the baseline, for both kinds of askers and with 1, 16 and 64 of them.

use std::path::Path;

use anyhow::anyhow;

use crate::clients::{Asker, Clients};
use crate::cycles::{CycleStats, CycleTotals, ms};
use crate::process::Server;
use crate::table::Row;
use crate::{Scale, empty_directory, script};

/// How often the two servers alternate.
const ROUNDS: usize = 10;
/// Numbers of askers, with the most fsyncs per cycle.
const ASKER_COUNTS: [(usize, f64); 3] = [(1, 2.0), (16, 0.4), (64, 0.15)];

/// The figures of both servers with a number of askers.
struct Comparison {
    askers: usize,
    askback: CycleStats,
    baseline: CycleStats,
}

pub(crate) async fn measure(
    binary: &Path,
    root: &Path,
    asker: Asker,
    scale: &Scale,
) -> anyhow::Result<Vec<Row>> {
    let path = asker.name();
    let mut rows = Vec::new();
    let mut before: Option<Comparison> = None;
    for (askers, fsyncs_max) in ASKER_COUNTS {
        let cycles = if askers == 1 {
            scale.cycles_alone
        } else {
            scale.cycles_together / askers
        };
        println!("measuring {askers} {path} askers");
        let name = |server: &str| format!("{server}-{path}");
        let baseline = Server::baseline(&empty_directory(root, &name("baseline"), askers)?)?;
        let data = empty_directory(root, &name("askback"), askers)?;
        let askback = Server::askback(binary, &data, &script())?;
        let [baseline, askback] =
            run_alternating([&baseline, &askback], asker, askers, cycles).await?;
        let measured = Comparison {
            askers,
            askback,
            baseline,
        };
        rows.extend(measured.rows(path, fsyncs_max));
        rows.extend(before.map(|before| measured.growth_row(path, &before)));
        before = Some(measured);
    }
    Ok(rows)
}

impl Comparison {
    fn rows(&self, path: &str, fsyncs_max: f64) -> Vec<Row> {
        let (askers, askback, baseline) = (self.askers, &self.askback, &self.baseline);
        let mut rows = Vec::new();
        if askers == 1 {
            let times = askback.p50.as_secs_f64() / baseline.p50.as_secs_f64();
            let from = format!("{} / {} ms", ms(askback.p50), ms(baseline.p50));
            let what = format!("{path}: cycle p50, times the baseline");
            rows.push(Row::at_most(1, &what, times, 1.5, from));
        }
        let what = format!("{path}: fsyncs per cycle with {askers}");
        let from = format!("baseline {:.3}", baseline.fsyncs_per_cycle);
        let fsyncs = askback.fsyncs_per_cycle;
        rows.push(Row::at_most(2, &what, fsyncs, fsyncs_max, from));
        let share = askback.per_second / baseline.per_second;
        let from = format!(
            "{:.0} / {:.0} a second",
            askback.per_second, baseline.per_second
        );
        let what = format!("{path}: cycles/s with {askers}, of the baseline");
        let cpu = askback.cpu_per_cycle.as_secs_f64() * 1e3;
        let baseline_cpu = baseline.cpu_per_cycle.as_secs_f64() * 1e3;
        let cpu_from = format!("baseline {baseline_cpu:.3}");
        let cpu_what = format!("{path}: processor ms per cycle with {askers}");
        // The target is about 16 and 64 askers. A single one is limited by target 1.
        rows.extend(if askers == 1 {
            [
                Row::without_target(3, &what, share, from),
                Row::without_target(3, &cpu_what, cpu, cpu_from),
            ]
        } else {
            [
                Row::at_least(3, &what, share, 0.6, from),
                Row::at_most(3, &cpu_what, cpu, 0.3, cpu_from),
            ]
        });
        rows
    }

    /// Throughput must rise with the askers.
    fn growth_row(&self, path: &str, fewer: &Comparison) -> Row {
        let growth = |more: &CycleStats, fewer: &CycleStats| more.per_second / fewer.per_second;
        let (askers, before) = (self.askers, fewer.askers);
        let what = format!("{path}: cycles/s with {askers}, of those with {before}");
        let baseline = growth(&self.baseline, &fewer.baseline);
        let from = format!("baseline {baseline:.3}");
        Row::at_least(3, &what, growth(&self.askback, &fewer.askback), 1.0, from)
    }
}

/// Runs cycles on both servers in alternating rounds, so that other load affects both.
pub(crate) async fn run_alternating(
    servers: [&Server; 2],
    asker: Asker,
    askers: usize,
    cycles: usize,
) -> anyhow::Result<[CycleStats; 2]> {
    let slice = (cycles / ROUNDS).max(1);
    let mut measured = Vec::new();
    for server in servers {
        let mut clients = Clients::open(server, asker, askers)
            .await
            .map_err(|error| server.explain(error))?;
        // Not counted: the first cycles fill caches.
        let warm = clients.run(server, slice).await;
        warm.map_err(|error| server.explain(error))?;
        measured.push((server, clients, CycleTotals::default()));
    }
    for _ in 0..ROUNDS {
        for (server, clients, cost) in &mut measured {
            let run = clients.run(server, slice).await;
            cost.add(run.map_err(|error| server.explain(error))?);
        }
    }
    let [(.., first), (.., second)] =
        <[_; 2]>::try_from(measured).map_err(|_| anyhow!("two servers"))?;
    Ok([first.stats()?, second.stats()?])
}
