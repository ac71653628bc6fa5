//! What an agent or a draft holds is shown as text, whatever it is.

use askback_tui::prompt::Prompt;
use serde_json::json;

use super::fixtures::{SIZES, inquiry, options, prompt, resize, shown};

/// No control character and no bidirectional override is in any row.
#[test]
fn escape_sequences_are_text() {
    let evil = "a\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\u{202e}b\rc\u{1b}]8;;http://x\u{1b}\\d";
    let input = json!({"questions": [{"question": evil, "header": "H\u{1b}[2J",
        "options": [{"label": format!("1{evil}"), "description": evil}, {"label": format!("2{evil}")}]}]});
    let mut prompt = prompt(&input);
    for size in SIZES {
        resize(&mut prompt, size.columns, size.rows);
        let text = shown(&prompt);
        let bad =
            |ch: char| ch != '\n' && (ch.is_control() || ('\u{202A}'..='\u{202E}').contains(&ch));
        assert!(!text.contains(bad), "{text:?}");
    }
    assert!(shown(&prompt).contains('␛') || shown(&prompt).contains('…'));
}

/// A draft that something else wrote is cleaned before it is shown.
#[test]
fn drafts_are_cleaned() {
    let inquiry = inquiry(&json!({"question": "What?", "input_type": "text"}));
    let draft = json!({"page": {"question": 0}, "entries": [{"typed": "a\u{1b}[2Jb"}]});
    let mut options = options("en");
    options.draft = Some(serde_json::from_value(draft).expect("a draft"));
    let shown = shown(&Prompt::new(inquiry, options));
    assert!(
        shown.contains('␛') && !shown.contains('\u{1b}'),
        "{shown:?}"
    );
}

/// The rail stands in the first column of every row, whatever the row holds.
#[test]
fn rail_is_intact_beside_every_script() {
    let label = "👨‍👩‍👧 👍🏽 🗄️ ﾊﾟｿｺﾝ e\u{301} قاعدة בסיס 日本語 ".repeat(4);
    let input = json!({"questions": [{"question": label, "header": "X",
        "options": [{"label": label, "description": label}, "b"]}]});
    let mut prompt = prompt(&input);
    for columns in 40..100 {
        resize(&mut prompt, columns, 60);
        let frame = prompt.view();
        let last = frame.rows.len() - 1;
        for row in &frame.rows[1..last] {
            assert!(row.text().starts_with('│'), "{:?}", row.text());
            assert!(row.width() < columns, "{:?}", row.text());
        }
    }
}
