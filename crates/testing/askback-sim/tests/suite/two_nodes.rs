//! Goal: two engines on one store lose and double nothing, whatever fails around them, and the simulation
//! finds mistakes in the rules that make it so.

use askback_sim::{Figures, PlantedBug, Report, SimOptions};
use askback_testkit::short_or_full;

use crate::suite::support::shared_reports::SharedReports;

static SHARED: SharedReports<30> = SharedReports::new();

fn run(options: SimOptions) -> Report {
    match askback_sim::run_with(SimOptions {
        nodes: 2,
        ..options
    }) {
        Ok(report) => report,
        Err(error) => panic!("{error}"),
    }
}

fn run_seed(seed: u64) -> Report {
    run(SimOptions {
        seed,
        ..SimOptions::default()
    })
}

fn check_part(part: u64) {
    let seeds = short_or_full(15, 40);
    for seed in part * seeds..(part + 1) * seeds {
        assert_eq!(
            SHARED.violation(seed, run_seed),
            None,
            "seed {seed}: cargo xtask sim --seed {seed} --nodes 2 --trace"
        );
    }
}

#[test]
fn the_first_seeds_with_two_nodes_pass() {
    check_part(0);
}

#[test]
fn the_second_seeds_with_two_nodes_pass() {
    check_part(1);
}

/// The first seed that finds a planted mistake, and what it finds.
fn first_found(planted: PlantedBug) -> String {
    let found = (0..400).find_map(|seed| {
        let report = run(SimOptions {
            seed,
            planted: Some(planted),
            ..SimOptions::default()
        });
        report
            .violation
            .map(|violation| format!("seed {seed}: {violation}"))
    });
    found.unwrap_or_else(|| "nothing".to_owned())
}

#[test]
fn a_process_that_keeps_acting_after_its_lease_is_found() {
    let found = first_found(PlantedBug::KeepsActing);
    assert!(found.contains("two processes"), "{found}");
}

#[test]
fn jobs_that_are_taken_over_too_early_are_found() {
    let found = first_found(PlantedBug::EarlyTakeover);
    assert!(found.contains("two processes"), "{found}");
}

#[test]
fn lost_hints_without_a_catch_up_are_found() {
    let found = first_found(PlantedBug::NoCatchUp);
    assert!(
        found.contains("late") || found.contains("not told"),
        "{found}"
    );
}

#[test]
fn a_seed_with_two_nodes_replays_exactly() {
    for seed in 1_000..1_004 {
        let options = SimOptions {
            seed,
            keep_trace: true,
            ..SimOptions::default()
        };
        let (first, second) = (run(options), run(options));
        let mut lines = first.trace.iter().zip(&second.trace);
        let differs = lines.find(|(first, second)| first != second);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(first.trace_hash, second.trace_hash, "seed {seed}");
    }
}

/// The seeds reach what they are there for.
#[test]
fn seeds_with_two_nodes_reach_lost_leases_and_hints() {
    let mut sums = Figures::new();
    for report in SHARED.all(run_seed) {
        for (name, count) in &report.figures {
            *sums.entry(name).or_default() += count;
        }
    }
    for name in [
        "lost hints",
        "lost leases",
        "ended leases",
        "stalls",
        "crashes",
        "shutdowns",
    ] {
        assert!(
            sums.get(name).is_some_and(|count| *count >= 5),
            "{name}: {sums:#?}"
        );
    }
}
