//! `askback audit`: exports how questions ended as lines that are linked by hashes, and verifies such files.

use std::fs::File;
use std::io::{BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use askback_client::Client;
use askback_store::private_file;
use askback_wire::audit::{AuditPageResponse, AuditParams};
use jiff::Timestamp;

use crate::args::{AuditAction, AuditArgs, AuditExportArgs};
use crate::audit_chain::{self, ChainEnd, ChainHash, EntryIdentity};
use crate::connect::{Connection, FallbackModel};
use crate::failure::{Failure, client_error, refuse};
use crate::output;
use crate::runtime;

pub(crate) fn run(args: &AuditArgs) -> Result<(), Failure> {
    match &args.action {
        Some(AuditAction::Verify(verify)) => {
            self::verify(&verify.files, verify.previous.as_deref())
        }
        None => export(&args.export),
    }
}

fn verify(files: &[PathBuf], previous: Option<&str>) -> Result<(), Failure> {
    let start = previous.map_or(Ok(ChainHash::start()), parse_hash)?;
    let end = audit_chain::verify(files, &start).map_err(anyhow::Error::from)?;
    let mut out = output::stdout();
    writeln!(
        out,
        "OK: {} entries, the last with sequence {} and hash {}",
        end.entries, end.sequence, end.hash
    )?;
    writeln!(
        out,
        "Entries that are missing at the end leave no trace in a file: compare the count and the hash with what \
         the last export printed."
    )?;
    Ok(())
}

fn parse_hash(text: &str) -> Result<ChainHash, Failure> {
    ChainHash::parse(text).ok_or_else(|| {
        Failure::Refused("A hash has 64 hexadecimal digits in lower case.".to_owned())
    })
}

fn export(args: &AuditExportArgs) -> Result<(), Failure> {
    let since = args.since.as_deref().map(parse_time).transpose()?;
    let mut target = Target::open(args)?;
    let exported: anyhow::Result<u64> = runtime::block_on(async {
        let connection = Connection::open(&args.connect, FallbackModel::None).await?;
        let exported = pages(&connection.client, since, args.with_answers, &mut target).await;
        connection.close().await?;
        exported
    });
    match exported {
        Ok(written) => target.finish(written),
        Err(error) => {
            target.remove_if_empty();
            Err(error.into())
        }
    }
}

/// A time, or the beginning of a day in UTC.
fn parse_time(text: &str) -> Result<Timestamp, Failure> {
    let day = || {
        let date: jiff::civil::Date = text.parse().ok()?;
        let start = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(start.timestamp())
    };
    let refused = || {
        Failure::Refused(format!(
            "Not a time: {text:?}. Write it as 2026-11-01 or 2026-11-01T08:00:00Z."
        ))
    };
    text.parse().ok().or_else(day).ok_or_else(refused)
}

/// Writes one page after the other, up to what was the newest entry at the start. Returns how many entries.
async fn pages(
    client: &Client,
    since: Option<Timestamp>,
    with_answers: bool,
    target: &mut Target,
) -> anyhow::Result<u64> {
    check_same_history(client, target).await?;
    let mut cursor = None;
    let mut until = None;
    let mut written = 0;
    loop {
        let params = AuditParams {
            after: Some(target.after),
            cursor,
            since,
            with_answers,
        };
        let page = read_page(client, &params).await?;
        let until = *until.get_or_insert(page.newest);
        if until < target.after {
            bail!(
                "the store is older than the export: its newest sequence number is {until}, and the export \
                 ends at {}. If it was restored from a backup, start a new file with --continue and \
                 --after {until}",
                target.after
            );
        }
        for entry in &page.items {
            if entry.sequence <= until {
                let line = target.end.link(entry)?;
                writeln!(target.out, "{line}").context("cannot write the export")?;
                written += 1;
            }
        }
        let is_past = page.items.iter().any(|entry| entry.sequence > until);
        cursor = page.next.filter(|_| !is_past);
        if cursor.is_none() {
            return Ok(written);
        }
    }
}

async fn read_page(client: &Client, params: &AuditParams) -> anyhow::Result<AuditPageResponse> {
    let page = client.audit(params).await;
    page.map_err(|error| client_error(&error))
}

/// Fails if the store has another entry where the file has its last one. Then the database was restored from a
/// backup and has used numbers again: what it recorded since would be left out.
async fn check_same_history(client: &Client, target: &Target) -> anyhow::Result<()> {
    let Some(last) = &target.end.last else {
        return Ok(());
    };
    let params = AuditParams {
        after: Some(target.end.sequence.saturating_sub(1)),
        ..AuditParams::default()
    };
    let page = read_page(client, &params).await?;
    let same_place = page
        .items
        .iter()
        .find(|entry| entry.sequence == target.end.sequence);
    if same_place.is_some_and(|entry| EntryIdentity::from(entry) != *last) {
        bail!(
            "the store has another entry with the sequence number {}, the last of the export: it was restored \
             from a backup. Start a new file with --continue and --after N, where N is the newest sequence number \
             that `askback backup` printed",
            target.end.sequence
        );
    }
    Ok(())
}

/// Where entries are written, and what they are linked to.
struct Target {
    out: BufWriter<Box<dyn Write + Send>>,
    file: Option<(PathBuf, File)>,
    end: ChainEnd,
    /// The sequence number to start after.
    after: u64,
}

impl Target {
    fn open(args: &AuditExportArgs) -> Result<Target, Failure> {
        let mut end = match (&args.continue_from, &args.previous) {
            (Some(file), _) => audit_chain::end_of(file).map_err(anyhow::Error::from)?.0,
            (None, Some(hash)) => ChainEnd {
                hash: parse_hash(hash)?,
                ..ChainEnd::start()
            },
            (None, None) => ChainEnd::start(),
        };
        let Some(path) = &args.output else {
            return Ok(Target {
                out: BufWriter::new(Box::new(output::stdout())),
                file: None,
                after: args.after.unwrap_or(end.sequence),
                end,
            });
        };
        let (file, continued) = open_file(path)?;
        if let Some(continued) = continued {
            let flags = [
                (args.continue_from.is_some(), "--continue"),
                (args.previous.is_some(), "--previous"),
                (args.after.is_some(), "--after"),
                (args.since.is_some(), "--since"),
            ];
            if let Some((_, flag)) = flags.iter().find(|(is_given, _)| *is_given) {
                return refuse(format!(
                    "{} has entries already and is continued after its last one: leave out {flag}, or name \
                     another file.",
                    path.display()
                ));
            }
            end = continued;
        }
        let out = file.try_clone().context("cannot write the export")?;
        Ok(Target {
            out: BufWriter::new(Box::new(out)),
            file: Some((path.clone(), file)),
            after: args.after.unwrap_or(end.sequence),
            end,
        })
    }

    /// Removes a file without entries: it would not say what its first entry is linked to.
    fn remove_if_empty(&self) {
        if let Some((path, file)) = &self.file
            && file.metadata().is_ok_and(|found| found.len() == 0)
        {
            // What stays is an empty file.
            drop(std::fs::remove_file(path));
        }
    }

    /// Says what was written, on standard error: standard output may be the export.
    fn finish(mut self, written: u64) -> Result<(), Failure> {
        self.out.flush()?;
        if let Some((_, file)) = &self.file {
            file.sync_all().context("cannot write the export")?;
        }
        self.remove_if_empty();
        writeln!(
            output::stderr(),
            "askback: {written} entries exported; the last sequence is {}, the last hash {}",
            self.end.sequence,
            self.end.hash
        )?;
        Ok(())
    }
}

/// Opens a file for appending, locked against a second export, and the end of the chain in it, if it has
/// lines. A line that was not written to its end is removed.
fn open_file(path: &Path) -> Result<(File, Option<ChainEnd>), Failure> {
    let cannot = || format!("cannot write {}", path.display());
    let mut file = private_file::open_or_create(path).with_context(cannot)?;
    if file.try_lock().is_err() {
        return refuse(format!(
            "Another export is writing {}. Wait until it has ended.",
            path.display()
        ));
    }
    let (end, bytes) = audit_chain::end_of(path).map_err(anyhow::Error::from)?;
    let length = file.metadata().with_context(cannot)?.len();
    if bytes < length {
        writeln!(
            output::stderr(),
            "askback: {} ends with a line that was not written to its end. It is removed and exported again.",
            path.display()
        )?;
        file.set_len(bytes).with_context(cannot)?;
    }
    file.seek(SeekFrom::End(0)).with_context(cannot)?;
    Ok((file, (end.entries > 0).then_some(end)))
}
