//! Asking from outside.

use std::borrow::Cow;

use askback_channels::NamedRecipient;
use askback_core::conversation::command::Command;
use askback_core::dialect::{Dialect, ParseOptions, Parsed, recognise};
use askback_core::id::ConversationId;
use askback_core::inquiry::{Inquiry, Metadata};
use askback_core::text::{Lines, Text};
use askback_engine::{CommitOptions, SubmitError};
use askback_store::InquiryFilter;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams, WaitParams};
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::channels::listed;
use super::super::conversations::no_conversation;
use super::super::{AppState, KEY_PROBLEMS, askers};
use super::actions::{DEADLINE_PROBLEMS, new_deadline};
use super::{find_or_closed, wait_for};
use crate::agent_limits::AskTurn;
use crate::authenticate::Caller;
use crate::extract::{Body, Query, RequestActor};
use crate::observe::traceparent;
use crate::openapi::Route;
use crate::problem::{Problem, invalid_input, problem};
use crate::request_key::idempotent;
use crate::scope::Scope;
use crate::webhook::WebhookRefusal;

pub(super) fn route() -> Route {
    Route::post(path::INQUIRIES, "ask", ask)
        .summary("Asks a question as an external agent. With `wait`, waits for its outcome.")
        // Keys in alphabetical order, so that the document is the same with every kind of JSON map.
        .example(json!({
            "expires_in": "2h",
            "key": "deploy-42",
            "questions": [
                {
                    "choices": ["PostgreSQL", {"description": "One file", "label": "SQLite", "value": "sqlite"}],
                    "id": "database",
                    "text": "Which database should the service use?",
                },
                {"id": "replicas", "integer": true, "kind": "number", "max": 9, "min": 1, "text": "How many replicas?"},
                {"id": "go", "kind": "confirm", "text": "Roll out now?"},
            ],
            "source": "deploy job",
        }))
        .creates::<InquiryResponse>("The inquiry.")
        .returns::<InquiryResponse>(
            200,
            "The inquiry that an earlier request with the same key asked.",
        )
        .problems(&[
            ProblemCode::NotFound,
            ProblemCode::WrongDriver,
            ProblemCode::Undeliverable,
            ProblemCode::ConversationClosed,
            ProblemCode::InvalidWebhook,
            ProblemCode::InvalidMetadata,
            ProblemCode::UnknownRecipient,
            ProblemCode::InvalidInput,
            ProblemCode::UnknownDialect,
            ProblemCode::TooManyPending,
            ProblemCode::AgentLimit,
        ])
        .problems(DEADLINE_PROBLEMS)
        .problems(KEY_PROBLEMS)
        .writes_store()
}

const OTHER_QUESTION: &str = "The question, or what was sent with it, differs from what was sent with this key before. \
     Nothing was asked. Use a new key for a new question, and the same key only to repeat a request unchanged.";

async fn ask(
    state: AppState,
    caller: Caller,
    RequestActor(actor): RequestActor,
    Query(WaitParams { wait }): Query<WaitParams>,
    Body(params): Body<NewInquiryParams>,
) -> Result<Response, Problem> {
    let parsed = parse_questions(&params)?;
    let keys = idempotent(&caller.scope, path::INQUIRIES, &params)?;
    if let Some(conversation) = &params.conversation_id {
        refuse_others_conversation(&state, &caller, conversation).await?;
    }
    let options = CommitOptions {
        webhook: checked_webhook(&state, params.webhook.clone())?,
        asker: params
            .asker
            .as_ref()
            .map(|asker| askers::checked_asker(&caller.scope, asker, &parsed.inquiry))
            .transpose()?,
        credential: caller.scope.agent().map(str::to_owned),
        ..keys
    };
    let deadline = new_deadline(&state, params.expires_at, params.expires_in)?;
    let named = params.recipient.as_deref();
    if let Some(alias) = named.and_then(|named| NamedRecipient::parse(named).alias) {
        state.learn_recipient(alias).await?;
    }
    let inquiry = described(&state, &caller, parsed.inquiry, &params)?;
    let turn = ask_turn(&state, &caller, params.key.as_deref()).await?;
    // Read before the question exists: once it does, nothing may make the request look refused.
    let is_reachable = is_reachable(&state, &inquiry).await?;
    let result = match params.conversation_id {
        None => state.engine.ask(inquiry, deadline, actor, options).await,
        Some(conversation) => {
            let command = Command::Ask { inquiry, deadline };
            state
                .engine
                .submit_with(&conversation, command, actor, options)
                .await
        }
    };
    let (status, id, asked) = match result {
        Ok(submitted) => {
            let view = submitted.record.inquiries.first();
            let view = view.ok_or_else(|| problem(ProblemCode::Internal))?;
            if let Some(turn) = turn {
                turn.asked(&view.row.id, view.row.asked_at);
            }
            if wait.is_none() {
                let body = with_warning(state.recipient_names.inquiry(view), is_reachable);
                return Ok(response(StatusCode::CREATED, body));
            }
            let id = view.row.id.clone();
            (StatusCode::CREATED, Some(id), Some(view.clone()))
        }
        Err(SubmitError::Repeated { inquiry, .. }) => (StatusCode::OK, inquiry, None),
        Err(SubmitError::AlreadyAsked { inquiry }) => (StatusCode::OK, Some(inquiry), None),
        Err(SubmitError::KeyReused) => {
            return Err(problem(ProblemCode::IdempotencyMismatch).detail(OTHER_QUESTION));
        }
        Err(error) => return Err(error.into()),
    };
    let id = id.ok_or_else(|| problem(ProblemCode::Internal))?;
    let read = match wait {
        Some(wait) => tokio::select! {
            read = wait_for(&state, &id, wait) => read,
            () = caller.ended(state.clone()) => return Err(problem(ProblemCode::Unauthorized)),
        },
        None => find_or_closed(&state, &id).await,
    };
    let view = match (read, asked) {
        // It was asked, although it cannot be read at the moment.
        (Err(_), Some(asked)) => asked,
        (read, _) => read?,
    };
    Ok(response(status, state.recipient_names.inquiry(&view)))
}

