//! `askback ask`: a question at this terminal, and its outcome on standard output.

mod argument_question;
mod default_answer;
mod durable;

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use askback_core::answer::Answers;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_terminal::clock::time_of_day;
use askback_terminal::display_mode::DisplayMode;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::line_reader::LineReader;
use askback_terminal::row::Row;
use askback_tui::answer_summary::{self, Ending};
use askback_tui::deadline::Deadline;
use askback_tui::line::LinePrompt;
use askback_tui::prompt::{AskerKind, End, Prompt, PromptOptions};
use askback_tui::session::{NoHost, PromptSession, SessionEnd};
use askback_wire::inquiry::InquiryResponse;
use serde_json::{Value, json};

use super::parse_input;
use crate::args::{AskArgs, AskOutput};
use crate::failure::{Failure, refuse};
use crate::input::read_text;
use crate::output;
use crate::terminal_options::TerminalOptions;
use argument_question::Options;

/// Exit codes of `askback ask`, beside 0, 1 and 2, which every command has.
pub(super) const STILL_OPEN: u8 = 3;
const REJECTED: u8 = 4;
const CANCELLED: u8 = 5;
const EXPIRED: u8 = 6;
const DECLINED: u8 = 7;
const NOT_YES: u8 = 8;
pub(super) const DETACHED: u8 = 130;

pub(crate) fn run(args: &AskArgs) -> Result<(), Failure> {
    let config = args.connect.settings.config.as_deref();
    let (terminal, text, inquiry) = if let Some(question) = &args.question {
        let options = Options::read(args, question)?;
        let mut flags = args.terminal.clone();
        flags.tty |= matches!(options, Options::StandardInput(_));
        let terminal = TerminalOptions::detect(&flags, config)?;
        let (text, inquiry) = argument_question::parse(args, question, &options)?;
        (terminal, text, inquiry)
    } else {
        let terminal = TerminalOptions::detect(&args.terminal, config)?;
        let (text, inquiry) = read_json(args, &terminal)?;
        (terminal, text, inquiry)
    };
    if args.durable {
        return durable::run(args, &terminal, &text, &inquiry);
    }
    let mut options = terminal.prompt_options(asker(args, &inquiry));
    options.asker_kind = asker_kind(args);
    options.draft = default_answer::draft(&inquiry, &args.default, terminal.locale)?;
    let end = match terminal.display_mode() {
        DisplayMode::NonInteractive => {
            report_no_terminal(&terminal, None)?;
            return Err(Failure::Ended(STILL_OPEN));
        }
        DisplayMode::Lines => {
            options.deadline = deadline(args, &terminal);
            run_lines(&terminal, &inquiry, &options)?
        }
        DisplayMode::Frames => {
            options.deadline = deadline(args, &terminal);
            run_frames(&terminal, &inquiry, options)?
        }
    };
    finish(args, &inquiry, &end)
}

/// The input of an ask tool from the file of --json, or from standard input.
fn read_json(args: &AskArgs, terminal: &TerminalOptions) -> Result<(String, Inquiry), Failure> {
    let path = args.json.as_deref().unwrap_or(Path::new("-"));
    if path == Path::new("-") && terminal.stdin_is_terminal() {
        return refuse(
            "There is no question. For example, run: askback ask \"Deploy now?\" Yes No\n\
             To ask the questions in a file, use --json FILE. To pipe them in, add --tty.",
        );
    }
    let text = read_text(path)?;
    let inquiry = parse_input(&text, args.dialect, ParseOptions::default())?.inquiry;
    Ok((text, inquiry))
}

/// The name shown beside the question: --source, or else what the tool input says.
fn asker(args: &AskArgs, inquiry: &Inquiry) -> Option<String> {
    let given = args.source.as_deref().and_then(|name| {
        use askback_core::text::{Lines, Text};
        Text::clean(name, Lines::One).map(|name| name.to_string())
    });
    given.or_else(|| inquiry.source().map(ToString::to_string))
}

/// Somebody who gives the question as arguments and no name of an asker writes a script.
fn asker_kind(args: &AskArgs) -> AskerKind {
    if args.question.is_some() && args.source.is_none() {
        AskerKind::Script
    } else {
        AskerKind::Agent
    }
}

fn deadline(args: &AskArgs, terminal: &TerminalOptions) -> Option<Deadline> {
    let total = args.expires_in?.std_duration();
    let at = terminal.clock.wall().checked_add(total).ok()?;
    Some(Deadline {
        at,
        ends: terminal.clock.now() + total,
        total,
    })
}

