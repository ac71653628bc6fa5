//! The HTTP server: routes, feeds, authentication, web pages, webhooks and the data directory, which belongs
//! to one server at a time. Only this crate uses axum.
//!
//! Deliberately absent: decisions. A handler parses a request, submits a command and returns the result.

mod access_rows;
mod agent_limits;
mod authenticate;
mod completed;
mod connections;
mod control;
mod credentials;
pub mod data_dir;
mod extract;
mod guard;
mod host_name;
mod link;
mod mcp;
mod objects_only;
mod observe;
mod openapi;
mod origin;
mod problem;
mod public_url;
mod random_secret;
mod recipient_names;
mod request_key;
#[cfg(feature = "otel")]
mod request_span;
mod route_scopes;
mod routes;
mod scope;
mod serve;
mod session;
mod sign_in_codes;
#[cfg(test)]
#[path = "store_tests.rs"]
mod test_store;
mod token;
pub mod trusted_file;
mod typed_answers;
mod unread_body;
mod until_ended;
mod web;
mod webhook;
mod write_timeout;

pub use agent_limits::AgentLimits;
pub use connections::CONNECTIONS_MAX;
pub use control::ServerControl;
pub use data_dir::{DataDir, DataDirError, create_directory};
pub use guard::{Guard, ProxyIdentity, Unaddressed};
pub use host_name::host_name;
pub use link::channel_link;
pub use mcp::{MCP_PATH, McpEndpoint};
pub use openapi::{DEFAULT_PORT, openapi_json};
pub use origin::{Origin, OriginError};
pub use public_url::{PublicUrl, PublicUrlError};
pub use recipient_names::RecipientNames;
pub use routes::{LocalAgents, STREAMS_MAX, ServerParts, router};
pub use serve::{ServeOptions, serve};
pub use token::{Token, TokenError};
pub use webhook::{
    HttpWebhooks, WebhookAllow, WebhookAllowError, WebhookPolicy, WebhookRefusal,
    WebhookSecretError, WebhookSecrets,
};
