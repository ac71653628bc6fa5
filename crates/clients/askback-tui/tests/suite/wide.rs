//! Previews beside the list, and the box around it: both placed by columns.

use askback_tui::prompt::Prompt;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::fixtures::{press, prompt, resize, sent, shown};

fn previews() -> Value {
    let long: Vec<String> = (1..=40).map(|line| format!("line {line}")).collect();
    json!({"questions": [{"question": "Which layout should the page have?", "header": "Layout",
        "options": [
            {"label": "Sidebar", "description": "Navigation at the left",
             "preview": "+------+-----------+\n| nav  | content   |\n|      |           |\n+------+-----------+"},
            {"label": "Top bar 👨‍👩‍👧", "description": "Navigation above", "preview": long.join("\n")},
            {"label": "None"}]}]})
}

fn wide(columns: usize, rows: usize) -> Prompt {
    let mut prompt = prompt(&previews());
    resize(&mut prompt, columns, rows);
    prompt
}

#[test]
fn preview_stands_beside_the_list_from_100_columns() {
    assert_snapshot!("preview_beside", shown(&wide(100, 24)));
    let mut opened = wide(99, 24);
    press(&mut opened, "p");
    assert!(
        shown(&opened).contains("| nav  | content   |"),
        "{}",
        shown(&opened)
    );
}

/// Below 100 columns, the preview is below the list: the arrows switch it, enter takes the
/// choice, and the frame keeps its height. Descriptions and all choices stay visible.
#[test]
fn preview_is_below_the_list_at_80_columns() {
    let mut prompt = wide(80, 24);
    let rows = prompt.view().rows.len();
    let first = shown(&prompt);
    assert!(
        first.contains("── Sidebar ─") && first.contains("| nav  | content   |"),
        "{first}"
    );
    for all in [
        "Navigation at the left",
        "Navigation above",
        "3 ○ None",
        "4 ○ Other",
    ] {
        assert!(first.contains(all), "{first}");
    }
    press(&mut prompt, "down");
    let second = shown(&prompt);
    assert!(
        second.contains("── Top bar") && second.contains("line 1"),
        "{second}"
    );
    assert!(
        second.contains("▼") && !second.contains("nav  |"),
        "{second}"
    );
    assert_eq!(prompt.view().rows.len(), rows);
    press(&mut prompt, "]");
    assert!(shown(&prompt).contains("▲"), "{}", shown(&prompt));
    let answer = sent(&press(&mut prompt, "up enter"));
    assert_eq!(answer, json!({"q1": {"values": ["Sidebar"]}}));
}

/// The rule stands in one column, whatever is in the list, and the frame keeps its height.
#[test]
fn pane_does_not_move_with_the_focus() {
    let mut prompt = wide(110, 30);
    let column = |prompt: &Prompt| {
        let rows = prompt.view().rows;
        let placed = rows.iter().flat_map(|row| row.placed().to_vec());
        let columns: Vec<usize> = placed.map(|placed| placed.column).collect();
        (rows.len(), columns)
    };
    let (rows, columns) = column(&prompt);
    assert!(rows <= 27 && columns.len() > 10, "{rows} {columns:?}");
    assert!(
        columns.windows(2).all(|pair| pair[0] == pair[1]),
        "{columns:?}"
    );
    for _ in 0..4 {
        press(&mut prompt, "down");
        assert_eq!(column(&prompt), (rows, columns.clone()));
    }
}

/// All of a long preview is seen by scrolling, with marks for what is not in view.
#[test]
fn long_preview_scrolls_in_place() {
    let mut prompt = wide(100, 16);
    press(&mut prompt, "down");
    let mut seen = Vec::new();
    let top = shown(&prompt);
    assert!(top.contains("▼") && !top.contains("▲"), "{top}");
    for _ in 0..20 {
        let page = shown(&prompt);
        let lines = page.lines().filter_map(|row| row.split("line ").nth(1));
        seen.extend(lines.map(|line| line.trim().to_owned()));
        press(&mut prompt, "]");
    }
    for line in 1..=40 {
        assert!(
            seen.contains(&line.to_string()),
            "line {line} was never seen"
        );
    }
    let end = shown(&prompt);
    assert!(end.contains("▲") && !end.contains("▼"), "{end}");
    press(&mut prompt, "[");
    assert_ne!(shown(&prompt), end);
    // Another choice begins at its top, and keys of the list still move.
    press(&mut prompt, "up down");
    assert_eq!(shown(&prompt), top);
}
