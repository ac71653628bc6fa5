//! Elicitation: the dialog of the agent's own client as one more place to answer a question.
//!
//! The inbox has every question, whether a dialog shows it or not. A dialog can be closed without an answer,
//! and some clients close it at once because nobody is there; neither ends the question.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::Duration;

use askback_client::Client;
use askback_core::answer::Answers;
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_wire::elicitation_form::ElicitationForm;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::link::NewLinkParams;
use askback_wire::outcome::{OutcomeResponse, to_answers};
use askback_wire::respond::{AnswerParams, DeclineParams};
use rmcp::model::{
    ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
};
use serde_json::Value;
use tokio::time::Instant;
use uuid::Uuid;

use crate::call::executor::{Caller, ToolExecutor};
use crate::call::retry::retry_while_unreachable;
use crate::call::tool_result::question_texts;
use crate::options::Elicitation;
use crate::session::SessionScope;
use crate::session::asker::Asker;

/// How long no dialog is opened in a session in which nobody was there.
const NOBODY_THERE: Duration = Duration::from_mins(10);

/// How often a dialog is opened for one question. After content that is no answer, once more.
pub(crate) const ROUNDS_MAX: u32 = 2;

/// Sessions and questions that are remembered. Beyond that, remembering starts anew.
const REMEMBERED_MAX: usize = 10_000;

/// Codex does nothing on enter in an empty text field, and only the last field sends a form. A choice could not be sent.
const KEEPS_EMPTY_TEXT: &str = "codex-mcp-client";

/// goose ends with an error when it runs without a terminal and is asked for input.
const EXITS_WITHOUT_TERMINAL: &str = "goose-cli";

/// What the dialogs of a client can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DialogModes {
    form: bool,
    url: bool,
    /// Whether a form may end with a text field that stays empty.
    sends_empty_text: bool,
}

/// What follows from the reply of a dialog.
pub(crate) enum AfterReply {
    /// Wait for the outcome, which may be there already.
    Wait,
    /// Open the dialog once more and say what was wrong.
    Again(String),
}

/// What a person did in a dialog.
enum DialogReply {
    Answer(AnswerParams),
    Decline(DeclineParams),
}

/// What became of a reply that was sent to the server.
#[derive(Debug, PartialEq, Eq)]
enum SentReply {
    Taken,
    /// It is no answer, for this reason.
    Invalid(String),
    /// The question was answered elsewhere, or the reply could not be sent.
    TooLate,
}

impl DialogModes {
    /// `None` if the client has no dialogs, or they must not be used.
    pub(crate) fn of_client(
        capabilities: Option<&ClientCapabilities>,
        client: &str,
        elicitation: Elicitation,
    ) -> Option<DialogModes> {
        let is_allowed = match elicitation {
            Elicitation::Off => false,
            Elicitation::Auto => client != EXITS_WITHOUT_TERMINAL,
            Elicitation::Always => true,
        };
        let declared = capabilities.and_then(|all| all.elicitation.as_ref());
        let declared = declared.filter(|_| is_allowed)?;
        Some(DialogModes {
            // Before URL mode there was only one, which had no name.
            form: declared.form.is_some() || declared.url.is_none(),
            url: declared.url.is_some(),
            sends_empty_text: client != KEEPS_EMPTY_TEXT,
        })
    }
}

/// What is known about dialogs until the process ends.
#[derive(Default)]
pub(crate) struct DialogMemory {
    /// Sessions in which nobody was there, and since when.
    nobody_there: Mutex<HashMap<String, Instant>>,
    questions: Mutex<HashMap<InquiryId, DialogState>>,
}

/// The dialogs of one question.
#[derive(Debug, Clone, Default)]
pub(crate) struct DialogState {
    /// How many replies were no answer.
    pub(crate) rounds: u32,
    pub(crate) opened: Option<Instant>,
    /// Whether no further dialog is opened.
    pub(crate) is_closed: bool,
    /// What the person did in a dialog after the question had been answered elsewhere.
    pub(crate) done_too_late: Option<String>,
}

impl DialogMemory {
    pub(crate) fn question(&self, id: &InquiryId) -> DialogState {
        self.questions.lock().get(id).cloned().unwrap_or_default()
    }

    pub(crate) fn update(&self, id: &InquiryId, change: impl FnOnce(&mut DialogState)) {
        let mut questions = self.questions.lock();
        if questions.len() > REMEMBERED_MAX {
            questions.clear();
        }
        change(questions.entry(id.clone()).or_default());
    }

    fn nobody_is_there(&self, asker: &Asker) {
        let Some(session) = session_key(asker) else {
            return;
        };
        let mut sessions = self.nobody_there.lock();
        if sessions.len() > REMEMBERED_MAX {
            sessions.clear();
        }
        sessions.insert(session, Instant::now());
    }

