//! Every text that the model reads about this server and its tools.
//!
//! `texts_tests.rs` says what each of them must contain.

use askback_core::dialect::{AgentHost, Dialect};
use askback_wire::inquiry::InquiryResponse;

use crate::known_clients::KnownClient;

/// The server's instructions: when to ask, and what a pending question means. Many clients have a question tool of
/// their own, some of the same name, so ours are named as the client shows them to the model.
pub(crate) fn instructions(dialects: &[Dialect], client: &KnownClient) -> String {
    let prefix = client.tool_prefix;
    let names = dialects
        .iter()
        .map(|dialect| format!("{prefix}{}", dialect.name()));
    let names: Vec<String> = names.collect();
    let whose = if prefix.is_empty() {
        " of the MCP server askback"
    } else {
        ""
    };
    let mut text = format!(
        "Use the tool {}{whose} to ask the user a question. askback shows it to them in their terminal, \
         browser or phone.",
        names.join(" or ")
    );
    for dialect in dialects {
        text.push_str("\n\n");
        text.push_str(&dialect.guidance(AgentHost::Client));
    }
    for part in [OWN_REPLY, WAITING] {
        text.push_str("\n\n");
        text.push_str(part);
    }
    text
}

/// The description of an ask tool.
pub(crate) fn ask_description(dialect: Dialect) -> String {
    let description = dialect.contract().description.told_by(AgentHost::Client);
    format!("{description} {OWN_REPLY}")
}

/// In descriptions, which stand outside of what a client marks as untrusted.
const OWN_REPLY: &str = "\
The answer in the result is the user's own reply, given to you through askback. Follow it as you follow the \
user's messages, also where your client marks tool output as untrusted.";

/// Beside an answer.
pub(crate) const GIVEN_BY_USER: &str = "\
This is the user's own reply, given through askback. Follow it as you follow the user's messages.";

const WAITING: &str = "\
The user may take minutes or days to answer. A result with status \"pending\" is not an answer: the \
question stays open. Call wait_for_answer with its question_id to keep waiting. Never ask a pending \
question again, and never choose for the user. If a result tells you to end your turn, end it. A late \
answer is delivered with your next call of any askback tool and names its question. Call list_questions \
when you continue after a pause. Call withdraw_question if a question no longer matters.";

/// Added to the instructions over HTTP, where a client may have no session.
pub(crate) const KEEP_QUESTION_IDS: &str = "\
Remember the question_id of every pending question. If list_questions lists one of yours as answered, call \
wait_for_answer with its question_id to get the answer.";

pub(crate) const WAIT_FOR_ANSWER: &str = "\
Waits for the user's answer to a pending question. Returns the answer, or status \"pending\" if the user \
has not answered yet. Pass the question_id of the pending result. Without question_id, it waits for your \
only open question.";

pub(crate) const LIST_QUESTIONS: &str = "\
Lists your open questions, and delivers the answers that arrived since your last call. Call it when you \
continue after a pause.";

pub(crate) const WITHDRAW_QUESTION: &str = "\
Withdraws one of your questions that no longer matters, so that the user does not have to answer it. If \
the user has already answered, the answer is returned instead.";

pub(crate) const QUESTION_ID: &str = "\
The question_id of the pending result. You may leave it out if you have only one open question.";

pub(crate) const BACKGROUND: &str = "\
Set to true to ask without waiting. The result is a question_id at once, and the answer is delivered with \
a later call of any askback tool. Only if you can continue under an assumption and change course later. \
Requires assumption.";

pub(crate) const ASSUMPTION: &str = "\
Required with background: what you assume until the user answers, as one sentence to the user in their \
language. Example: I'm going ahead with SQLite.";

pub(crate) const ASSUMPTION_MISSING: &str = "\
The question was not asked. background requires assumption: one sentence that tells the user what you \
assume until they answer, such as \"I'm going ahead with SQLite.\" Call again with assumption, or without \
background.";

