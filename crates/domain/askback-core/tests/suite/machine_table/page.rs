//! The page: a section for each state, a row for each command that is granted there, and a line
//! for each code with which the others are refused.

use std::fmt::Write;

use askback_core::conversation::event::{Event, TurnEnd};
use askback_testkit::variant_name;

use super::cases::{CASES, Case};
use super::state_examples::{StateExample, pairs_of_calls};
use crate::suite::machine::CheckedConversation;

const INTRO: &str = "\
# The conversation state machine

Every state of a conversation, every command, and what follows. Generated from the core by
`crates/domain/askback-core/tests/suite/machine_table.rs`; a test fails when this page is out of date, and
`ASKBACK_BLESS=1 cargo test -p askback-core --test all machine_page` updates it.

A command is either accepted or refused. If it is accepted, its events, its jobs and the new state
are committed together. If it is refused, nothing changes, and the code says why. A command without
parentheses stands for all of its forms.

How to read the forms in parentheses:

- *its id*: the pending inquiry. *a resolved id*: an inquiry that has its outcome. *another
  revision*: the right id, but not the revision that is pending now. *no id*: the pending inquiry,
  if there is exactly one.
- *the current call*: the first call of the round without a result. *another call*: any other.
- *temporary*: overload, network errors, a reply that cannot be parsed. *permanent*: the provider
  refused.
- *everything*: `cancel` and `withdraw` without a target stop whatever is running. With a target
  they apply to that inquiry only, and never to what came after it.

An event has its relevant detail in parentheses, and `×2` if there are two in a row:
`call_finished (error) ×2` gives two calls an error as their result.

The questions below have a deadline, so that `expire` can be shown. By default they have none. At
the deadline a question ends, whether or not its timer has fired: later commands are refused with
`not_pending`, and the refusal says when the question expired. An answer that was given in time and
can still be undone keeps its question from expiring. The undo window ends at the deadline at the
latest, and then the answer takes effect.

";

/// What follows from one case.
#[derive(PartialEq)]
enum Cell {
    Granted {
        state: &'static str,
        events: String,
        jobs: String,
    },
    Refused {
        code: &'static str,
    },
}

impl Cell {
    fn leads_to(&self, to: &str) -> bool {
        match self {
            Cell::Granted { state, .. } => *state == to,
            Cell::Refused { .. } => false,
        }
    }
}

/// The cells of one stand, with their cases.
type Row<'a> = Vec<(&'a Case, Cell)>;

