//! Problems in the document: one response for each status, which lists its codes.

use std::collections::BTreeMap;

use askback_wire::problem::{PROBLEM_MEDIA_TYPE, ProblemCode, ProblemResponse};
use axum::http::header;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder};

use super::schema_name;

/// Responses that many operations refer to, by name.
const SHARED: &[(&str, &[ProblemCode])] = &[
    ("InvalidJson", &[ProblemCode::InvalidJson]),
    ("InvalidQuery", &[ProblemCode::InvalidQuery]),
    ("Unauthorized", &[ProblemCode::Unauthorized]),
    (
        "Forbidden",
        &[ProblemCode::ForbiddenHost, ProblemCode::ForbiddenOrigin],
    ),
    ("NotFound", &[ProblemCode::NotFound]),
    ("MethodNotAllowed", &[ProblemCode::MethodNotAllowed]),
    ("RequestTimeout", &[ProblemCode::RequestTimeout]),
    ("TooLarge", &[ProblemCode::TooLarge]),
    ("UnsupportedMediaType", &[ProblemCode::UnsupportedMediaType]),
    ("Internal", &[ProblemCode::Internal]),
    ("StoreUnavailable", &[ProblemCode::StoreUnavailable]),
    (
        "NotWritten",
        &[
            ProblemCode::Conflict,
            ProblemCode::StoreUnavailable,
            ProblemCode::CommitUnknown,
            ProblemCode::Closing,
        ],
    ),
];

/// For the components of the document.
pub(super) fn shared() -> impl Iterator<Item = (&'static str, Response)> {
    SHARED.iter().map(|(name, codes)| (*name, response(codes)))
}

/// The problem responses of one operation.
pub(super) fn by_status(codes: &[ProblemCode]) -> BTreeMap<u16, RefOr<Response>> {
    let mut groups = BTreeMap::<u16, Vec<ProblemCode>>::new();
    for code in ProblemCode::ALL.iter().filter(|code| codes.contains(code)) {
        groups.entry(code.status()).or_default().push(*code);
    }
    let group = |(status, codes): (u16, Vec<ProblemCode>)| {
        let known = SHARED.iter().find(|(_, shared)| **shared == codes);
        let response = match known {
            Some((name, _)) => RefOr::Ref(Ref::from_response_name(*name)),
            None => RefOr::T(response(&codes)),
        };
        (status, response)
    };
    groups.into_iter().map(group).collect()
}

fn response(codes: &[ProblemCode]) -> Response {
    let lines = codes
        .iter()
        .map(|code| format!("`{}`: {}.", code.as_str(), code.title()));
    let schema = Ref::from_schema_name(schema_name::<ProblemResponse>());
    let response = ResponseBuilder::new()
        .description(lines.collect::<Vec<_>>().join("\n"))
        .content(PROBLEM_MEDIA_TYPE, Content::new(Some(schema)));
    let text = |what: &str| {
        HeaderBuilder::new()
            .schema(Some(Object::with_type(Type::String)))
            .description(Some(what))
            .build()
    };
    let response = match codes.first().map(|code| code.status()) {
        Some(401) => response.header(header::WWW_AUTHENTICATE.as_str(), text("Always `Bearer`.")),
        Some(503) => response.header(
            header::RETRY_AFTER.as_str(),
            text("Seconds to wait before the next attempt."),
        ),
        _ => response,
    };
    response.build()
}