fn run_frames(
    terminal: &TerminalOptions,
    inquiry: &Inquiry,
    options: PromptOptions,
) -> Result<End, Failure> {
    let mut prompt = Prompt::new(inquiry.clone(), options.clone());
    let mut session = PromptSession::open(terminal.tty()?, terminal.setup(), None, terminal.clock)
        .context("cannot use the terminal")?;
    let finish = session
        .run(&mut prompt, &mut NoHost)
        .context("the terminal failed")?;
    if finish == SessionEnd::TooSmall {
        session.close(&[]).context("the terminal failed")?;
        let options = PromptOptions {
            draft: Some(prompt.draft().clone()),
            deadline: prompt.deadline().copied(),
            ..options
        };
        return run_lines(terminal, inquiry, &options);
    }
    let end = prompt_end(finish)?;
    let rows = rows(terminal, inquiry, &end, &options);
    session.close(&rows).context("the terminal failed")?;
    Ok(end)
}

fn run_lines(
    terminal: &TerminalOptions,
    inquiry: &Inquiry,
    options: &PromptOptions,
) -> Result<End, Failure> {
    let mut lines = terminal.open_lines(None)?;
    let mut prompt = LinePrompt::new(inquiry.clone(), options.clone());
    let end = prompt_end(terminal.run_line_prompt(&mut lines, &mut prompt, &mut NoHost)?)?;
    // The prompt has shown the answer already.
    if !matches!(end, End::Answered(_)) {
        write_rows(&lines, &rows(terminal, inquiry, &end, options))?;
    }
    Ok(end)
}

pub(super) fn write_rows(lines: &LineReader, rows: &[Row]) -> Result<(), Failure> {
    for row in rows {
        let line = format!("{}\n", row.text());
        lines.write(&line).context("the terminal failed")?;
    }
    Ok(())
}

/// How the prompt ended. A signal or a closed terminal ends the process instead; the question stays
/// open.
pub(super) fn prompt_end(finish: SessionEnd) -> Result<End, Failure> {
    match finish {
        SessionEnd::Ended(end) => Ok(end),
        SessionEnd::EndedElsewhere | SessionEnd::TooSmall => Ok(End::Postponed),
        SessionEnd::Signal(number) => Err(Failure::Ended(128 + u8::try_from(number).unwrap_or(0))),
        SessionEnd::HungUp => Err(Failure::Ended(STILL_OPEN)),
    }
}

/// The lines left in the scrollback.
fn rows(
    terminal: &TerminalOptions,
    inquiry: &Inquiry,
    end: &End,
    options: &PromptOptions,
) -> Vec<Row> {
    let glyphs: &Glyphs = &terminal.glyphs;
    let time = options.deadline.map(|deadline| time_of_day(deadline.at));
    let time = time.as_deref().unwrap_or_default();
    let fate = match (end, options.asker_kind) {
        (End::Answered(answers), _) => {
            return answer_summary::answered(terminal.locale, glyphs, inquiry, answers, None);
        }
        (End::Postponed | End::Detached, _) => Ending::Pending,
        (End::Declined, _) => Ending::Declined,
        (End::Rejected, AskerKind::Agent) => Ending::Rejected,
        (End::Rejected, AskerKind::Script) => Ending::QuestionCancelled,
        (End::Expired, AskerKind::Agent) => Ending::Expired(time),
        (End::Expired, AskerKind::Script) => Ending::TimedOut(time),
    };
    answer_summary::unanswered(terminal.locale, glyphs, inquiry, fate)
}

/// Prints the outcome of the prompt and returns the exit code.
fn finish(args: &AskArgs, inquiry: &Inquiry, end: &End) -> Result<(), Failure> {
    let outcome = match end {
        End::Answered(answers) => Outcome::Answered {
            answers: answers.clone(),
        },
        End::Declined => Outcome::Declined,
        End::Rejected => Outcome::Rejected,
        End::Expired => Outcome::Expired,
        End::Postponed => return Err(Failure::Ended(STILL_OPEN)),
        End::Detached => return Err(Failure::Ended(DETACHED)),
    };
    report(args, inquiry, &outcome)
}

