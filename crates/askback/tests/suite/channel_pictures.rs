//! The pictures in docs/channels.md are what the fakes recorded. `ASKBACK_UPDATE_PICTURES=1` writes them anew.

use std::collections::BTreeMap;
use std::fs;

use askback_fakes::ntfy_picture;
use serde_json::{Value, json};

use super::support::channel_server::ChannelServer;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/channels.md");

fn question() -> Value {
    json!({ "questions": [{
        "question": "Which database should the orders use?",
        "header": "Database",
        "options": [
            { "label": "SQLite", "description": "One file, no server" },
            { "label": "PostgreSQL", "description": "Several servers can share it" },
        ],
    }] })
}

fn ticks() -> Value {
    json!({ "questions": [{
        "question": "Which tests have to pass?", "header": "Tests", "multiSelect": true,
        "options": [{ "label": "unit" }, { "label": "browser" }, { "label": "load" }],
    }] })
}

/// Times and keys differ in each run.
fn steady(text: &str) -> String {
    let mut steady = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("https://askback.example/") {
        let (before, link) = rest.split_at(start);
        let end = link.find(|char: char| char.is_whitespace() || "\"<>)".contains(char));
        steady.push_str(before);
        steady.push_str("https://askback.example/…");
        rest = &link[end.unwrap_or(link.len())..];
    }
    steady.push_str(rest);
    let is_time = |word: &str| {
        let digits = word.split_once(':');
        digits.is_some_and(|(hours, minutes)| {
            hours.len() == 2
                && minutes.len() == 2
                && word.bytes().all(|byte| byte != b' ')
                && (hours.to_owned() + minutes)
                    .bytes()
                    .all(|byte| byte.is_ascii_digit())
        })
    };
    let lines = steady.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let words = words
            .into_iter()
            .map(|word| if is_time(word) { "21:04" } else { word });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The plain text of a mail.
pub(super) fn mail_text(source: &str) -> String {
    let (_, part) = source
        .split_once("Content-Type: text/plain")
        .expect("it has a text");
    let (_, text) = part.split_once("\n\n").expect("it has a body");
    let text = text
        .split("\n--")
        .next()
        .unwrap_or_default()
        .replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = (*first == b'=').then(|| behind.get(..2)).flatten();
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = &behind[2..];
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

/// Plays one question on every channel, and returns what people saw.
async fn record() -> BTreeMap<&'static str, String> {
    let people = "[recipients.zoe]\nname = 'Zoë'\nlanguage = 'en'\ntime_zone = 'UTC'\n\
         identities = ['telegram:42', 'slack:U42', 'ntfy:a-topic', 'email:zoe@example.org']\n";
    let run = ChannelServer::start(people).await;
    let asked = run.ask(question(), None).await;
    run.until("it arrives everywhere", || {
        !run.telegram.messages().is_empty()
            && !run.slack.messages().is_empty()
            && !run.ntfy.requests().is_empty()
            && !run.smtp.mails().is_empty()
    })
    .await;
    let mut pictures = BTreeMap::new();
    let card = run.telegram.messages().remove(0);
    pictures.insert("telegram-open", card.picture("askback_bot"));
    pictures.insert("slack-open", run.slack.messages()[0].picture("askback"));
    pictures.insert("ntfy-open", ntfy_picture(&run.ntfy.requests()[0].json()));
    pictures.insert("email", mail_text(&run.smtp.mails()[0].source));
    run.telegram.press(42, card.id, &card.buttons()[1].1);
    run.outcome(&asked).await;
    run.until("all say how it ended", || {
        run.telegram.messages()[0].edits > 0
            && run.slack.messages()[0].edits > 0
            && run.ntfy.requests().len() > 1
    })
    .await;
    let shown = run.telegram.messages().remove(0);
    pictures.insert("telegram-answered", shown.picture("askback_bot"));
    pictures.insert("slack-answered", run.slack.messages()[0].picture("askback"));
    pictures.insert(
        "ntfy-answered",
        ntfy_picture(&run.ntfy.requests()[1].json()),
    );
    run.ask(ticks(), Some("zoe")).await;
    run.until("the second arrives", || run.telegram.messages().len() > 1)
        .await;
    let card = run.telegram.messages().remove(1);
    run.telegram.press(42, card.id, &card.buttons()[0].1);
    run.until("the tick is shown", || run.telegram.messages()[1].edits > 0)
        .await;
    let shown = run.telegram.messages().remove(1);
    pictures.insert("telegram-ticks", shown.picture("askback_bot"));
    pictures
}

/// The document with these pictures in the blocks behind their marks, and the names that it uses.
fn with_pictures(document: &str, pictures: &BTreeMap<&str, String>) -> (String, Vec<String>) {
    let mut written = String::new();
    let mut used = Vec::new();
    let mut rest = document;
    while let Some((before, behind)) = rest.split_once("<!-- picture: ") {
        let (name, behind) = behind.split_once(" -->\n").expect("the mark ends");
        let (fence, behind) = behind.split_once('\n').expect("a block follows");
        assert!(fence.starts_with("```"), "{name}: a block follows");
        let (_, behind) = behind.split_once("```\n").expect("the block ends");
        let picture = pictures
            .get(name)
            .unwrap_or_else(|| panic!("no picture {name}"));
        let picture = steady(picture);
        let picture = picture.trim_end();
        written = format!("{written}{before}<!-- picture: {name} -->\n{fence}\n{picture}\n```\n");
        used.push(name.to_owned());
        rest = behind;
    }
    (written + rest, used)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pictures_in_the_documentation_are_what_people_see() {
    let pictures = record().await;
    let document = fs::read_to_string(DOCUMENT).expect("the document is there");
    let (written, mut used) = with_pictures(&document, &pictures);
    if std::env::var_os("ASKBACK_UPDATE_PICTURES").is_some() {
        fs::write(DOCUMENT, &written).expect("it can be written");
    } else {
        assert_eq!(document, written, "run it with ASKBACK_UPDATE_PICTURES=1");
    }
    used.sort();
    let known: Vec<&str> = pictures.keys().copied().collect();
    assert_eq!(used, known, "every picture is used");
}
