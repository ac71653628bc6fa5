//! Tool inputs: what models send, from exact to absurd.

mod hostile;
mod llm_mistakes;
mod random_node;
mod valid;
mod violations;

use askback_core::dialect::Dialect;
use serde_json::Value;

use crate::rng::Rng;
use crate::text;

pub use valid::PATTERNS;

/// A tool input for `dialect`: one that follows the contract, one with the mistakes models are known
/// to make, or one that was written as an attack.
pub fn tool_input(rng: &mut Rng, dialect: Dialect) -> Value {
    let mut input = valid::input(rng, dialect);
    match rng.below(100) {
        0..30 => {}
        // What models get wrong is not repaired for programs.
        30..80 if dialect == Dialect::Questions => violations::add_one(rng, dialect, &mut input),
        30..80 => {
            for _ in 0..rng.pick(&[1, 1, 1, 2, 2, 3]) {
                llm_mistakes::add_one(rng, dialect, &mut input);
            }
        }
        80..97 => hostile::inject(rng, &mut input),
        _ => input = hostile::junk(rng, 0),
    }
    input
}

/// A tool input that follows the contract of `dialect` or violates it in one place, and only in ways
/// that a JSON Schema can express.
pub fn near_contract(rng: &mut Rng, dialect: Dialect) -> Value {
    let mut input = valid::input(rng, dialect);
    if rng.percent(55) {
        violations::add_one(rng, dialect, &mut input);
    }
    input
}

/// The text in which `input` arrives: JSON, and now and then JSON that was cut off, wrapped or
/// damaged on the way.
pub fn input_text(rng: &mut Rng, input: &Value) -> String {
    let mut text = input.to_string();
    match rng.below(40) {
        0 => text.truncate(text.floor_char_boundary(rng.below(text.len() + 1))),
        1 => text = format!("```json\n{text}\n```"),
        2 => text = Value::from(text).to_string(),
        3 => text.push_str(rng.pick(&[",", "}", " ", "\n\n", "\0", "null"])),
        4 => {
            let at = text.floor_char_boundary(rng.below(text.len() + 1));
            text.insert_str(at, &text::hostile(rng));
        }
        _ => {}
    }
    text
}

/// A text that may stand anywhere: an answer, a message, a file that was handed in by mistake.
pub fn raw_text(rng: &mut Rng) -> String {
    match rng.below(6) {
        0 => String::new(),
        1 => " \n".repeat(rng.below(5)),
        2 => text::fitting(rng, 500),
        3 => {
            let dialect = rng.pick(&Dialect::ALL);
            let input = tool_input(rng, dialect);
            input_text(rng, &input)
        }
        _ => text::hostile(rng),
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