/// The inquiry with what the asker says of it: whom it is for, what it assumes without an answer, and who asks.
fn described(
    state: &AppState,
    caller: &Caller,
    inquiry: Inquiry,
    params: &NewInquiryParams,
) -> Result<Inquiry, Problem> {
    let assumption = params.assumption.as_deref().and_then(cleaned_assumption);
    let inquiry = match &assumption {
        Some(assumption) => inquiry.assuming(assumption),
        None => inquiry,
    };
    let metadata = params
        .metadata
        .as_ref()
        .map(|object| Metadata::new(object).ok_or_else(|| problem(ProblemCode::InvalidMetadata)));
    let source = askers::source(caller, params.source.as_deref(), &inquiry);
    Ok(addressed(state, inquiry, params)?
        .asked_as(source)
        .labelled(params.key.as_deref(), metadata.transpose()?, traceparent()))
}

/// The inquiry for the recipient whom the asker names.
fn addressed(
    state: &AppState,
    inquiry: Inquiry,
    params: &NewInquiryParams,
) -> Result<Inquiry, Problem> {
    let named = params.recipient.as_deref();
    let recipient = named.map(|named| checked_named_recipient(state, named));
    let recipient = recipient.transpose()?;
    if !params.private {
        return Ok(inquiry.addressed_to(recipient));
    }
    refuse_for_several(state, recipient.as_ref())?;
    Ok(inquiry.addressed_to(recipient).kept_private())
}

/// Lets an agent ask that is within its limits. A repeat of what was asked before asks nothing.
async fn ask_turn(
    state: &AppState,
    caller: &Caller,
    key: Option<&str>,
) -> Result<Option<AskTurn>, Problem> {
    let Some(agent) = caller.scope.agent() else {
        return Ok(None);
    };
    let (engine, limits) = (&state.engine, state.guard.agent_limits);
    match (state.agent_usage.check(engine, limits, agent).await, key) {
        (Err(refused), Some(key)) => {
            let owner = caller.scope.key_owner();
            let known = engine.inquiry_with_key(owner.as_deref(), key).await?;
            known.map(|_| None).ok_or(refused)
        }
        (checked, _) => checked,
    }
}

/// An agent asks in conversations of its own. Others do not exist for it.
async fn refuse_others_conversation(
    state: &AppState,
    caller: &Caller,
    conversation: &ConversationId,
) -> Result<(), Problem> {
    if caller.scope == Scope::Admin {
        return Ok(());
    }
    let filter = InquiryFilter {
        conversation: Some(conversation.clone()),
        limit: 1,
        ..InquiryFilter::default()
    };
    let asked = state.engine.inquiries(filter).await?;
    let mut asked = asked.items.iter();
    if asked.next().is_some_and(|view| state.sees(caller, view)) {
        return Ok(());
    }
    Err(no_conversation(conversation))
}

