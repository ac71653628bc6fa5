//! Opens a dialog: a request to the client while its call waits, raced against the inbox.

use askback_wire::inquiry::InquiryResponse;
use rmcp::RoleServer;
use rmcp::model::{ClientResult, ElicitRequest, ElicitResult, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle};
use tokio::time::Instant;

use crate::call::executor::{Caller, ToolExecutor};
use crate::dialogs::elicitation::{AfterReply, DialogModes};

/// The dialogs of the client that makes a call.
pub(crate) struct Dialogs {
    pub(crate) modes: DialogModes,
    pub(crate) peer: Peer<RoleServer>,
}

/// An open dialog. It is closed when this is dropped, for whatever reason the call ends.
struct OpenDialog(Option<RequestHandle<RoleServer>>);

impl OpenDialog {
    /// There is no time-out: the dialog is closed when the call ends.
    async fn open(peer: &Peer<RoleServer>, request: ElicitRequest) -> Option<OpenDialog> {
        let request = ServerRequest::ElicitRequest(request);
        let handle = peer
            .send_request_with_option(request, PeerRequestOptions::no_options())
            .await;
        let handle = handle.inspect_err(|error| tracing::info!(%error, "cannot open a dialog"));
        Some(OpenDialog(Some(handle.ok()?)))
    }

    /// `None` if the client failed, or the connection ended: no reply of a person.
    async fn reply(&mut self) -> Option<ElicitResult> {
        let response = (&mut self.0.as_mut()?.rx).await;
        self.0 = None;
        match response {
            Ok(Ok(ClientResult::ElicitResult(reply))) => Some(reply),
            Ok(Ok(_)) => {
                tracing::info!("the client did not reply to a dialog as expected");
                None
            }
            Ok(Err(error)) => {
                tracing::info!(%error, "the client cannot open a dialog");
                None
            }
            Err(_) => None,
        }
    }

    /// Closes it. Returns the reply, if it has come already.
    async fn close(mut self) -> Option<ElicitResult> {
        let mut handle = self.0.take()?;
        let reply = handle.rx.try_recv().ok();
        close(handle).await;
        match reply? {
            Ok(ClientResult::ElicitResult(reply)) => Some(reply),
            Ok(_) | Err(_) => None,
        }
    }
}

impl Drop for OpenDialog {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(close(handle));
        }
    }
}

async fn close(handle: RequestHandle<RoleServer>) {
    let reason = "The question was answered elsewhere, or the call has ended.";
    if let Err(error) = handle.cancel(Some(reason.to_owned())).await {
        tracing::debug!(%error, "cannot close a dialog");
    }
}

impl ToolExecutor {
    /// Awaits `outcome` while a dialog of the client shows the question. What the person does there goes the
    /// same way as an answer from anywhere else, so `outcome` learns of it.
    pub(crate) async fn with_dialog<T>(
        &self,
        inquiry: &InquiryResponse,
        caller: &Caller,
        outcome: impl Future<Output = T>,
    ) -> T {
        tokio::pin!(outcome);
        let Some(dialogs) = &caller.dialogs else {
            return outcome.await;
        };
        let mut problem = None;
        while self.may_open_dialog(inquiry, caller) {
            let request = self.dialog_request(inquiry, dialogs.modes, problem.as_deref());
            let opening = async { OpenDialog::open(&dialogs.peer, request.await?).await };
            let dialog = tokio::select! {
                outcome = &mut outcome => return outcome,
                dialog = opening => dialog,
            };
            let Some(mut dialog) = dialog else { break };
            let opened = Some(Instant::now());
            self.dialogs
                .update(&inquiry.id, |state| state.opened = opened);
            let reply = tokio::select! {
                outcome = &mut outcome => {
                    if let Some(reply) = dialog.close().await {
                        self.note_late_reply(inquiry, &reply);
                    }
                    return outcome;
                }
                reply = dialog.reply() => reply,
            };
            let Some(reply) = reply else {
                self.dialog_failed(caller);
                break;
            };
            let modes = dialogs.modes;
            match self.apply_reply(inquiry, caller, modes, reply).await {
                AfterReply::Again(reason) => problem = Some(reason),
                AfterReply::Wait => break,
            }
        }
        outcome.await
    }
}
