//! Reads an input file, or standard input for `-`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context as _;
use askback_core::limits;
use serde_json::Value;

use crate::failure::{Failure, refuse};

/// Reads at most one byte more than a tool input may have, so that a larger one is noticed.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let bounded = limits::INPUT_BYTES_MAX as u64 + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin()
            .lock()
            .take(bounded)
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
    } else {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        file.take(bounded)
            .read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", path.display()))?;
    }
    if bytes.len() > limits::INPUT_BYTES_MAX {
        // The caller refuses it for its size, not for a character cut in two at the end.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::Refused(format!("{} is not UTF-8 text.", name(path))))
}

pub(crate) fn read_json(path: &Path) -> Result<Value, Failure> {
    let text = read_text(path)?;
    if text.len() > limits::INPUT_BYTES_MAX {
        let max = limits::INPUT_BYTES_MAX;
        let refusal = format!("{} is larger than {max} bytes.", name(path));
        return refuse(refusal);
    }
    serde_json::from_str(&text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Failure::Refused(format!(
            "{} is not JSON (line {line}, column {column}).",
            name(path)
        ))
    })
}

fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "Standard input".to_owned()
    } else {
        path.display().to_string()
    }
}
