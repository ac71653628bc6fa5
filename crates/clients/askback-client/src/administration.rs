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
use askback_wire::recipient::{
    ForgetParams, ForgottenResponse, RecipientParams, RecipientResponse,
};
use askback_wire::session::{NewSignInCodeParams, SessionResponse, SignInCodeResponse};
use askback_wire::webhook::{ListWebhooksParams, WebhookResponse};

use crate::Client;
use crate::error::ClientError;
use crate::http::Retry;

routes! {
    /// Creates a link that signs one browser in, once.
    post create_sign_in_code(NewSignInCodeParams) -> SignInCodeResponse = SIGN_IN_CODES;

    /// What the token of this client permits.
    get me() -> MeResponse = ME;

    /// Makes a token that permits a part of what the server's token does.
    /// A second one of the same name is refused, and the first would be lost.
    post_once create_token(NewCredentialParams) -> NewCredentialResponse = TOKENS;

    /// The tokens that were made.
    get tokens() -> ListResponse<CredentialResponse> = TOKENS;

    /// Revokes a token.
    delete revoke_token[name: str]() -> () = TOKEN;

    /// A page of the webhooks that were not delivered yet.
    get webhooks(ListWebhooksParams) -> ListResponse<WebhookResponse> = WEBHOOKS;

    /// Makes a token with which one inquiry can be read, followed and answered.
    post create_inquiry_token[inquiry: InquiryId](NewInquiryTokenParams) -> InquiryTokenResponse = INQUIRY_TOKENS;

    /// The browsers that are signed in, last used first.
    get sessions() -> ListResponse<SessionResponse> = SESSIONS;

    /// Signs one browser out.
    delete end_session[id: str]() -> () = SESSION;

    /// Signs all browsers out.
    delete end_sessions() -> () = SESSIONS;

    /// All channels, with whether they work.
    get channels() -> ListResponse<ChannelResponse> = CHANNELS;

    /// The messages of channels that show a question.
    get channel_messages[inquiry: InquiryId]() -> ListResponse<ChannelMessageResponse> = INQUIRY_MESSAGES;

    /// The people and groups that a question may be for.
    get recipients() -> ListResponse<RecipientResponse> = RECIPIENTS;

    /// Adds a person or a group, or changes it.
    put put_recipient[alias: str](RecipientParams) -> RecipientResponse = RECIPIENT;

    /// Removes a person or a group.
    delete remove_recipient[alias: str]() -> () = RECIPIENT;

    /// Removes a person, and shows a pseudonym in place of their name.
    post_once forget_recipient[alias: str](ForgetParams) -> ForgottenResponse = FORGET_RECIPIENT;

    /// Tells that somebody types or presses something here. Returns whether the server wants to know.
    post_once note_presence() -> PresenceResponse = PRESENCE;

    /// A one-time code with which a person links their account.
    post_once link_code[channel: str](LinkCodeParams) -> LinkCodeResponse = CHANNEL_LINKS;
}

impl Client {
    /// Tries a webhook again now.
    pub async fn retry_webhook(&self, id: &str) -> Result<(), ClientError> {
        let path = path::with_id(path::WEBHOOK_RETRY, id);
        let nothing = serde_json::Map::new();
        let retried = self.http.post_silently(&path, &nothing, Retry::Always);
        retried.await
    }
}
