//! Outcomes as callers send them: JSON that mostly fits the inquiry, and sometimes does not.

mod given;

use askback_core::inquiry::Inquiry;
use askback_core::question::Question;
use serde_json::{Map, Value, json};

use crate::contract;
use crate::rng::Rng;
use crate::text;

/// A word that stands in every answer made not to fit. No message may repeat an answer, so no
/// message may hold it.
pub const SECRET: &str = "hunter2secret";

/// An outcome of `inquiry` as JSON: three times in four an answer.
pub fn outcome(rng: &mut Rng, inquiry: &Inquiry) -> Value {
    match rng.below(40) {
        0..30 => answered(rng, inquiry),
        30 | 31 => json!({ "type": "superseded", "message": message(rng) }),
        32 => {
            let reasons = [
                "nobody_there",
                "disabled",
                "limit_reached",
                "sub_agent",
                SECRET,
            ];
            json!({ "type": "undeliverable", "reason": rng.pick(&reasons) })
        }
        33 => {
            let junk = [
                json!(null),
                json!([]),
                json!({}),
                json!({ "type": SECRET }),
                json!({ "type": 1 }),
                json!({ "type": "answered" }),
                json!({ "type": "superseded" }),
            ];
            junk[rng.below(junk.len())].clone()
        }
        _ => {
            let types = [
                "declined",
                "cancelled",
                "rejected",
                "expired",
                "withdrawn",
                "undeliverable",
            ];
            json!({ "type": rng.pick(&types) })
        }
    }
}

fn message(rng: &mut Rng) -> String {
    if rng.one_in(4) {
        text::hostile(rng)
    } else {
        text::fitting(rng, contract::TEXT_MAX)
    }
}

fn answered(rng: &mut Rng, inquiry: &Inquiry) -> Value {
    let mut answers = Map::new();
    let mut notes = Map::new();
    for question in inquiry.questions() {
        let alone = inquiry.questions().len() == 1;
        if !alone && rng.one_in(8) {
            continue;
        }
        answers.insert(key(rng, question), answer(rng, question));
        if rng.one_in(8) {
            notes.insert(key(rng, question), note(rng));
        }
    }
    if rng.one_in(60) {
        answers.insert(SECRET.to_owned(), SECRET.into());
    }
    let mut outcome = json!({ "type": "answered", "answers": answers });
    if !notes.is_empty() {
        outcome["notes"] = notes.into();
    }
    outcome
}

/// A question is named by its id or by its text.
fn key(rng: &mut Rng, question: &Question) -> String {
    if rng.one_in(2) {
        question.id.to_string()
    } else {
        question.text.to_string()
    }
}

fn note(rng: &mut Rng) -> Value {
    match rng.below(12) {
        0 => json!(7),
        1 => text::hostile(rng).into(),
        2 => {
            let length = contract::NOTE_MAX + rng.below(2);
            text::readable(rng, length).into()
        }
        _ => text::fitting(rng, 60).into(),
    }
}

/// The answer to one question: fitting, skipped, or nothing that could fit.
fn answer(rng: &mut Rng, question: &Question) -> Value {
    match rng.below(20) {
        0 if question.skippable => json!({ "skipped": true }),
        1 => misfit(rng),
        _ => given::fitting(rng, question),
    }
}

fn misfit(rng: &mut Rng) -> Value {
    let misfits = [
        json!(null),
        json!(true),
        json!({}),
        json!([]),
        json!(""),
        json!([SECRET, 1]),
        json!({ "values": [SECRET] }),
        json!({ "values": SECRET }),
        json!({ "text": SECRET, "number": 1 }),
        json!({ "number": SECRET }),
        json!({ "date": SECRET }),
        json!({ "start": "2024-01-02", "end": "2024-01-01" }),
        json!({ "skipped": true, "text": SECRET }),
        json!({ "unknown": SECRET }),
        json!(u64::MAX),
        json!(-0.5),
    ];
    misfits[rng.below(misfits.len())].clone()
}
