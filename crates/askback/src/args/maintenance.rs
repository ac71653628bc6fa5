//! Arguments of `askback backup` and `askback migrate`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::SettingsArgs;

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

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback migrate --from ~/.local/share/askback --to postgres://askback@db.example/askback
  askback migrate --from postgres://askback@db.example/askback --to ./data
  ASKBACK_MIGRATE_TO=postgres://askback:PASSWORD@db.example/askback askback migrate --from ./data")]
pub(crate) struct MigrateArgs {
    /// Data directory, sqlite:FILE, or URL of a PostgreSQL database to read.
    #[arg(
        long,
        env = "ASKBACK_MIGRATE_FROM",
        value_name = "DIR|URL",
        hide_env_values = true
    )]
    pub(crate) from: String,
    /// Data directory, sqlite:FILE, or URL of a PostgreSQL database to fill.
    #[arg(
        long,
        env = "ASKBACK_MIGRATE_TO",
        value_name = "DIR|URL",
        hide_env_values = true
    )]
    pub(crate) to: String,
}
