//! Which updates were handled: those that Telegram delivers again until they are confirmed.
//!
//! An update is confirmed by asking for those after it. Telegram confirms everything below the id that is asked for, and
//! ids start anywhere again for another bot and after a week without updates. So an id is only sent in the request right after
//! its update was received; every other request names none, and gets whatever is not confirmed yet.

use askback_wire::server_process::hex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// What is stored after each update.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// The id of the bot that received them, which is the number before the colon of its token.
    pub(super) bot: String,
    /// Hashes of the updates that were handled and may be delivered again.
    handled: Vec<String>,
    /// The id that confirms them. It is not stored: after a restart it could be one of another time.
    #[serde(skip)]
    pub(super) confirms: Option<i64>,
}

impl Position {
    /// The stored position.
    pub(super) fn read(stored: Option<&str>) -> Position {
        let read = stored.and_then(|stored| serde_json::from_str(stored).ok());
        read.unwrap_or_default()
    }

    /// The form that is stored.
    pub(super) fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// A response has arrived for this bot. What it does not have again is confirmed.
    pub(super) fn received(&mut self, bot: &str, updates: &[Value]) {
        if self.bot != bot {
            *self = Position {
                bot: bot.to_owned(),
                ..Position::default()
            };
        }
        let received: Vec<String> = updates.iter().map(hash).collect();
        self.handled.retain(|hash| received.contains(hash));
        let ids = updates.iter().filter_map(|it| it["update_id"].as_i64());
        self.confirms = ids.max().map(|id| id.saturating_add(1));
    }

    /// Whether the update was handled before it was confirmed.
    pub(super) fn is_handled(&self, update: &Value) -> bool {
        self.handled.contains(&hash(update))
    }

    pub(super) fn add(&mut self, update: &Value) {
        self.handled.push(hash(update));
    }
}

/// The id alone does not tell an update from one that had the same id long ago.
fn hash(update: &Value) -> String {
    hex(&Sha256::digest(update.to_string().as_bytes())[..16])
}

/// The id of the bot. It is no secret, unlike what follows the colon.
pub(super) fn bot_id(token: &str) -> &str {
    token.split_once(':').map_or("", |(id, _)| id)
}
