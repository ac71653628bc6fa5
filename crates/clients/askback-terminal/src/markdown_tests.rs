//! What agents write is shown as rows, whole, whatever it is and wherever it is cut.

use super::{rows, settled};
use crate::glyphs::Glyphs;
use crate::row::Style;

fn shown(text: &str, columns: usize) -> Vec<String> {
    let rows = rows(text, columns, &Glyphs::LINES);
    rows.iter().map(crate::row::Row::text).collect()
}

#[test]
fn blocks_become_rows() {
    let text = "# Plan\n\nTwo lines\nof one paragraph.\n\n- first\n  - nested **bold**\n1. one\n\n```sh\nls  -l\n\n  cd\n```\n> said\n\n---\n| a | b |";
    let expected = [
        "Plan",
        "",
        "Two lines of one paragraph.",
        "",
        "• first",
        "  • nested bold",
        "1. one",
        "",
        "│ ls  -l",
        "│ ",
        "│   cd",
        "│ said",
        "",
        "────────────────────────",
        "| a | b |",
    ];
    assert_eq!(shown(text, 60), expected);
}

#[test]
fn long_items_hang_below_their_text() {
    let expected = ["• alpha beta", "  gamma delta", "  epsilon"];
    assert_eq!(shown("- alpha beta gamma delta epsilon", 14), expected);
}

#[test]
fn inline_marks_become_styles() {
    let row = &rows(
        "a **b c** `d*e*` [f](http://g) h_i_j \\*k",
        80,
        &Glyphs::LINES,
    )[0];
    let spans: Vec<(&str, Style)> = row
        .spans()
        .iter()
        .map(|span| (span.text.as_str(), span.style))
        .collect();
    let expected = [
        ("a ", Style::Plain),
        ("b c", Style::Focused),
        (" ", Style::Plain),
        ("d*e*", Style::Mark),
        (" ", Style::Plain),
        ("f", Style::Focused),
        (" (http://g)", Style::Muted),
        (" h_i_j *k", Style::Plain),
    ];
    assert_eq!(spans, expected);
}

/// Marks that never close stay as they were written.
#[test]
fn unclosed_marks_are_text() {
    for text in [
        "2 * 3 * 4",
        "**open",
        "`open",
        "[a](b",
        "a_b_c",
        "_",
        "![",
        "x \\",
    ] {
        let plain: String = shown(text, 40).concat();
        let kept = |ch: &char| !ch.is_whitespace() && *ch != '\\';
        assert_eq!(
            plain.chars().filter(kept).collect::<String>(),
            text.chars().filter(kept).collect::<String>(),
            "{text}"
        );
    }
}

/// What is printed while a text grows is what the whole text shows.
#[test]
fn settled_blocks_never_change() {
    let text = "One\n\n```\na\n\nb\n```\n\n- x\n- y\n\nlast line";
    let whole = shown(text, 40);
    for end in 0..=text.len() {
        let at = settled(&text[..end]);
        let early = shown(&text[..at], 40);
        assert_eq!(early[..], whole[..early.len()], "cut at {end}");
    }
    assert_eq!(&text[settled(text)..], "last line");
    assert_eq!(settled("```\ncode\n\nmore"), 0);
}

#[test]
fn no_row_is_wider_than_the_screen() {
    let text = "# A heading that is long\n- item with `code that is long` and 日本語の長い文章です\n```\naverylongwordwithoutspaces and more\n```\n> quote quote quote quote";
    for columns in [8, 12, 20, 33] {
        for row in rows(text, columns, &Glyphs::LINES) {
            assert!(row.width() <= columns, "{columns}: {:?}", row.text());
        }
    }
}

/// What is not rendered is shown as it was written.
#[test]
fn nothing_is_lost() {
    let table = "| a | b |\n|---|---|\n| 1 | 2 |";
    assert_eq!(shown(table, 40), ["| a | b |", "|---|---|", "| 1 | 2 |"]);
    assert_eq!(shown("a <b>c</b>", 40), ["a <b>c</b>"]);
    assert_eq!(shown("<div>\nx\n</div>", 40), ["<div>", "x", "</div>"]);
    assert_eq!(shown("- [ ] open\n- [x] done", 40), ["☐ open", "☑ done"]);
    assert_eq!(shown("see [a]\n\n[a]: http://b", 40), ["see a (http://b)"]);
    assert_eq!(shown("[a]: http://b", 40), ["[a]: http://b"]);
    assert_eq!(shown("<http://b>", 40), ["http://b"]);
    assert_eq!(
        shown("1. one\n\n   more\n2. two", 40),
        ["1. one", "", "   more", "2. two"]
    );
}

/// A character reference brings no control character back.
#[test]
fn character_references_are_harmless() {
    let text = shown("&#27;[31mred &amp; &#x202e;", 40).concat();
    assert!(!text.chars().any(char::is_control), "{text:?}");
    assert!(text.contains("[31mred &"), "{text:?}");
}

#[test]
fn deep_nesting_fits_the_screen() {
    for mark in ["> ", "- ", "1. "] {
        let text = format!("{}deep", mark.repeat(2000));
        for row in rows(&text, 20, &Glyphs::LINES) {
            assert!(row.width() <= 20, "{:?}", row.text());
        }
    }
}
