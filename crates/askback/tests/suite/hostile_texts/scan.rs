//! Looks for what acts on a terminal, a page or a reader instead of showing itself.

use serde_json::Value;

/// Control sequences and strings with both introducers, control characters, line breaks of several sorts, direction
/// overrides and isolates, spaces without width, soft hyphens, tags. `hostile` tells that a text got through.
pub(super) const LONG: &str = "hostile \u{1b}[31mred\u{1b}]0;title\u{7}\u{1b}]52;c;eHg=\u{1b}\\ \u{9b}2J\u{9d}0;t\u{9c}\u{90}q\
     \u{8}\u{7}\u{7f}\u{0}\u{85}\u{2028}\u{202e}drow\u{202c}\u{2066}i\u{2069}\u{200b}\u{2060}\u{feff}\u{ad}\u{e0041}\u{e007f}\r\nend";
/// The same for fields that take few characters.
pub(super) const SHORT: &str = "hostile\u{1b}[2J\u{9b}K\u{202e}\u{200b}\u{7}";

/// Ids that AG-UI gives back as its client or the model made them. Nobody is shown them.
const EXACT: [&str; 3] = ["threadId", "runId", "toolCallId"];

fn acts(ch: char) -> bool {
    let breaks = matches!(ch, '\n' | '\t');
    !breaks && ch.is_control()
        || matches!(ch, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(
            ch,
            '\u{200b}' | '\u{feff}' | '\u{ad}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// What was found where, and how many outputs showed a hostile text.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) findings: Vec<String>,
    pub(super) outputs: usize,
    pub(super) with_hostile: usize,
}

impl Scan {
    pub(super) fn text(&mut self, output: &str, text: &str) {
        self.outputs += 1;
        self.with_hostile += usize::from(text.contains("hostile"));
        if let Some(at) = text.find(acts) {
            let from = text[..at]
                .char_indices()
                .rev()
                .nth(60)
                .map_or(0, |(at, _)| at);
            let shown: String = text[from..].chars().take(90).collect();
            self.findings.push(format!("{output}: {shown:?}"));
        }
    }

    /// JSON as a program reads it: no text in it acts, however it was written.
    pub(super) fn json(&mut self, output: &str, json: &str) {
        let Ok(value) = serde_json::from_str::<Value>(json) else {
            return self.text(output, json);
        };
        self.outputs += 1;
        self.with_hostile += usize::from(json.contains("hostile"));
        self.value(output, &value);
    }

    fn value(&mut self, output: &str, value: &Value) {
        match value {
            Value::String(text) => {
                if text.contains(acts) {
                    let shown: String = text.chars().take(90).collect();
                    self.findings.push(format!("{output}: {shown:?}"));
                }
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    if EXACT.contains(&name.as_str()) {
                        continue;
                    }
                    if name.contains(acts) {
                        self.findings.push(format!("{output}: the name {name:?}"));
                    }
                    self.value(&format!("{output} .{name}"), value);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.value(output, item);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
