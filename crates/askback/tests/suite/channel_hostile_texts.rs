//! A question that an agent wrote to trick people or providers.

use serde_json::{Value, json};

use super::support::channel_server::ChannelServer;

const HOSTILE: &str =
    "<!channel> @everyone <@U1> `code` *bold* [safe](https://evil.example) <b>bold</b> مرحبا 👩‍👩‍👧‍👦";

/// All texts of a document that are shown with markup.
fn marked_up<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) if fields.get("type") == Some(&json!("mrkdwn")) => {
            found.extend(fields["text"].as_str());
        }
        Value::Object(fields) => fields.values().for_each(|value| marked_up(value, found)),
        Value::Array(items) => items.iter().for_each(|value| marked_up(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Nobody is mentioned, nothing is formatted, and no link is hidden, on any channel. Labels of 100 characters
/// and 20 choices are all shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_texts_stay_texts_on_every_channel() {
    let people = "[recipients.zoe]\nlanguage = 'en'\n\
         identities = ['telegram:42', 'slack:U42', 'ntfy:a-topic', 'email:zoe@example.org']\n";
    let run = ChannelServer::start(people).await;
    let mut labels: Vec<String> = (3..=20).map(|number| format!("Choice {number}")).collect();
    labels.insert(0, "👩‍👩‍👧‍👦".repeat(9));
    labels.insert(0, HOSTILE.chars().take(95).collect());
    let input = json!({ "question": format!("{HOSTILE}?"), "input_type": "single_select", "options": labels });
    run.ask(input, None).await;
    run.until("it arrives everywhere", || {
        !run.telegram.messages().is_empty()
            && !run.slack.messages().is_empty()
            && !run.ntfy.requests().is_empty()
            && !run.smtp.mails().is_empty()
    })
    .await;
    let card = run.telegram.messages().remove(0);
    assert!(card.text().contains(HOSTILE), "{}", card.text());
    assert!(card.body.get("parse_mode").is_none() && card.body.get("entities").is_none());
    let numbers = card
        .buttons()
        .iter()
        .filter(|(label, _)| label.parse::<usize>().is_ok())
        .count();
    assert_eq!(numbers, 20);

    let card = run.slack.messages().remove(0);
    assert!(
        !card.text().contains("<!channel>") && !card.text().contains("<@U1>"),
        "{}",
        card.text()
    );
    let mut texts = Vec::new();
    marked_up(&card.body["blocks"], &mut texts);
    assert!(texts.iter().all(|text| !text.contains('<')), "{texts:?}");
    assert_eq!(card.body["link_names"], false);

    // Nobody can press one of twenty choices on a phone: it has the link.
    let published = run.ntfy.requests().remove(0).json();
    let actions = published["actions"].as_array().cloned().unwrap_or_default();
    assert!(
        actions.iter().all(|action| action["action"] != "http"),
        "{published}"
    );
    assert!(published["click"].is_string() && published.get("markdown").is_none());
}