pub(super) fn render(examples: &[StateExample]) -> String {
    let rows: Vec<Row> = examples
        .iter()
        .map(|stand| try_all(&stand.checked))
        .collect();
    let mut page = INTRO.to_owned();
    page.push_str(&overview(examples));
    for (stand, row) in examples.iter().zip(&rows) {
        let base = stand.like.as_ref();
        let base = base.and_then(|title| examples.iter().position(|stand| stand.title == *title));
        let (base, different) = match base {
            None => (String::new(), row.iter().collect()),
            Some(place) => {
                let different = difference(&rows[place], row);
                let title = &examples[place].title;
                let base = if different.is_empty() {
                    format!(" Everything is as under {title}.")
                } else {
                    format!(" As under {title}, except:")
                };
                (base, different)
            }
        };
        let StateExample { title, about, .. } = stand;
        let cells = cells(row, &different);
        let section = format!("## {title}\n\n{about}{base}\n\n{cells}");
        writeln!(page, "{}\n", section.trim_end()).unwrap();
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn try_all(checked: &CheckedConversation) -> Row<'static> {
    let mut row = Vec::new();
    for case in CASES {
        let checked = checked.clone().later(case.after);
        let Some(command) = (case.command)(&checked) else {
            continue;
        };
        assert_eq!(variant_name(&command), case.name);
        let cell = match checked.decide(&command) {
            Ok(decision) => Cell::Granted {
                state: decision.after.state.name(),
                events: names(decision.events.iter().map(event_words)),
                jobs: names(decision.jobs.iter().map(|job| job.name().to_owned())),
            },
            Err(rejection) => Cell::Refused {
                code: rejection.code(),
            },
        };
        row.push((case, cell));
    }
    row
}

/// The name of an event with what makes a difference.
fn event_words(event: &Event) -> String {
    let detail = match event {
        Event::CallFinished { result, .. } if result.is_error => "error",
        Event::InquiryResolved { resolution, .. } => resolution.outcome.name(),
        Event::TurnEnded { end } => match end {
            TurnEnd::Replied => "replied",
            TurnEnd::Stopped => "stopped",
            TurnEnd::Failed { .. } => "failed",
        },
        Event::Started { .. }
        | Event::MessageReceived { .. }
        | Event::LlmRequested { .. }
        | Event::LlmAttemptFailed { .. }
        | Event::AssistantReplied { .. }
        | Event::CallStarted { .. }
        | Event::CallFinished { .. }
        | Event::InquiryAsked { .. }
        | Event::DeadlineMoved { .. }
        | Event::InquiryHandedOn { .. }
        | Event::InquiryReminded { .. }
        | Event::AnswerHeld { .. }
        | Event::AnswerTakenBack { .. }
        | Event::SubAgentsStarted { .. }
        | Event::SubAgentFinished { .. }
        | Event::RoundFinished
        | Event::Closed { .. } => return variant_name(event),
    };
    format!("{} ({detail})", variant_name(event))
}

/// Names in order, repeated ones counted.
fn names(names: impl Iterator<Item = String>) -> String {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for name in names {
        match counted.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => counted.push((name, 1)),
        }
    }
    if counted.is_empty() {
        return "–".to_owned();
    }
    let words = counted.into_iter().map(|(name, count)| match count {
        1 => name,
        count => format!("{name} ×{count}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The cells that are not the same in both.
fn difference<'a, 'c>(base: &Row<'c>, row: &'a Row<'c>) -> Vec<&'a (&'c Case, Cell)> {
    let same = |(case, cell): &&(&Case, Cell)| {
        let mut alike = base.iter();
        alike
            .any(|(other, base)| other.name == case.name && other.form == case.form && base == cell)
    };
    row.iter().filter(|pair| !same(pair)).collect()
}

/// The table of what is granted and the list of what is refused, of those cells of a row that are
/// to be shown. Cases with the same cell share a line.
fn cells(row: &Row, shown: &[&(&Case, Cell)]) -> String {
    let mut lines: Vec<(&Cell, Vec<&Case>)> = Vec::new();
    for (case, cell) in shown {
        match lines.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, cases)) => cases.push(case),
            None => lines.push((cell, vec![case])),
        }
    }
    let mut table = String::new();
    let mut refusals = String::new();
    for (cell, cases) in lines {
        let commands = commands(row, &cases);
        match cell {
            Cell::Granted {
                state,
                events,
                jobs,
            } => writeln!(table, "| {commands} | `{state}` | {events} | {jobs} |").unwrap(),
            Cell::Refused { code } => writeln!(refusals, "| `{code}` | {commands} |").unwrap(),
        }
    }
    let head = |head: &str, body: String| match body.as_str() {
        "" => String::new(),
        body => format!("{head}\n{body}\n"),
    };
    let table = head(
        "| command | next state | events | jobs |\n|---|---|---|---|",
        table,
    );
    let refusals = head("| refused with | command |\n|---|---|", refusals);
    let both = format!("{table}{refusals}");
    both.trim_end().to_owned()
}

/// The cases by command, each with its forms in brackets unless all of them are meant.
fn commands(row: &Row, cases: &[&Case]) -> String {
    let mut grouped: Vec<(&str, Vec<&str>)> = Vec::new();
    for case in cases {
        match grouped.last_mut() {
            Some((name, forms)) if *name == case.name => forms.push(case.form),
            _ => grouped.push((case.name, vec![case.form])),
        }
    }
    let words = grouped.into_iter().map(|(name, forms)| {
        let all = row.iter().filter(|(case, _)| case.name == name).count();
        if forms.len() == all && all > 1 {
            format!("`{name}`")
        } else {
            format!("`{name}` ({})", forms.join("; "))
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The states in the order of the page.
const STATES: [&str; 6] = [
    "idle",
    "llm_requesting",
    "tool_executing",
    "awaiting_user_response",
    "awaiting_sub_agents",
    "error",
];

/// Which states can follow which, over all stands and every order of two calls.
fn overview(examples: &[StateExample]) -> String {
    let threads = examples.iter().map(|stand| stand.checked.clone());
    let threads: Vec<CheckedConversation> = threads.chain(pairs_of_calls()).collect();
    let rows: Vec<(&str, Row)> = threads.iter().map(|t| (t.state(), try_all(t))).collect();
    let mut out = "## State transitions\n\n| from | to | by |\n|---|---|---|\n".to_owned();
    for (from, to) in STATES.iter().flat_map(|from| STATES.map(|to| (from, to))) {
        let cells = rows.iter().filter(|(state, _)| state == from);
        let cells = cells.flat_map(|(_, row)| row);
        let leading = cells.filter(|(_, cell)| cell.leads_to(to));
        let leading: Vec<&str> = leading.map(|(case, _)| case.name).collect();
        let mut names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        names.dedup();
        names.retain(|name| leading.contains(name));
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            writeln!(out, "| `{from}` | `{to}` | {} |", names.join(", ")).unwrap();
        }
    }
    out.push('\n');
    out
}
