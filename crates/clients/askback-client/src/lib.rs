//! A typed HTTP client: one method for each route, and the feed as a stream that reconnects.
//!
//! When the connection breaks, the client retries what is safe to repeat: reads, and writes with an
//! idempotency key or a message id. It never retries a request that got a response.

#[macro_use]
mod routes;

mod administration;
mod error;
mod feed;
mod http;
mod reconnect;
mod server_address;
mod server_proof;

use std::sync::Arc;
use std::time::Duration;

use askback_core::id::{ConversationId, InquiryId};
use askback_core::outcome::Actor;
use serde_json::Value;
use tokio::time::Instant;

use askback_wire::app::{AppResponse, DialectResponse};
use askback_wire::asker::{
    AskerSessionResponse, DeliveryParams, DeliveryState, ListAskerSessionsParams, TakeoverParams,
    TakeoverResponse,
};
use askback_wire::audit::{AuditPageResponse, AuditParams};
use askback_wire::conversation::{
    ConversationDetailResponse, ConversationResponse, NewConversationParams, ReadConversationParams,
};
use askback_wire::discovery::Discovery;
use askback_wire::draft::{DraftParams, DraftResponse, SavedDraftResponse};
use askback_wire::duration::HumanDuration;
use askback_wire::health::{HealthResponse, ReadyResponse};
use askback_wire::inquiry::{
    CommitAnswerParams, DeadlineParams, HandOnParams, InquiryResponse, KeepOpenParams,
    NewInquiryParams, UndoParams, WaitParams,
};
use askback_wire::link::{LinkResponse, NewLinkParams};
use askback_wire::list::{ListConversationsParams, ListInquiriesParams, ListResponse};
use askback_wire::message::MessageParams;
use askback_wire::path;
use askback_wire::respond::{
    AnswerParams, CancelParams, CancelWorkParams, DeclineParams, DeclinePendingParams,
    RejectParams, RejectPendingParams, RespondParams, WithdrawParams,
};
use askback_wire::server_process::{HAND_OVER_PATH, HandOverParams, HandOverResponse, ServerRole};
use askback_wire::snooze::SnoozeParams;
use askback_wire::token::Token;

pub use error::{ClientError, DecodeError, TransportError};
pub use feed::{EventStream, FeedItem};

pub use reconnect::Reconnect;

use http::{Http, Retry};
use server_address::ServerAddress;

/// A client of one server. Cheap to clone; clones share connections and address.
#[derive(Debug, Clone)]
pub struct Client {
    http: Http,
}

/// The longest single long poll. Longer waits take several, so that no proxy times out.
const POLL_SECONDS: u32 = 30;

