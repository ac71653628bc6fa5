//! Goal: what is not a message is refused with the code and, if it has one, the id that its client expects.

use rmcp::model::ErrorCode;
use serde_json::json;

use super::*;

#[test]
fn messages_pass() {
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": "a", "method": "unknown", "params": {"x": 1}}),
        json!({"jsonrpc": "2.0", "method": "notifications/unknown"}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}}),
    ] {
        assert!(check_message(&message).is_ok(), "{message}");
    }
}

#[test]
fn other_json_is_an_invalid_request_with_its_id() {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (message, id) in [
        (json!([list.clone(), list]), None),
        (json!([]), None),
        (json!("text"), None),
        (json!({}), None),
        (
            json!({"id": 7, "method": "tools/list"}),
            Some(RequestId::Number(7)),
        ),
        (
            json!({"jsonrpc": "1.0", "id": "a", "method": "tools/list"}),
            Some(RequestId::String("a".into())),
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}),
            None,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 7, "method": 7}),
            Some(RequestId::Number(7)),
        ),
    ] {
        let refused = check_message(&message).unwrap_err();
        assert_eq!(refused.error.code, ErrorCode::INVALID_REQUEST, "{message}");
        assert_eq!(refused.id, id, "{message}");
    }
}

/// What a client says about itself is kept with its session, so it is bounded.
#[test]
fn long_introductions_are_refused() {
    let initialize = |name: String| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": name, "version": "1"},
        }})
    };
    assert!(check_message(&initialize("a".repeat(1_000))).is_ok());
    let refused = check_message(&initialize("a".repeat(INITIALIZE_BYTES_MAX))).unwrap_err();
    assert_eq!(refused.id, Some(RequestId::Number(1)));
    assert!(
        refused.error.message.contains("clientInfo"),
        "{:?}",
        refused.error
    );
}
