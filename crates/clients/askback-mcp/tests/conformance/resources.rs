//! Resources.

use rmcp::model::{ErrorData, ReadResourceResult};
use serde_json::{Value, json};

use super::content_tools::IMAGE;
use super::result_from_json;

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const TEMPLATE: (&str, &str) = ("test://template/", "/data");

pub(super) fn list() -> Value {
    json!({"resources": [
        {"uri": TEXT, "name": "static-text", "description": "Text", "mimeType": "text/plain"},
        {"uri": BINARY, "name": "static-binary", "description": "An image", "mimeType": "image/png"},
    ]})
}

pub(super) fn templates() -> Value {
    let (start, end) = TEMPLATE;
    json!({"resourceTemplates": [{
        "uriTemplate": format!("{start}{{id}}{end}"),
        "name": "template",
        "description": "A resource for each id",
        "mimeType": "application/json",
    }]})
}

pub(super) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let (start, end) = TEMPLATE;
    let id = uri
        .strip_prefix(start)
        .and_then(|rest| rest.strip_suffix(end));
    let content = match (uri, id) {
        (TEXT, _) => json!({
            "uri": uri,
            "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
        }),
        (BINARY, _) => json!({"uri": uri, "mimeType": "image/png", "blob": IMAGE}),
        (_, Some(id)) => json!({
            "uri": uri,
            "mimeType": "application/json",
            "text": json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")}).to_string(),
        }),
        (_, None) => {
            let message = format!("There is no resource {uri:?}.");
            return Err(ErrorData::resource_not_found(
                message,
                Some(json!({"uri": uri})),
            ));
        }
    };
    result_from_json(json!({"contents": [content]}))
}
