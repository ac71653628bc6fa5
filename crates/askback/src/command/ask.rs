//! `askback ask`: a question at this terminal, and its outcome on standard output.

mod durable;

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_tui::clock::{time_of_day, today};
use askback_tui::deadline::Deadline;
use askback_tui::glyphs::Glyphs;
use askback_tui::line::{LinePrompt, Lines};
use askback_tui::prompt::{End, Options, Prompt};
use askback_tui::resolved::{self, Fate};
use askback_tui::row::Row;
use askback_tui::session::{Alone, Finish, Session};
use askback_tui::surface::Surface;
use serde_json::{Value, json};

use super::look::Look;
use super::parse_input;
use crate::args::AskArgs;
use crate::failure::Failure;
use crate::input::read_text;

/// Exit codes beyond those every command has.
pub(super) const STILL_OPEN: u8 = 3;
const REJECTED: u8 = 4;
const CANCELLED: u8 = 5;
const EXPIRED: u8 = 6;
const DECLINED: u8 = 7;
pub(super) const DETACHED: u8 = 130;

pub(crate) fn run(args: &AskArgs) -> Result<(), Failure> {
    let look = Look::find(&args.look, args.connect.settings.config.as_deref())?;
    if args.input == Path::new("-") && look.stdin_is_terminal() {
        let refusal =
            "Name a FILE with the question, or send it through standard input with --tty.";
        return Err(Failure::Refused(refusal.to_owned()));
    }
    let text = read_text(&args.input)?;
    let inquiry = parse_input(&text, args.dialect, ParseOptions::default())?.inquiry;
    if args.durable {
        return durable::run(args, &look, &text, &inquiry);
    }
    let asker = asker(args, &inquiry);
    match look.surface() {
        Surface::Nobody => {
            say_nobody(&look, &inquiry, asker.as_deref(), None)?;
            Err(Failure::Ended(STILL_OPEN))
        }
        Surface::Lines => {
            let prompt = LinePrompt::new(inquiry.clone(), None, look.locale, today());
            let prompt = prompt.asked_by(asker).until(deadline(args, &look));
            let end = run_lines(&look, &inquiry, prompt)?;
            finish(args, &inquiry, &end)
        }
        Surface::Frames => {
            let mut options = look.options(asker);
            options.deadline = deadline(args, &look);
            let end = run_frames(&look, &inquiry, options)?;
            finish(args, &inquiry, &end)
        }
    }
}

/// Who asks: as the caller says, or as the agent itself says.
fn asker(args: &AskArgs, inquiry: &Inquiry) -> Option<String> {
    let said = args.source.as_deref();
    let said = said.and_then(|name| {
        use askback_core::text::{Lines, Text};
        Text::clean(name, Lines::One).map(|name| name.to_string())
    });
    said.or_else(|| inquiry.source().map(ToString::to_string))
}

fn deadline(args: &AskArgs, look: &Look) -> Option<Deadline> {
    let total = args.expires_in?.std_duration();
    let at = look.clock.wall().checked_add(total).ok()?;
    Some(Deadline {
        at,
        ends: look.clock.now() + total,
        total,
    })
}

fn run_frames(look: &Look, inquiry: &Inquiry, options: Options) -> Result<End, Failure> {
    let (deadline, asker) = (options.deadline, options.asker.clone());
    let mut prompt = Prompt::new(inquiry.clone(), options);
    let mut session = Session::open(look.tty()?, look.setup(), None, look.clock)
        .context("cannot use the terminal")?;
    let finish = session
        .run(&mut prompt, &mut Alone)
        .context("the terminal failed")?;
    if finish == Finish::TooSmall {
        session.close(&[]).context("the terminal failed")?;
        let (draft, left) = (Some(prompt.draft().clone()), prompt.deadline().copied());
        let prompt = LinePrompt::new(inquiry.clone(), draft, look.locale, today());
        return run_lines(look, inquiry, prompt.asked_by(asker).until(left));
    }
    let end = ended(finish)?;
    let time = deadline
        .map(|deadline| time_of_day(deadline.at))
        .unwrap_or_default();
    let rows = rows(look, inquiry, &end, &time);
    session.close(&rows).context("the terminal failed")?;
    Ok(end)
}

fn run_lines(look: &Look, inquiry: &Inquiry, mut prompt: LinePrompt) -> Result<End, Failure> {
    let time = prompt.deadline().map(|deadline| time_of_day(deadline.at));
    let mut lines = look.lines(None)?;
    let end = ended(look.ask_lines(&mut lines, &mut prompt, &mut Alone)?)?;
    // An answer was said back already.
    if !matches!(end, End::Answered(_)) {
        say_rows(
            &lines,
            &rows(look, inquiry, &end, &time.unwrap_or_default()),
        )?;
    }
    Ok(end)
}