    fn is_somebody_there(&self, asker: &Asker) -> bool {
        let since = session_key(asker).and_then(|key| self.nobody_there.lock().get(&key).copied());
        since.is_none_or(|since| since.elapsed() > NOBODY_THERE)
    }
}

/// `None` if later calls cannot be recognised as the same agent's.
fn session_key(asker: &Asker) -> Option<String> {
    let project = asker.project.as_deref().unwrap_or_default();
    match asker.scope {
        SessionScope::Agent => Some(asker.session_key()),
        SessionScope::Project => Some(format!("{}\n{project}", asker.client)),
        SessionScope::Call => None,
    }
}

impl ToolExecutor {
    /// Whether a dialog may be opened for the question now.
    pub(crate) fn may_open_dialog(&self, inquiry: &InquiryResponse, caller: &Caller) -> bool {
        caller.dialogs.is_some()
            && !inquiry.status.is_resolved()
            && inquiry.held.is_none()
            && !self.dialogs.question(&inquiry.id).is_closed
            && self.dialogs.is_somebody_there(&caller.asker)
    }

    /// The request that shows the question: a form, or the question's page where a form cannot show it.
    /// `None` if the client can show neither.
    pub(crate) async fn dialog_request(
        &self,
        inquiry: &InquiryResponse,
        modes: DialogModes,
        problem: Option<&str>,
    ) -> Option<ElicitRequest> {
        let params = if let Some(form) = self.form(inquiry, modes) {
            let message = match problem {
                Some(problem) => format!("{problem}\n\n{}", form.message),
                None => form.message,
            };
            ElicitRequestParams::FormElicitationParams {
                meta: None,
                message,
                requested_schema: serde_json::from_value(form.schema.to_json()).ok()?,
            }
        } else if modes.url {
            let params = NewLinkParams::default();
            let link = self.client.link(&inquiry.id, &params).await;
            let link = link.inspect_err(|error| tracing::info!(%error, "cannot create a link"));
            ElicitRequestParams::UrlElicitationParams {
                meta: None,
                message: question_texts(inquiry).join("\n"),
                url: link.ok()?.url,
                elicitation_id: inquiry.id.to_string(),
            }
        } else {
            return None;
        };
        Some(ElicitRequest::new(params))
    }

    fn form(&self, inquiry: &InquiryResponse, modes: DialogModes) -> Option<ElicitationForm> {
        let mut form = self.options.form_words.form(&inquiry.questions)?;
        if !modes.sends_empty_text {
            form.leave_out_own_text();
        }
        modes.form.then_some(form)
    }

    /// Does what the person did in a dialog.
    pub(crate) async fn apply_reply(
        &self,
        inquiry: &InquiryResponse,
        caller: &Caller,
        modes: DialogModes,
        reply: ElicitResult,
    ) -> AfterReply {
        let opened = self.dialogs.question(&inquiry.id).opened;
        let limit = self.options.instant_reply;
        let is_instant = opened.is_some_and(|opened| opened.elapsed() < limit);
        if reply.action == ElicitationAction::Accept {
            if self.form(inquiry, modes).is_some() {
                return self.answer_by_form(inquiry, caller, &reply).await;
            }
            // In URL mode the person only agreed to open the page.
        } else if is_instant {
            tracing::info!(id = %inquiry.id, client = caller.asker.client.as_str(), "nobody is there");
            self.dialogs.nobody_is_there(&caller.asker);
            return AfterReply::Wait;
        } else if reply.action == ElicitationAction::Decline {
            let reply_to_send = DialogReply::Decline(DeclineParams {
                revision: Some(inquiry.revision),
                key: Some(reply_key()),
                ..DeclineParams::default()
            });
            let sent = self.send_reply(&inquiry.id, &caller.asker, reply_to_send);
            if sent.await != SentReply::Taken {
                self.note_late_reply(inquiry, &reply);
            }
        }
        // A person who has closed the dialog may still answer elsewhere.
        self.dialogs
            .update(&inquiry.id, |state| state.is_closed = true);
        AfterReply::Wait
    }

    async fn answer_by_form(
        &self,
        inquiry: &InquiryResponse,
        caller: &Caller,
        reply: &ElicitResult,
    ) -> AfterReply {
        let answer = DialogReply::Answer(AnswerParams {
            answers: self.content_answers(inquiry, reply),
            // The form has shown which fields are optional.
            partial: true,
            revision: Some(inquiry.revision),
            key: Some(reply_key()),
            locale: Some(self.options.form_words.locale.clone()),
            ..AnswerParams::default()
        });
        let problem = match self.send_reply(&inquiry.id, &caller.asker, answer).await {
            SentReply::Taken => return AfterReply::Wait,
            SentReply::TooLate => {
                self.note_late_reply(inquiry, reply);
                return AfterReply::Wait;
            }
            SentReply::Invalid(problem) => problem,
        };
        self.dialogs.update(&inquiry.id, |state| {
            state.rounds += 1;
            state.is_closed = state.rounds >= ROUNDS_MAX;
            state.opened = None;
        });
        if self.dialogs.question(&inquiry.id).is_closed {
            return AfterReply::Wait;
        }
        AfterReply::Again(problem)
    }

