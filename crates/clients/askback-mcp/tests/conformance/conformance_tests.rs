//! Goal: the fixtures of the conformance suite work over the HTTP endpoint, so that a run of the suite
//! tests the endpoint and not them.

use serde_json::{Value, json};

use crate::test_client::{Messages, Suite};

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn every_listed_fixture_is_there() {
    let suite = Suite::stateless();
    let tools = suite.ask("tools/list", json!({})).await.unwrap();
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 35, "{names:?}");
    let content = names.iter().filter(|name| {
        super::content_tools::tools()
            .iter()
            .any(|tool| tool.name == **name)
    });
    for name in content {
        if *name == "test_custom_header" {
            continue;
        }
        let result = suite.call(name, json!({})).await.unwrap();
        assert_eq!(result["isError"] == true, *name == "test_error_handling");
        assert!(!result["content"].as_array().unwrap().is_empty(), "{name}");
    }
    let prompts = suite.ask("prompts/list", json!({})).await.unwrap();
    for prompt in prompts["prompts"].as_array().unwrap() {
        let params = json!({"name": prompt["name"], "arguments": {"resourceUri": "test://x"}});
        let got = suite.ask("prompts/get", params).await.unwrap();
        let asks = got["resultType"] == "input_required";
        assert!(asks || got["messages"].is_array(), "{got}");
    }
    assert_eq!(prompts["resultType"], "complete");
    let resources = suite.ask("resources/list", json!({})).await.unwrap();
    for resource in resources["resources"].as_array().unwrap() {
        let read = suite.ask("resources/read", json!({"uri": resource["uri"]}));
        assert_eq!(read.await.unwrap()["contents"][0]["uri"], resource["uri"]);
    }
    let template = suite.ask("resources/read", json!({"uri": "test://template/7/data"}));
    let template = template.await.unwrap();
    assert!(template.to_string().contains("Data for ID: 7"));
    let missing = suite.ask("resources/read", json!({"uri": "test://missing"}));
    assert_eq!(missing.await.unwrap_err()["code"], -32602);
}

#[tokio::test]
async fn stateless_tool_asks_and_goes_on_with_the_answer() {
    let suite = Suite::stateless();
    let tool = "test_input_required_result_multi_round";
    let mut params = json!({"name": tool, "arguments": {}});
    for step in ["step1", "step2"] {
        let asked = suite.ask("tools/call", params.clone()).await.unwrap();
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        assert!(asked["inputRequests"][step].is_object(), "{asked}");
        params["requestState"] = asked["requestState"].clone();
        params["inputResponses"][step] = json!({"action": "accept", "content": {"name": "Ada"}});
    }
    let done = suite.ask("tools/call", params.clone()).await.unwrap();
    assert_eq!(done["resultType"], "complete", "{done}");
    params["requestState"] = json!("forged");
    let refused = suite.ask("tools/call", params).await.unwrap_err();
    assert_eq!(refused["code"], -32602, "{refused}");
}

#[tokio::test]
async fn task_asks_and_completes() {
    let suite = Suite::stateless();
    let created = suite
        .call("confirm_delete", json!({"filename": "a.txt"}))
        .await
        .unwrap();
    assert_eq!(created["resultType"], "task", "{created}");
    let id = json!({"taskId": created["taskId"]});
    let get = || suite.ask("tasks/get", id.clone());
    let mut task = get().await.unwrap();
    while task["status"] == "working" {
        task = get().await.unwrap();
    }
    assert_eq!(task["status"], "input_required", "{task}");
    let mut update = id.clone();
    update["inputResponses"]["confirm"] = json!({"action": "accept", "content": {"confirm": true}});
    suite.ask("tasks/update", update).await.unwrap();
    while task["status"] != "completed" {
        task = get().await.unwrap();
    }
    assert_eq!(text(&task["result"]), "confirmed: true");
}

/// In the `initialize` era a tool sends its requests while it runs.
#[tokio::test]
async fn tool_of_a_session_sends_requests_and_notifications() {
    let suite = Suite::with_session().await;
    for (tool, method, reply) in [
        (
            "test_elicitation_sep1330_enums",
            "elicitation/create",
            json!({"action": "accept", "content": {"untitledSingle": "option1"}}),
        ),
        (
            "test_sampling",
            "sampling/createMessage",
            json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "Yes"}}),
        ),
    ] {
        let params = json!({"name": tool, "arguments": {"prompt": "?"}});
        let mut messages = Messages::of(suite.request("tools/call", params).await);
        let asked = messages.next().await;
        assert_eq!(asked["method"], method, "{asked}");
        let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "result": reply});
        assert_eq!(suite.post(&reply, &[]).await.status(), 202);
        let result = messages.next().await;
        assert_ne!(text(&result["result"]), "", "{result}");
    }
    let params = json!({"name": "test_tool_with_progress", "_meta": {"progressToken": "p"}});
    let mut messages = Messages::of(suite.request("tools/call", params).await);
    for progress in [0.0, 50.0, 100.0] {
        assert_eq!(messages.next().await["params"]["progress"], progress);
    }
}
