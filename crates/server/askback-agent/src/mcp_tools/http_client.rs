//! The HTTP client of the MCP transport. It differs from the one of `rmcp` in that it limits how much
//! a server may send in response to one message.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use futures_util::stream::{self, Stream, StreamExt as _, TryStreamExt as _};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, ServerJsonRpcMessage};
use rmcp::transport::common::client_side_sse::BoxedSseResponse;
use rmcp::transport::common::http_header::{
    EVENT_STREAM_MIME_TYPE, HEADER_SESSION_ID, JSON_MIME_TYPE,
};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::SseStream;

/// Most bytes of the response to one message.
pub(super) const RESPONSE_BYTES_MAX: usize = 16 << 20;

const REDIRECTS_MAX: usize = 10;

type Error = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;

#[derive(Clone)]
pub(super) struct LimitedHttpClient(reqwest::Client);

impl LimitedHttpClient {
    pub(super) fn new() -> Result<LimitedHttpClient, reqwest::Error> {
        let client = reqwest::Client::builder()
            // As in `rmcp`: a connection whose last response was not read to its end is slow.
            .pool_max_idle_per_host(0)
            .redirect(Policy::custom(redirect))
            .build();
        client.map(LimitedHttpClient)
    }
}

/// Follows a redirect only if it keeps the message, and the token stays with the same server.
fn redirect(attempt: Attempt<'_>) -> Action {
    let keeps_body = matches!(
        attempt.status(),
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
    );
    let first = attempt.previous().first();
    let same_origin = first.is_some_and(|first| first.origin() == attempt.url().origin());
    if !keeps_body || !same_origin {
        attempt.stop()
    } else if attempt.previous().len() > REDIRECTS_MAX {
        attempt.error("too many redirects")
    } else {
        attempt.follow()
    }
}

impl StreamableHttpClient for LimitedHttpClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let accepted = [EVENT_STREAM_MIME_TYPE, JSON_MIME_TYPE].join(", ");
        let mut request = self.0.post(uri.as_ref()).header(ACCEPT, accepted);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(id) = &session_id {
            request = request.header(HEADER_SESSION_ID, id.as_ref());
        }
        let response = request.json(&message).send().await?;
        match response.status() {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => {
                Ok(StreamableHttpPostResponse::Accepted)
            }
            StatusCode::NOT_FOUND if session_id.is_some() => Err(Error::SessionExpired),
            status if status.is_success() => success(&message, response).await,
            _ => failure(&message, session_id.is_some(), response).await,
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Error> {
        let deleted = self.0.delete_session(uri, session_id, token, headers);
        deleted.await
    }

    /// Limited by `rmcp`, by the size of each event.
    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<BoxedSseResponse, Error> {
        let events = self
            .0
            .get_stream(uri, session_id, last_event_id, token, headers);
        events.await
    }
}

async fn success(
    message: &ClientJsonRpcMessage,
    response: Response,
) -> Result<StreamableHttpPostResponse, Error> {
    let session_id = header(&response, HEADER_SESSION_ID);
    let expects_response = matches!(message, ClientJsonRpcMessage::Request(_));
    if !expects_response && response.content_length() == Some(0) {
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    match header(&response, CONTENT_TYPE.as_str()) {
        Some(kind) if kind.starts_with(EVENT_STREAM_MIME_TYPE) => {
            let events = SseStream::from_bytes_stream(chunks(response)).boxed();
            Ok(StreamableHttpPostResponse::Sse(events, session_id))
        }
        Some(kind) if kind.starts_with(JSON_MIME_TYPE) => {
            match serde_json::from_slice(&body(response).await?) {
                Ok(message) => Ok(StreamableHttpPostResponse::Json(message, session_id)),
                Err(error) if expects_response => Err(error.into()),
                Err(_) => Ok(StreamableHttpPostResponse::Accepted),
            }
        }
        kind => Err(Error::UnexpectedContentType(kind)),
    }
}

/// A failure may have a JSON-RPC error in its body.
async fn failure(
    message: &ClientJsonRpcMessage,
    in_session: bool,
    response: Response,
) -> Result<StreamableHttpPostResponse, Error> {
    let status = response.status();
    let session_id = header(&response, HEADER_SESSION_ID);
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return Err(match header(&response, WWW_AUTHENTICATE.as_str()) {
            Some(challenge) if status == StatusCode::UNAUTHORIZED => {
                Error::AuthRequired(AuthRequiredError::new(challenge))
            }
            Some(_) | None => unexpected(format!("HTTP {status}")),
        });
    }
    let is_json = header(&response, CONTENT_TYPE.as_str());
    let is_json = is_json.is_some_and(|kind| kind.starts_with(JSON_MIME_TYPE));
    let body = serde_json::from_slice(&body(response).await?).ok();
    let error = match body {
        Some(ServerJsonRpcMessage::Error(error)) => Some(error),
        _ => None,
    };
    // A server of an older protocol. The error must have the id of the request, so that the client
    // goes on with that protocol.
    if let ClientJsonRpcMessage::Request(request) = message
        && matches!(request.request, ClientRequest::DiscoverRequest(_))
        && status.is_client_error()
        && !in_session
    {
        let error = error.map_or_else(
            || ErrorData::invalid_request(format!("HTTP {status}"), None),
            |error| error.error,
        );
        let message = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
        return Ok(StreamableHttpPostResponse::Json(message, None));
    }
    match error {
        Some(error) if is_json => Ok(StreamableHttpPostResponse::Json(
            ServerJsonRpcMessage::Error(error),
            session_id,
        )),
        Some(_) | None => Err(unexpected(format!("HTTP {status}"))),
    }
}

fn header(response: &Response, name: &str) -> Option<String> {
    let value = response.headers().get(name)?;
    value.to_str().ok().map(str::to_owned)
}

async fn body(response: Response) -> Result<Vec<u8>, Error> {
    let chunks = chunks(response);
    let body = chunks.try_fold(Vec::new(), async |mut body, chunk| {
        body.extend_from_slice(chunk.as_ref());
        Ok(body)
    });
    body.await
}

/// The body. It fails where it gets too large.
fn chunks(response: Response) -> impl Stream<Item = Result<bytes::Bytes, Error>> + Send {
    stream::try_unfold((response, 0), |(mut response, before)| async move {
        let Some(chunk) = response.chunk().await? else {
            return Ok(None);
        };
        let bytes = before + chunk.len();
        if bytes > RESPONSE_BYTES_MAX {
            return Err(unexpected(format!(
                "it has more than {RESPONSE_BYTES_MAX} bytes"
            )));
        }
        Ok(Some((chunk, (response, bytes))))
    })
}

fn unexpected(reason: String) -> Error {
    Error::UnexpectedServerResponse(Cow::Owned(reason))
}
