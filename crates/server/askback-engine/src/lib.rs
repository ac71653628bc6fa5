//! Runs the core: submit → commit → publish.
//!
//! [`Engine`] executes commands. It loads a conversation, lets the core decide, commits the decision
//! in one transaction and publishes it afterwards. Follow-up work is stored as jobs until it is done,
//! so a crash at any point loses nothing and repeats nothing.
//!
//! Deliberately absent: HTTP, SQL, LLM protocols. The traits in [`ports`] stand for everything
//! outside; other crates implement them.

mod clock;
mod commit;
mod conversation_cache;
mod conversations;
mod create;
mod delete;
mod engine;
mod feed;
mod history_cache;
mod jobs;
mod listener;
mod loaded_conversation;
mod metrics;
mod notice;
mod outcome_log;
mod outcome_waiters;
mod pending_bytes;
pub mod ports;
mod read;
mod record;
mod record_log;
mod remote;
mod request_key;
mod retention;
mod run_to_end;
mod shutdown;
mod slow_decisions;
mod submit;
mod token_channels;
mod view;

pub use askback_stored::InquiryResolution;
pub use clock::{Clock, SharedClock, SystemClock};
pub use commit::{CommitOptions, SeenInquiry};
pub use create::ConversationStart;
pub use engine::{Engine, EngineParts};
pub use feed::{Feed, FeedLimits, RecordReceiver, StreamedToken};
pub use jobs::{QueuedWebhook, WebhookQueue};
pub use listener::{FeedListener, ListenError};
pub use metrics::{LabelledCounter, LabelledGauge, Metrics};
pub use notice::{Notice, NoticeChange, NoticeFeed};
pub use outcome_log::OutcomePage;
pub use record::Record;
pub use record_log::{RecordLog, RecordPage};
pub use request_key::{RequestKeys, SentKey};
pub use retention::start_retention;
pub use submit::{SubmitError, Submitted};
pub use view::{ConversationView, InquiryView};

#[cfg(test)]
mod database_versions_tests;
#[cfg(test)]
#[path = "fixtures_tests.rs"]
mod fixtures;
