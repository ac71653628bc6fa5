//! The question that is given as arguments: `askback ask "Deploy now?" Yes No`. Its options can also be the lines of
//! standard input.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use askback_core::contract::ParseError;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::limits::{ASK_USER_CHOICES_MAX, INPUT_BYTES_MAX};
use askback_core::question::{Choice, ChoiceKind, Kind};
use askback_core::text::{Lines, Text};
use serde_json::{Value, json};

use crate::args::AskArgs;
use crate::failure::{Failure, refuse};
use crate::input::read_text;

/// What the user chooses from, and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Options {
    Arguments(Vec<String>),
    /// The lines of standard input, without empty and repeated ones. Keys are read from the controlling terminal then.
    StandardInput(Vec<String>),
}

impl Options {
    /// The options of `question`. Standard input is read if there are no others, the question has no other kind, and
    /// nobody types there.
    pub(super) fn read(args: &AskArgs, question: &str) -> Result<Options, Failure> {
        refuse_file_name(args, question)?;
        let kind = args.kind;
        let has_kind = kind.confirm || kind.text || kind.number || kind.date;
        if !args.options.is_empty() || has_kind || io::stdin().is_terminal() {
            return Ok(Options::Arguments(args.options.clone()));
        }
        let text = read_text(Path::new("-"))?;
        if text.len() > INPUT_BYTES_MAX {
            return refuse(format!(
                "Standard input has more than {INPUT_BYTES_MAX} bytes of options."
            ));
        }
        let lines = distinct_lines(&text);
        if lines.is_empty() {
            return Ok(Options::Arguments(Vec::new()));
        }
        Ok(Options::StandardInput(lines))
    }

    pub(super) fn list(&self) -> &[String] {
        match self {
            Options::Arguments(options) | Options::StandardInput(options) => options,
        }
    }
}

fn distinct_lines(text: &str) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let lines = text
        .lines()
        .filter_map(|line| Text::clean(line, Lines::One));
    let distinct = lines.filter(|line| seen.insert(line.to_string()));
    distinct.map(|line| line.to_string()).collect()
}

/// The tool input with `question`, and the inquiry that it makes. Only a stored question has the limits of the tool.
pub(super) fn parse(
    args: &AskArgs,
    question: &str,
    options: &Options,
) -> Result<(String, Inquiry), Failure> {
    let options = options.list();
    if options.is_empty() && (args.kind.several || args.other) {
        return refuse(
            "There is nothing to choose from: give options after the question, or lines on standard input.",
        );
    }
    let is_local_list = !args.durable && !options.is_empty();
    let in_input = if is_local_list { &[] } else { options };
    let text = tool_input(args, question, in_input).to_string();
    let parsed = Dialect::AskUser.parse_text(&text, ParseOptions::default());
    let parsed = parsed.map_err(|error| Failure::Refused(refusal(options.len(), &error)))?;
    let inquiry = parsed.inquiry;
    if !is_local_list {
        return Ok((text, inquiry));
    }
    let mut questions = inquiry.questions().to_vec();
    for question in &mut questions {
        question.kind = Kind::Choice(ChoiceKind {
            several: args.kind.several,
            own_text: args.other,
            confirm: false,
            choices: choices(options)?,
        });
    }
    let source = inquiry.source().cloned();
    let inquiry = Inquiry::restore(inquiry.dialect(), source, questions)
        .map_err(|_| Failure::Refused("Two options are the same.".to_owned()))?;
    Ok((text, inquiry))
}

fn choices(options: &[String]) -> Result<Vec<Choice>, Failure> {
    let choice = |(index, option): (usize, &String)| {
        let label = Text::clean(option, Lines::One)
            .ok_or_else(|| Failure::Refused(format!("Option {} is empty.", index + 1)))?;
        Ok(Choice {
            value: label.clone(),
            label,
            description: None,
            preview: None,
            recommended: false,
            exclusive: false,
        })
    };
    options.iter().enumerate().map(choice).collect()
}

/// `ask_user` has all kinds of questions.
fn tool_input(args: &AskArgs, question: &str, options: &[String]) -> Value {
    let kind = args.kind;
    let input_type = if kind.confirm {
        "confirm"
    } else if kind.number {
        "number"
    } else if kind.date {
        "date"
    } else if options.is_empty() {
        "text"
    } else if kind.several {
        "multi_select"
    } else {
        "single_select"
    };
    json!({
        "question": question,
        "input_type": input_type,
        "options": options,
        "allow_other": args.other && !options.is_empty(),
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
        return refuse(format!(
            "{question} looks like a file. To ask the questions in it, run: askback ask --json {question}"
        ));
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
                format!(
                    "There are {options} options: a stored question has at most {ASK_USER_CHOICES_MAX}."
                )
            }
            (None, path) => format!("The {path} {hint}"),
        }
    });
    problems.collect::<Vec<_>>().join("\n")
}
