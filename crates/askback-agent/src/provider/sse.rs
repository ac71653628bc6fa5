//! Server-sent events, as far as providers use them: the data of each event, one after the other.

use std::collections::VecDeque;

/// Most bytes that a stream may bring in all.
const BYTES_MAX: usize = 32 << 20;

/// Takes bytes as they arrive and gives the data of whole events.
#[derive(Default)]
pub(super) struct Frames {
    line: Vec<u8>,
    data: Option<String>,
    ready: VecDeque<String>,
    bytes: usize,
    after_return: bool,
}

impl Frames {
    /// Takes the next bytes; false if the stream has become too long.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> bool {
        self.bytes = self.bytes.saturating_add(bytes.len());
        for &byte in bytes {
            // A line ends with CR, LF or both.
            match byte {
                b'\n' if self.after_return => {}
                b'\n' | b'\r' => self.end_line(),
                _ => self.line.push(byte),
            }
            self.after_return = byte == b'\r';
        }
        self.bytes <= BYTES_MAX
    }

    /// The data of the next whole event.
    pub(super) fn next(&mut self) -> Option<String> {
        self.ready.pop_front()
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        if line.is_empty() {
            self.ready.extend(self.data.take());
            return;
        }
        // The name of an event repeats the type in its data; comments keep the connection alive.
        let Some(value) = line.trim_start_matches('\u{FEFF}').strip_prefix("data:") else {
            return;
        };
        let value = value.strip_prefix(' ').unwrap_or(value);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
