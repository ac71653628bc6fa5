//! An agent's host that uses the core alone: it takes a tool call, keeps it, asks at the terminal, checks the answer, and
//! prints the result for the model. Stop it while it asks, even with `kill -9`, and start it again: the question is still there.
#![expect(clippy::print_stdout, reason = "it is a program for the terminal")]
use std::{error::Error, fs, io, path::Path};

use askback_core::answer::Answers;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_core::question::Kind;
use serde_json::{Map, Value, json};

/// What is typed, line by line.
type Typed<'a> = &'a mut dyn Iterator<Item = io::Result<String>>;

fn main() -> Result<(), Box<dyn Error>> {
    // What a model sends. `Dialect::contract` has the definition of the tool for it.
    let options = json!([{"label": "PostgreSQL"}, {"label": "SQLite"}]);
    let input = json!({"questions": [{"question": "Which database?", "options": options}]});
    let call = json!({"name": "ask_user_question", "input": input});
    // Where the call waits. A real host has a row in its database: see the crate `askback-stored`.
    let file = Path::new("pending-call.json");
    if let Some(result) = host(file, call, &mut io::stdin().lines())? {
        println!("tool result: {result}");
    }
    Ok(())
}

/// The tool result for the model; none if the question goes on waiting.
fn host(file: &Path, new: Value, typed: Typed) -> Result<Option<String>, Box<dyn Error>> {
    let call: Value = fs::read_to_string(file).map_or(Ok(new), |kept| kept.parse())?;
    let name = call["name"].as_str().unwrap_or_default();
    let dialect = Dialect::from_name(name).ok_or("the model called another tool")?;
    let inquiry = match dialect.parse(&call["input"], ParseOptions::default()) {
        Ok(parsed) => parsed.inquiry,
        Err(error) => return Ok(Some(error.to_string())), // It says what to send instead.
    };
    fs::write(file, call.to_string())?; // Before anybody sees it.
    let Some(answers) = ask(&inquiry, typed)? else {
        return Ok(None);
    };
    let reply = Dialect::render(&inquiry, &Outcome::Answered { answers });
    fs::remove_file(file)?;
    Ok(Some(reply.content))
}

/// Asks until the answers are valid; none if nothing more is typed.
fn ask(inquiry: &Inquiry, typed: Typed) -> io::Result<Option<Answers>> {
    loop {
        let mut given = Map::new();
        for question in inquiry.questions() {
            println!("{}", question.text);
            if let Kind::Choice(kind) = &question.kind {
                let labels = kind.choices.iter().map(|choice| &choice.label);
                labels.for_each(|label| println!("  - {label}"));
            }
            let Some(line) = typed.next().transpose()? else {
                return Ok(None);
            };
            given.insert(question.id.to_string(), Value::from(line.trim()));
        }
        match Answers::from_json(inquiry, &Value::Object(given), None) {
            Ok(answers) => return Ok(Some(answers)),
            Err(errors) => errors.iter().for_each(|error| println!("{error}")),
        }
    }
}
