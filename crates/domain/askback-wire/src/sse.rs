//! Parses server-sent events: the feed of an askback server, and the streams of LLM providers.
//!
//! The parser does no IO. It takes bytes in chunks of any size and bounds what it buffers.

use crate::limits;

/// One server-sent event as it is on the wire: the values of `event:`, `id:` and `data:`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SseFrame {
    /// `message` if the stream names no other.
    pub event: String,
    /// In the feed: the sequence number after which a client may resume.
    pub id: Option<String>,
    /// In the feed: one line of JSON.
    pub data: String,
}

/// The stream exceeds a limit of its [`SseParser`]. It cannot be parsed further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the event stream exceeds its size limit")]
pub struct SseLimitExceeded;

/// An incremental parser that follows the HTML standard: lines end in CR, LF or CRLF, a leading byte
/// order mark is skipped, several `data` lines are joined, unknown fields and comments are ignored,
/// and an event without data is dropped. Invalid UTF-8 becomes U+FFFD.
#[derive(Debug, Default)]
pub struct SseParser {
    /// Bytes that the stream may still send, if it is limited.
    bytes_left: Option<usize>,
    line: Vec<u8>,
    /// The last byte was a CR, so a LF that follows belongs to it.
    after_cr: bool,
    /// The first line has been read. A byte order mark is data from here on.
    past_first_line: bool,
    event: String,
    data: Vec<u8>,
    id: Option<String>,
    id_without_data: Option<String>,
    retry_ms: Option<u64>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl SseParser {
    /// For a stream that may last forever. Single frames are limited to
    /// [`FRAME_BYTES_MAX`](limits::FRAME_BYTES_MAX).
    pub fn new() -> SseParser {
        SseParser::default()
    }

    /// For a stream that must end: it may send at most this many bytes in all.
    pub fn with_max_bytes(bytes: usize) -> SseParser {
        SseParser {
            bytes_left: Some(bytes),
            ..SseParser::default()
        }
    }

    /// The last valid `retry:` value: how long to wait before reconnecting, in milliseconds.
    pub fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// The `id:` of the last frame that had no data. A server sends one to say where its feed starts.
    pub fn id_without_data(&self) -> Option<&str> {
        self.id_without_data.as_deref()
    }

    /// Parses the next chunk and returns the frames that it completes.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseFrame>, SseLimitExceeded> {
        if let Some(left) = &mut self.bytes_left {
            *left = left.checked_sub(bytes.len()).ok_or(SseLimitExceeded)?;
        }
        let mut frames = Vec::new();
        for &byte in bytes {
            let ends_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if ends_cr => {}
                b'\n' | b'\r' => frames.extend(self.end_line()),
                _ => {
                    if self.line.len() + self.data.len() >= limits::FRAME_BYTES_MAX {
                        return Err(SseLimitExceeded);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(frames)
    }

    fn end_line(&mut self) -> Option<SseFrame> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.past_first_line, true) {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        self.field(name, value);
        None
    }

    /// Comments have an empty name.
    fn field(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"event" => self.event = String::from_utf8_lossy(value).into_owned(),
            b"data" => {
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"id" if !value.contains(&0) => {
                self.id = Some(String::from_utf8_lossy(value).into_owned());
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let digits = String::from_utf8_lossy(value);
                self.retry_ms = digits.parse().ok().or(self.retry_ms);
            }
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<SseFrame> {
        let event = std::mem::take(&mut self.event);
        let mut data = std::mem::take(&mut self.data);
        let id = self.id.take();
        if data.is_empty() {
            self.id_without_data = id.or(self.id_without_data.take());
            return None;
        }
        data.pop();
        Some(SseFrame {
            event: if event.is_empty() {
                "message".to_owned()
            } else {
                event
            },
            id,
            data: String::from_utf8_lossy(&data).into_owned(),
        })
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
