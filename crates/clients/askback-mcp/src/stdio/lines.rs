//! Checks each line of standard input before rmcp reads it.
//!
//! rmcp drops a line that is not JSON, and the client waits for ever; a request with an error in its
//! form is refused without its id, which is no better. It also takes a call whose arguments are a JSON
//! string for an unknown method. Here the first two get an error, and the third is repaired.

use std::borrow::Cow;

use rmcp::RoleServer;
use rmcp::model::ErrorData;
use rmcp::service::RxJsonRpcMessage;
use serde_json::Value;
use serde_json::error::Category;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _,
};
use tokio::sync::mpsc;

use crate::call::arguments::repair_arguments;
use crate::http::message_check::{RefusedMessage, check_message};

/// Longest line, as in rmcp.
const LINE_BYTES_MAX: u64 = 16 << 20;

/// Copies the valid lines of `input` to `output`, repaired where needed, until `input` ends. Each
/// invalid line sends the error that its client must get.
pub(crate) async fn copy_valid_lines(
    mut input: impl AsyncBufRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    errors: mpsc::Sender<RefusedMessage>,
) -> std::io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let limited = &mut (&mut input).take(LINE_BYTES_MAX);
        if limited.read_until(b'\n', &mut line).await? == 0 {
            return output.shutdown().await;
        }
        let is_too_long = line.len() as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n");
        let checked = if is_too_long {
            skip_line(&mut input).await?;
            Err(ErrorData::parse_error("The message is too long.", None).into())
        } else {
            check_line(&line)
        };
        match checked {
            Ok(line) => output.write_all(&line).await?,
            Err(error) => {
                // The connection has ended if nobody receives the error.
                if errors.send(error).await.is_err() {
                    return Ok(());
                }
            }
        }
    }
}

async fn skip_line(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf().await?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let (length, is_over) = match end {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(length);
        if is_over {
            return Ok(());
        }
    }
}

/// The line as rmcp can read it, or the error to respond with.
fn check_line(line: &[u8]) -> Result<Cow<'_, [u8]>, RefusedMessage> {
    if line.trim_ascii().is_empty() {
        return Ok(Cow::Borrowed(line));
    }
    // Parsed as rmcp parses it, so that every line that rmcp would drop gets a response.
    if let Err(error) = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(without_bom(line))
        && matches!(error.classify(), Category::Syntax | Category::Eof)
    {
        let message = format!("The message is not valid JSON: {error}");
        return Err(ErrorData::parse_error(message, None).into());
    }
    let Ok(mut message) = serde_json::from_slice::<Value>(without_bom(line)) else {
        return Ok(Cow::Borrowed(line));
    };
    let is_repaired = repair_arguments(&mut message);
    // rmcp refuses the others, too, but does not say which request it means.
    if let Err(refused) = check_message(&message)
        && refused.id.is_some()
        && message.get("method").is_some()
    {
        return Err(refused);
    }
    if !is_repaired {
        return Ok(Cow::Borrowed(line));
    }
    let mut repaired = message.to_string().into_bytes();
    repaired.push(b'\n');
    Ok(Cow::Owned(repaired))
}

fn without_bom(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
