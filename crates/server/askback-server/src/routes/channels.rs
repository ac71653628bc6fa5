//! Channels: list them, and link the account of a person.

use askback_channels::{LeftMessages, MessageState, WEBPUSH};
use askback_core::id::InquiryId;
use askback_wire::channel::{
    ChannelMessageResponse, ChannelMessageState, ChannelResponse, LeftMessagesResponse,
    LinkCodeParams, LinkCodeResponse, NotDelivered,
};
use askback_wire::list::ListResponse;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use axum::Json;

use super::AppState;
use super::inquiries::find;
use crate::authenticate::Caller;
use crate::extract::{Id, OptionalBody};
use crate::openapi::Route;
use crate::problem::{Problem, problem};
use crate::random_secret::random_hex;

/// Enough not to be guessed within the half hour in which a code works.
const CODE_BYTES: usize = 10;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::CHANNELS, "list_channels", list)
            .summary("Lists the channels, with whether they work.")
            .returns_list::<ChannelResponse>("All configured channels.")
            .reads_store(),
        Route::get(path::INQUIRY_MESSAGES, "list_inquiry_messages", messages)
            .summary("Lists the messages of channels that show an inquiry, with whether they have arrived.")
            .returns_list::<ChannelMessageResponse>("One for each account of each recipient.")
            .problems(&[ProblemCode::NotFound])
            .reads_store(),
        Route::post(path::CHANNEL_LINKS, "make_link_code", link)
            .summary(
                "Creates a one-time code with which a person links their account to a recipient.",
            )
            .returns::<LinkCodeResponse>(200, "The code.")
            .problems(&[
                ProblemCode::UnknownRecipient,
                ProblemCode::InvalidSubscription,
            ])
            .writes_store(),
    ]
}

async fn list(state: AppState) -> Result<Json<ListResponse<ChannelResponse>>, Problem> {
    let mut items = Vec::new();
    let mut left = state.channels.messages.left().await?;
    let known = state.recipients();
    for it in &mut left {
        it.recipient = known.shown_alias(std::mem::take(&mut it.recipient));
    }
    for (name, kind, status) in state.channels.statuses() {
        let recipients = state.channels.accounts.recipients_in(&name).await?;
        // Web Push needs no configuration, and does nothing until somebody subscribes.
        if kind == WEBPUSH && recipients.is_empty() {
            continue;
        }
        let of_channel = left.extract_if(.., |it| it.channel == name);
        let of_channel = of_channel.map(left_messages).collect();
        let undelivered = state
            .channels
            .messages
            .undelivered(&name)
            .await?
            .into_iter();
        let not_delivered = undelivered.map(|it| NotDelivered {
            recipient: known.shown_alias(it.recipient),
            reason: it.reason.into(),
            questions: it.questions,
        });
        items.push(ChannelResponse {
            not_delivered: not_delivered.collect(),
            left_messages: of_channel,
            removed: false,
            recipients,
            name,
            kind,
            last_success: status.last_success,
            last_error: status
                .receive_error
                .or(status.last_error)
                .map(|(_, error)| error.into()),
        });
    }
    let removed = left.chunk_by(|one, other| one.channel == other.channel);
    items.extend(removed.map(removed_channel));
    Ok(Json(ListResponse { items, next: None }))
}

fn left_messages(left: LeftMessages) -> LeftMessagesResponse {
    LeftMessagesResponse {
        recipient: left.recipient,
        messages: left.messages,
    }
}

/// A channel that is listed only because of the messages that it has left.
fn removed_channel(left: &[LeftMessages]) -> ChannelResponse {
    ChannelResponse {
        name: left
            .first()
            .map_or_else(String::new, |it| it.channel.clone()),
        kind: String::new(),
        recipients: Vec::new(),
        last_success: None,
        last_error: None,
        not_delivered: Vec::new(),
        left_messages: left.iter().cloned().map(left_messages).collect(),
        removed: true,
    }
}

async fn messages(
    state: AppState,
    caller: Caller,
    Id(id): Id<InquiryId>,
) -> Result<Json<ListResponse<ChannelMessageResponse>>, Problem> {
    find(&state, &caller, &id).await?;
    let known = state.recipients();
    let messages = state.channels.messages.of(&id).await?.into_iter();
    let items = messages.map(|message| {
        let (state, reason) = match message.state {
            MessageState::Waiting(reason) => (ChannelMessageState::Waiting, reason),
            MessageState::Sent => (ChannelMessageState::Sent, None),
            MessageState::Refused(reason) => (ChannelMessageState::Refused, reason),
        };
        ChannelMessageResponse {
            channel: message.channel,
            recipient: known.shown_alias(message.recipient),
            state,
            reason: reason.map(String::from),
        }
    });
    let items = items.collect();
    Ok(Json(ListResponse { items, next: None }))
}

async fn link(
    state: AppState,
    Id(name): Id<String>,
    OptionalBody(params): OptionalBody<LinkCodeParams>,
) -> Result<Json<LinkCodeResponse>, Problem> {
    let channels = state.channels.statuses();
    let Some((_, kind, _)) = channels.iter().find(|(known, _, _)| *known == name) else {
        let known: Vec<&str> = channels.iter().map(|(name, _, _)| name.as_str()).collect();
        let detail = format!(
            "No channel is called {name}. Configured: {}.",
            listed(&known)
        );
        return Err(problem(ProblemCode::NotFound).detail(detail));
    };
    if kind == WEBPUSH {
        let detail =
            "A browser subscribes by itself: open the inbox there and turn notifications on.";
        return Err(problem(ProblemCode::InvalidSubscription).detail(detail));
    }
    let recipient = person(&state, params.recipient)?;
    let code = random_hex::<CODE_BYTES>()?;
    let codes = &state.channels.accounts;
    let expires_at = codes.add_code(&code, &name, &recipient).await?;
    let account = state.channels.check(&name).await.and_then(Result::ok);
    let bot = account
        .as_deref()
        .and_then(|account| account.strip_prefix('@'));
    let url = bot
        .filter(|_| kind == "telegram")
        .map(|bot| format!("https://t.me/{bot}?start={code}"));
    Ok(Json(LinkCodeResponse {
        url,
        account: account.map(String::from),
        recipient,
        expires_at,
        code,
    }))
}

/// The named person, or the only one.
pub(super) fn person(state: &AppState, named: Option<String>) -> Result<String, Problem> {
    let recipients = state.recipients();
    let people = &recipients.people;
    let aliases: Vec<&str> = people.keys().map(String::as_str).collect();
    let detail = match (named, aliases.as_slice()) {
        (Some(alias), _) if people.contains_key(&alias) => return Ok(alias),
        (None, [only]) => return Ok((*only).to_owned()),
        (Some(alias), _) => format!(
            "No recipient is called {alias}. Configured: {}.",
            listed(&aliases)
        ),
        (None, _) => format!("Name the recipient. Configured: {}.", listed(&aliases)),
    };
    Err(problem(ProblemCode::UnknownRecipient).detail(detail))
}

pub(super) fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
