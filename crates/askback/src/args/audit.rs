//! Arguments of `askback audit`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::ConnectArgs;

#[derive(Debug, ClapArgs)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  askback audit --output audit.jsonl              # every night: appends what is new
  askback audit --output 2027.jsonl --continue 2026.jsonl
  askback audit verify audit.jsonl
  askback audit verify 2026.jsonl 2027.jsonl
  askback audit --since 2026-11-01 --with-answers | jq -r .outcome"
)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    pub(crate) action: Option<AuditAction>,
    #[command(flatten)]
    pub(crate) export: AuditExportArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditAction {
    Verify(AuditVerifyArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AuditExportArgs {
    /// File to write; only you can read it. If it has entries, the export continues after the last one.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Link the first entry to the last one of this file, and start after it.
    #[arg(long = "continue", value_name = "FILE", conflicts_with = "previous")]
    pub(crate) continue_from: Option<PathBuf>,
    /// Link the first entry to this hash.
    #[arg(long, value_name = "HASH")]
    pub(crate) previous: Option<String>,
    /// Start after this sequence number.
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) after: Option<u64>,
    /// Only what was recorded since this time: 2026-11-01 or 2026-11-01T08:00:00Z.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Include questions and answers.
    #[arg(long)]
    pub(crate) with_answers: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// Check that files are one chain, and name the first line that is not as it was written.
///
/// The exit code is 1 if it is not. Entries that are missing at the end, or a chain that was made anew as a whole,
/// are only noticed by comparing the last hash with one that you kept.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback audit verify audit.jsonl
  askback audit verify 2026.jsonl 2027.jsonl
  askback audit verify 2027.jsonl --previous 9f2c…")]
pub(crate) struct AuditVerifyArgs {
    /// Files in the order in which they were written.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Hash that the first entry is linked to [default: 64 zeros].
    #[arg(long, value_name = "HASH")]
    pub(crate) previous: Option<String>,
}
