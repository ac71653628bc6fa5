//! Every word is seen: long texts are wrapped, scrolled and never cut inside of a word.

use askback_tui::prompt::Prompt;
use serde_json::{Value, json};

use super::fixtures::{press, prompt, resize, shown};

/// So many characters of words that are all different, the last one whole.
fn words(length: usize, name: &str) -> String {
    let mut text = String::new();
    for count in 0.. {
        let word = format!("{name}{count}");
        if text.len() + word.len() + 1 > length {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word);
    }
    let missing = length - text.len();
    text.push_str(&"z".repeat(missing));
    text
}

/// A label of 200 characters, a question and a description of 500.
fn long() -> Value {
    json!({"questions": [{"question": words(500, "ask"), "header": "Long", "options": [
        {"label": words(200, "label"), "description": words(500, "about")},
        {"label": words(200, "second"), "description": words(500, "more")}, "c"]}]})
}

fn text(value: &Value) -> Vec<&str> {
    value.as_str().expect("a text").split(' ').collect()
}

fn lines(prompt: &Prompt) -> Vec<String> {
    let shown = shown(prompt).replace('█', "");
    shown.lines().map(str::to_owned).collect()
}

/// How many rows a mark says are left out.
fn left_out(line: &str, mark: char) -> Option<usize> {
    let rest = line.split(mark).nth(1)?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The rows of the question in view, and how many are above them.
fn question(prompt: &Prompt) -> (usize, Vec<String>) {
    let all = lines(prompt);
    let list = all.iter().position(|line| line.contains(" 1 ○"));
    let head = &all[1..list.expect("the choices are shown")];
    let above = head.iter().find_map(|line| left_out(line, '▲'));
    let is_text = |line: &&String| line.contains("ask");
    let rows = head.iter().filter(is_text).cloned().collect();
    (above.unwrap_or(0), rows)
}

/// What is seen of the question while it is scrolled is the question, word by word.
#[test]
fn scrolled_question_is_the_whole_question() {
    let input = long();
    for (columns, rows) in [(40, 12), (60, 20), (80, 14)] {
        let mut prompt = prompt(&input);
        resize(&mut prompt, columns, rows);
        let mut seen: Vec<String> = Vec::new();
        for _ in 0..40 {
            let (above, rows) = question(&prompt);
            for (at, row) in rows.into_iter().enumerate() {
                if let Some(known) = seen.get(above + at) {
                    assert_eq!(*known, row, "the same row twice");
                    continue;
                }
                assert_eq!(seen.len(), above + at, "no row is left out");
                seen.push(row);
            }
            press(&mut prompt, "pgdn");
        }
        let joined: Vec<String> = seen
            .iter()
            .map(|row| row.trim_start_matches('│').trim().to_owned())
            .collect();
        let joined = joined.join(" ");
        let found: Vec<&str> = joined.split(' ').collect();
        let asked = &input["questions"][0]["question"];
        assert_eq!(found, text(asked), "{columns} by {rows}");
    }
}

/// A choice in focus is shown whole, its label and its description, word by word.
#[test]
fn focused_choice_is_shown_whole() {
    let input = long();
    for (columns, rows) in [(80, 40), (120, 24), (60, 60)] {
        let mut prompt = prompt(&input);
        resize(&mut prompt, columns, rows);
        for (at, keys) in [(0, ""), (1, "down")] {
            press(&mut prompt, keys);
            let all = lines(&prompt);
            let start = format!("> {} ○ ", at + 1);
            let next = format!("  {} ○ ", at + 2);
            let begin = all.iter().position(|line| line.contains(&start));
            let rows = all[begin.expect("it is shown")..].iter();
            let rows = rows.take_while(|line| !line.contains(&next) && !line.starts_with('╰'));
            let rows = rows.map(|row| row.trim_start_matches('│').trim());
            let joined = rows.collect::<Vec<_>>().join(" ");
            let joined = joined.trim().trim_start_matches(start.trim_end()).trim();
            let found: Vec<&str> = joined.split_whitespace().collect();
            let choice = &input["questions"][0]["options"][at];
            let mut expected = text(&choice["label"]);
            expected.extend(text(&choice["description"]));
            assert_eq!(found, expected, "{columns} by {rows:?}", rows = all.len());
        }
    }
}

/// Read in full row by row, it is everything, word by word.
#[test]
fn reader_shows_everything() {
    let input = long();
    for (columns, rows) in [(40, 10), (80, 24), (20, 6)] {
        let mut prompt = prompt(&input);
        resize(&mut prompt, columns, rows);
        press(&mut prompt, "v");
        let page = |prompt: &Prompt| {
            let mut all = lines(prompt);
            all.pop();
            all
        };
        let mut seen = page(&prompt);
        // The mark in the last row says how many are below.
        while let Some(below) = lines(&prompt).last().and_then(|row| left_out(row, '▼')) {
            press(&mut prompt, "down");
            seen.extend(page(&prompt).pop());
            assert!(below < 500, "it comes to an end");
        }
        let joined = seen.join(" ");
        let found: Vec<&str> = joined.split_whitespace().collect();
        let question = &input["questions"][0];
        let mut expected = vec!["Long"];
        expected.extend(text(&question["question"]));
        for (number, choice) in ["1", "2"].into_iter().zip([0, 1]) {
            expected.push(number);
            expected.extend(text(&question["options"][choice]["label"]));
            expected.extend(text(&question["options"][choice]["description"]));
        }
        expected.extend(["3", "c"]);
        assert_eq!(found, expected, "{columns} by {rows}");
    }
}

/// Further rows of a choice begin below its label, and the list never begins inside of one.
#[test]
fn choices_are_whole_and_hang_below_their_labels() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (60, 30), (44, 16)] {
        let mut prompt = prompt(&long());
        resize(&mut prompt, columns, rows);
        for _ in 0..4 {
            let all = lines(&prompt);
            let is_choice = |line: &String| line.contains(" ○ ");
            let first = all.iter().position(is_choice).expect("choices are shown");
            let before = all[first - 1].trim_start_matches('│').trim();
            let whole = before.is_empty() || before.contains('▲') || before.contains("ask");
            assert!(
                whole || before.contains('▼'),
                "{before:?} in\n{}",
                all.join("\n")
            );
            let foot = all.len() - 1;
            for row in &all[first..foot] {
                let text = row.trim_start_matches('│');
                if text.trim().is_empty() || text.contains(['▲', '▼']) {
                    continue;
                }
                let label = row.chars().position(|ch| ch == '○').map(|at| at + 2);
                let begins = match label {
                    Some(label) => label,
                    None => row.chars().skip(1).take_while(|ch| *ch == ' ').count() + 1,
                };
                assert_eq!(begins, 9, "{row:?}");
            }
            press(&mut prompt, "down");
        }
    }
}