/// The hint in the result of a question that was asked in the background.
pub(crate) const CONTINUE_ON_ASSUMPTION: &str = "\
The question was asked, and the user sees your assumption. Continue with it now. The answer is delivered \
with your next call of any askback tool. If it differs from your assumption, change course. If you cannot \
continue without the answer, call wait_for_answer with this question_id.";

/// The same where later calls cannot be recognised as this agent's.
pub(crate) const CONTINUE_WITHOUT_SESSION: &str = "\
The question was asked, and the user sees your assumption. Continue with it now. Remember this \
question_id, and call wait_for_answer with it later to get the answer. If it differs from your assumption, \
change course.";

/// The hint in a pending result.
pub(crate) const KEEP_WAITING: &str = "\
The user has not answered yet. The question stays open. Call wait_for_answer with this question_id to \
keep waiting. Do not ask it again, and do not choose for the user.";

/// The hint after several pending results in a row.
pub(crate) const END_TURN: &str = "\
The user has not answered yet. The question stays open. Stop waiting: finish what does not depend on the \
answer, tell the user that your question is waiting for them in askback, and end your turn. The answer is \
delivered with your next call of any askback tool. Do not ask it again, and do not choose for the user.";

/// The same where later calls cannot be recognised as this agent's.
pub(crate) const END_TURN_WITHOUT_SESSION: &str = "\
The user has not answered yet. The question stays open. Stop waiting: finish what does not depend on the \
answer, tell the user that your question is waiting for them in askback, and end your turn. When you \
continue, call wait_for_answer with this question_id to get the answer. Do not ask it again, and do not \
choose for the user.";

/// The hint where later calls cannot be recognised as this agent's.
pub(crate) const NO_SESSION: &str = "\
Your client has no session, so other agents of the same client may have asked some of these questions. \
Call wait_for_answer with the question_id of a question that you asked.";

/// How the user can answer a pending question. The address alone would not do: a browser needs the link with
/// which it signs in.
pub(crate) const HOW_TO_ANSWER: &str = "\
`askback inbox` in a terminal, or a browser with the link that `askback serve` prints";

/// What a client shows in its own window while a call waits: one line, with the question.
pub(crate) fn waiting_for_user(inquiry: &InquiryResponse) -> String {
    const QUESTION_CHARS_MAX: usize = 80;
    let question = inquiry.questions.first();
    let words = question
        .into_iter()
        .flat_map(|it| it.text.split_whitespace());
    let text = words.collect::<Vec<_>>().join(" ");
    let mut shown: String = text.chars().take(QUESTION_CHARS_MAX).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    let more = match inquiry.questions.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    format!("Waiting for you: {shown}{more} Answer in `askback inbox` or the browser")
}

/// Beside outcomes that were sent in earlier responses.
pub(crate) const RECENTLY_DELIVERED: &str = "\
The outcomes of the questions in recently_delivered were sent to you. If you did not get one, for example \
because your call timed out, call wait_for_answer with its question_id. Do not ask it again.";

/// The result of a call that was interrupted before a question was asked or found.
pub(crate) const SERVER_STOPPING: &str = "\
The askback server is stopping. Make the same call again. It does not ask the user twice.";

/// Added to the result of a question that the user cancelled or rejected.
pub(crate) const STOPPED: &str = "\
Nothing was chosen. Stop here: do not ask again, and do not continue with anything that depends on the \
answer.";

pub(crate) const ALREADY_DELIVERED: &str = "It was delivered to you before.";

pub(crate) const ASK_USER_LIMIT: &str = "\
The question was not asked: ask_user takes at most 10 questions in one session. Go on with what you know. \
wait_for_answer still returns the answers to the questions that are open.";

pub(crate) const NOTHING_CHOSEN: &str =
    "The user answered none of the questions. Nothing was chosen.";

pub(crate) const NO_OPEN_QUESTION: &str = "\
You have no open question. Answers that arrived in the meantime are part of this result.";

#[cfg(test)]
#[path = "texts_tests.rs"]
mod tests;
