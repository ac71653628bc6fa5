//! The output of an MCP server, until a line is too long.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::http_client::RESPONSE_BYTES_MAX;

/// Why copying ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyEnd {
    /// The server closed its output, or nobody reads it any more.
    Closed,
    /// rmcp would skip the line, and the call that it responds to would wait until its time-out.
    LineTooLong,
}

/// Copies `input` to `output` until one of them is closed or a line is too long.
pub(super) async fn copy_lines(
    mut input: impl AsyncBufRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> CopyEnd {
    let mut line_bytes = 0;
    loop {
        match copy_chunk(&mut input, &mut output, &mut line_bytes).await {
            Ok(0) | Err(_) => return CopyEnd::Closed,
            Ok(_) if line_bytes >= RESPONSE_BYTES_MAX => return CopyEnd::LineTooLong,
            Ok(_) => {}
        }
    }
}

/// Copies what there is, and counts the bytes of the line that has not ended.
async fn copy_chunk(
    input: &mut (impl AsyncBufRead + Unpin),
    output: &mut (impl AsyncWrite + Unpin),
    line_bytes: &mut usize,
) -> io::Result<usize> {
    let chunk = input.fill_buf().await?;
    let length = chunk.len();
    *line_bytes = match chunk.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => length - end - 1,
        None => *line_bytes + length,
    };
    output.write_all(chunk).await?;
    input.consume(length);
    Ok(length)
}
