//! Where a conversation can stand: one example of every state. Each has a past, so that there are
//! ids which were right once.

use askback_core::conversation::command::{Command, RawCall};
use askback_core::conversation::event::{CallResult, FailureKind};
use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::dialect::Dialect;
use jiff::SignedDuration;

use crate::suite::machine::samples::{
    self, answer_with_undo, ask, external_ask, fail, red_reply, reply, say_as, spawn, tool,
};
use crate::suite::machine::{CheckedConversation, Kind};

/// Seconds until the questions here expire.
pub(super) const DEADLINE_SECONDS: i64 = 60;

/// One example of a state.
pub(super) struct StateExample {
    /// The heading, as Markdown.
    pub(super) title: String,
    pub(super) about: &'static str,
    pub(super) checked: CheckedConversation,
    /// The title of the one that this differs from in a few cells only.
    pub(super) like: Option<String>,
}

impl StateExample {
    fn new(title: &str, about: &'static str, checked: CheckedConversation) -> StateExample {
        StateExample {
            title: title.to_owned(),
            about,
            checked,
            like: None,
        }
    }

    fn like(self, title: &str) -> StateExample {
        StateExample {
            like: Some(title.to_owned()),
            ..self
        }
    }
}

/// A conversation that has a past: a message, an answered question, a finished tool, sub-agents
/// that reported.
fn agent(kind: Kind) -> CheckedConversation {
    let deadline = |dialect| AskRules {
        expires_after_ms: Some(DEADLINE_SECONDS * 1_000),
        ..AskRules::of(dialect)
    };
    let policy = Policy {
        asks: Dialect::TOOLS
            .map(|dialect| (dialect, deadline(dialect)))
            .into(),
        ..Policy::default()
    };
    let checked = CheckedConversation::new(kind, policy).after(&say_as("msg_first", "Begin."));
    let checked = match kind {
        Kind::Parent => {
            let calls = [ask(Dialect::AskUserQuestion), tool("read_file"), spawn(1)];
            let checked = checked.calls(&calls).answers().runs("done");
            report(checked)
        }
        Kind::SubAgent | Kind::External => checked.calls(&[tool("read_file")]).runs("done"),
    };
    let last_words = reply(checked.conversation.requests, "Done.", &[]);
    checked.after(&last_words)
}

fn report(checked: CheckedConversation) -> CheckedConversation {
    let open = checked.children().into_iter().next_back();
    let result = CallResult::ok("done");
    let child = open.unwrap();
    checked.after(&Command::SubAgentFinished { child, result })
}

fn external(dialects: &[Dialect]) -> CheckedConversation {
    let begun = CheckedConversation::external()
        .after(&external_ask(Dialect::AskUserQuestion, None))
        .answers();
    dialects.iter().fold(begun, |checked, dialect| {
        checked.after(&external_ask(*dialect, Some(DEADLINE_SECONDS)))
    })
}

/// The question that waits has an answer which can be taken back.
fn held(checked: CheckedConversation) -> CheckedConversation {
    let inquiry = checked.conversation.state.pending()[0].id.clone();
    let answer = answer_with_undo(inquiry, red_reply(), SignedDuration::from_secs(5));
    checked.after(&answer)
}

fn last_attempt(checked: CheckedConversation) -> CheckedConversation {
    (1..6).fold(checked, |checked, attempt| {
        let failed = fail(
            checked.conversation.requests,
            attempt,
            FailureKind::Overloaded,
        );
        checked.after(&failed)
    })
}

fn failed(checked: CheckedConversation) -> CheckedConversation {
    let checked = checked.says("Go on.");
    let failed = fail(checked.conversation.requests, 1, FailureKind::Refused);
    checked.after(&failed)
}

/// Every stand, in the order of the page.
pub(super) fn examples() -> Vec<StateExample> {
    let mut examples = working_stands();
    examples.extend(waiting_stands());
    examples.extend(delegating_stands());
    examples.extend(sub_agent_stands());
    examples.extend(external_stands());
    examples
}

/// A conversation that waits at one call with another behind it, for every sort of both.
pub(super) fn pairs_of_calls() -> Vec<CheckedConversation> {
    let sorts = [tool("read_file"), ask(Dialect::AskUserQuestion), spawn(1)];
    let pairs = sorts
        .iter()
        .flat_map(|first| sorts.iter().map(move |second| [first, second]));
    let wait = |[first, second]: [&RawCall; 2]| {
        let checked = agent(Kind::Parent).round(&[first.clone(), second.clone()]);
        match checked.state() {
            "tool_executing" => checked.starts(),
            _ => checked,
        }
    };
    pairs.map(wait).collect()
}