/// Prints the outcome and returns the exit code. With --confirm, only yes is a success: `askback ask --confirm … && deploy`
/// must not deploy after a no.
fn report(args: &AskArgs, inquiry: &Inquiry, outcome: &Outcome) -> Result<(), Failure> {
    print_outcome(args, inquiry, outcome)?;
    Err(Failure::Ended(match outcome {
        Outcome::Answered { answers } if args.kind.confirm && !is_yes(inquiry, answers) => NOT_YES,
        Outcome::Superseded { .. } if args.kind.confirm => NOT_YES,
        Outcome::Answered { .. } | Outcome::Superseded { .. } => return Ok(()),
        Outcome::Declined => DECLINED,
        Outcome::Rejected => REJECTED,
        Outcome::Cancelled | Outcome::Withdrawn => CANCELLED,
        Outcome::Expired | Outcome::Undeliverable { .. } => EXPIRED,
    }))
}

fn is_yes(inquiry: &Inquiry, answers: &Answers) -> bool {
    let mut answered = answers.with_questions(inquiry);
    answered.next().is_some_and(|(question, answer)| {
        let mut chosen = answer.given.chosen(question);
        chosen
            .next()
            .is_some_and(|choice| choice.value.as_str() == "yes")
    })
}

/// Prints the outcome in the format of --output. With --confirm, the exit code is the answer.
fn print_outcome(args: &AskArgs, inquiry: &Inquiry, outcome: &Outcome) -> Result<(), Failure> {
    let text = match args.output {
        AskOutput::Result => Some(Dialect::render(inquiry, outcome).content),
        AskOutput::Json => Some(outcome_json(outcome).to_string()),
        AskOutput::Plain if args.kind.confirm => None,
        AskOutput::Plain => plain_text(inquiry, outcome),
    };
    let Some(text) = text else {
        return Ok(());
    };
    let mut out = output::stdout();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

fn outcome_json(outcome: &Outcome) -> Value {
    let mut json = json!({ "type": outcome.name() });
    if let Outcome::Answered { answers } = outcome {
        json["answers"] = answers.to_json();
    } else if let Outcome::Superseded { message } = outcome {
        json["message"] = json!(message.as_str());
    }
    json
}

/// What was answered, one line for each part. None if nothing was.
fn plain_text(inquiry: &Inquiry, outcome: &Outcome) -> Option<String> {
    if let Outcome::Superseded { message } = outcome {
        return Some(message.to_string());
    }
    let Outcome::Answered { answers } = outcome else {
        return None;
    };
    let answered = answers.with_questions(inquiry);
    let lines = answered.flat_map(|(question, answer)| answer.given.display_parts(question));
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A stored question that cannot be shown here, and where to answer it.
pub(super) struct UnaskedQuestion<'a> {
    pub(super) asked: &'a InquiryResponse,
    pub(super) answer_command: String,
    pub(super) link: Option<&'a str>,
    /// Whether this command waits for the answer.
    pub(super) is_awaited: bool,
}

/// Prints that no terminal is there to ask at, and how to answer a stored question elsewhere.
pub(super) fn report_no_terminal(
    terminal: &TerminalOptions,
    stored: Option<&UnaskedQuestion<'_>>,
) -> Result<(), Failure> {
    let mut lines = Vec::new();
    if let Some(stored) = stored {
        let questions = &stored.asked.questions;
        let [first, ..] = &questions[..] else {
            return Ok(());
        };
        let name = first.header.as_ref().unwrap_or(&first.text);
        let agent = stored.asked.asker_name().map(str::to_owned);
        let agent = agent.unwrap_or_else(|| terminal.locale.text("someone", &[]));
        let args = [
            ("count", questions.len().into()),
            ("id", stored.asked.id.as_str().into()),
            ("agent", agent.into()),
            ("name", name.as_str().into()),
        ];
        lines.push(terminal.locale.text("pipe-waiting", &args));
    }
    if !stored.is_some_and(|stored| stored.is_awaited) {
        lines.push(terminal.locale.text("pipe-no-terminal", &[]));
    }
    match stored {
        None => lines.push(terminal.locale.text("pipe-no-terminal-hint", &[])),
        Some(UnaskedQuestion {
            answer_command,
            link: Some(link),
            ..
        }) => {
            let args = [("command", answer_command.as_str().into())];
            lines.push(terminal.locale.text("pipe-answer", &args));
            lines.push(format!("  {link}"));
        }
        Some(stored) => lines.push(format!("  {}", stored.answer_command)),
    }
    let mut err = output::stderr();
    for line in lines {
        let line = line.replace('\n', " ");
        writeln!(err, "askback: {line}")?;
    }
    Ok(())
}
