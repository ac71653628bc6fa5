//! The typed client: every route of the API as a method, and the feed as a stream that reconnects by itself.
//!
//! What is safe to repeat is repeated when the connection breaks: reading, and sending under an
//! idempotency key or a message id. An answer of the server, whatever it says, is never retried.

mod error;
mod feed;
mod http;
mod place;
mod prove;
mod reconnect;

use std::sync::Arc;
use std::time::Duration;

use askback_core::id::{ConversationId, InquiryId};
use askback_core::outcome::Actor;
use serde_json::Value;
use tokio::time::Instant;

use askback_wire::app::{AppResponse, DialectResponse};
use askback_wire::asker::{DeliveryParams, DeliveryState};
use askback_wire::conversation::{
    ConversationDetailResponse, ConversationResponse, NewConversationParams, ReadConversationParams,
};
use askback_wire::discovery::Discovery;
use askback_wire::draft::{DraftParams, DraftResponse};
use askback_wire::duration::HumanDuration;
use askback_wire::health::{HealthResponse, ReadyResponse};
use askback_wire::inquiry::{
    DeadlineParams, InquiryResponse, KeepOpenParams, NewInquiryParams, ReadInquiryParams,
    UndoParams,
};
use askback_wire::link::{LinkResponse, NewLinkParams};
use askback_wire::list::{ListConversationsParams, ListInquiriesParams, ListResponse};
use askback_wire::message::MessageParams;
use askback_wire::path;
use askback_wire::respond::{
    AnswerParams, CancelParams, DeclineParams, RejectParams, RespondParams, WithdrawParams,
};
use askback_wire::server_process::{HAND_OVER_PATH, HandOverParams, HandOverResponse, ServerRole};
use askback_wire::session::SessionResponse;
use askback_wire::token::Token;

pub use error::{ClientError, DecodeError, TransportError};
pub use feed::{EventStream, FeedItem};

pub use reconnect::Reconnect;

use http::{Http, Repeat};
use place::Address;

/// A client of one server. Cheap to clone; all clones share their connections and the address.
#[derive(Debug, Clone)]
pub struct Client {
    http: Http,
}

/// One long poll; a longer wait is made of several, so that no proxy in between loses patience.
const POLL_SECONDS: u32 = 30;