    fn content_answers(&self, inquiry: &InquiryResponse, reply: &ElicitResult) -> Value {
        let content = reply.content.clone().unwrap_or_default();
        self.options
            .form_words
            .answers(&inquiry.questions, &content)
    }

    /// Remembers what the person did in a dialog that was still open when the question was answered elsewhere, so that
    /// it is not dropped without a word.
    pub(crate) fn note_late_reply(&self, inquiry: &InquiryResponse, reply: &ElicitResult) {
        let done = if reply.action == ElicitationAction::Accept {
            let asked = inquiry.to_inquiry().ok();
            let answers = self.content_answers(inquiry, reply);
            let chosen = asked.and_then(|asked| chosen_text(&asked, &answers));
            chosen.map(|chosen| format!("chose {chosen:?}"))
        } else {
            let is_declined = reply.action == ElicitationAction::Decline;
            is_declined.then(|| "declined to answer".to_owned())
        };
        if let Some(done) = done {
            self.dialogs
                .update(&inquiry.id, |state| state.done_too_late = Some(done));
        }
    }

    /// What to say about a dialog whose reply came too late. `None` if it said the same.
    pub(crate) fn also_chosen(&self, inquiry: &InquiryResponse) -> Option<String> {
        let done = self.dialogs.question(&inquiry.id).done_too_late?;
        let given = match &inquiry.outcome {
            Some(OutcomeResponse::Answered { answers }) => {
                let asked = inquiry.to_inquiry().ok();
                let answers = to_answers(answers);
                let given = asked.zip(answers);
                given.map(|(asked, answers)| format!("chose {:?}", display_text(&asked, &answers)))
            }
            _ => None,
        };
        if given.as_ref() == Some(&done) {
            return None;
        }
        let by = inquiry.answered_by.as_deref();
        let by = by.map(|name| format!(" by {name}")).unwrap_or_default();
        Some(format!(
            "The user also {done} in your client's window, after this outcome had been given{by} in askback. \
             The first one counts. If the difference matters, ask the user which one holds."
        ))
    }

    /// A client that cannot open dialogs although it said so.
    pub(crate) fn dialog_failed(&self, caller: &Caller) {
        self.dialogs.nobody_is_there(&caller.asker);
    }

    /// Sends what a person did in a dialog.
    ///
    /// A task of its own sends it: what a person has sent must not be lost because the call ends.
    async fn send_reply(&self, id: &InquiryId, asker: &Asker, reply: DialogReply) -> SentReply {
        let (client, id) = (self.respondent(asker), id.clone());
        let sent = tokio::spawn(async move {
            let send = || async {
                match &reply {
                    DialogReply::Answer(params) => client.answer(&id, params).await,
                    DialogReply::Decline(params) => client.decline_inquiry(&id, params).await,
                }
            };
            let Err(error) = retry_while_unreachable(send).await else {
                return SentReply::Taken;
            };
            tracing::info!(%id, %error, "the reply of a dialog was not taken");
            match error.problem() {
                Some(problem) if problem.code == "invalid_answer" => {
                    SentReply::Invalid(problem.detail.clone())
                }
                Some(_) | None => SentReply::TooLate,
            }
        });
        sent.await.unwrap_or(SentReply::TooLate)
    }

    /// The client that acts for the person in the dialog.
    fn respondent(&self, asker: &Asker) -> Client {
        let name = format!("MCP client {}", asker.title);
        self.client
            .clone()
            .acting_as(&Actor::new(Text::clean(&name, Lines::One), Surface::Mcp))
    }
}

/// What the answers of a form say; `None` if they are no answer.
fn chosen_text(asked: &Inquiry, answers: &Value) -> Option<String> {
    let answers = Answers::from_json(asked, answers, None).ok()?;
    Some(display_text(asked, &answers))
}

fn display_text(asked: &Inquiry, answers: &Answers) -> String {
    let parts = answers.with_questions(asked);
    let parts = parts.map(|(question, answer)| answer.given.display_parts(question).join(", "));
    parts.collect::<Vec<_>>().join("; ")
}

/// The key of a reply. It is sent again until the server has taken it.
fn reply_key() -> String {
    format!("mcp-dialog-{}", Uuid::now_v7().simple())
}
