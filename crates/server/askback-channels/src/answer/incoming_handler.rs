//! What a channel calls: passes on what people did, and keeps positions and prompts in the store.

use crate::answer::handle_incoming::ChannelHandler;
use crate::contract::channel::{Address, ChannelFuture, MessageId};
use crate::contract::feedback::{Feedback, TextPrompt};
use crate::contract::incoming::{HandlerError, Incoming, IncomingHandler};
use crate::state::position;

impl IncomingHandler for ChannelHandler {
    fn handle(&self, incoming: Incoming) -> ChannelFuture<'_, Result<Feedback, HandlerError>> {
        Box::pin(async move { self.handle_any(&incoming).await })
    }

    fn prompt_shown<'a>(
        &'a self,
        address: &'a Address,
        prompt: &'a TextPrompt,
        message: MessageId,
    ) -> ChannelFuture<'a, Result<(), HandlerError>> {
        Box::pin(async move {
            let prompts = self.prompts(address);
            Ok(prompts.remember(prompt, &message).await?)
        })
    }

    fn position(&self) -> ChannelFuture<'_, Result<Option<String>, HandlerError>> {
        Box::pin(async move { Ok(self.shared.state().get(position(&self.name)).await?) })
    }

    fn set_position(&self, reached: String) -> ChannelFuture<'_, Result<(), HandlerError>> {
        Box::pin(async move {
            let state = self.shared.state();
            Ok(state.set(position(&self.name), &reached).await?)
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