impl Client {
    /// A client of the server at `base_url`, such as `http://127.0.0.1:7777`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "who makes a client has no further use for the token"
    )]
    pub fn new(base_url: &str, token: Option<Token>) -> Result<Client, ClientError> {
        Ok(Client {
            http: Http::new(Address::named(base_url, token.as_ref())?),
        })
    }

    /// A client of a server that was found in a data directory. On every connection the server proves
    /// that it knows the token before it is sent the token, so that nobody else at its address gets it.
    pub fn discovered(discovery: &Discovery) -> Result<Client, ClientError> {
        Ok(Client {
            http: Http::new(Address::found(discovery)?),
        })
    }

    /// The same client, asking `reconnect` where to go on when its server is gone: before a request
    /// is repeated and before a feed is opened again.
    #[must_use]
    pub fn reconnecting_by(mut self, reconnect: Arc<dyn Reconnect>) -> Client {
        self.http.set_reconnect(reconnect);
        self
    }

    /// The same client, saying who acts and from where.
    #[must_use]
    pub fn acting_as(mut self, actor: &Actor) -> Client {
        self.http.set_actor(actor);
        self
    }

    /// Where the server is now.
    pub fn base_url(&self) -> String {
        self.http.base()
    }

    /// Goes on with the server that has taken over, at its address and with its token. All clones
    /// of this client and all of their feeds go on there, behind the last event that they got.
    pub fn move_to(&self, base_url: &str, token: Option<&Token>) -> Result<(), ClientError> {
        self.http.move_to(Address::named(base_url, token)?);
        Ok(())
    }

    /// Whether the server can be reached now, well or not, and has proved itself if it must. Tried once.
    pub async fn check_connection(&self) -> Result<(), ClientError> {
        let health: Result<HealthResponse, _> = self.http.get_once(path::HEALTHZ).await;
        match health {
            // One that can write nothing any more is there, and says so without a problem.
            Err(ClientError::Problem(problem))
                if problem.status == 503 && problem.known_code().is_none() =>
            {
                Ok(())
            }
            health => health.map(drop),
        }
    }

    /// Asks a server that is embedded in another command to stop in favour of one of ours.
    pub async fn ask_to_hand_over(
        &self,
        role: ServerRole,
    ) -> Result<HandOverResponse, ClientError> {
        let params = HandOverParams { role };
        self.http
            .post(HAND_OVER_PATH, &params, Repeat::Safely)
            .await
    }

    /// Starts a conversation.
    pub async fn create_conversation(
        &self,
        params: &NewConversationParams,
    ) -> Result<ConversationResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        self.http.post(path::CONVERSATIONS, params, repeat).await
    }

    /// Lists conversations, newest activity first.
    pub async fn conversations(
        &self,
        params: &ListConversationsParams,
    ) -> Result<ListResponse<ConversationResponse>, ClientError> {
        self.http.get(path::CONVERSATIONS, params).await
    }

    /// Reads a conversation with a page of its messages.
    pub async fn conversation(
        &self,
        id: &ConversationId,
        params: &ReadConversationParams,
    ) -> Result<ConversationDetailResponse, ClientError> {
        let path = path::with_id(path::CONVERSATION, id.as_str());
        self.http.get(&path, params).await
    }

    /// Removes a conversation with all that belongs to it.
    pub async fn delete_conversation(&self, id: &ConversationId) -> Result<(), ClientError> {
        let path = path::with_id(path::CONVERSATION, id.as_str());
        self.http.delete(&path).await
    }

    /// Says something.
    pub async fn send_message(
        &self,
        id: &ConversationId,
        params: &MessageParams,
    ) -> Result<ConversationResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.message_id.as_ref());
        let path = path::with_id(path::MESSAGES, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Answers the waiting question of a conversation.
    pub async fn respond(
        &self,
        id: &ConversationId,
        params: &RespondParams,
    ) -> Result<ConversationResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::RESPOND, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Lets the agent go on without an answer.
    pub async fn decline(
        &self,
        id: &ConversationId,
        params: &DeclineParams,
    ) -> Result<ConversationResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::DECLINE, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Refuses the waiting question.
    pub async fn reject(
        &self,
        id: &ConversationId,
        params: &RejectParams,
    ) -> Result<ConversationResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::REJECT, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Stops the agent.
    pub async fn cancel(
        &self,
        id: &ConversationId,
        params: &CancelParams,
    ) -> Result<ConversationResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::CANCEL, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// What happens in a conversation, from now or behind a sequence. Nothing is sent before the
    /// first event is waited for.
    pub fn conversation_events(&self, id: &ConversationId, after: Option<u64>) -> EventStream {
        let path = path::with_id(path::CONVERSATION_EVENTS, id.as_str());
        EventStream::new(self.http.clone(), path, after)
    }

    /// What happens anywhere, from now or behind a sequence.
    pub fn events(&self, after: Option<u64>) -> EventStream {
        EventStream::new(self.http.clone(), path::EVENTS.to_owned(), after)
    }

    /// Asks.
    pub async fn ask(&self, params: &NewInquiryParams) -> Result<InquiryResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        self.http.post(path::INQUIRIES, params, repeat).await
    }

    /// Lists inquiries.
    pub async fn inquiries(
        &self,
        params: &ListInquiriesParams,
    ) -> Result<ListResponse<InquiryResponse>, ClientError> {
        self.http.get(path::INQUIRIES, params).await
    }

    /// Reads an inquiry as it stands.
    pub async fn inquiry(&self, id: &InquiryId) -> Result<InquiryResponse, ClientError> {
        self.read_inquiry(id, None).await
    }

    async fn read_inquiry(
        &self,
        id: &InquiryId,
        wait: Option<HumanDuration>,
    ) -> Result<InquiryResponse, ClientError> {
        let path = path::with_id(path::INQUIRY, id.as_str());
        self.http.get(&path, &ReadInquiryParams { wait }).await
    }

    /// One long poll: the inquiry as soon as it has its outcome, or as it stands when `wait` is over.
    pub async fn poll_inquiry(
        &self,
        id: &InquiryId,
        wait: HumanDuration,
    ) -> Result<InquiryResponse, ClientError> {
        self.read_inquiry(id, Some(wait)).await
    }

    /// Waits for the outcome of an inquiry, at most for `wait`. What comes back may be pending
    /// still. A connection that breaks is made anew for as long as there is time.
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
                Err(error) if seconds == 0 || !error.is_passing() => return Err(error),
                // A server that answers at once although it was to wait must not be hammered.
                Ok(_) | Err(_) => tokio::time::sleep(http::PAUSE_MIN).await,
            }
        }
    }

    /// Answers an inquiry.
    pub async fn answer(
        &self,
        id: &InquiryId,
        params: &AnswerParams,
    ) -> Result<InquiryResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::INQUIRY_ANSWER, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Makes a link with which somebody without the token can answer this one question.
    pub async fn link(
        &self,
        id: &InquiryId,
        params: &NewLinkParams,
    ) -> Result<LinkResponse, ClientError> {
        let path = path::with_id(path::INQUIRY_LINKS, id.as_str());
        self.http.post(&path, params, Repeat::Safely).await
    }

    /// Lets the asker go on without an answer.
    pub async fn decline_inquiry(
        &self,
        id: &InquiryId,
        params: &DeclineParams,
    ) -> Result<InquiryResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::INQUIRY_DECLINE, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Stops the asker.
    pub async fn cancel_inquiry(
        &self,
        id: &InquiryId,
        params: &CancelParams,
    ) -> Result<InquiryResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::INQUIRY_CANCEL, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Takes a question back.
    pub async fn withdraw_inquiry(
        &self,
        id: &InquiryId,
        params: &WithdrawParams,
    ) -> Result<InquiryResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::INQUIRY_WITHDRAW, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Moves or removes the deadline of a question.
    pub async fn move_deadline(
        &self,
        id: &InquiryId,
        params: &DeadlineParams,
    ) -> Result<InquiryResponse, ClientError> {
        let path = path::with_id(path::INQUIRY_DEADLINE, id.as_str());
        self.http.put(&path, params).await
    }

    /// Keeps a question open that the respondent is looking at. Harmless however often it is sent.
    pub async fn keep_open(
        &self,
        id: &InquiryId,
        params: &KeepOpenParams,
    ) -> Result<InquiryResponse, ClientError> {
        let path = path::with_id(path::INQUIRY_KEEP_OPEN, id.as_str());
        self.http.post(&path, params, Repeat::Safely).await
    }

    /// Takes back an answer that is held. Repeated only under a key: without one it could take back an
    /// answer that was given meanwhile.
    pub async fn undo(
        &self,
        id: &InquiryId,
        params: &UndoParams,
    ) -> Result<InquiryResponse, ClientError> {
        let repeat = Repeat::if_keyed(params.idempotency_key.as_ref());
        let path = path::with_id(path::INQUIRY_UNDO, id.as_str());
        self.http.post(&path, params, repeat).await
    }

    /// Notes how far the outcome of an inquiry has got to the agent that asked.
    pub async fn note_delivery(
        &self,
        id: &InquiryId,
        state: DeliveryState,
    ) -> Result<(), ClientError> {
        let path = path::with_id(path::INQUIRY_DELIVERY, id.as_str());
        self.http
            .post_silently(&path, &DeliveryParams { state }, Repeat::Safely)
            .await
    }

    /// Keeps a half-typed answer.
    pub async fn put_draft(&self, id: &InquiryId, params: &DraftParams) -> Result<(), ClientError> {
        let path = path::with_id(path::INQUIRY_DRAFT, id.as_str());
        self.http.put_silently(&path, params).await
    }

    /// The half-typed answer to an inquiry.
    pub async fn draft(&self, id: &InquiryId) -> Result<DraftResponse, ClientError> {
        let path = path::with_id(path::INQUIRY_DRAFT, id.as_str());
        self.http.get(&path, &()).await
    }

    /// The browsers that are signed in, the last used first.
    pub async fn sessions(&self) -> Result<ListResponse<SessionResponse>, ClientError> {
        self.http.get(path::SESSIONS, &()).await
    }

    /// Ends the session of a browser.
    pub async fn end_session(&self, id: &str) -> Result<(), ClientError> {
        self.http.delete(&path::with_id(path::SESSION, id)).await
    }

    /// Ends the sessions of all browsers.
    pub async fn end_sessions(&self) -> Result<(), ClientError> {
        self.http.delete(path::SESSIONS).await
    }

    /// The apps there are.
    pub async fn apps(&self) -> Result<ListResponse<AppResponse>, ClientError> {
        self.http.get(path::APPS, &()).await
    }

    /// The dialects there are.
    pub async fn dialects(&self) -> Result<ListResponse<DialectResponse>, ClientError> {
        self.http.get(path::DIALECTS, &()).await
    }

    /// The description of the API.
    pub async fn openapi(&self) -> Result<Value, ClientError> {
        self.http.get(path::OPENAPI, &()).await
    }

    /// Whether the server runs. One that can write nothing any more says so with a body of the same form.
    pub async fn health(&self) -> Result<HealthResponse, ClientError> {
        self.http.get_whatever_status(path::HEALTHZ).await
    }

    /// Whether the server can serve. One that cannot says so with a body of the same form.
    pub async fn ready(&self) -> Result<ReadyResponse, ClientError> {
        self.http.get_whatever_status(path::READYZ).await
    }
}
