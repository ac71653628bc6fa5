//! The shell around the core: submit → commit → publish.
//!
//! [`Engine`] carries commands out: it loads a conversation, lets the core decide, commits the
//! decision in one transaction and publishes it afterwards. Work that follows is rows in the store
//! until it is done; a crash at any point loses nothing and doubles nothing.
//!
//! Deliberately absent: HTTP, SQL, LLM protocols. What the engine needs of the world stands in
//! [`ports`], and others provide it.

mod active;
mod cache;
mod clock;
mod close;
mod commit;
mod create;
mod decide;
mod engine;
mod feed;
mod histories;
mod jobs;
mod log;
pub mod ports;
mod read;
mod replay;
mod request_key;
mod retention;
mod shutdown;
mod state_change;
mod stored;
mod submit;
mod view;

pub use clock::{Clock, SystemClock};
pub use commit::{Extras, StoredResolution, driver_name};
pub use create::NewConversation;
pub use engine::{Engine, Parts};
pub use feed::{Ended, Feed, RecordReceiver, Recorded, Token};
pub use log::Earlier;
pub use replay::{ListenError, Listener};
pub use request_key::{RequestKeys, SentKey};
pub use state_change::{OtherPending, StateChange};
pub use stored::Record;
pub use submit::{SubmitError, Submitted};
pub use view::{ConversationView, InquiryView};

#[cfg(test)]
#[path = "world_tests.rs"]
mod world;
