//! Replies in progress, which the processes of a shared store pass to each other. Nothing of it is stored,
//! and everything of it may be lost: the complete reply is committed at the end.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use askback_core::id::ConversationId;
use tokio::sync::mpsc;

use crate::rows::Sequence;

/// A piece of a reply that a model is writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteToken {
    /// The conversation that the reply belongs to.
    pub conversation: ConversationId,
    /// The newest record of the conversation when the model was asked.
    pub after: Sequence,
    /// Cleaned text.
    pub text: String,
}

/// The tokens of other processes. Those that do not fit are dropped. It ends with the store.
pub type RemoteTokens = mpsc::Receiver<RemoteToken>;

/// How long a process counts as listening after it said so.
pub const LISTENERS_TTL: Duration = Duration::from_secs(15);

const WORDS: usize = 16;
const GROUPS: u64 = 1024;
const HEX_DIGITS: usize = 16;

/// Which conversations somebody listens to. Conversations are put into 1,024 groups by their id, so that
/// the set has the same size for any number of them. It may contain others of the same group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListenerSet([u64; WORDS]);

impl ListenerSet {
    /// The set of all conversations.
    pub const ALL: ListenerSet = ListenerSet([u64::MAX; WORDS]);

    /// Adds a conversation.
    pub fn insert(&mut self, conversation: &ConversationId) {
        let (word, bit) = position(conversation);
        self.0[word] |= bit;
    }

    /// Whether the conversation, or another one of its group, is in the set.
    pub fn contains(&self, conversation: &ConversationId) -> bool {
        let (word, bit) = position(conversation);
        self.0[word] & bit != 0
    }

    /// Whether nobody listens to anything.
    pub fn is_empty(&self) -> bool {
        *self == ListenerSet::default()
    }
}

/// The word and the bit of the group of a conversation. All versions of askback have to agree on it, so it
/// does not use the hashers of the standard library. The hash is FNV-1a.
fn position(conversation: &ConversationId) -> (usize, u64) {
    let hash = conversation
        .as_str()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let group = (hash ^ (hash >> 32)) % GROUPS;
    let word = usize::try_from(group / 64).unwrap_or(0);
    (word, 1 << (group % 64))
}

impl fmt::Display for ListenerSet {
    /// 256 hexadecimal digits.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|word| write!(out, "{word:016x}"))
    }
}

impl FromStr for ListenerSet {
    type Err = std::num::ParseIntError;

    /// Ignores what a later version may add.
    fn from_str(text: &str) -> Result<ListenerSet, Self::Err> {
        let mut set = ListenerSet::default();
        for (index, word) in set.0.iter_mut().enumerate() {
            let digits = text.get(index * HEX_DIGITS..(index + 1) * HEX_DIGITS);
            *word = u64::from_str_radix(digits.unwrap_or_default(), 16)?;
        }
        Ok(set)
    }
}

#[cfg(test)]
#[path = "remote_tokens_tests.rs"]
mod tests;
