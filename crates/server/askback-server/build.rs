//! Generates the list of the files of `web/` that the binary embeds, so that a new file needs no entry.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The extensions of embedded files. Other files in `web/` are for development.
const KINDS: &[&str] = &["css", "html", "js", "png", "svg"];

/// The folders of `web/` that are for development.
const NOT_SERVED: &[&str] = &["node_modules", "tests"];

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // A link to `web/` of the repository; `cargo package` packs what it leads to.
    let web = manifest.join("web");
    println!("cargo:rerun-if-changed=build.rs");
    let mut paths = Vec::new();
    for entry in fs::read_dir(&web)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| NOT_SERVED.contains(&name)) {
            continue;
        }
        // A folder, with all that will be added to it.
        println!("cargo:rerun-if-changed={}", path.display());
        if path.is_dir() {
            for file in fs::read_dir(path)? {
                paths.push(file?.path());
            }
        } else {
            paths.push(path);
        }
    }
    paths.retain(|path| path.is_file() && is_served(path));
    paths.sort();
    let mut table = String::from("&[\n");
    for path in &paths {
        let name = path.strip_prefix(&web).map_err(io::Error::other)?;
        let name = name.to_string_lossy().replace('\\', "/");
        let path_text = path.to_string_lossy();
        let row = writeln!(table, "    ({name:?}, include_bytes!({path_text:?})),");
        row.map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("web_files.rs"), table)
}

/// Whether a file is for browsers: it has a known extension and one dot in its name. Tests and
/// settings of tools (`question.test.js`, `lint.config.js`) have two dots.
fn is_served(path: &Path) -> bool {
    let kind = path.extension().and_then(|kind| kind.to_str());
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    kind.is_some_and(|kind| KINDS.contains(&kind)) && stem.is_some_and(|stem| !stem.contains('.'))
}
