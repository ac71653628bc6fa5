//! The web UI as the server has it: pages, the files they are made of, and their words.
//!
//! The pages draw themselves from the API, as every surface does. Nothing here decides anything.

mod compress;
mod entry;
mod files;
mod form;
mod headers;
mod html;
mod language;
mod shell;
mod strings;

use axum::Router;
use axum::middleware;
use axum::routing::get;

use crate::routes::Shared;

pub(crate) use entry::entry_page;
pub(crate) use headers::secured;

/// Whether an address is a page of the app: without the token it shows how to get in.
pub(crate) fn is_page(path: &str) -> bool {
    path == "/" || path == "/inbox" || path.starts_with("/c/")
}

/// Whether an address is the page of one question: it looks itself whether it may be seen.
pub(crate) fn is_question(path: &str) -> bool {
    path.starts_with("/q/")
}

/// Whether an address is a file that says nothing about anyone.
pub(crate) fn is_file(path: &str) -> bool {
    path.starts_with("/web/") || path.starts_with("/strings/")
}

/// The pages and their files.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/", get(shell::serve))
        .route("/inbox", get(shell::serve))
        .route("/c/{conversation}", get(shell::serve))
        .route("/q/{id}", get(form::show).post(form::take))
        .route("/web/{file}", get(files::serve))
        .route("/strings/{file}", get(strings::serve))
        .layer(middleware::map_response(
            async |response: axum::response::Response| secured(response),
        ))
}
