//! Which cases a run consists of.

use anyhow::{Context, bail};
use askback_core::dialect::Dialect;

/// Which cases to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) dialects: Vec<Dialect>,
    pub(crate) seed: u64,
    pub(crate) from: u64,
    pub(crate) count: u64,
}

/// Reads the arguments; without any, a million cases of every dialect.
pub(crate) fn parse(arguments: &[&str]) -> anyhow::Result<Settings> {
    let mut settings = Settings {
        dialects: Dialect::ALL.to_vec(),
        seed: 1,
        from: 0,
        count: 1_000_000,
    };
    for pair in arguments.chunks(2) {
        let [flag, value] = pair else {
            bail!("{} needs a value", pair.concat());
        };
        match *flag {
            "--count" => settings.count = number(flag, value)?,
            "--seed" => settings.seed = number(flag, value)?,
            "--from" => settings.from = number(flag, value)?,
            "--dialect" => {
                let dialect = Dialect::from_name(value)
                    .with_context(|| format!("there is no dialect {value}"))?;
                settings.dialects = vec![dialect];
            }
            _ => bail!("fuzz-inputs does not know {flag}"),
        }
    }
    Ok(settings)
}

fn number(flag: &str, value: &str) -> anyhow::Result<u64> {
    value
        .replace('_', "")
        .parse()
        .with_context(|| format!("{flag} takes a whole number"))
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
