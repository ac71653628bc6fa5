//! `askback migrate`: moves everything from one store to another while nothing runs on them.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use askback_server::data_dir;
use askback_store::{TransferReport, transfer};

use crate::args::MigrateArgs;
use crate::failure::{Failure, refuse};
use crate::open_store::StoreAddress;
use crate::output;
use crate::runtime;

/// Files of a data directory that a server needs and that are not in its database.
const BESIDE_THE_DATABASE: [&str; 2] = ["token", "webhook-secret.json"];

/// One side of the move.
struct Side {
    address: StoreAddress,
    /// Absent for a PostgreSQL database and for a database file that was named.
    directory: Option<PathBuf>,
}

pub(crate) fn run(args: &MigrateArgs) -> Result<(), Failure> {
    let from = Side::parse(&args.from)?;
    let to = Side::parse(&args.to)?;
    if let StoreAddress::Sqlite(path) = &from.address
        && !path.exists()
    {
        return refuse(format!(
            "There is no database at {}: check --from.",
            path.display()
        ));
    }
    to.create_directory()?;
    let moved = runtime::block_on(async {
        let mut source = from.address.open_for_transfer().await?;
        let mut target = to.address.open_for_transfer().await?;
        Ok(transfer(source.as_mut(), target.as_mut()).await?)
    });
    let report = moved.map_err(|error| error.context("nothing was moved"))?;
    print(&report, from.directory.as_deref(), to.directory.as_deref())?;
    Ok(())
}

impl Side {
    /// A URL, `sqlite:FILE`, or a data directory.
    fn parse(text: &str) -> anyhow::Result<Side> {
        let is_store = ["postgres://", "postgresql://", "sqlite:"];
        if is_store.iter().any(|scheme| text.starts_with(scheme)) {
            return Ok(Side {
                address: StoreAddress::parse(text)?,
                directory: None,
            });
        }
        if text.contains("://") {
            bail!(
                "--from and --to take a data directory, sqlite:FILE or postgres://USER@HOST/DATABASE"
            );
        }
        let directory = PathBuf::from(text);
        Ok(Side {
            address: StoreAddress::Sqlite(data_dir::database(&directory)),
            directory: Some(directory),
        })
    }

    fn create_directory(&self) -> anyhow::Result<()> {
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        let created = askback_server::create_directory(directory);
        created.with_context(|| format!("cannot create {}", directory.display()))
    }
}

fn print(report: &TransferReport, from: Option<&Path>, to: Option<&Path>) -> io::Result<()> {
    let mut out = output::stdout();
    for (table, rows) in &report.rows {
        writeln!(out, "{table:<14} {rows:>9}")?;
    }
    writeln!(
        out,
        "Moved and compared. The newest sequence number is {}. The source was not changed.",
        report.newest_sequence
    )?;
    let left: Vec<String> = from
        .into_iter()
        .flat_map(|from| BESIDE_THE_DATABASE.map(|name| from.join(name)))
        .filter(|path| path.exists())
        .map(|path| path.display().to_string())
        .collect();
    if !left.is_empty() {
        writeln!(
            out,
            "Not in a database, so not moved: {}. Links and browser sessions are valid for that token, and receivers \
             know that webhook secret: give both to every new server.",
            left.join(", ")
        )?;
    }
    if to.is_some() && from.is_none() {
        writeln!(
            out,
            "The new directory has no token yet: copy the files `token` and `webhook-secret.json` of a node into it, or \
             links and browser sessions end.",
        )?;
    }
    Ok(())
}
