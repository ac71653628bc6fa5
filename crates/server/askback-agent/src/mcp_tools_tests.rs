//! Tools of an MCP server over HTTP: they are listed and called, and a server that dies is an error
//! result, until it is back.

use askback_core::id::{CallId, ConversationId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_engine::ports::AskUser;
use serde_json::json;
use tokio::net::TcpListener;

use super::*;
use crate::fake_provider::http;

/// An MCP server with one tool, which repeats its input.
async fn serve(listener: TcpListener) {
    while let Ok((mut stream, _)) = listener.accept().await {
        tokio::spawn(async move {
            let Ok(Some(request)) = http::read(&mut stream).await else {
                return;
            };
            let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            let authorized = request.header("authorization") == Some("Bearer secret");
            let reply = |result| json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
            let response = match respond(&message) {
                _ if !authorized => http::Response::json(401, &Value::Null),
                Some(result) if message["params"]["arguments"]["stream"] == true => {
                    let event = format!("data: {}\n\n", reply(result));
                    http::Response::stream(vec![event], Duration::ZERO)
                }
                Some(result) => http::Response::json(200, &reply(result)),
                // A method of a newer protocol.
                None if message["id"].is_number() => http::Response::text(400, "unknown"),
                None => http::Response::text(202, ""),
            };
            drop(response.write(&mut stream).await);
        });
    }
}

/// The result of a request; `None` for a notification.
fn respond(message: &Value) -> Option<Value> {
    let arguments = &message["params"]["arguments"];
    match message["method"].as_str()? {
        "initialize" => Some(json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "test", "version": "1"},
        })),
        "tools/list" => Some(json!({"tools": [{
            "name": "repeat it",
            "description": "Repeats its input.",
            "inputSchema": {"type": "object"},
        }]})),
        "tools/call" if arguments["bytes"].is_u64() => {
            let bytes = usize::try_from(arguments["bytes"].as_u64()?).ok()?;
            Some(json!({"content": [], "structuredContent": "x".repeat(bytes)}))
        }
        "tools/call" => Some(json!({
            "content": [{"type": "text", "text": arguments["text"]}],
            "isError": arguments["fail"] == true,
        })),
        _ => None,
    }
}

fn call(name: &str, input: Value) -> ToolRun {
    ToolRun {
        conversation: ConversationId::new("cnv_1"),
        call: CallId::new("call_1"),
        name: name.to_owned(),
        input,
        resumed: None,
        user: Arc::new(Nobody),
    }
}

struct Nobody;

impl AskUser for Nobody {
    fn ask(&self, _: Inquiry) -> PortFuture<'_, Outcome> {
        Box::pin(std::future::ready(Outcome::Withdrawn))
    }
}

async fn finished(returned: PortFuture<'_, ToolReturn>) -> CallResult {
    match returned.await {
        ToolReturn::Finished(result) => result,
        ToolReturn::Asks { .. } => panic!("it asks"),
    }
}

fn at(url: String) -> BTreeMap<String, McpServerAddress> {
    let token = Some("secret".to_owned());
    BTreeMap::from([("my server".to_owned(), McpServerAddress::Url { url, token })])
}

#[tokio::test]
async fn tools_are_listed_and_called_and_a_dead_server_is_an_error_result() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let server = tokio::spawn(serve(listener));
    let tools = McpTools::start(at(url));
    tools.first_attempts().await;
    let listed = tools.definitions();
    let expected = ToolDefinition {
        name: "my_server__repeat_it".to_owned(),
        description: "Repeats its input.".to_owned(),
        input_schema: json!({"type": "object"}),
    };
    assert_eq!(listed, [expected]);

    let run = |input| finished(tools.run(call("my_server__repeat_it", input)));
    assert_eq!(run(json!({"text": "hello"})).await, CallResult::ok("hello"));
    assert_eq!(
        run(json!({"text": "no", "fail": true})).await,
        CallResult::error("no")
    );
    assert!(run(json!("text")).await.is_error);
    assert_eq!(
        finished(tools.run(call("my_server__other", json!({})))).await,
        CallResult::error(
            "There is no tool called \"my_server__other\". Available tools: my_server__repeat_it."
        )
    );

    let streamed = json!({"text": "hello", "stream": true});
    assert_eq!(run(streamed.clone()).await, CallResult::ok("hello"));

    // A response is not read without limit, and the connection stays.
    let bytes = http_client::RESPONSE_BYTES_MAX;
    let refused = run(json!({"bytes": bytes})).await;
    let reason = "more than 16777216 bytes";
    assert!(
        refused.is_error && refused.content.contains(reason),
        "{refused:?}"
    );
    let refused = run(json!({"bytes": bytes, "stream": true})).await;
    assert!(refused.is_error, "{refused:?}");
    assert_eq!(run(streamed).await, CallResult::ok("hello"));

    server.abort();
    drop(server.await);
    let failed = run(json!({"text": "hello"})).await;
    assert!(failed.is_error, "{failed:?}");
    assert!(failed.content.contains("my server"), "{failed:?}");
}

