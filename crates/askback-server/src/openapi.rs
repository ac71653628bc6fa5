//! The `OpenAPI` 3.1 document, made from the wire types and the same [`Route`]s as the router. What is
//! served and what is committed as `schemas/openapi.json` are the same text.

mod handler_inputs;
mod problem_responses;
mod route;

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

use crate::routes;

pub(crate) use route::Route;
use route::Schemas;

const ABOUT: &str = "Lets an LLM agent stop, ask its user structured questions, and continue with the \
                     answer. Clients must ignore fields, values and events that they do not know.";

/// The names of the security schemes: programs send the token, browsers a cookie.
const BEARER: &str = "bearer";
const SESSION: &str = "session";

static TEXT: LazyLock<String> = LazyLock::new(|| {
    // Serialising these types cannot fail.
    let mut text = document().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
});

/// The document as it is served and committed.
pub fn openapi_json() -> &'static str {
    &TEXT
}

/// `GET /openapi.json`.
pub(crate) async fn serve() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

fn document() -> OpenApi {
    let mut paths = Paths::new();
    let mut schemas = event_schemas();
    for route in routes::all() {
        let path = route.path;
        let (method, operation) = route.into_operation(&mut schemas);
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

/// The schemas of the events in feeds. No route refers to them, because a stream has no schema.
fn event_schemas() -> Schemas {
    let mut schemas = Schemas::default();
    schemas.add::<StateChangeEvent>();
    schemas.add::<MessageEvent>();
    schemas.add::<InquiryEvent>();
    schemas.add::<TokenEvent>();
    schemas.add::<ResetEvent>();
    schemas.add::<ErrorEvent>();
    schemas
}

fn components(mut schemas: Schemas) -> Components {
    schemas.add::<askback_wire::problem::ProblemResponse>();
    let bearer = Http::new(HttpAuthScheme::Bearer);
    let session = ApiKeyValue::with_description(
        "askback_session_7777",
        "The session of a browser that opened the URL which the server printed. The cookie name ends \
         with the port in the URL; without a port it is `askback_session`.",
    );
    ComponentsBuilder::new()
        .schemas_from_iter(schemas.into_map())
        .responses_from_iter(problem_responses::shared())
        .security_scheme(BEARER, SecurityScheme::Http(bearer))
        .security_scheme(SESSION, SecurityScheme::ApiKey(ApiKey::Cookie(session)))
        .build()
}

/// The name of a type in the document.
fn schema_name<T: ToSchema>() -> String {
    T::name().into_owned()
}

#[cfg(test)]
#[path = "openapi_tests.rs"]
pub(crate) mod tests;