/// Says lines that stay.
pub(super) fn say_rows(lines: &Lines, rows: &[Row]) -> Result<(), Failure> {
    for row in rows {
        let line = format!("{}\n", row.text());
        lines.write(&line).context("the terminal failed")?;
    }
    Ok(())
}

/// A session that was ended from outside ends the process; what was asked stays open.
pub(super) fn ended(finish: Finish) -> Result<End, Failure> {
    match finish {
        Finish::Ended(end) => Ok(end),
        Finish::Elsewhere | Finish::TooSmall => Ok(End::Kept),
        Finish::Signal(number) => Err(Failure::Ended(128 + u8::try_from(number).unwrap_or(0))),
        Finish::HungUp => Err(Failure::Ended(STILL_OPEN)),
    }
}

/// The lines that stay.
fn rows(look: &Look, inquiry: &Inquiry, end: &End, time: &str) -> Vec<Row> {
    let glyphs: &Glyphs = &look.glyphs;
    let fate = match end {
        End::Answered(answers) => {
            return resolved::answered(look.locale, glyphs, inquiry, answers, None);
        }
        End::Kept | End::Detached => Fate::Pending,
        End::Declined => Fate::Declined,
        End::Rejected => Fate::Rejected,
        End::Expired => Fate::Expired(time),
    };
    resolved::unanswered(look.locale, glyphs, inquiry, fate)
}

/// Prints the outcome and gives the exit code.
fn finish(args: &AskArgs, inquiry: &Inquiry, end: &End) -> Result<(), Failure> {
    let (outcome, code) = match end {
        End::Answered(answers) => (
            Outcome::Answered {
                answers: answers.clone(),
            },
            0,
        ),
        End::Declined => (Outcome::Declined, DECLINED),
        End::Rejected => (Outcome::Rejected, REJECTED),
        End::Expired => (Outcome::Expired, EXPIRED),
        End::Kept => return Err(Failure::Ended(STILL_OPEN)),
        End::Detached => return Err(Failure::Ended(DETACHED)),
    };
    print_outcome(args, inquiry, &outcome)?;
    if code == 0 {
        Ok(())
    } else {
        Err(Failure::Ended(code))
    }
}

/// The outcome as one line, or as the model would read it.
fn print_outcome(args: &AskArgs, inquiry: &Inquiry, outcome: &Outcome) -> Result<(), Failure> {
    let text = if args.result {
        Dialect::render(inquiry, outcome).content
    } else {
        let line: Value = match outcome {
            Outcome::Answered { answers } => {
                json!({ "type": outcome.name(), "answers": answers.to_json() })
            }
            Outcome::Superseded { message } => {
                json!({ "type": outcome.name(), "message": message.as_str() })
            }
            Outcome::Declined
            | Outcome::Cancelled
            | Outcome::Rejected
            | Outcome::Expired
            | Outcome::Withdrawn
            | Outcome::Undeliverable { .. } => json!({ "type": outcome.name() }),
        };
        line.to_string()
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Where a question waits that nobody could be asked.
pub(super) struct Waiting {
    pub(super) id: String,
    pub(super) link: Option<String>,
}

/// Says that nobody is there to ask.
pub(super) fn say_nobody(
    look: &Look,
    inquiry: &Inquiry,
    asker: Option<&str>,
    waiting: Option<&Waiting>,
) -> Result<(), Failure> {
    let mut lines = Vec::new();
    if let Some(waiting) = waiting {
        let [first, ..] = inquiry.questions() else {
            return Ok(());
        };
        let name = first
            .header
            .as_ref()
            .map_or(first.text.as_str(), |header| header.as_str());
        let agent = asker.map_or_else(|| look.locale.text("someone", &[]), str::to_owned);
        let args = [
            ("count", inquiry.questions().len().into()),
            ("id", waiting.id.as_str().into()),
            ("agent", agent.into()),
            ("name", name.into()),
        ];
        lines.push(look.locale.text("pipe-waiting", &args));
    }
    lines.push(look.locale.text("pipe-no-terminal", &[]));
    if let Some(waiting) = waiting {
        let command = format!("askback answer {}", waiting.id);
        match &waiting.link {
            Some(link) => {
                lines.push(
                    look.locale
                        .text("pipe-answer", &[("command", command.into())]),
                );
                lines.push(format!("  {link}"));
            }
            None => lines.push(format!("  {command}")),
        }
    }
    let mut err = std::io::stderr().lock();
    for line in lines {
        let line = line.replace('\n', " ");
        writeln!(err, "askback: {line}")?;
    }
    Ok(())
}
