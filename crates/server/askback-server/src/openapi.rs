//! The `OpenAPI` 3.1 document, made from the wire types and the same [`Route`]s as the router. What is
//! served and what is committed as `schemas/openapi.json` are the same text.

mod handler_inputs;
mod named_variants;
mod problem_responses;
mod route;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use askback_wire::webhook::WebhookBody;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{Components, ComponentsBuilder};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ContactBuilder, ContentBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, Required,
    ResponseBuilder, SecurityRequirement, Server,
};

use crate::routes;

pub(crate) use route::Route;
use route::Schemas;

const ABOUT: &str = "Lets an LLM agent stop, ask its user structured questions, and continue with the \
                     answer. Clients must ignore fields, values and events that they do not know.";

/// The port of a server that is not told another one.
pub const DEFAULT_PORT: u16 = 7777;

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
    let mut schemas = Schemas::default();
    let webhooks = webhooks(&mut schemas);
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
                .contact(Some(
                    ContactBuilder::new()
                        .name(Some("askback"))
                        .url(Some(env!("CARGO_PKG_REPOSITORY")))
                        .build(),
                ))
                .license(Some(
                    LicenseBuilder::new()
                        .name(env!("CARGO_PKG_LICENSE"))
                        .identifier(Some(env!("CARGO_PKG_LICENSE")))
                        .build(),
                ))
                .build(),
        )
        .servers(Some([Server::new(format!(
            "http://127.0.0.1:{DEFAULT_PORT}"
        ))]))
        .tags(Some(TAGS.map(|tag| {
            TagBuilder::new()
                .name(tag.name)
                .description(Some(tag.about))
                .build()
        })))
        .components(Some(components(schemas, &(&paths, &webhooks))))
        .paths(paths)
        .webhooks(Some(webhooks))
        .security(Some(security))
        .build()
}

/// A group of operations.
struct Tag {
    name: &'static str,
    about: &'static str,
    /// The first segments of its paths.
    segments: &'static [&'static str],
}

const INQUIRIES: Tag = Tag {
    name: "Inquiries",
    about: "Asking, waiting and answering.",
    segments: &["inquiries", "typed-date", "asker-sessions"],
};
const CONVERSATIONS: Tag = Tag {
    name: "Conversations",
    about: "The built-in agent, and the conversations of other agents.",
    segments: &["conversations", "apps", "dialects", "ag-ui"],
};
const EVENTS: Tag = Tag {
    name: "Events",
    about: "What happens, as a stream and as a log.",
    segments: &["events", "audit", "presence"],
};
const CHANNELS: Tag = Tag {
    name: "Channels",
    about: "Whom questions reach, and where.",
    segments: &["channels", "recipients", "push"],
};
/// It has all paths that belong to no other.
const SERVER: Tag = Tag {
    name: "Server",
    about: "The server itself, and who is signed in.",
    segments: &[],
};
const TAGS: [Tag; 5] = [INQUIRIES, CONVERSATIONS, EVENTS, CHANNELS, SERVER];

/// The name of the group to which a path belongs.
fn tag(path: &str) -> &'static str {
    let first = path.split('/').nth(1).unwrap_or_default();
    let mut tags = TAGS.into_iter();
    let tag = tags.find(|tag| tag.segments.contains(&first));
    tag.unwrap_or(SERVER).name
}

/// What the server calls at the `webhook` of an inquiry.
fn webhooks(schemas: &mut Schemas) -> Paths {
    let body = ContentBuilder::new().schema(Some(schemas.add::<WebhookBody>()));
    let about = "The inquiry has its outcome, or its deadline is near.";
    let operation = OperationBuilder::new()
        .operation_id(Some("receive_inquiry"))
        .tag(INQUIRIES.name)
        .summary(Some(about))
        .description(Some(
            "Sent to the `webhook` of the inquiry, signed, until it is answered with a status from 200 to 299.",
        ))
        .request_body(Some(
            RequestBodyBuilder::new()
                .content("application/json", body.build())
                .required(Some(Required::True))
                .build(),
        ))
        .response("200", ResponseBuilder::new().description("Received."));
    let mut webhooks = Paths::new();
    webhooks.add_path_operation("inquiry", vec![HttpMethod::Post], operation.build());
    webhooks
}

/// The schemas to which `operations` lead, and what else these refer to.
fn components(mut schemas: Schemas, operations: &impl Serialize) -> Components {
    schemas.add::<askback_wire::problem::ProblemResponse>();
    let responses: BTreeMap<_, _> = problem_responses::shared().collect();
    let bearer = Http::new(HttpAuthScheme::Bearer);
    let session = ApiKeyValue::with_description(
        format!("askback_session_{DEFAULT_PORT}").as_str(),
        "The session of a browser that opened the URL which the server printed. The cookie name ends \
         with the port in the URL; without a port it is `askback_session`.",
    );
    let mut schemas = schemas.into_map();
    named_variants::name_variants(&mut schemas);
    named_variants::retain_referred(&mut schemas, &(operations, &responses));
    ComponentsBuilder::new()
        .schemas_from_iter(schemas)
        .responses_from_iter(responses)
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
