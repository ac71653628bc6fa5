//! Arguments of `askback backup` and `askback migrate`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::SettingsArgs;

/// Copy the database of the data directory while the server runs, and verify the copy.
///
/// Everything that was acknowledged before the command started is in the copy. Only you can read the file. The
/// token and the webhook secret are in the data directory, not in the copy. For a PostgreSQL database, use
/// `pg_dump`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback backup /backup/askback.db
  askback backup /backup/askback.db --force        # replaces the one of yesterday
  askback backup /backup/askback.db --data /var/lib/askback")]
pub(crate) struct BackupArgs {
    /// File to write. It must not exist.
    pub(crate) file: PathBuf,
    /// Replace the file if it exists, once the new copy is complete and verified.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}
