//! An agent's host that uses the core alone: it takes a tool call, keeps it, asks at the terminal, checks the answer, and
//! prints the result for the model. Stop it while it asks, even with `kill -9`, and start it again: the question is still there.
//!
//! ```sh
//! cargo run --package askback-core --example host
//! ```
#![expect(clippy::print_stdout, reason = "it is a program for the terminal")]

use std::error::Error;
use std::{fs, io};

use askback_core::answer::Answers;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_core::question::Kind;
use serde_json::{Map, Value, json};

/// Where the call waits. A real host has a row in its database: see the crate `askback-stored`.
const FILE: &str = "pending-call.json";

fn main() -> Result<(), Box<dyn Error>> {
    let call: Value = match fs::read_to_string(FILE) {
        Ok(kept) => kept.parse()?,
        Err(_) => new_call(),
    };
    let name = call["name"].as_str().unwrap_or_default();
    let dialect = Dialect::from_name(name).ok_or("the model called another tool")?;
    let inquiry = match dialect.parse(&call["input"], ParseOptions::default()) {
        Ok(parsed) => parsed.inquiry,
        Err(error) => {
            // The model reads what to send instead, and calls again.
            println!("tool result (error): {error}");
            return Ok(());
        }
    };
    // Kept before anybody sees it.
    fs::write(FILE, call.to_string())?;
    let Some(answers) = ask(&inquiry)? else {
        println!("The question stays in {FILE}.");
        return Ok(());
    };
    let reply = Dialect::render(&inquiry, &Outcome::Answered { answers });
    println!("tool result: {}", reply.content);
    fs::remove_file(FILE)?;
    Ok(())
}

/// What a model sends. `askback_core::dialect::Dialect::contract` has the definition of the tool for it.
fn new_call() -> Value {
    json!({"name": "ask_user_question", "input": {"questions": [
        {"question": "Which database?", "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}]},
    ]}})
}

/// Asks until the answers are valid; none if standard input ends before.
fn ask(inquiry: &Inquiry) -> io::Result<Option<Answers>> {
    loop {
        let mut given = Map::new();
        for question in inquiry.questions() {
            println!("{}", question.text);
            if let Kind::Choice(kind) = &question.kind {
                kind.choices
                    .iter()
                    .for_each(|choice| println!("  - {}", choice.label));
            }
            let mut line = String::new();
            if io::stdin().read_line(&mut line)? == 0 {
                return Ok(None);
            }
            given.insert(question.id.to_string(), Value::from(line.trim()));
        }
        match Answers::from_json(inquiry, &Value::Object(given), None) {
            Ok(answers) => return Ok(Some(answers)),
            Err(errors) => errors.iter().for_each(|error| println!("{error}")),
        }
    }
}
