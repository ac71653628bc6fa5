//! The port of the last server that a chat ran in its process, kept in the data directory: with the same
//! port after a restart, an open browser tab and its session go on working.

use std::fs;
use std::path::Path;

use crate::private_text;

const FILE: &str = "last-port";

pub(crate) fn read(data: &Path) -> Option<u16> {
    let port = fs::read_to_string(data.join(FILE)).ok()?;
    port.trim().parse().ok().filter(|port| *port > 0)
}

pub(crate) fn write(data: &Path, port: u16) -> anyhow::Result<()> {
    private_text::write(&data.join(FILE), &format!("{port}\n"))
}
