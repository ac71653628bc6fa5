//! The shell around the core: submit → commit → publish.
//!
//! [`Engine`] carries commands out: it loads a conversation, lets the core decide, commits the
//! decision in one transaction and publishes it afterwards. Work that follows is rows in the store
//! until it is done; a crash at any point loses nothing and doubles nothing.
//!
//! Deliberately absent: HTTP, SQL, LLM protocols. What the engine needs of the world stands in
//! [`ports`], and others provide it.

mod abridged_state;
mod clock;
mod close;
mod commit;
mod conversation_cache;
mod create;
mod decide;
mod engine;
mod event_log;
mod feed;
mod history_cache;
mod jobs;
mod listener;
mod loaded_conversation;
pub mod ports;
mod read;
mod request_key;
mod retention;
mod shutdown;
mod storage_format;
mod submit;
mod view;

pub use abridged_state::{OtherPending, StateChange};
pub use clock::{Clock, SystemClock};
pub use commit::{Extras, StoredResolution, driver_name};
pub use create::NewConversation;
pub use engine::{Engine, Parts};
pub use event_log::Earlier;
pub use feed::{Ended, Feed, RecordReceiver, Recorded, Token};
pub use listener::{ListenError, Listener};
pub use request_key::{RequestKeys, SentKey};
pub use storage_format::Record;
pub use submit::{SubmitError, Submitted};
pub use view::{ConversationView, InquiryView};

#[cfg(test)]
#[path = "world_tests.rs"]
mod world;
