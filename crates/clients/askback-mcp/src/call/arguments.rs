//! Tool calls whose parameters or arguments are not objects.

use serde_json::{Value, json};

/// Makes the parameters and the arguments of a tool call objects, if they are not, and says whether it
/// changed anything. A string that contains an object becomes that object. Other arguments are wrapped,
/// so that the tool can say what is wrong, and a call without a tool gets an empty name: without this,
/// rmcp takes the call for an unknown method.
pub(crate) fn repair_arguments(message: &mut Value) -> bool {
    if message["method"] != "tools/call" {
        return false;
    }
    let params = &mut message["params"];
    let mut is_changed = false;
    if !params.is_object() {
        *params = json!({});
        is_changed = true;
    }
    if !params["name"].is_string() {
        params["name"] = json!("");
        is_changed = true;
    }
    let name = params["name"].clone();
    let Some(arguments) = params.get_mut("arguments") else {
        return is_changed;
    };
    if arguments.is_object() || arguments.is_null() {
        return is_changed;
    }
    let text = arguments.as_str().map(str::trim);
    *arguments = match text.map(serde_json::from_str::<Value>) {
        Some(Ok(object @ Value::Object(_))) => object,
        _ if text == Some("") => json!({}),
        _ => json!({ "name": name, "arguments": arguments.take() }),
    };
    true
}
