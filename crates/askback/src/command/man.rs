//! `askback man`: manual pages, for those who make packages.

use anyhow::Context as _;
use clap::CommandFactory as _;

use crate::args::{Args, ManArgs};
use crate::failure::Failure;

pub(crate) fn run(args: &ManArgs) -> Result<(), Failure> {
    let directory = &args.directory;
    let write = || {
        std::fs::create_dir_all(directory)?;
        // A page shows the version in its footer, where the commit is noise.
        let command = Args::command().version(env!("CARGO_PKG_VERSION"));
        clap_mangen::generate_to(command, directory)
    };
    write().with_context(|| format!("cannot write manual pages to {}", directory.display()))?;
    Ok(())
}
