//! What the model is told about this server and its tools.

use askback_core::dialect::Dialect;

/// The instructions of the server: when to ask, and what a pending question means.
pub(crate) fn instructions(dialects: &[Dialect]) -> String {
    let names: Vec<&str> = dialects.iter().map(|dialect| dialect.name()).collect();
    let mut text = format!(
        "askback puts your questions to the user, wherever they are: in their terminal, browser or \
         phone. Ask with {}.",
        names.join(" or ")
    );
    for dialect in dialects {
        text.push_str("\n\n");
        text.push_str(dialect.guidance());
    }
    text.push_str("\n\n");
    text.push_str(WAITING);
    text
}

const WAITING: &str = "\
The user may take minutes or days. A result with status \"pending\" is not an answer: the question \
stays open, and wait_for_answer with its question_id goes on waiting. Never ask the same question \
again because it is pending, and never choose for the user. If a result tells you to end your turn, do \
so. An answer that comes later is delivered with your next call of any askback tool, as a late answer \
that names its question; call list_questions when you continue after a pause. withdraw_question takes \
back a question that no longer matters.";

pub(crate) const WAIT_FOR_ANSWER: &str = "\
Waits for the user's answer to a question that is pending. Returns the answer, or status \"pending\" if \
the user has not answered yet. Takes the question_id of the pending result; without it, waits for the \
only question that is open.";

pub(crate) const LIST_QUESTIONS: &str = "\
Lists your questions that are still open, and delivers answers that came since your last call. Call it \
when you continue after a pause.";

pub(crate) const WITHDRAW_QUESTION: &str = "\
Takes back a question that no longer matters, so that the user need not answer it. If it was answered in \
the meantime, the answer is returned instead.";

pub(crate) const BACKGROUND: &str = "\
Ask without waiting: the result is a handle at once, and the answer is delivered with a later call of any \
askback tool. Only where you can go on under an assumption and change course later; say which in assumption.";

pub(crate) const ASSUMPTION: &str = "\
With background: what you assume until the answer comes, as one sentence to the user in their language, \
such as: I go on with SQLite.";

pub(crate) const ASSUMPTION_MISSING: &str = "\
The question was not asked: background needs assumption, one sentence that tells the user what you assume \
until they answer, such as \"I go on with SQLite.\" Call again with it, or without background.";

/// What to do after a question was asked without waiting.
pub(crate) const GO_ON: &str = "\
The question was asked and the user sees your assumption. Go on with it now. The answer is delivered with \
your next call of any askback tool; if it differs, change course. Call wait_for_answer with this question_id \
as soon as you cannot go on without the answer.";

/// What to do while a question is pending.
pub(crate) const KEEP_WAITING: &str = "\
The user has not answered yet and the question stays open. Call wait_for_answer with this question_id to \
go on waiting. Do not ask it again, and do not choose for the user.";

/// What to do when waiting has become pointless for now.
pub(crate) const END_TURN: &str = "\
The user has not answered yet and the question stays open. Stop waiting now: finish what does not depend \
on the answer, tell the user that your question waits for them in askback, and end your turn. The answer \
is delivered with your next call of any askback tool. Do not ask it again, and do not choose for the user.";

/// What to do when the user stopped the question.
pub(crate) const STOPPED: &str = "\
Nothing was chosen. Stop here: do not ask again, and do not go on with what depends on the answer.";
