//! Goal: every line gets a reply, and a call with misplaced JSON arguments is repaired.

use serde_json::json;

use super::*;

fn call(arguments: &Value) -> String {
    let params = json!({ "name": "wait_for_answer", "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

fn arguments(line: &str) -> Value {
    let checked = check_line(line.as_bytes()).unwrap();
    let message: Value = serde_json::from_slice(&checked).unwrap();
    message["params"]["arguments"].clone()
}

#[test]
fn unreadable_lines_are_parse_errors() {
    let nested = format!("{}1{}", "[".repeat(126), "]".repeat(126));
    let lines = [
        "no JSON".to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list""#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\ud800"}}"#
            .to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1e400, "method": "tools/list"}"#.to_owned(),
        call(&json!({"deep": "-"})).replace("\"-\"", &nested),
    ];
    for line in lines {
        let error = check_line(line.as_bytes()).unwrap_err();
        assert_eq!(
            error.error.code,
            rmcp::model::ErrorCode::PARSE_ERROR,
            "{line}"
        );
    }
    let invalid_utf8 = b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\xFF\"}\n";
    assert!(check_line(invalid_utf8).is_err());
}

#[test]
fn other_lines_are_left_alone() {
    let lines = [
        "\n".to_owned(),
        call(&json!({"question_id": "inq_1"})),
        call(&Value::Null),
        r#"{"jsonrpc": "2.0", "method": "notifications/unknown"}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1, "method": "unknown", "params": {"arguments": "x"}}"#
            .to_owned(),
        "\u{FEFF}{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}".to_owned(),
    ];
    for line in lines {
        assert_eq!(check_line(line.as_bytes()).unwrap(), line.as_bytes());
    }
}

#[test]
fn arguments_become_an_object() {
    let object = json!({"question_id": "inq_1"});
    assert_eq!(arguments(&call(&json!(object.to_string()))), object);
    assert_eq!(arguments(&call(&json!(" "))), json!({}));
    for other in [json!("not JSON"), json!([1]), json!(7)] {
        assert_eq!(
            arguments(&call(&other)),
            json!({"name": "wait_for_answer", "arguments": other})
        );
    }
}

#[tokio::test]
async fn lines_after_an_invalid_one_are_copied() {
    let valid = call(&json!({}));
    let input = format!("no JSON\n{valid}\n\u{0}\n{valid}");
    let mut output = Vec::new();
    let (errors, mut received) = mpsc::channel(10);
    copy_valid_lines(input.as_bytes(), &mut output, errors)
        .await
        .unwrap();
    assert_eq!(output, format!("{valid}\n{valid}").into_bytes());
    assert!(received.recv().await.is_some() && received.recv().await.is_some());
    assert!(received.recv().await.is_none());
}

#[tokio::test]
async fn long_line_is_skipped_and_answered() {
    let valid = call(&json!({}));
    let long = "x".repeat(usize::try_from(LINE_BYTES_MAX).unwrap() + 5);
    let input = format!("{long}\n{valid}\n");
    let mut output = Vec::new();
    let (errors, mut received) = mpsc::channel(10);
    copy_valid_lines(input.as_bytes(), &mut output, errors)
        .await
        .unwrap();
    assert_eq!(output, format!("{valid}\n").into_bytes());
    assert_eq!(
        received.recv().await.unwrap().error.message,
        "The message is too long."
    );
}

/// Without the id, the client would wait until its time-out.
#[test]
fn invalid_request_is_refused_with_its_id() {
    let refused = check_line(br#"{"id": 7, "method": "tools/list"}"#).unwrap_err();
    assert_eq!(refused.error.code, rmcp::model::ErrorCode::INVALID_REQUEST);
    assert_eq!(refused.id, Some(rmcp::model::RequestId::Number(7)));
    let checked = check_line(br#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}"#).unwrap();
    let message: Value = serde_json::from_slice(&checked).unwrap();
    assert_eq!(message["params"], json!({"name": ""}));
}
