//! Which day a typed text means, so that a surface can show it before the answer is sent.

use askback_wire::path;
use askback_wire::typed_date::{TypedDateParams, TypedDateResponse};
use axum::Json;
use serde_json::json;

use super::AppState;
use crate::extract::Body;
use crate::openapi::Route;
use crate::typed_answers::TypedAnswerParser;

pub(super) fn routes() -> Vec<Route> {
    vec![
        // Not a GET: the text is a part of an answer, and addresses are logged.
        Route::post(path::TYPED_DATE, "parse_typed_date", parse)
            .summary("Returns the day that a typed date means, or both days of a range.")
            .description("By the same rules as the `typed` date of an answer. Stores nothing.")
            .example(json!({"text": "next friday", "locale": "en", "today": "2027-03-27"}))
            .returns::<TypedDateResponse>(200, "The day, or why the text is not a date."),
    ]
}

async fn parse(state: AppState, Body(params): Body<TypedDateParams>) -> Json<TypedDateResponse> {
    let now = state.engine.clock().now();
    let parser = TypedAnswerParser::new(params.locale.as_deref(), params.today, now);
    Json(parser.date(&params.text))
}
