//! The question that is given as arguments: `askback ask "Deploy now?" Yes No`.

use std::path::Path;

use askback_core::contract::ParseError;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::limits::ASK_USER_CHOICES_MAX;
use serde_json::{Value, json};

use crate::args::AskArgs;
use crate::failure::Failure;

/// The tool input with `question`, and the inquiry that it makes.
pub(super) fn parse(args: &AskArgs, question: &str) -> Result<(String, Inquiry), Failure> {
    refuse_file_name(args, question)?;
    let text = tool_input(args, question).to_string();
    let parsed = Dialect::AskUser.parse_text(&text, ParseOptions::default());
    let parsed = parsed.map_err(|error| Failure::Refused(refusal(args.options.len(), &error)))?;
    Ok((text, parsed.inquiry))
}

/// `ask_user` has all kinds of questions.
fn tool_input(args: &AskArgs, question: &str) -> Value {
    let kind = args.kind;
    let input_type = if kind.confirm {
        "confirm"
    } else if kind.number {
        "number"
    } else if kind.date {
        "date"
    } else if kind.several {
        "multi_select"
    } else if args.options.is_empty() {
        "text"
    } else {
        "single_select"
    };
    json!({
        "question": question,
        "input_type": input_type,
        "options": args.options,
        "allow_other": args.other,
    })
}

/// A file name alone is no question: the file was meant.
fn refuse_file_name(args: &AskArgs, question: &str) -> Result<(), Failure> {
    let path = Path::new(question);
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    let is_alone = args.options.is_empty();
    if is_alone && (question == "-" || is_json || path.is_file()) {
        return Err(Failure::Refused(format!(
            "{question} looks like a file. To ask the questions in it, run: askback ask --json {question}"
        )));
    }
    Ok(())
}

/// What is wrong, in terms of the arguments.
fn refusal(options: usize, error: &ParseError) -> String {
    let problems = error.problems().iter().map(|problem| {
        let hint = &problem.hint;
        let index = problem.path.strip_prefix("options[");
        let index = index.and_then(|rest| rest.split(']').next()?.parse::<usize>().ok());
        match (index, problem.path.as_str()) {
            (Some(index), _) => format!("Option {} {hint}", index + 1),
            (None, "") => hint.clone(),
            (None, "options") if options > ASK_USER_CHOICES_MAX => {
                format!("There are {options} options: give at most {ASK_USER_CHOICES_MAX}.")
            }
            (None, path) => format!("The {path} {hint}"),
        }
    });
    problems.collect::<Vec<_>>().join("\n")
}
