//! Models behind HTTP: Anthropic's Messages API, `OpenAI`'s Chat Completions API, which most other
//! servers speak too, and `OpenAI`'s Responses API.
//!
//! A [`Provider`] sends one request and reads one reply, streamed or not. Reasoning is opaque: it is
//! stored as it arrived and sent back unchanged, in the same position. Call ids are kept, and so are
//! arguments that are not valid JSON. `docs/decisions/0005-llm-client.md` says why this client is
//! our own.

mod anthropic;
mod call_ids;
mod endpoint;
mod endpoint_url;
mod errors;
mod key;
mod openai_chat;
mod openai_responses;
mod reasoning;
mod reasoning_layout;
mod reply;
mod settings;
mod spec;
mod transport;

use askback_core::conversation::command::RawReply;
use askback_engine::ports::{Llm, LlmFailure, LlmRequest, PortFuture, TokenSink};
use askback_wire::sse::{SseFrame, SseLimitExceeded, SseParser};
use reqwest::Response;
use serde_json::Value;

pub use key::ApiKey;
pub use settings::{Protocol, ProviderSettings, ProviderSettingsError};
pub use spec::{ProviderOpenError, ProviderSpec, UnknownProvider};

use reply::{ParsedReply, StreamParser};
use transport::Transport;

/// Most bytes of a streamed reply.
const STREAM_BYTES_MAX: usize = 32 << 20;

/// A client of one provider.
#[derive(Debug)]
pub struct Provider {
    settings: ProviderSettings,
    transport: Transport,
}

impl Provider {
    /// Builds the HTTP client. Nothing is sent yet.
    pub fn new(settings: ProviderSettings) -> Result<Provider, ProviderSettingsError> {
        let transport = Transport::new(&settings)?;
        Ok(Provider {
            settings,
            transport,
        })
    }

    async fn send(
        &self,
        mut request: LlmRequest,
        tokens: &dyn TokenSink,
    ) -> Result<RawReply, LlmFailure> {
        let model = request.model.take().or_else(|| self.settings.model.clone());
        let endpoint = &self.transport.endpoint;
        let Some(model) = model else {
            return Err(endpoint.missing_model());
        };
        let mut body = match self.settings.protocol {
            Protocol::Anthropic => anthropic::request_body(&model, &request),
            Protocol::OpenAiChat => openai_chat::request_body(endpoint, &model, &request),
            Protocol::OpenAiResponses => openai_responses::request_body(endpoint, &model, &request),
        };
        body["stream"] = self.settings.stream.into();
        let response = self.transport.send(&model, &body).await?;
        tracing::debug!(conversation = %request.conversation, "the provider responded");
        let parsed = self.read_reply(response, tokens).await?;
        let mut reply = parsed.into_reply(endpoint)?;
        if self.settings.protocol != Protocol::Anthropic {
            reasoning::record_origin(&mut reply, endpoint, &model);
        }
        Ok(reply)
    }

    async fn read_reply(
        &self,
        response: Response,
        tokens: &dyn TokenSink,
    ) -> Result<ParsedReply, LlmFailure> {
        if is_stream(&response) {
            return match self.settings.protocol {
                Protocol::Anthropic => {
                    let parser = anthropic::MessageStream::default();
                    self.read_stream(response, parser, tokens).await
                }
                Protocol::OpenAiChat => {
                    let parser = openai_chat::CompletionStream::default();
                    self.read_stream(response, parser, tokens).await
                }
                Protocol::OpenAiResponses => {
                    let parser = openai_responses::ResponseStream::default();
                    self.read_stream(response, parser, tokens).await
                }
            };
        }
        let json = self.read_json(response).await?;
        Ok(match self.settings.protocol {
            Protocol::Anthropic => anthropic::parse_message(&json),
            Protocol::OpenAiChat => openai_chat::parse_completion(&json),
            Protocol::OpenAiResponses => openai_responses::parse_response(&json),
        })
    }

    async fn read_json(&self, response: Response) -> Result<Value, LlmFailure> {
        let bytes = self.transport.read_all(response).await?;
        let json: Value = serde_json::from_slice(&bytes)
            .map_err(|_| self.transport.endpoint.malformed("it is not JSON"))?;
        match json.get("error") {
            Some(error) if !error.is_null() => Err(self.transport.endpoint.error_event(error)),
            _ => Ok(json),
        }
    }

    async fn read_stream(
        &self,
        mut response: Response,
        mut parser: impl StreamParser,
        tokens: &dyn TokenSink,
    ) -> Result<ParsedReply, LlmFailure> {
        let endpoint = &self.transport.endpoint;
        let mut sse = SseParser::with_max_bytes(STREAM_BYTES_MAX);
        while let Some(chunk) = self.transport.chunk(&mut response).await? {
            let frames = sse.push(&chunk);
            let frames = frames.map_err(|SseLimitExceeded| endpoint.malformed("it is too long"))?;
            for SseFrame { data, .. } in frames {
                if data.trim() == "[DONE]" {
                    return parser.finish().ok_or_else(|| endpoint.disconnected());
                }
                let event: Value = serde_json::from_str(&data)
                    .map_err(|_| endpoint.malformed("an event in its stream is not JSON"))?;
                if let Some(error) = parser.error(&event) {
                    return Err(endpoint.error_event(error));
                }
                parser.handle_event(&event, tokens);
                if parser.is_complete() {
                    return parser.finish().ok_or_else(|| endpoint.disconnected());
                }
            }
        }
        // Some servers close the stream without an explicit end.
        parser.finish().ok_or_else(|| endpoint.disconnected())
    }
}

impl Llm for Provider {
    fn request<'a>(
        &'a self,
        request: LlmRequest,
        tokens: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        let limit = self.settings.reply_timeout;
        let reply = tokio::time::timeout(limit, self.send(request, tokens));
        let endpoint = &self.transport.endpoint;
        Box::pin(async move {
            reply
                .await
                .unwrap_or_else(|_| Err(endpoint.reply_timed_out(limit)))
        })
    }

    fn name(&self) -> Option<&str> {
        Some(self.settings.protocol.name())
    }

    fn setup_problem(&self) -> Option<String> {
        let problem = self.transport.endpoint.check_key().err()?;
        Some(problem.failure.message.to_string())
    }
}

/// Whether the response is streamed. Some servers do not stream although they were asked to.
fn is_stream(response: &Response) -> bool {
    let content_type = response.headers().get(reqwest::header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("text/event-stream"))
}

#[cfg(test)]
#[path = "provider/protocol_tests.rs"]
mod protocol_tests;

#[cfg(test)]
#[path = "provider/errors_tests.rs"]
mod errors_tests;