/// Reads the neutral questions, or the input of a tool.
fn parse_questions(params: &NewInquiryParams) -> Result<Parsed, Problem> {
    let refused = |detail: &str| Err(problem(ProblemCode::InvalidJson).detail(detail));
    let (dialect, input) = match (&params.questions, &params.input, params.dialect.as_deref()) {
        (Value::Null, Value::Null, _) => {
            return refused(
                "`questions` is missing. Send, for example, `\"questions\": [{\"text\": \"Deploy now?\", \
                 \"kind\": \"confirm\"}]`, or `input` with the input of a tool.",
            );
        }
        (questions, Value::Null, None) => {
            let input = json!({ "questions": questions });
            (Dialect::Questions, Cow::Owned(input))
        }
        (_, Value::Null, Some(_)) => {
            return refused("`dialect` is the tool of `input`. Leave it out with `questions`.");
        }
        (Value::Null, input, Some(name)) => {
            let dialect = Dialect::of_tool(name);
            let dialect = dialect.ok_or_else(|| problem(ProblemCode::UnknownDialect))?;
            (dialect, Cow::Borrowed(input))
        }
        (Value::Null, input, None) => (recognise(input), Cow::Borrowed(input)),
        (_, _, _) => return refused("Send `questions` or `input`, not both."),
    };
    let parsed = dialect.parse(&input, ParseOptions::default());
    parsed.map_err(|error| invalid_input(&error))
}

fn response(status: StatusCode, body: InquiryResponse) -> Response {
    let location = path::with_id(path::INQUIRY, body.id.as_str());
    (status, [("location", location)], Json(body)).into_response()
}

fn cleaned_assumption(assumption: &str) -> Option<Text> {
    let assumption = Text::clean(assumption, Lines::One)?;
    Some(assumption.clip(askback_core::limits::ASSUMPTION_CHARS_MAX))
}

/// A recipient, or one through one channel only.
fn checked_named_recipient(state: &AppState, named: &str) -> Result<Text, Problem> {
    let NamedRecipient { alias, channel } = NamedRecipient::parse(named);
    let Some(channel) = channel else {
        return checked_recipient(state, named);
    };
    if let Some(alias) = alias {
        checked_recipient(state, alias)?;
    }
    let channels = state.channels.statuses();
    let known: Vec<&str> = channels.iter().map(|(name, _, _)| name.as_str()).collect();
    let named = Text::clean(named, Lines::One).filter(|_| known.contains(&channel));
    named.ok_or_else(|| {
        let recipients = state.recipients();
        let (known, aliases) = (listed(&known), listed(&recipients.aliases()));
        let detail = format!(
            "A recipient is an alias or ALIAS@CHANNEL, but no channel is called {channel:?}. Aliases: {aliases}. Channels: \
             {known}."
        );
        problem(ProblemCode::UnknownRecipient).detail(detail)
    })
}

/// A private question is for one person.
pub(super) fn refuse_for_several(
    state: &AppState,
    recipient: Option<&Text>,
) -> Result<(), Problem> {
    let alias = recipient.and_then(|named| NamedRecipient::parse(named.as_str()).alias);
    let recipients = state.recipients();
    if alias.is_some_and(|alias| recipients.people.contains_key(alias)) {
        return Ok(());
    }
    let detail = "A private question is for one person: `recipient` must name them.";
    Err(problem(ProblemCode::UnknownRecipient).detail(detail))
}

/// Whether the recipient gets a message, if the question names one.
async fn is_reachable(state: &AppState, inquiry: &Inquiry) -> Result<Option<bool>, Problem> {
    Ok(match inquiry.recipient() {
        Some(recipient) => Some(
            state
                .channels
                .accounts
                .is_reachable(recipient.as_str())
                .await?,
        ),
        None => None,
    })
}

/// Says at once if nobody is told about a question that names somebody.
fn with_warning(asked: InquiryResponse, is_reachable: Option<bool>) -> InquiryResponse {
    let name = asked
        .recipient_name
        .as_deref()
        .or(asked.recipient.as_deref());
    let warning = name.filter(|_| is_reachable == Some(false)).map(|name| {
        format!(
            "{name} gets no message about it: there is no account in a channel. The question waits in the inbox."
        )
    });
    InquiryResponse {
        reachable: is_reachable,
        warning,
        ..asked
    }
}

/// Refuses an alias that is not known.
pub(super) fn checked_recipient(state: &AppState, alias: &str) -> Result<Text, Problem> {
    let recipients = state.recipients();
    let known = Text::clean(alias, Lines::One).filter(|_| recipients.has(alias));
    known.ok_or_else(|| {
        let known = listed(&recipients.aliases());
        let detail = format!("No recipient is called {alias:?}. Configured: {known}.");
        problem(ProblemCode::UnknownRecipient).detail(detail)
    })
}

/// Refuses a webhook that the policy forbids. Its host name is resolved and checked when it is called.
fn checked_webhook(state: &AppState, url: Option<String>) -> Result<Option<String>, Problem> {
    if let Some(url) = &url {
        let refused =
            |why: WebhookRefusal| problem(ProblemCode::InvalidWebhook).detail(why.to_string());
        state.guard.webhooks.check(url).map_err(refused)?;
    }
    Ok(url)
}
