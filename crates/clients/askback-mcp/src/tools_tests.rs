//! Goal: clients accept the tools' schemas and show the tools to the model.

use super::*;

#[test]
fn tools_have_object_schemas_and_are_always_loaded() {
    let tools = all(&Dialect::TOOLS);
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(
        names,
        [
            "ask_user_question",
            "AskUserQuestion",
            "question",
            "ask_user",
            "wait_for_answer",
            "list_questions",
            "withdraw_question"
        ]
    );
    for tool in &tools {
        let json = serde_json::to_value(tool).unwrap_or_default();
        assert_eq!(json["inputSchema"]["type"], "object", "{}", tool.name);
        assert_eq!(json["_meta"]["anthropic/alwaysLoad"], true, "{}", tool.name);
        assert_eq!(json["annotations"]["openWorldHint"], false, "{}", tool.name);
        assert!(
            json["description"]
                .as_str()
                .is_some_and(|text| text.len() > 40)
        );
    }
}

/// The model must not choose how long to wait: models choose one second.
#[test]
fn no_tool_takes_a_time_out() {
    let tools = serde_json::to_string(&all(&Dialect::TOOLS)).unwrap_or_default();
    assert!(!tools.to_lowercase().contains("timeout"));
}

#[test]
fn only_the_configured_ask_tools_are_listed() {
    let chosen = [Dialect::AskUser];
    assert_eq!(all(&chosen).len(), 4);
    assert_eq!(ask_tool(&chosen, "ask_user"), Some(Dialect::AskUser));
    assert_eq!(ask_tool(&chosen, "ask_user_question"), None);
}
