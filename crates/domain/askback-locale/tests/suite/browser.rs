//! The browser says what the program says: both formatters over every message of every language.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use askback_locale::{Arg, Locale, Sections, compile, web_json};
use serde_json::{Value, json};

/// The most bytes of one language, compressed as a server sends it: a twelfth of the first load.
const GZIP_BYTES_MAX: u64 = 5120;

/// Numbers that reach every plural category of every language, exact forms among them.
const COUNTS: [usize; 9] = [0, 1, 2, 3, 5, 11, 20, 100, 1_000];

/// The names of the arguments and whether any is put into the text, collected from a compiled message.
fn arguments(message: &Value, names: &mut Vec<(String, Vec<String>)>) {
    for part in message.as_array().into_iter().flatten() {
        let Some([Value::String(name), rest @ ..]) = part.as_array().map(Vec::as_slice) else {
            continue;
        };
        let mut words = Vec::new();
        if let [Value::Object(variants), _] = rest {
            for (key, variant) in variants {
                words.push(key.clone());
                arguments(variant, names);
            }
        }
        names.push((name.clone(), words));
    }
}

/// Whether an argument is a number wherever it is used.
fn is_count(name: &str) -> bool {
    matches!(
        name,
        "count" | "index" | "used" | "shown" | "seconds" | "day" | "year" | "number"
    )
}

/// The arguments with which a message is tried: each count, and each word of its selectors.
fn samples(message: &Value) -> Vec<Value> {
    let mut names = Vec::new();
    arguments(message, &mut names);
    let words = names.iter().filter(|(name, _)| !is_count(name));
    let rounds = words.map(|(_, words)| words.len()).max().unwrap_or(0);
    let rounds = rounds.max(COUNTS.len());
    let sample = |round: usize| {
        let pair = |(name, words): &(String, Vec<String>)| {
            let value = if is_count(name) {
                json!(COUNTS[round % COUNTS.len()])
            } else if words.is_empty() {
                json!(format!("<{name} שלום>"))
            } else {
                json!(words[round % words.len()])
            };
            (name.clone(), value)
        };
        // Names with words come last, so that they win over a mere use of the same name.
        let mut names = names.clone();
        names.sort_by_key(|(_, words)| words.len());
        Value::Object(names.iter().map(pair).collect())
    };
    (0..rounds).map(sample).collect()
}

/// What the program says for a case.
fn said(locale: Locale, id: &str, args: &Value) -> String {
    let args = args.as_object().expect("arguments are an object");
    let args: Vec<(&str, Arg<'_>)> = args
        .iter()
        .map(|(name, value)| {
            let text = value.as_str().map(Arg::from);
            let number = value.as_f64().map(Arg::from);
            let arg = text.or(number).expect("a case has texts and numbers");
            (name.as_str(), arg)
        })
        .collect();
    locale.text(id, &args)
}

/// Every message of a language with every sample of its arguments.
fn cases(tag: &str) -> Vec<(String, Value)> {
    let compiled = compile(tag, Sections::All);
    let messages = compiled["messages"]
        .as_object()
        .expect("there are messages");
    assert_eq!(messages.len(), Locale::ids().len(), "{tag}");
    let mut cases = Vec::new();
    for (id, message) in messages {
        cases.extend(samples(message).into_iter().map(|args| (id.clone(), args)));
    }
    cases
}

/// Runs the formatter of the browser; `None` where there is no node.
fn run_node(input: &Value) -> Option<Vec<Value>> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let spawned = Command::new("node")
        .arg(here.join("tests/suite/browser.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut node = spawned.ok()?;
    let mut stdin = node.stdin.take().expect("stdin is piped");
    let text = input.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = node.wait_with_output().expect("node can be waited for");
    writer
        .join()
        .expect("the writer does not panic")
        .expect("node reads its input");
    assert!(output.status.success(), "node failed: {}", output.status);
    Some(serde_json::from_slice(&output.stdout).expect("node writes JSON"))
}

/// Both formatters agree on every message of every language, the marks apart, which
/// only the browser has, around each argument. One language is at most 5 KB for the network.
#[test]
fn browser_says_what_program_says() {
    let tags: Vec<&str> = Locale::tags().collect();
    let all: Vec<Vec<(String, Value)>> = tags.iter().map(|tag| cases(tag)).collect();
    let strings = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../web/lib/strings.js");
    let strings = strings.canonicalize().expect("web/lib/strings.js is there");
    let languages: Vec<Value> = tags
        .iter()
        .zip(&all)
        .map(|(tag, cases)| {
            json!({"words": compile(tag, Sections::All), "size": web_json(tag), "cases": cases})
        })
        .collect();
    let Some(results) = run_node(&json!({"strings": strings, "languages": languages})) else {
        eprintln!("skipped: node is not installed, so the browser's formatter cannot run");
        return;
    };
    for ((tag, cases), result) in tags.iter().zip(&all).zip(&results) {
        let size = result["size"].as_u64().expect("the size is a number");
        let for_tests = matches!(*tag, "en-XA" | "ar-XB");
        assert!(
            for_tests || size <= GZIP_BYTES_MAX,
            "{tag}: {size} bytes compressed"
        );
        let in_browser = result["said"].as_array().expect("node answers each case");
        assert_eq!(in_browser.len(), cases.len(), "{tag}");
        for ((id, args), shown) in cases.iter().zip(in_browser) {
            let shown = shown.as_str().expect("a message is text");
            let here = said(Locale::choose(&[tag]), id, args);
            let bare = shown.replace(['\u{2068}', '\u{2069}'], "");
            assert_eq!(bare, here, "{tag}: {id} with {args}");
            assert!(!here.contains(['\u{2068}', '\u{2069}']), "{tag}: {id}");
            let isolated = shown.matches('\u{2068}').count();
            assert_eq!(isolated, shown.matches('\u{2069}').count(), "{tag}: {id}");
            for value in args.as_object().expect("arguments are an object").values() {
                let text = value.as_str().unwrap_or_default();
                if text.starts_with('<') && here.contains(text) {
                    let marked = format!("\u{2068}{text}\u{2069}");
                    assert!(shown.contains(&marked), "{tag}: {id}: {shown}");
                }
            }
        }
    }
}
