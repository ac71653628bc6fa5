//! Socket Mode: Slack sends what people do through a WebSocket that we open.
//!
//! Nothing is sent again after a lost socket, so a press of that time is lost to us; Slack shows the person
//! an error, and the question waits. An envelope that arrives again is acknowledged and not handled again.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_websockets::{ClientBuilder, Limits, MaybeTlsStream, Message, WebSocketStream};

use super::api::SlackApi;
use super::envelope::{Frame, Received, read};
use crate::contract::channel::{ReceiveError, SendError};
use crate::contract::feedback::{Feedback, PressResult};
use crate::contract::incoming::{HandlerError, IncomingAction, IncomingHandler};

/// Slack pings much more often.
const SILENCE_MAX: Duration = Duration::from_secs(90);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Slack waits for three seconds.
const ACK_WITHIN: Duration = Duration::from_secs(2);
/// An envelope is larger than a message, of which it contains all blocks.
const FRAME_BYTES_MAX: usize = 1024 * 1024;
/// Envelopes that are recognised when they arrive again.
const REMEMBERED_MAX: usize = 256;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Receives until the connection or the store fails.
pub(super) async fn receive(api: &SlackApi, handler: &Arc<dyn IncomingHandler>) -> ReceiveError {
    let own_team = match api.call("auth.test", &json!({})).await {
        Ok(who) => who["team_id"].as_str().map(str::to_owned),
        Err(error) => return error.into(),
    };
    let mut session = Session {
        api: api.clone(),
        handler: Arc::clone(handler),
        own_team,
        handled: VecDeque::new(),
    };
    let mut socket = match connect(api).await {
        Ok(socket) => socket,
        Err(error) => return error.into(),
    };
    loop {
        let frame = match next_frame(&mut socket).await {
            Ok(Some(frame)) => frame,
            Ok(None) => continue,
            Err(error) => return ReceiveError::temporary(error),
        };
        match frame.kind.as_str() {
            "hello" => handler.mark_healthy(),
            "disconnect" => {
                if let Some(refusal) = frame.reason.as_deref().and_then(refusal) {
                    return ReceiveError::refused(refusal);
                }
                // The new socket is there before the old one is closed.
                match connect(api).await {
                    Ok(new) => socket = new,
                    Err(error) => return error.into(),
                }
            }
            _ => {
                if let Err(error) = session.handle(&mut socket, &frame).await {
                    return ReceiveError::temporary(error);
                }
            }
        }
    }
}

/// What to do about a disconnect after which a new socket would not stay open. All other reasons need only a new one.
fn refusal(reason: &str) -> Option<&'static str> {
    match reason {
        // A new socket at once would push out that of another process in turn.
        "too_many_websockets" => Some(
            "Slack closed the socket: too many are open for this app. Give every other server that uses it an app of its own",
        ),
        "link_disabled" => Some(
            "Slack closed the socket: Socket Mode is off. Turn it on in the settings of the app",
        ),
        _ => None,
    }
}

struct Session {
    api: SlackApi,
    handler: Arc<dyn IncomingHandler>,
    /// The workspace that the app belongs to.
    own_team: Option<String>,
    /// The newest envelopes that were handled.
    handled: VecDeque<String>,
}

impl Session {
    /// Commits what the envelope says, then acknowledges it.
    async fn handle(&mut self, socket: &mut Socket, frame: &Frame) -> Result<(), String> {
        let Some(envelope) = &frame.envelope_id else {
            return Ok(());
        };
        let received = read(frame, self.own_team.as_deref());
        let (Some(received), false) = (received, self.handled.contains(envelope)) else {
            return acknowledge(socket, envelope).await;
        };
        // What was written as a message is answered with one.
        let is_message = matches!(
            received.incoming.action,
            IncomingAction::Link { .. } | IncomingAction::Text { .. }
        );
        let handling = self.handler.handle(received.incoming.clone());
        tokio::pin!(handling);
        let in_time = tokio::time::timeout(ACK_WITHIN, handling.as_mut()).await;
        let failed = |error: HandlerError| error.to_string();
        let feedback = if let Ok(feedback) = in_time {
            let feedback = feedback.map_err(failed)?;
            acknowledge(socket, envelope).await?;
            feedback
        } else {
            // Slack would show an error. What comes of it is told when it is known.
            acknowledge(socket, envelope).await?;
            handling.await.map_err(failed)?
        };
        self.handled.push_back(envelope.clone());
        if self.handled.len() > REMEMBERED_MAX {
            self.handled.pop_front();
        }
        self.handler.mark_healthy();
        self.tell(&received, &feedback, is_message);
        Ok(())
    }

    /// Tells the person, without keeping the next envelope waiting. An accepted answer shows in the message.
    fn tell(&self, received: &Received, feedback: &Feedback, is_message: bool) {
        let reaches_nobody = matches!(
            feedback.result,
            PressResult::HandedOn {
                is_reachable: false
            }
        );
        let must_be_told = feedback.is_alert() || is_message || reaches_nobody;
        if feedback.text.is_empty() || !must_be_told {
            return;
        }
        let method = if is_message {
            "chat.postMessage"
        } else {
            "chat.postEphemeral"
        };
        let body = json!({
            "channel": received.conversation,
            "user": received.user,
            "text": super::escaped(&feedback.text),
            "link_names": false,
        });
        let api = self.api.clone();
        tokio::spawn(async move {
            if let Err(error) = api.call(method, &body).await {
                tracing::info!(%error, "cannot tell a person in Slack what came of a press");
            }
        });
    }
}

async fn connect(api: &SlackApi) -> Result<Socket, SendError> {
    let url = api.open_socket().await?;
    let failed = || SendError::temporary("cannot open the socket of Slack");
    // The URL contains a ticket, so no error that quotes it is passed on.
    let builder = ClientBuilder::new().uri(&url).map_err(|_| failed())?;
    let builder = builder.limits(Limits::default().max_payload_len(Some(FRAME_BYTES_MAX)));
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, builder.connect()).await;
    match connected {
        Ok(Ok((socket, _))) => Ok(socket),
        Ok(Err(_)) | Err(_) => Err(failed()),
    }
}

/// The next frame; `None` for a ping or a frame that is not one of Slack's.
async fn next_frame(socket: &mut Socket) -> Result<Option<Frame>, String> {
    let next = tokio::time::timeout(SILENCE_MAX, socket.next()).await;
    let message = match next {
        Ok(Some(Ok(message))) => message,
        Ok(Some(Err(_)) | None) => return Err("the socket of Slack was closed".to_owned()),
        Err(_) => return Err("nothing came from Slack for too long".to_owned()),
    };
    if message.is_close() {
        return Err("the socket of Slack was closed".to_owned());
    }
    let frame = message
        .as_text()
        .and_then(|text| serde_json::from_str(text).ok());
    Ok(frame)
}

async fn acknowledge(socket: &mut Socket, envelope: &str) -> Result<(), String> {
    let body: Value = json!({ "envelope_id": envelope });
    let sent = socket.send(Message::text(body.to_string())).await;
    sent.map_err(|_| "the socket of Slack was closed".to_owned())
}