/// The names of two servers may differ in nothing that a model sees.
#[tokio::test]
async fn tool_of_two_servers_is_listed_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(serve(listener));
    let address = at(url).remove("my server").unwrap();
    let servers = ["my server", "my_server"].map(|name| (name.to_owned(), address.clone()));
    let tools = McpTools::start(BTreeMap::from(servers));
    tools.first_attempts().await;
    let listed: Vec<String> = tools.definitions().into_iter().map(|it| it.name).collect();
    assert_eq!(listed, ["my_server__repeat_it"]);
}

/// An MCP server as a shell script. Each call gets a line without an end.
#[cfg(unix)]
const ENDLESS_LINE: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  reply=
  case "$line" in
    *'"initialize"'*) reply='"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"test","version":"1"}}' ;;
    *'"tools/list"'*) reply='"result":{"tools":[{"name":"shout","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) while :; do printf '%065536d' 0; done ;;
    *) reply='"error":{"code":-32601,"message":"unknown"}' ;;
  esac
  if [ -n "$id" ]; then printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$reply"; fi
done
"#;

/// rmcp skips a line that is too long. The call would wait for its reply until the time-out.
#[cfg(unix)]
#[tokio::test]
async fn line_that_is_too_long_ends_the_call_at_once() {
    let address = McpServerAddress::Command {
        command: "sh".to_owned(),
        args: vec!["-c".to_owned(), ENDLESS_LINE.to_owned()],
        env: BTreeMap::new(),
    };
    let tools = McpTools::start(BTreeMap::from([("loud".to_owned(), address)]));
    tools.first_attempts().await;
    let refused = finished(tools.run(call("loud__shout", json!({})))).await;
    assert!(refused.is_error, "{refused:?}");
    assert!(
        refused.content.contains("more than 16777216 bytes"),
        "{refused:?}"
    );
}

/// A result that no model takes is not stored with the conversation.
#[test]
fn result_that_is_too_large_is_an_error() {
    let result = |bytes| {
        let result = json!({"content": [{"type": "text", "text": "x".repeat(bytes)}]});
        to_call_result(&serde_json::from_value(result).unwrap())
    };
    assert!(!result(RESULT_BYTES_MAX).is_error);
    let refused = result(RESULT_BYTES_MAX + 1);
    assert!(refused.is_error);
    assert_eq!(
        refused.content,
        "The tool ran, but its result has 1048577 bytes, and at most 1048576 are passed on. Ask for \
         less at a time."
    );
}

#[tokio::test]
async fn server_that_cannot_be_started_is_named_and_stops_nothing() {
    let address = McpServerAddress::Command {
        command: "/nowhere/mcp-server".to_owned(),
        args: Vec::new(),
        env: BTreeMap::new(),
    };
    let tools = McpTools::start(BTreeMap::from([("files".to_owned(), address)]));
    tools.first_attempts().await;
    assert_eq!(tools.definitions(), []);
    let result = finished(tools.run(call("files__read", json!({})))).await;
    assert_eq!(
        result,
        CallResult::error(
            "There is no tool called \"files__read\". Only the tools for asking the user are available."
        )
    );
}

#[test]
fn names_have_only_characters_that_providers_accept() {
    assert_eq!(naming::tool_name("files", "read_file"), "files__read_file");
    assert_eq!(naming::tool_name("my server", "a/b.c"), "my_server__a_b_c");
    assert_eq!(naming::tool_name("x", &"y".repeat(100)).len(), 64);
}