impl Client {
    /// A client of the server at `base_url`, such as `http://127.0.0.1:7777`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers do not need the token afterwards"
    )]
    pub fn new(base_url: &str, token: Option<Token>) -> Result<Client, ClientError> {
        Ok(Client {
            http: Http::new(ServerAddress::new(base_url, token.as_ref())?),
        })
    }

    /// A client of a server found in a data directory. On every connection the server must prove that it
    /// knows the token before the client sends it, in case another program listens there by now.
    pub fn discovered(discovery: &Discovery) -> Result<Client, ClientError> {
        Ok(Client {
            http: Http::new(ServerAddress::discovered(discovery)?),
        })
    }

    /// Asks `reconnect` for the current server before each retry, and before a feed is opened again.
    #[must_use]
    pub fn reconnecting_by(mut self, reconnect: Arc<dyn Reconnect>) -> Client {
        self.http.set_reconnect(reconnect);
        self
    }

    /// Sends who acts and from where with every request.
    #[must_use]
    pub fn acting_as(mut self, actor: &Actor) -> Client {
        self.http.set_actor(actor);
        self
    }

    /// Acts for an agent: what it sends may do no more than that agent's token could. Only administrators may.
    #[must_use]
    pub fn for_agent(mut self, name: &str) -> Client {
        self.http.set_agent(name);
        self
    }

    /// The current URL of the server.
    pub fn base_url(&self) -> String {
        self.http.base()
    }

    /// Switches to another server that took over the data directory. All clones of this client and their
    /// feeds continue there, after the last event they received.
    pub fn move_to(&self, base_url: &str, token: Option<&Token>) -> Result<(), ClientError> {
        self.http.move_to(ServerAddress::new(base_url, token)?);
        Ok(())
    }

    /// Makes one attempt to reach the server, healthy or not.
    pub async fn check_connection(&self) -> Result<(), ClientError> {
        let health: Result<HealthResponse, _> = self.http.get_once(path::HEALTHZ).await;
        match health {
            // An unhealthy server responds with a health body, not with a problem.
            Err(ClientError::Problem(problem))
                if problem.status == 503 && problem.known_code().is_none() =>
            {
                Ok(())
            }
            health => health.map(drop),
        }
    }

    /// Asks an embedded server to stop, so that this process can start one with another role.
    pub async fn ask_to_hand_over(
        &self,
        role: ServerRole,
    ) -> Result<HandOverResponse, ClientError> {
        let params = HandOverParams { role };
        self.http.post(HAND_OVER_PATH, &params, Retry::Always).await
    }

    /// Sends a message to the agent.
    pub async fn send_message(
        &self,
        id: &ConversationId,
        params: &MessageParams,
    ) -> Result<ConversationResponse, ClientError> {
        let retry = Retry::if_keyed(params.message_id.as_ref());
        let path = path::with_id(path::MESSAGES, id.as_str());
        self.http.post(&path, params, retry).await
    }

    /// The feed of a conversation, from now or after a sequence number. Connects when first polled.
    pub fn conversation_events(&self, id: &ConversationId, after: Option<u64>) -> EventStream {
        let path = path::with_id(path::CONVERSATION_EVENTS, id.as_str());
        EventStream::new(self.http.clone(), path, after)
    }

    /// The feed of all conversations, from now or after a sequence number.
    pub fn events(&self, after: Option<u64>) -> EventStream {
        EventStream::new(self.http.clone(), path::EVENTS.to_owned(), after)
    }

    /// The current state of an inquiry.
    pub async fn inquiry(&self, id: &InquiryId) -> Result<InquiryResponse, ClientError> {
        self.read_inquiry(id, None).await
    }

    async fn read_inquiry(
        &self,
        id: &InquiryId,
        wait: Option<HumanDuration>,
    ) -> Result<InquiryResponse, ClientError> {
        let path = path::with_id(path::INQUIRY, id.as_str());
        self.http.get(&path, &WaitParams { wait }).await
    }

    /// One long poll: returns when there is an outcome, or when `wait` is over.
    pub async fn poll_inquiry(
        &self,
        id: &InquiryId,
        wait: HumanDuration,
    ) -> Result<InquiryResponse, ClientError> {
        self.read_inquiry(id, Some(wait)).await
    }

    /// Waits for the outcome of an inquiry, at most for `wait`; the result may still be pending.
    /// Reconnects while there is time left.
    pub async fn wait_for_inquiry(
        &self,
        id: &InquiryId,
        wait: Duration,
    ) -> Result<InquiryResponse, ClientError> {
        let until = Instant::now() + wait;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let seconds = u32::try_from(left.as_secs()).unwrap_or(u32::MAX);
            let poll = HumanDuration::from_secs(seconds.min(POLL_SECONDS));
            match self.read_inquiry(id, Some(poll)).await {
                Ok(inquiry) if inquiry.status.is_resolved() || seconds == 0 => return Ok(inquiry),
                Err(error) if seconds == 0 || !error.is_transient() => return Err(error),
                // Limits the rate of requests if the server does not wait.
                Ok(_) | Err(_) => tokio::time::sleep(http::BACKOFF_MIN).await,
            }
        }
    }

    /// Reports the progress of delivering an outcome to the agent that asked.
    pub async fn note_delivery(
        &self,
        id: &InquiryId,
        state: DeliveryState,
    ) -> Result<(), ClientError> {
        let params = DeliveryParams {
            state,
            expected_attempts: None,
        };
        let path = path::with_id(path::INQUIRY_DELIVERY, id.as_str());
        self.http.post_silently(&path, &params, Retry::Always).await
    }

    /// Claims the delivery of an outcome, of which this many deliveries were started before. Returns whether
    /// nobody else has claimed it since.
    pub async fn claim_delivery(&self, id: &InquiryId, attempts: u32) -> Result<bool, ClientError> {
        let path = path::with_id(path::INQUIRY_DELIVERY, id.as_str());
        let params = DeliveryParams {
            state: DeliveryState::Started,
            expected_attempts: Some(attempts),
        };
        let claimed = self.http.post_silently(&path, &params, Retry::Always).await;
        match claimed {
            Ok(()) => Ok(true),
            Err(error) if error.problem().is_some_and(|problem| problem.status == 409) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether the server works. An unhealthy server responds with the same type.
    pub async fn health(&self) -> Result<HealthResponse, ClientError> {
        self.http.get_whatever_status(path::HEALTHZ).await
    }

    /// Whether the server can handle requests. One that cannot responds with the same type.
    pub async fn ready(&self) -> Result<ReadyResponse, ClientError> {
        self.http.get_whatever_status(path::READYZ).await
    }
}

routes! {
    /// `POST /conversations`.
    post_keyed create_conversation(NewConversationParams) -> ConversationResponse = CONVERSATIONS;

    /// Latest activity first.
    get conversations(ListConversationsParams) -> ListResponse<ConversationResponse> = CONVERSATIONS;

    /// The conversation with a page of its messages.
    get conversation[id: ConversationId](ReadConversationParams) -> ConversationDetailResponse = CONVERSATION;

    /// Deletes a conversation and everything that belongs to it.
    delete delete_conversation[id: ConversationId]() -> () = CONVERSATION;

    /// Answers the pending question of a conversation.
    post_keyed respond[id: ConversationId](RespondParams) -> ConversationResponse = RESPOND;

    /// Declines the pending question. The agent continues without an answer.
    post_keyed decline[id: ConversationId](DeclinePendingParams) -> ConversationResponse = DECLINE;

    /// Rejects the pending question. The agent stops.
    post_keyed reject[id: ConversationId](RejectPendingParams) -> ConversationResponse = REJECT;

    /// Stops the agent.
    post_keyed cancel[id: ConversationId](CancelWorkParams) -> ConversationResponse = CANCEL;

    /// How inquiries ended, oldest first: one page.
    get audit(AuditParams) -> AuditPageResponse = AUDIT;

    /// Asks a question as an external agent.
    post_keyed ask(NewInquiryParams) -> InquiryResponse = INQUIRIES;

    /// Pending ones by deadline, then age; others newest first.
    get inquiries(ListInquiriesParams) -> ListResponse<InquiryResponse> = INQUIRIES;

    /// Answers an inquiry.
    post_keyed answer[id: InquiryId](AnswerParams) -> InquiryResponse = INQUIRY_ANSWER;

    /// Creates a link with which somebody without the token can answer this question.
    post link[id: InquiryId](NewLinkParams) -> LinkResponse = INQUIRY_LINKS;

    /// Declines an inquiry. The agent continues without an answer.
    post_keyed decline_inquiry[id: InquiryId](DeclineParams) -> InquiryResponse = INQUIRY_DECLINE;

    /// Rejects an inquiry. The agent that asked stops.
    post_keyed reject_inquiry[id: InquiryId](RejectParams) -> InquiryResponse = INQUIRY_REJECT;

    /// Cancels an inquiry and stops the agent that asked.
    post_keyed cancel_inquiry[id: InquiryId](CancelParams) -> InquiryResponse = INQUIRY_CANCEL;

    /// Withdraws an inquiry on behalf of the agent.
    post_keyed withdraw_inquiry[id: InquiryId](WithdrawParams) -> InquiryResponse = INQUIRY_WITHDRAW;

    /// Gives a question to another recipient. Idempotent.
    post hand_on[id: InquiryId](HandOnParams) -> InquiryResponse = INQUIRY_HAND_ON;

    /// Moves or removes the deadline of a question.
    put move_deadline[id: InquiryId](DeadlineParams) -> InquiryResponse = INQUIRY_DEADLINE;

    /// Removes or extends a deadline for a respondent who is working on the answer. Idempotent.
    post keep_open[id: InquiryId](KeepOpenParams) -> InquiryResponse = INQUIRY_KEEP_OPEN;

    /// Undoes an answer. Retried only with a key: otherwise a retry could undo a later answer.
    post_keyed undo[id: InquiryId](UndoParams) -> InquiryResponse = INQUIRY_UNDO;

    /// Lets an answer take effect before its undo window ends. Repeating it does no harm.
    post commit_answer[id: InquiryId](CommitAnswerParams) -> InquiryResponse = INQUIRY_COMMIT_ANSWER;

    /// The sessions of an agent with questions that are pending or whose outcome was not delivered.
    get asker_sessions(ListAskerSessionsParams) -> ListResponse<AskerSessionResponse> = ASKER_SESSIONS;

    /// Passes the questions of ended sessions to another session.
    post take_over(TakeoverParams) -> TakeoverResponse = ASKER_TAKEOVER;

    /// Stores an unfinished answer.
    put put_draft[id: InquiryId](DraftParams) -> SavedDraftResponse = INQUIRY_DRAFT;

    /// The stored unfinished answer.
    get draft[id: InquiryId]() -> DraftResponse = INQUIRY_DRAFT;

    /// Hides an inquiry from the inbox until a time, or shows it again.
    put snooze[id: InquiryId](SnoozeParams) -> InquiryResponse = INQUIRY_SNOOZE;

    /// All apps.
    get apps() -> ListResponse<AppResponse> = APPS;

    /// All tool contracts.
    get dialects() -> ListResponse<DialectResponse> = DIALECTS;

    /// The `OpenAPI` document.
    get openapi() -> Value = OPENAPI;
}
