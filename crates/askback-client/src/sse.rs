//! Reads server-sent events out of whatever pieces the network delivers.

use askback_wire::event::Frame;
use askback_wire::limits;

/// A frame that is larger than any that the server sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the feed sent a frame of more than {} bytes", limits::FRAME_BYTES_MAX)]
pub struct FrameTooLarge;

/// Takes bytes and gives frames, as the HTML standard says: lines end in CR, LF or both, a mark of
/// byte order at the beginning is passed over, several `data` lines are one text, what is not
/// known is passed over, and a frame without data is none.
#[derive(Debug, Default)]
pub struct Parser {
    line: Vec<u8>,
    /// The last byte was a CR, so a LF that follows belongs to it.
    after_cr: bool,
    /// The first line has been taken; a mark of byte order means nothing from here on.
    begun: bool,
    event: String,
    data: Vec<u8>,
    id: Option<String>,
    place: Option<String>,
    retry_ms: Option<u64>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Parser {
    /// A parser at the beginning of a feed.
    pub fn new() -> Parser {
        Parser::default()
    }

    /// How long the server asks to wait before a new connection, in milliseconds.
    pub fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// The id of a frame without data: where the feed begins.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// Takes a piece of the feed and gives the frames that it completes.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Frame>, FrameTooLarge> {
        let mut frames = Vec::new();
        for &byte in bytes {
            let ends_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if ends_cr => {}
                b'\n' | b'\r' => frames.extend(self.end_line()),
                _ => {
                    if self.line.len() + self.data.len() >= limits::FRAME_BYTES_MAX {
                        return Err(FrameTooLarge);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(frames)
    }

    fn end_line(&mut self) -> Option<Frame> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.begun, true) {
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

    /// A line with an empty name is a comment.
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

    fn dispatch(&mut self) -> Option<Frame> {
        let event = std::mem::take(&mut self.event);
        let mut data = std::mem::take(&mut self.data);
        let id = self.id.take();
        if data.is_empty() {
            self.place = id.or(self.place.take());
            return None;
        }
        data.pop();
        Some(Frame {
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
