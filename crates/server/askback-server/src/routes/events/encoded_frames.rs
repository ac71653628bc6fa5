//! The frames of a record as they are sent. They are encoded once, and all feeds share the bytes.

use askback_wire::sse::SseFrame;
use axum::body::Bytes;

use super::frame_builder::PositionedFrame;

/// The frames of one record, in the order of their positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EncodedFrames {
    bytes: Bytes,
    /// The position of each frame, and where the frame ends.
    ends: Box<[(Option<u64>, usize)]>,
}

impl EncodedFrames {
    pub(super) fn new(frames: &[PositionedFrame]) -> EncodedFrames {
        let mut bytes = Vec::with_capacity(frames.iter().map(|built| size(&built.frame)).sum());
        let mut ends = Vec::with_capacity(frames.len());
        for built in frames {
            encode(&built.frame, &mut bytes);
            ends.push((built.sequence, bytes.len()));
        }
        EncodedFrames {
            bytes: bytes.into(),
            ends: ends.into(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The frames for a client that has everything up to a position. Possibly empty.
    pub(super) fn after(&self, position: u64) -> Bytes {
        let mut known = self.ends.iter();
        let known = known
            .rfind(|(sequence, _)| sequence.is_some_and(|sequence| sequence <= position))
            .map_or(0, |(_, end)| *end);
        self.bytes.slice(known..)
    }
}

/// Frames that are sent wherever the feed is.
pub(super) fn unpositioned(frames: &[SseFrame]) -> Bytes {
    let mut bytes = Vec::with_capacity(frames.iter().map(size).sum());
    for frame in frames {
        encode(frame, &mut bytes);
    }
    bytes.into()
}

/// At least the bytes of an encoded frame, field names included.
fn size(frame: &SseFrame) -> usize {
    let id = frame.id.as_ref().map_or(0, String::len);
    frame.event.len() + frame.data.len() + id + "event: \ndata: \nid: \n\n".len()
}

/// Writes a frame. Event names, ids and the JSON in `data` have no line breaks. Without data a client
/// sees no event, and only stores the id.
fn encode(frame: &SseFrame, bytes: &mut Vec<u8>) {
    let mut field = |name: &str, value: &str| {
        debug_assert!(!value.contains(['\n', '\r']), "one line: {value:?}");
        for part in [name, value, "\n"] {
            bytes.extend_from_slice(part.as_bytes());
        }
    };
    if !frame.data.is_empty() {
        field("event: ", &frame.event);
        field("data: ", &frame.data);
    }
    if let Some(id) = &frame.id {
        field("id: ", id);
    }
    bytes.push(b'\n');
}

#[cfg(test)]
#[path = "encoded_frames_tests.rs"]
mod tests;
