//! `askback check`: validates a tool input and prints its questions.

use std::io::Write as _;

use anyhow::Context as _;
use askback_core::dialect::{ParseOptions, Repair};
use askback_core::text::Text;
use askback_wire::question::QuestionResponse;
use serde::Serialize;

use super::parse_input;
use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::input::read_text;
use crate::output;

#[derive(Serialize)]
struct Checked<'a> {
    dialect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a Text>,
    questions: Vec<QuestionResponse>,
    #[serde(skip_serializing_if = "<[Repair]>::is_empty")]
    repairs: &'a [Repair],
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let text = read_text(&args.input)?;
    let parsed = parse_input(
        &text,
        args.dialect,
        ParseOptions {
            clip_labels: args.clip,
        },
    )?;
    let checked = Checked {
        dialect: parsed.inquiry.dialect().name(),
        source: parsed.inquiry.source(),
        questions: parsed.inquiry.questions().iter().map(Into::into).collect(),
        repairs: &parsed.repairs,
    };
    let json =
        serde_json::to_string_pretty(&checked).context("cannot write the inquiry as JSON")?;
    writeln!(output::stdout(), "{json}")?;
    Ok(())
}
