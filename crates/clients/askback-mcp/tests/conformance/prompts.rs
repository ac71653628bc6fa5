//! Prompts.

use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequiredResult,
};
use serde_json::{Value, json};

use super::content_tools::IMAGE;
use super::input_required::{elicitation, input_response};
use super::{from_json, result_from_json, unknown};

const NEEDS_INPUT: &str = "test_input_required_result_prompt";

pub(super) fn list() -> Value {
    json!({"prompts": [
        {"name": "test_simple_prompt", "description": "A prompt without arguments"},
        {
            "name": "test_prompt_with_arguments",
            "description": "A prompt with arguments",
            "arguments": [
                {"name": "arg1", "description": "The first argument", "required": true},
                {"name": "arg2", "description": "The second argument", "required": true},
            ],
        },
        {
            "name": "test_prompt_with_embedded_resource",
            "description": "A prompt with a resource",
            "arguments": [
                {"name": "resourceUri", "description": "The resource to embed", "required": true},
            ],
        },
        {"name": "test_prompt_with_image", "description": "A prompt with an image"},
        {"name": NEEDS_INPUT, "description": "A prompt that asks the user first"},
    ]})
}

pub(super) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let arguments = Value::Object(request.arguments.clone().unwrap_or_default());
    let argument = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
    let text = |text: String| json!({"role": "user", "content": {"type": "text", "text": text}});
    let messages = match request.name.as_str() {
        "test_simple_prompt" => json!([text("This is a simple prompt for testing.".to_owned())]),
        "test_prompt_with_arguments" => json!([text(format!(
            "Prompt with arguments: arg1='{}', arg2='{}'",
            argument("arg1"),
            argument("arg2")
        ))]),
        "test_prompt_with_embedded_resource" => json!([
            {"role": "user", "content": {"type": "resource", "resource": {
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            }}},
            text("Please process the embedded resource above.".to_owned()),
        ]),
        "test_prompt_with_image" => json!([
            {"role": "user", "content": {"type": "image", "data": IMAGE, "mimeType": "image/png"}},
            text("Please analyze the image above.".to_owned()),
        ]),
        NEEDS_INPUT => {
            let responses = request.input_responses.as_ref();
            let Some(response) = input_response(responses, "user_context") else {
                let ask = elicitation("Which context should the prompt use?", "context");
                let requests = from_json(json!({"user_context": ask}))?;
                return Ok(InputRequiredResult::from_input_requests(requests).into());
            };
            let context = response["content"]["context"].as_str().unwrap_or_default();
            json!([text(format!("The context is {context}."))])
        }
        name => return Err(unknown("prompt", name)),
    };
    result_from_json::<GetPromptResult>(json!({"messages": messages})).map(GetPromptResponse::from)
}
