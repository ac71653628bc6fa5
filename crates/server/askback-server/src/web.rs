//! The web UI: its pages, scripts, styles and translations.
//!
//! Pages get their data from the API like every other client. Nothing here decides anything.

mod app_page;
mod comments;
mod compress;
mod failure_page;
mod files;
mod form;
mod headers;
mod html;
mod language;
mod press;
mod sign_in_page;
mod strings;

use askback_channels::PressLinks;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use axum::middleware;
use axum::response::Response;
use axum::routing::get;

use crate::problem::Problem;
use crate::routes::AppState;

pub(crate) use failure_page::{failure, not_found_page};
pub(crate) use headers::{secured, with_frame_origins};
pub(crate) use sign_in_page::{page_to_open, sign_in_page, wrong_token_page};

/// The pages for people who are not administrators. A conversation with the built-in agent is not among them.
pub(crate) const PEOPLES_PAGES: &[&str] = &["/", "/inbox", "/answered", "/inbox/{id}"];

/// Whether a path is a page of the app. Callers without access get the sign-in page there.
pub(crate) fn is_app_page(path: &str) -> bool {
    ["/", "/new", "/inbox", "/answered"].contains(&path)
        || ["/inbox/", "/c/"]
            .iter()
            .any(|start| path.starts_with(start))
}

/// Whether a path is the page of one question or of one button. Its handler checks access itself, because of links.
pub(crate) fn is_question_page(path: &str) -> bool {
    path.starts_with("/q/") || path.starts_with("/press/")
}

/// Whether a path is a public file: a script, a style, a translation, or what makes the pages an app.
pub(crate) fn is_public_file(path: &str) -> bool {
    let is_app_file = path == files::WORKER_PATH || path == files::MANIFEST_PATH;
    is_app_file || path.starts_with("/web/") || path.starts_with("/strings/")
}

/// The response to a request that failed before its handler ran.
pub(crate) async fn failed_request(request: Request, problem: Problem) -> Response {
    let is_form = request.method() == Method::POST && request.uri().path().starts_with("/q/");
    if is_form {
        form::failure_before(request, problem).await
    } else {
        failure(request.uri(), request.headers(), problem)
    }
}

/// Whether a caller wants a page: a browser that opens an address or sends a form.
pub(crate) fn wants_page(headers: &HeaderMap) -> bool {
    let mut kinds = headers.get_all(header::ACCEPT).iter();
    kinds.any(|kinds| {
        kinds
            .to_str()
            .is_ok_and(|kinds| kinds.contains("text/html"))
    })
}

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/", get(app_page::first_screen))
        .route("/new", get(app_page::serve))
        .route("/inbox", get(app_page::serve))
        .route("/answered", get(app_page::serve))
        .route("/inbox/{id}", get(app_page::open_in_inbox))
        .route("/c/{conversation}", get(app_page::serve))
        .route("/q/{id}", get(form::show).post(form::submit))
        .route(PressLinks::PATH, get(press::show).post(press::submit))
        .route(files::WORKER_PATH, get(files::serve_worker))
        .route(files::MANIFEST_PATH, get(files::serve_manifest))
        .route("/web/{*file}", get(files::serve))
        .route("/strings/{file}", get(strings::serve))
        .layer(middleware::map_response(async |response: Response| {
            secured(response)
        }))
}
