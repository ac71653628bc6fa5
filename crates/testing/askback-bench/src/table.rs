//! The figures, as a table for people and as JSON for programs.

use serde::Serialize;

/// One figure beside what it should be.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// The number of the target.
    pub(crate) target: u8,
    pub(crate) what: String,
    pub(crate) measured: f64,
    pub(crate) at_most: Option<f64>,
    pub(crate) at_least: Option<f64>,
    /// What the figure was made from.
    pub(crate) from: String,
}

impl Row {
    pub(crate) fn at_most(target: u8, what: &str, measured: f64, limit: f64, from: String) -> Row {
        Row {
            target,
            what: what.to_owned(),
            measured,
            at_most: Some(limit),
            at_least: None,
            from,
        }
    }

    pub(crate) fn at_least(target: u8, what: &str, measured: f64, limit: f64, from: String) -> Row {
        Row {
            at_most: None,
            at_least: Some(limit),
            ..Row::at_most(target, what, measured, limit, from)
        }
    }

    /// A figure that is only reported.
    pub(crate) fn without_target(target: u8, what: &str, measured: f64, from: String) -> Row {
        Row {
            at_most: None,
            ..Row::at_most(target, what, measured, 0.0, from)
        }
    }

    fn holds(&self) -> bool {
        self.at_most.is_none_or(|limit| self.measured <= limit)
            && self.at_least.is_none_or(|limit| self.measured >= limit)
    }

    fn limit(&self) -> String {
        match (self.at_most, self.at_least) {
            (Some(limit), _) => format!("≤ {limit}"),
            (None, Some(limit)) => format!("≥ {limit}"),
            (None, None) => String::new(),
        }
    }
}

/// Prints the rows. Returns whether all targets are met.
pub(crate) fn print(rows: &[Row]) -> bool {
    println!(
        "{:<3} {:<52} {:>10}  {:<9}      details",
        "", "what", "measured", "target"
    );
    for row in rows {
        let has_target = row.at_most.or(row.at_least).is_some();
        let verdict = match (has_target, row.holds()) {
            (false, _) => "",
            (true, true) => "ok",
            (true, false) => "MISS",
        };
        println!(
            "{:<3} {:<52} {:>10.3}  {:<9} {verdict:<4} {}",
            row.target,
            row.what,
            row.measured,
            row.limit(),
            row.from
        );
    }
    rows.iter().all(Row::holds)
}
