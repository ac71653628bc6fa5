//! Where a conversation can stand: one example of every state. Each has a past, so that there are
//! ids which were right once.

use askback_core::conversation::command::{Command, RawCall};
use askback_core::conversation::event::{CallResult, FailureKind};
use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::dialect::Dialect;
use jiff::SignedDuration;

use crate::suite::machine::samples::{
    ask, external_ask, fail, hold, red_reply, reply, say_as, spawn, tool,
};
use crate::suite::machine::{Kind, Thread};

/// Seconds until the questions here expire.
pub(super) const DEADLINE_SECONDS: i64 = 60;

/// One example of a state.
pub(super) struct Stand {
    /// The heading, as Markdown.
    pub(super) title: String,
    pub(super) about: &'static str,
    pub(super) thread: Thread,
    /// The title of the one that this differs from in a few cells only.
    pub(super) like: Option<String>,
}

impl Stand {
    fn new(title: &str, about: &'static str, thread: Thread) -> Stand {
        Stand {
            title: title.to_owned(),
            about,
            thread,
            like: None,
        }
    }

    fn like(self, title: &str) -> Stand {
        Stand {
            like: Some(title.to_owned()),
            ..self
        }
    }
}

/// A conversation that has a past: a message, an answered question, a finished tool, sub-agents
/// that reported.
fn agent(kind: Kind) -> Thread {
    let deadline = |dialect| AskRules {
        expires_after_ms: Some(DEADLINE_SECONDS * 1_000),
        ..AskRules::of(dialect)
    };
    let policy = Policy {
        asks: Dialect::ALL
            .map(|dialect| (dialect, deadline(dialect)))
            .into(),
        ..Policy::default()
    };
    let thread = Thread::new(kind, policy).after(&say_as("msg_first", "Begin."));
    let thread = match kind {
        Kind::Parent => {
            let calls = [ask(Dialect::AskUserQuestion), tool("read_file"), spawn(1)];
            let thread = thread.calls(&calls).answers().runs("done");
            report(thread)
        }
        Kind::SubAgent | Kind::External => thread.calls(&[tool("read_file")]).runs("done"),
    };
    let last_words = reply(thread.conversation.requests, "Done.", &[]);
    thread.after(&last_words)
}

fn report(thread: Thread) -> Thread {
    let open = thread.children().into_iter().next_back();
    let result = CallResult::ok("done");
    let child = open.unwrap();
    thread.after(&Command::SubAgentFinished { child, result })
}

fn external(dialects: &[Dialect]) -> Thread {
    let begun = Thread::external()
        .after(&external_ask(Dialect::AskUserQuestion, None))
        .answers();
    dialects.iter().fold(begun, |thread, dialect| {
        thread.after(&external_ask(*dialect, Some(DEADLINE_SECONDS)))
    })
}

/// The question that waits has an answer which can be taken back.
fn held(thread: Thread) -> Thread {
    let until = thread.now + SignedDuration::from_secs(5);
    let inquiry = thread.conversation.state.pending()[0].id.clone();
    let answer = hold(inquiry, red_reply(), until);
    thread.after(&answer)
}

fn last_attempt(thread: Thread) -> Thread {
    (1..6).fold(thread, |thread, attempt| {
        let failed = fail(
            thread.conversation.requests,
            attempt,
            FailureKind::Overloaded,
        );
        thread.after(&failed)
    })
}

fn failed(thread: Thread) -> Thread {
    let thread = thread.says("Go on.");
    let failed = fail(thread.conversation.requests, 1, FailureKind::Refused);
    thread.after(&failed)
}

/// Every stand, in the order of the page.
pub(super) fn stands() -> Vec<Stand> {
    let mut stands = working_stands();
    stands.extend(waiting_stands());
    stands.extend(delegating_stands());
    stands.extend(sub_agent_stands());
    stands.extend(external_stands());
    stands
}

/// A conversation that waits at one call with another behind it, for every sort of both.
pub(super) fn pairs_of_calls() -> Vec<Thread> {
    let sorts = [tool("read_file"), ask(Dialect::AskUserQuestion), spawn(1)];
    let pairs = sorts
        .iter()
        .flat_map(|first| sorts.iter().map(move |second| [first, second]));
    let wait = |[first, second]: [&RawCall; 2]| {
        let thread = agent(Kind::Parent).round(&[first.clone(), second.clone()]);
        match thread.state() {
            "tool_executing" => thread.starts(),
            _ => thread,
        }
    };
    pairs.map(wait).collect()
}

