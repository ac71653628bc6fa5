//! Arguments of a tool call that are not an object.

use serde_json::{Value, json};

/// Makes the arguments of a tool call an object, if they are not one, and says whether it changed
/// anything. A string that contains an object becomes that object. Anything else is wrapped, so that
/// the tool can say what is wrong: without this, rmcp takes the call for an unknown method.
pub(crate) fn repair_arguments(message: &mut Value) -> bool {
    if message["method"] != "tools/call" {
        return false;
    }
    let Some(params) = message.get_mut("params") else {
        return false;
    };
    let name = params["name"].clone();
    let Some(arguments) = params.get_mut("arguments") else {
        return false;
    };
    if arguments.is_object() || arguments.is_null() {
        return false;
    }
    let text = arguments.as_str().map(str::trim);
    *arguments = match text.map(serde_json::from_str::<Value>) {
        Some(Ok(object @ Value::Object(_))) => object,
        _ if text == Some("") => json!({}),
        _ => json!({ "name": name, "arguments": arguments.take() }),
    };
    true
}
