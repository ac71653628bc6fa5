//! What a channel calls: passes on what people did, and keeps positions and prompts in the store.

use askback_store::StoreError;

use crate::answer::handle_incoming::{ChannelHandler, Unhandled};
use crate::contract::channel::{Address, ChannelFuture, MessageId};
use crate::contract::feedback::{Feedback, TextPrompt};
use crate::contract::incoming::{HandlerError, Incoming, IncomingHandler};
use crate::state::position;

impl From<Unhandled> for HandlerError {
    fn from(unhandled: Unhandled) -> HandlerError {
        match unhandled {
            Unhandled::Store(error) => HandlerError(error.to_string()),
            Unhandled::Closing => HandlerError("the server is stopping".to_owned()),
        }
    }
}

fn store_failed(error: &StoreError) -> HandlerError {
    HandlerError(error.to_string())
}

impl IncomingHandler for ChannelHandler {
    fn handle(&self, incoming: Incoming) -> ChannelFuture<'_, Result<Feedback, HandlerError>> {
        Box::pin(async move { Ok(self.handle_any(&incoming).await?) })
    }

    fn prompt_shown<'a>(
        &'a self,
        address: &'a Address,
        prompt: &'a TextPrompt,
        message: MessageId,
    ) -> ChannelFuture<'a, Result<(), HandlerError>> {
        Box::pin(async move {
            let prompts = self.prompts(address);
            let stored = prompts.remember(prompt, &message).await;
            stored.map_err(|error| store_failed(&error))
        })
    }

    fn position(&self) -> ChannelFuture<'_, Result<Option<String>, HandlerError>> {
        Box::pin(async move {
            let stored = self.shared.state().get(position(&self.name)).await;
            stored.map_err(|error| store_failed(&error))
        })
    }

    fn set_position(&self, reached: String) -> ChannelFuture<'_, Result<(), HandlerError>> {
        Box::pin(async move {
            let state = self.shared.state();
            let stored = state.set(position(&self.name), &reached).await;
            stored.map_err(|error| store_failed(&error))
        })
    }

    fn mark_healthy(&self) {
        let now = self.shared.engine.clock().now();
        self.shared.status.received(&self.name, now);
    }

    fn mark_reachable(&self) {
        let now = self.shared.engine.clock().now();
        self.shared.status.succeeded(&self.name, now);
    }
}
