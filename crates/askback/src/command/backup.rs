//! `askback backup`: a verified copy of a database in use.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use askback_store::{BackupContents, back_up, private_file};

use crate::args::BackupArgs;
use crate::failure::{Failure, refuse};
use crate::open_store::{StoreAddress, directory_of};
use crate::output;
use crate::settings::Settings;

pub(crate) fn run(args: &BackupArgs) -> Result<(), Failure> {
    let settings = Settings::gather(&args.settings)?;
    let StoreAddress::Sqlite(database) = settings.store_address()? else {
        return refuse("The store is a PostgreSQL database: back it up with pg_dump.");
    };
    match database.try_exists() {
        Ok(true) => {}
        Ok(false) => {
            return refuse(format!(
                "There is no database at {}: choose the data directory with --data.",
                database.display()
            ));
        }
        Err(error) => {
            return refuse(format!(
                "Cannot read {}: {error}. Run this as the user of the server.",
                database.display()
            ));
        }
    }
    if is_part_of(&args.file, &database) {
        return refuse(format!(
            "{} is the database itself: a copy in its place would destroy it. Choose another name.",
            args.file.display()
        ));
    }
    if args.file.exists() && !args.force {
        return Err(exists(&args.file));
    }
    let copy = PartialFile::create(&args.file)?;
    let contents = back_up(&database, &copy.path)
        .with_context(|| format!("cannot back up {}", database.display()))?;
    copy.publish(&args.file, args.force)?;
    Ok(report(&args.file, contents)?)
}

/// Whether a file is the database, under whatever name, or one of the files that SQLite keeps beside it.
fn is_part_of(file: &Path, database: &Path) -> bool {
    let Ok(database) = fs::canonicalize(database) else {
        return false;
    };
    let named = fs::canonicalize(directory_of(file))
        .ok()
        .zip(file.file_name())
        .map(|(directory, name)| directory.join(name));
    let beside = ["", "-wal", "-shm", "-lock", "-journal"].map(|ending| {
        let mut path = database.clone().into_os_string();
        path.push(ending);
        PathBuf::from(path)
    });
    let found = [fs::canonicalize(file).ok(), named];
    found
        .into_iter()
        .flatten()
        .any(|path| beside.contains(&path))
}

fn exists(file: &Path) -> Failure {
    let file = file.display();
    Failure::Refused(format!(
        "{file} exists: choose another name, or replace it with --force."
    ))
}

fn report(file: &Path, contents: BackupContents) -> io::Result<()> {
    let size = fs::metadata(file)?.len();
    writeln!(
        output::stdout(),
        "{}: {} conversations, {} questions ({} pending), {} jobs, newest sequence {}, schema {}, {size} bytes. \
         Verified.",
        file.display(),
        contents.conversations,
        contents.inquiries,
        contents.pending,
        contents.jobs,
        contents.newest_sequence,
        contents.schema,
    )
}

/// A file beside the target, until it is complete. Removed if it never is: by this process, or if that is killed, by
/// the next backup into the same directory.
struct PartialFile {
    path: PathBuf,
    /// Locked, so that what other backups find there is left over. Some network file systems cannot do that; then the
    /// later one of two backups at the same time makes the earlier one fail.
    directory: File,
}

impl PartialFile {
    const NAME: &str = ".askback-backup.partial";
    const JOURNAL: &str = ".askback-backup.partial-journal";

    fn create(target: &Path) -> Result<PartialFile, Failure> {
        let directory = directory_of(target);
        let path = directory.join(PartialFile::NAME);
        let directory = File::open(directory)
            .with_context(|| format!("cannot open the directory {}", directory.display()))?;
        drop(directory.lock());
        // SQLite would apply a journal that is left to the new copy.
        for name in [PartialFile::NAME, PartialFile::JOURNAL] {
            let left = path.with_file_name(name);
            if let Err(error) = fs::remove_file(&left)
                && error.kind() != io::ErrorKind::NotFound
            {
                let left = left.display();
                return Err(anyhow::anyhow!("cannot remove {left}: {error}").into());
            }
        }
        private_file::create_new(&path)
            .with_context(|| format!("cannot create {}", path.display()))?;
        Ok(PartialFile { path, directory })
    }

    /// Gives the file its name, once it is on disk.
    fn publish(self, target: &Path, force: bool) -> Result<(), Failure> {
        let cannot = || format!("cannot write {}", target.display());
        let copy = File::open(&self.path).with_context(cannot)?;
        copy.sync_all().with_context(cannot)?;
        if force {
            fs::rename(&self.path, target).with_context(cannot)?;
        } else {
            // A rename would replace a file that somebody has made meanwhile.
            match fs::hard_link(&self.path, target) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(exists(target));
                }
                linked => linked.with_context(cannot)?,
            }
        }
        self.directory.sync_all().with_context(cannot)?;
        Ok(())
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        drop(fs::remove_file(&self.path));
    }
}
