//! What an operator manages: browser sessions, channels and recipients; and who is there.

use askback_core::id::InquiryId;
use askback_wire::channel::{
    ChannelMessageResponse, ChannelResponse, LinkCodeParams, LinkCodeResponse,
};
use askback_wire::credential::{
    CredentialResponse, InquiryTokenResponse, MeResponse, NewCredentialParams,
    NewCredentialResponse, NewInquiryTokenParams,
};
use askback_wire::list::ListResponse;
use askback_wire::path;
use askback_wire::presence::PresenceResponse;
use askback_wire::recipient::RecipientResponse;
use askback_wire::session::{NewSignInCodeParams, SessionResponse, SignInCodeResponse};

use crate::Client;
use crate::error::ClientError;
use crate::http::Retry;

impl Client {
    /// Creates a link that signs one browser in, once.
    pub async fn create_sign_in_code(
        &self,
        params: &NewSignInCodeParams,
    ) -> Result<SignInCodeResponse, ClientError> {
        self.http
            .post(path::SIGN_IN_CODES, params, Retry::Always)
            .await
    }

    /// What the token of this client permits.
    pub async fn me(&self) -> Result<MeResponse, ClientError> {
        self.http.get(path::ME, &()).await
    }

    /// Makes a token that permits a part of what the server's token does.
    pub async fn create_token(
        &self,
        params: &NewCredentialParams,
    ) -> Result<NewCredentialResponse, ClientError> {
        // A second one of the same name is refused, and the first would be lost.
        self.http.post(path::TOKENS, params, Retry::IfNotSent).await
    }

    /// The tokens that were made.
    pub async fn tokens(&self) -> Result<ListResponse<CredentialResponse>, ClientError> {
        self.http.get(path::TOKENS, &()).await
    }

    /// Revokes a token.
    pub async fn revoke_token(&self, name: &str) -> Result<(), ClientError> {
        self.http.delete(&path::with_id(path::TOKEN, name)).await
    }

    /// Makes a token with which one inquiry can be read, followed and answered.
    pub async fn create_inquiry_token(
        &self,
        inquiry: &InquiryId,
        params: &NewInquiryTokenParams,
    ) -> Result<InquiryTokenResponse, ClientError> {
        let path = path::with_id(path::INQUIRY_TOKENS, inquiry.as_str());
        self.http.post(&path, params, Retry::Always).await
    }

    /// The browsers that are signed in, last used first.
    pub async fn sessions(&self) -> Result<ListResponse<SessionResponse>, ClientError> {
        self.http.get(path::SESSIONS, &()).await
    }

    /// Signs one browser out.
    pub async fn end_session(&self, id: &str) -> Result<(), ClientError> {
        self.http.delete(&path::with_id(path::SESSION, id)).await
    }

    /// Signs all browsers out.
    pub async fn end_sessions(&self) -> Result<(), ClientError> {
        self.http.delete(path::SESSIONS).await
    }

    /// All channels, with whether they work.
    pub async fn channels(&self) -> Result<ListResponse<ChannelResponse>, ClientError> {
        self.http.get(path::CHANNELS, &()).await
    }

    /// The messages of channels that show a question.
    pub async fn channel_messages(
        &self,
        inquiry: &InquiryId,
    ) -> Result<ListResponse<ChannelMessageResponse>, ClientError> {
        let path = path::with_id(path::INQUIRY_MESSAGES, inquiry.as_str());
        self.http.get(&path, &()).await
    }

    /// The people and groups that a question may be for.
    pub async fn recipients(&self) -> Result<ListResponse<RecipientResponse>, ClientError> {
        self.http.get(path::RECIPIENTS, &()).await
    }

    /// Tells that somebody types or presses something here. Returns whether the server wants to know.
    pub async fn note_presence(&self) -> Result<PresenceResponse, ClientError> {
        self.http.post(path::PRESENCE, &(), Retry::IfNotSent).await
    }

    /// A one-time code with which a person links their account.
    pub async fn link_code(
        &self,
        channel: &str,
        params: &LinkCodeParams,
    ) -> Result<LinkCodeResponse, ClientError> {
        let path = path::with_id(path::CHANNEL_LINKS, channel);
        self.http.post(&path, params, Retry::IfNotSent).await
    }
}