fn working_stands() -> Vec<Stand> {
    let idle = || agent(Kind::Parent);
    let thinking = || idle().says("Go on.");
    let running = |behind: &[_]| {
        let calls = [&[tool("write_file")], behind].concat();
        thinking().calls(&calls)
    };
    vec![
        Stand::new(
            "`idle`",
            "Nothing goes on; the conversation waits for a message.",
            idle(),
        ),
        Stand::new(
            "`llm_requesting`",
            "A provider request is under way, at its first attempt.",
            thinking(),
        ),
        Stand::new(
            "`llm_requesting`, last attempt",
            "The sixth attempt at a provider request.",
            last_attempt(thinking()),
        )
        .like("`llm_requesting`"),
        Stand::new(
            "`tool_executing`, queued",
            "A tool is to run and no worker has begun. One more tool call stands behind it.",
            running(&[tool("read_file")]),
        ),
        Stand::new(
            "`tool_executing`, started",
            "A worker runs the tool. It is the last call of its round.",
            running(&[]).starts(),
        ),
        Stand::new(
            "`tool_executing`, started, a question behind",
            "A worker runs the tool; an `ask_user_question` call comes next.",
            running(&[ask(Dialect::AskUserQuestion)]).starts(),
        )
        .like("`tool_executing`, started"),
        Stand::new(
            "`error`",
            "The provider refused for good, or the last attempt failed.",
            failed(idle()),
        ),
    ]
}

fn delegating_stands() -> Vec<Stand> {
    let delegating = || agent(Kind::Parent).round(&[spawn(2)]);
    vec![
        Stand::new(
            "`awaiting_sub_agents`, two at work",
            "A `spawn_agents` call has two sub-agents and neither has reported.",
            delegating(),
        ),
        Stand::new(
            "`awaiting_sub_agents`, one left",
            "One of the two sub-agents has reported.",
            report(delegating()),
        )
        .like("`awaiting_sub_agents`, two at work"),
    ]
}

fn waiting_stands() -> Vec<Stand> {
    let title = |dialect: Dialect| format!("`awaiting_user_response`, `{}`", dialect.name());
    let first = title(Dialect::AskUserQuestion);
    let asked = |calls: &[_]| agent(Kind::Parent).round(calls);
    let mut stands = vec![
        Stand::new(
            &first,
            "A question waits for its answer, with a deadline. It is the only call of its round.",
            asked(&[ask(Dialect::AskUserQuestion)]),
        ),
        Stand::new(
            &format!("{first}, a tool call behind"),
            "The same with a tool call behind the question.",
            asked(&[ask(Dialect::AskUserQuestion), tool("read_file")]),
        )
        .like(&first),
        Stand::new(
            &format!("{first}, held"),
            "The same with an answer that can be taken back for five seconds.",
            held(asked(&[ask(Dialect::AskUserQuestion)])),
        )
        .like(&first),
    ];
    for dialect in [
        Dialect::AskUserQuestionClaude,
        Dialect::Question,
        Dialect::AskUser,
    ] {
        let about = "The same in another dialect.";
        let stand = Stand::new(&title(dialect), about, asked(&[ask(dialect)]));
        stands.push(stand.like(&first));
    }
    stands
}

fn sub_agent_stands() -> Vec<Stand> {
    let idle = || agent(Kind::SubAgent);
    vec![
        Stand::new(
            "`llm_requesting`, sub-agent",
            "A sub-agent's provider request.",
            idle().says("Go on."),
        )
        .like("`llm_requesting`"),
        Stand::new(
            "`tool_executing`, started, sub-agent",
            "A sub-agent's tool.",
            idle().round(&[tool("write_file")]).starts(),
        )
        .like("`tool_executing`, started"),
    ]
}

fn external_stands() -> Vec<Stand> {
    vec![
        Stand::new(
            "`idle`, external agent",
            "Somebody else's agent drives the conversation, and nothing waits.",
            external(&[]),
        ),
        Stand::new(
            "`awaiting_user_response`, external agent, one question",
            "One question of an external agent waits.",
            external(&[Dialect::AskUser]),
        ),
        Stand::new(
            "`awaiting_user_response`, external agent, several questions",
            "Two questions of an external agent wait; the first is meant below.",
            external(&[Dialect::AskUser, Dialect::Question]),
        )
        .like("`awaiting_user_response`, external agent, one question"),
    ]
}
