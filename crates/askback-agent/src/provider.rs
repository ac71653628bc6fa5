//! Real models: Anthropic's Messages and the chat completions that `OpenAI` began and most servers
//! speak.
//!
//! A [`Provider`] sends one request and reads one reply, streamed or not. What a model thinks is
//! kept as it came and goes back at the place where it came from; ids are kept; arguments that are
//! not JSON are kept as text. Why the client is our own: `docs/decisions/0005-llm-client.md`.

mod address;
mod anthropic;
mod choice;
mod failure;
mod key;
mod openai;
mod peer;
mod reply;
mod settings;
mod tools;
mod transport;
mod wire_ids;

use askback_core::conversation::command::RawReply;
use askback_engine::ports::{Llm, LlmFailure, LlmRequest, PortFuture, TokenSink};
use askback_wire::sse::{SseFrame, SseLimitExceeded, SseParser};
use reqwest::Response;
use serde_json::Value;

pub use choice::{Choice, OpenError, UnknownChoice};
pub use key::ApiKey;
pub use settings::{Settings, SettingsError, Wire};

use reply::{Outcome, StreamReader};
use transport::Transport;

/// Most bytes of a streamed reply.
const STREAM_BYTES_MAX: usize = 32 << 20;

/// A model behind HTTP.
#[derive(Debug)]
pub struct Provider {
    settings: Settings,
    transport: Transport,
}

impl Provider {
    /// A provider with these settings. Nothing is sent yet.
    pub fn new(settings: Settings) -> Result<Provider, SettingsError> {
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
        let named = request.model.take().or_else(|| self.settings.model.clone());
        let peer = &self.transport.peer;
        let Some(model) = named else {
            return Err(peer.no_model());
        };
        let body = match self.settings.wire {
            Wire::Anthropic => anthropic::body(&self.settings, &model, &request),
            Wire::OpenAi => openai::body(&self.settings, peer, (&model, &request)),
        };
        let response = self.transport.send(&model, &body).await?;
        tracing::debug!(conversation = %request.conversation, "the provider replies");
        let outcome = match self.settings.wire {
            Wire::Anthropic if is_stream(&response) => {
                self.read_stream(response, anthropic::Reader::default(), tokens)
                    .await?
            }
            Wire::OpenAi if is_stream(&response) => {
                self.read_stream(response, openai::Reader::default(), tokens)
                    .await?
            }
            Wire::Anthropic => anthropic::read(&self.read_json(response).await?),
            Wire::OpenAi => openai::read(&self.read_json(response).await?),
        };
        let mut reply = outcome.into_reply(peer)?;
        if self.settings.wire == Wire::OpenAi {
            openai::mark(&mut reply, peer, &model);
        }
        Ok(reply)
    }

    async fn read_json(&self, response: Response) -> Result<Value, LlmFailure> {
        let bytes = self.transport.read_all(response).await?;
        let json: Value = serde_json::from_slice(&bytes)
            .map_err(|_| self.transport.peer.malformed("it is not JSON"))?;
        match json.get("error") {
            Some(error) if !error.is_null() => Err(self.transport.peer.told(error)),
            _ => Ok(json),
        }
    }

    async fn read_stream(
        &self,
        mut response: Response,
        mut reader: impl StreamReader,
        tokens: &dyn TokenSink,
    ) -> Result<Outcome, LlmFailure> {
        let peer = &self.transport.peer;
        let mut parser = SseParser::with_max_bytes(STREAM_BYTES_MAX);
        while let Some(chunk) = self.transport.chunk(&mut response).await? {
            let frames = parser.push(&chunk);
            let frames = frames.map_err(|SseLimitExceeded| peer.malformed("it is too long"))?;
            for SseFrame { data, .. } in frames {
                if data.trim() == "[DONE]" {
                    return reader.finish().ok_or_else(|| peer.broken());
                }
                let event: Value = serde_json::from_str(&data)
                    .map_err(|_| peer.malformed("an event in its stream is not JSON"))?;
                if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
                    return Err(peer.told(error));
                }
                reader.take(&event, tokens);
                if reader.is_complete() {
                    return reader.finish().ok_or_else(|| peer.broken());
                }
            }
        }
        // Some servers end the stream without the mark that it is complete.
        reader.finish().ok_or_else(|| peer.broken())
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
        let peer = &self.transport.peer;
        Box::pin(async move { reply.await.unwrap_or_else(|_| Err(peer.too_slow(limit))) })
    }

    fn name(&self) -> Option<&str> {
        Some(self.settings.wire.name())
    }
}

/// Whether the server streams; some do not although they were asked to.
fn is_stream(response: &Response) -> bool {
    let content_type = response.headers().get(reqwest::header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("text/event-stream"))
}

#[cfg(test)]
#[path = "provider/wire_tests.rs"]
mod wire_tests;

#[cfg(test)]
#[path = "provider/failure_tests.rs"]
mod failure_tests;
