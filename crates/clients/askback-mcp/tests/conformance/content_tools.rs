//! Tools that return fixed content.

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, ErrorData, Tool};
use serde_json::json;

use super::{arguments, from_json, tool, tool_without_arguments, unknown};

/// A PNG of one pixel.
pub(super) const IMAGE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// A WAV file without samples.
const AUDIO: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

pub(super) fn tools() -> Vec<Tool> {
    let mut tools: Vec<Tool> = [
        "test_simple_text",
        "test_image_content",
        "test_audio_content",
        "test_embedded_resource",
        "test_multiple_content_types",
        "test_error_handling",
        "test_reconnection",
    ]
    .into_iter()
    .map(|name| tool_without_arguments(name, "Returns fixed content."))
    .collect();
    tools.push(tool(
        "test_custom_header",
        "Returns an argument that is in a header, too.",
        &json!({
            "type": "object",
            "properties": {"value": {"type": "string", "x-mcp-header": "Value"}},
            "required": ["value"],
        }),
    ));
    tools.push(tool(
        "json_schema_2020_12_tool",
        "Has a schema with keywords that servers and clients must keep.",
        &json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "$anchor": "addressDef",
                    "type": "object",
                    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
                },
            },
            "properties": {
                "name": {"type": "string"},
                "address": {"$ref": "#/$defs/address"},
                "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": {"type": "string"},
                "email": {"type": "string"},
            },
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": false,
        }),
    ));
    tools
}

pub(super) fn call(request: &CallToolRequestParams) -> Result<CallToolResult, ErrorData> {
    let arguments = arguments(request);
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let resource = |uri: &str, mime_type: &str, text: &str| {
        json!({
            "type": "resource",
            "resource": {"uri": uri, "mimeType": mime_type, "text": text},
        })
    };
    let image = json!({"type": "image", "data": IMAGE, "mimeType": "image/png"});
    let content = match request.name.as_ref() {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => json!([image]),
        "test_audio_content" => json!([{"type": "audio", "data": AUDIO, "mimeType": "audio/wav"}]),
        "test_embedded_resource" => json!([resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )]),
        "test_multiple_content_types" => json!([
            {"type": "text", "text": "Multiple content types test:"},
            image,
            resource(
                "test://mixed-content-resource",
                "application/json",
                r#"{"test":"data","value":123}"#,
            ),
        ]),
        "test_error_handling" => {
            let content = text("This tool intentionally returns an error for testing");
            return from_json::<Vec<ContentBlock>>(content).map(CallToolResult::error);
        }
        "test_reconnection" => text("Reconnection test completed"),
        "test_custom_header" => match arguments["value"].as_str() {
            Some(value) => text(value),
            None => {
                return Err(ErrorData::invalid_params(
                    "The value is not a string.",
                    None,
                ));
            }
        },
        "json_schema_2020_12_tool" => text(&format!("The arguments are {arguments}")),
        name => return Err(unknown("tool", name)),
    };
    from_json::<Vec<ContentBlock>>(content).map(CallToolResult::success)
}
