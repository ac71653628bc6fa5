//! Messages as text, for terminals and documentation. Where a person presses by number, buttons are numbered in
//! reading order.

use serde_json::Value;

use crate::slack::SlackMessage;
use crate::telegram::FakeMessage;

/// Text and rows of buttons in a frame that is open to the right, since texts have any width.
fn framed(title: &str, text: &str, rows: &[Vec<String>]) -> String {
    let mut lines = vec![format!("╭─ {title}")];
    lines.extend(
        text.lines()
            .map(|line| format!("│ {line}").trim_end().to_owned()),
    );
    if !rows.is_empty() {
        lines.push("│".to_owned());
    }
    lines.extend(rows.iter().map(|row| format!("│ {}", row.join("  "))));
    lines.push("╰─\n".to_owned());
    lines.join("\n")
}

/// `[1 SQLite]`, or `[Open ↗]` for one that opens a link.
fn button(label: &str, can_press: bool, count: &mut usize) -> String {
    if !can_press {
        return format!("[{label} ↗]");
    }
    *count += 1;
    format!("[{count} {label}]")
}

impl FakeMessage {
    /// The message as a phone shows it, under this title.
    pub fn picture(&self, title: &str) -> String {
        let mut count = 0;
        let keyboard = self.body["reply_markup"]["inline_keyboard"].as_array();
        let shown = keyboard.into_iter().flatten().map(|row| {
            let buttons = row.as_array().into_iter().flatten();
            let buttons = buttons.map(|shown| {
                let label = shown["text"].as_str().unwrap_or_default();
                button(label, shown.get("callback_data").is_some(), &mut count)
            });
            buttons.collect()
        });
        let mut rows: Vec<Vec<String>> = shown.collect();
        if self.body["reply_markup"]["force_reply"] == true {
            rows.push(vec!["(reply to this message)".to_owned()]);
        }
        framed(title, self.text(), &rows)
    }
}

impl SlackMessage {
    /// The message as Slack shows it, under this title.
    pub fn picture(&self, title: &str) -> String {
        let mut text = Vec::new();
        let mut rows = Vec::new();
        for block in self.body["blocks"].as_array().into_iter().flatten() {
            if let Some(shown) = block["text"]["text"].as_str() {
                text.push(shown.to_owned());
            }
            let label = block["label"]["text"].as_str();
            let elements = block["elements"].as_array().into_iter().flatten();
            let elements = elements.chain(block.get("element"));
            let shown: Vec<String> = elements
                .filter_map(|element| slack_element(element, label))
                .collect();
            if block["type"] == "context" {
                text.extend(shown);
            } else if !shown.is_empty() {
                rows.push(shown);
            }
        }
        framed(title, &text.join("\n"), &rows)
    }
}

/// A button, a text, or a field with its choices.
fn slack_element(element: &Value, label: Option<&str>) -> Option<String> {
    let text = element["text"]["text"].as_str();
    let kind = element["type"].as_str()?;
    Some(match kind {
        "button" if element.get("value").is_some() => format!("[{}]", text?),
        "button" => format!("[{} ↗]", text?),
        "plain_text" | "mrkdwn" => element["text"].as_str()?.to_owned(),
        _ => {
            let options = element["options"].as_array().into_iter().flatten();
            let texts = options.filter_map(|option| option["text"]["text"].as_str());
            let options: Vec<&str> = texts.collect();
            let name = label.unwrap_or(kind);
            format!("{name}: {}", options.join(" | "))
                .trim_end()
                .to_owned()
        }
    })
}

/// A notification of ntfy, from the JSON that was published.
pub fn ntfy_picture(published: &Value) -> String {
    let mut count = 0;
    let actions = published["actions"].as_array().into_iter().flatten();
    let buttons = actions.map(|action| {
        let label = action["label"].as_str().unwrap_or_default();
        button(label, action["action"] == "http", &mut count)
    });
    let actions: Vec<String> = buttons.collect();
    let rows: Vec<Vec<String>> = if actions.is_empty() {
        Vec::new()
    } else {
        vec![actions]
    };
    let title = published["title"].as_str().unwrap_or("ntfy");
    framed(
        title,
        published["message"].as_str().unwrap_or_default(),
        &rows,
    )
}