fn working_stands() -> Vec<StateExample> {
    let idle = || agent(Kind::Parent);
    let thinking = || idle().says("Go on.");
    let running = |behind: &[_]| {
        let calls = [&[tool("write_file")], behind].concat();
        thinking().calls(&calls)
    };
    vec![
        StateExample::new(
            "`idle`",
            "Nothing is running; the conversation waits for a message.",
            idle(),
        ),
        StateExample::new(
            "`llm_requesting`",
            "The first attempt at a provider request is running.",
            thinking(),
        ),
        StateExample::new(
            "`llm_requesting`, last attempt",
            "The sixth attempt at a provider request.",
            last_attempt(thinking()),
        )
        .like("`llm_requesting`"),
        StateExample::new(
            "`tool_executing`, queued",
            "A tool is queued and not started yet. Another tool call follows it.",
            running(&[tool("read_file")]),
        ),
        StateExample::new(
            "`tool_executing`, started",
            "The tool is running. It is the last call of its round.",
            running(&[]).starts(),
        ),
        StateExample::new(
            "`tool_executing`, started, then a question",
            "The tool is running; an `ask_user_question` call follows.",
            running(&[ask(Dialect::AskUserQuestion)]).starts(),
        )
        .like("`tool_executing`, started"),
        StateExample::new(
            "`error`",
            "The provider refused permanently, or the last attempt failed.",
            failed(idle()),
        ),
    ]
}

fn delegating_stands() -> Vec<StateExample> {
    let delegating = || agent(Kind::Parent).round(&[spawn(2)]);
    vec![
        StateExample::new(
            "`awaiting_sub_agents`, two running",
            "A `spawn_agents` call has two sub-agents, and neither has finished.",
            delegating(),
        ),
        StateExample::new(
            "`awaiting_sub_agents`, one left",
            "One of the two sub-agents has finished.",
            report(delegating()),
        )
        .like("`awaiting_sub_agents`, two running"),
    ]
}

fn waiting_stands() -> Vec<StateExample> {
    let title = |dialect: Dialect| format!("`awaiting_user_response`, `{}`", dialect.name());
    let first = title(Dialect::AskUserQuestion);
    let asked = |calls: &[_]| agent(Kind::Parent).round(calls);
    let mut examples = vec![
        StateExample::new(
            &first,
            "A question with a deadline is pending. It is the only call of its round.",
            asked(&[ask(Dialect::AskUserQuestion)]),
        ),
        StateExample::new(
            &format!("{first}, then a tool call"),
            "The same, followed by a tool call.",
            asked(&[ask(Dialect::AskUserQuestion), tool("read_file")]),
        )
        .like(&first),
        StateExample::new(
            &format!("{first}, held"),
            "The same with an answer that can be undone for five seconds.",
            held(asked(&[ask(Dialect::AskUserQuestion)])),
        )
        .like(&first),
    ];
    for dialect in [
        Dialect::AskUserQuestionClaude,
        Dialect::Question,
        Dialect::AskUser,
    ] {
        let about = "The same with another ask tool.";
        let stand = StateExample::new(&title(dialect), about, asked(&[ask(dialect)]));
        examples.push(stand.like(&first));
    }
    let by_tool = |way| {
        let running = asked(&[tool("write_file")]).starts();
        let call = running.conversation.state.round().unwrap().current();
        let call = call.unwrap().id.clone();
        let [runs, returned] = samples::tool_asks(&call, Dialect::AskUser);
        running.after(if way == 0 { &runs } else { &returned })
    };
    examples.push(
        StateExample::new(
            "`awaiting_user_response`, a running tool",
            "A tool asks and waits for the outcome.",
            by_tool(0),
        )
        .like(&first),
    );
    examples.push(
        StateExample::new(
            "`awaiting_user_response`, a tool that has returned",
            "A tool has asked and returned. It is run again with the outcome.",
            by_tool(1),
        )
        .like(&first),
    );
    examples
}

fn sub_agent_stands() -> Vec<StateExample> {
    let idle = || agent(Kind::SubAgent);
    vec![
        StateExample::new(
            "`llm_requesting`, sub-agent",
            "The provider request of a sub-agent.",
            idle().says("Go on."),
        )
        .like("`llm_requesting`"),
        StateExample::new(
            "`tool_executing`, started, sub-agent",
            "The tool of a sub-agent.",
            idle().round(&[tool("write_file")]).starts(),
        )
        .like("`tool_executing`, started"),
    ]
}

fn external_stands() -> Vec<StateExample> {
    vec![
        StateExample::new(
            "`idle`, external agent",
            "An external agent drives the conversation, and nothing is pending.",
            external(&[]),
        ),
        StateExample::new(
            "`awaiting_user_response`, external agent, one question",
            "One question of an external agent is pending.",
            external(&[Dialect::AskUser]),
        ),
        StateExample::new(
            "`awaiting_user_response`, external agent, several questions",
            "Two questions of an external agent are pending; the commands below are for the first.",
            external(&[Dialect::AskUser, Dialect::Question]),
        )
        .like("`awaiting_user_response`, external agent, one question"),
    ]
}
