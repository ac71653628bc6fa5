//! Removes the comments and the indentation of a module or a stylesheet before it is sent: the types in
//! comments are for the checks, and are a quarter of all bytes. Everything else stays, line by line, so that
//! an error in a browser names the line of the repository. `web/checks.mjs` proves for every file that the
//! meaning is the same; a text that goes over several lines is not allowed to be indented.

/// A comment inside of a line starts like this; no string or pattern of the modules does.
const INLINE: &str = "/** @";

/// The file without its comments and indentation. Comments that start a line, and types inside of one, are
/// recognised; any other is left.
pub(super) fn strip(source: &str) -> String {
    let mut stripped = String::with_capacity(source.len());
    let mut is_in_block = false;
    for line in source.lines() {
        let mut rest = line;
        let text = line.trim_start();
        if is_in_block || text.starts_with("/*") {
            rest = line.split_once("*/").map_or("", |(_, code)| code);
            is_in_block = !line.contains("*/");
        } else if text.starts_with("//") {
            rest = "";
        }
        rest = rest.trim();
        while let Some((before, comment)) = rest.split_once(INLINE) {
            stripped.push_str(before);
            rest = comment.split_once("*/").map_or("", |(_, code)| code);
        }
        stripped.push_str(rest.trim_end());
        stripped.push('\n');
    }
    stripped
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
