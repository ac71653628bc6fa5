//! Previews are rendered Markdown and coloured diffs, and drawings keep their shape.

use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::{Row, Style};

use super::rows;

fn styled(text: &str) -> Vec<(String, Style)> {
    let shown = rows(text, 40, &Glyphs::LINES, 100);
    let first = |row: &Row| {
        let span = row.spans().iter().find(|span| span.style != Style::Border);
        span.map_or(Style::Plain, |span| span.style)
    };
    shown.iter().map(|row| (row.text(), first(row))).collect()
}

fn said(text: &str, style: Style) -> (String, Style) {
    (text.to_owned(), style)
}

/// A diff is coloured by line, in a code block and without one.
#[test]
fn diff_lines_are_coloured() {
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same";
    let expected = [
        said("--- a/x", Style::Muted),
        said("+++ b/x", Style::Muted),
        said("@@ -1 +1 @@", Style::Mark),
        said("-old", Style::Error),
        said("+new", Style::Success),
        said(" same", Style::Plain),
    ];
    assert_eq!(styled(diff), expected);
    assert_eq!(
        styled("```diff\n-old\n+new\n```\nafter"),
        [
            said("│ -old", Style::Error),
            said("│ +new", Style::Success),
            said("after", Style::Plain),
        ]
    );
}

/// Markdown is rendered, and every line stays a line.
#[test]
fn markdown_is_rendered_line_by_line() {
    assert_eq!(
        styled("# Title\n**bold** text\n- item\nplain\nlines"),
        [
            said("Title", Style::Focused),
            said("bold text", Style::Focused),
            said("• item", Style::Mark),
            said("plain", Style::Plain),
            said("lines", Style::Plain),
        ]
    );
    assert_eq!(styled("use `bun`")[0].0, "use bun");
}

/// A drawing keeps its spaces, its indentation and its blank lines.
#[test]
fn drawing_keeps_its_shape() {
    let drawing = "┌──────┐\n│ a  b │\n\n   └──┐";
    let shown: Vec<String> = styled(drawing).into_iter().map(|row| row.0).collect();
    assert_eq!(shown.join("\n"), drawing);
}

/// No more than the wanted rows are made.
#[test]
fn rows_are_limited() {
    let long = "line\n".repeat(10_000);
    assert_eq!(rows(&long, 40, &Glyphs::LINES, 7).len(), 7);
}
