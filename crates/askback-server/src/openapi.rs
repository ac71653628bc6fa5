//! The API described for programs: a document of `OpenAPI` 3.1, made of the wire types and the table
//! of operations. The served one and the committed one are the same text.

mod operation;
mod operations;
mod refusals;

use std::sync::LazyLock;

use askback_wire::event::{
    ErrorEvent, InquiryEvent, MessageEvent, ResetEvent, StateChangeEvent, TokenEvent,
};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::ToSchema;
use utoipa::openapi::path::Paths;
use utoipa::openapi::schema::{Components, ComponentsBuilder};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, SecurityRequirement};

use operation::Schemas;

const ABOUT: &str = "Lets an LLM agent stop, ask its user structured questions, and go on with the \
                     answer. Readers must expect fields, words and events that they do not know.";

/// The names of the security schemes: a program has the token, a browser the cookie.
const BEARER: &str = "bearer";
const SESSION: &str = "session";

static TEXT: LazyLock<String> = LazyLock::new(|| {
    // The types hold nothing that JSON could not.
    let mut text = document().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
});

/// The `OpenAPI` document as it is served and committed.
pub fn openapi_json() -> &'static str {
    &TEXT
}

/// `GET /openapi.json`.
pub(crate) async fn serve() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

fn document() -> OpenApi {
    let mut paths = Paths::new();
    let mut schemas = events();
    for operation in operations::all() {
        let (path, method, operation) = operation.finish(&mut schemas);
        paths.add_path_operation(path, vec![method], operation);
    }
    let security = [BEARER, SESSION].map(|name| SecurityRequirement::new(name, [""; 0]));
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("askback")
                .description(Some(ABOUT))
                .version(env!("CARGO_PKG_VERSION"))
                .license(Some(
                    LicenseBuilder::new()
                        .name(env!("CARGO_PKG_LICENSE"))
                        .identifier(Some(env!("CARGO_PKG_LICENSE")))
                        .build(),
                ))
                .build(),
        )
        .paths(paths)
        .components(Some(components(schemas)))
        .security(Some(security))
        .build()
}

/// What the feeds carry: a stream has no schema of its own, so nothing else would name these.
fn events() -> Schemas {
    let mut schemas = Schemas::default();
    schemas.take::<StateChangeEvent>();
    schemas.take::<MessageEvent>();
    schemas.take::<InquiryEvent>();
    schemas.take::<TokenEvent>();
    schemas.take::<ResetEvent>();
    schemas.take::<ErrorEvent>();
    schemas
}

fn components(mut schemas: Schemas) -> Components {
    schemas.take::<askback_wire::problem::ProblemResponse>();
    let bearer = Http::new(HttpAuthScheme::Bearer);
    let session = ApiKeyValue::with_description(
        "askback_session_7777",
        "The session of a browser that opened the address which the server printed. The name ends \
         with the port that the browser calls; without a port it is `askback_session`.",
    );
    ComponentsBuilder::new()
        .schemas_from_iter(schemas.into_map())
        .responses_from_iter(refusals::shared())
        .security_scheme(BEARER, SecurityScheme::Http(bearer))
        .security_scheme(SESSION, SecurityScheme::ApiKey(ApiKey::Cookie(session)))
        .build()
}

/// The name under which a type stands in the document.
fn name_of<T: ToSchema>() -> String {
    T::name().into_owned()
}

#[cfg(test)]
#[path = "openapi_tests.rs"]
pub(crate) mod tests;
