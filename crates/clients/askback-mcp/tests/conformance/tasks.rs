//! Tools of the tasks extension: they run on after the call has returned, and the client polls them.
//! The tasks are in memory.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
    CreateTaskResult, ErrorData, InputRequiredResult, Tool,
};
use rmcp::service::RequestContext;
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use serde_json::{Value, json};

use super::input_required::{elicitation, elicitation_form, input_response};
use super::{arguments, from_json, tool, tool_without_arguments, unknown};

/// Long enough for the suite to see a task that is not finished.
const WORK: Duration = Duration::from_secs(1);

pub(super) fn tools() -> Vec<Tool> {
    let mut tools: Vec<Tool> = [
        "failing_job",
        "protocol_error_job",
        "multi_input",
        "test_tool_with_task",
    ]
    .into_iter()
    .map(|name| tool_without_arguments(name, "Runs as a task."))
    .collect();
    let arguments = [
        ("greet", json!({"name": {"type": "string"}})),
        (
            "slow_compute",
            json!({"seconds": {"type": "number"}, "label": {"type": "string"}}),
        ),
        ("confirm_delete", json!({"filename": {"type": "string"}})),
    ];
    for (name, properties) in arguments {
        let schema = json!({"type": "object", "properties": properties});
        tools.push(tool(name, "Runs as a task.", &schema));
    }
    tools
}

/// Without the extension, tools that only work as tasks are refused, and the others run in the call.
pub(super) async fn call(
    tasks: &TaskManager,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let declared = context.client_capabilities().unwrap_or_default();
    let arguments = arguments(request);
    let name = request.name.as_ref();
    if name == "greet" {
        let who = arguments["name"].as_str().unwrap_or_default();
        return Ok(text(&format!("Hello, {who}!")).into());
    }
    if declared.supports_tasks() {
        if name == "test_tool_with_task" {
            return asks_then_runs(tasks, request);
        }
        let name = name.to_owned();
        return Ok(start(tasks, move |task| run(name, arguments, task)));
    }
    match name {
        "slow_compute" => Ok(compute(&arguments).await.into()),
        "protocol_error_job" => Err(protocol_error()),
        _ => Err(ErrorData::missing_required_client_capability(
            ClientCapabilities::builder().enable_tasks().build(),
        )),
    }
}

fn start<F>(tasks: &TaskManager, work: impl FnOnce(TaskContext) -> F) -> CallToolResponse
where
    F: Future<Output = Result<CallToolResult, TaskExit>> + Send + 'static,
{
    let task = tasks.spawn(TaskOptions::default(), |context| Box::pin(work(context)));
    CreateTaskResult::new(task).into()
}

async fn run(
    name: String,
    arguments: Value,
    task: TaskContext,
) -> Result<CallToolResult, TaskExit> {
    match name.as_str() {
        "slow_compute" => tokio::select! {
            () = task.cancelled() => Err(TaskExit::Cancelled),
            computed = compute(&arguments) => Ok(computed),
        },
        "failing_job" => {
            tokio::time::sleep(WORK).await;
            let reason = "This job intentionally fails.";
            Ok(CallToolResult::error(vec![ContentBlock::text(reason)]))
        }
        "protocol_error_job" => Err(TaskExit::Error(protocol_error())),
        "confirm_delete" => {
            let file = arguments["filename"].as_str().unwrap_or_default();
            let confirm = json!({"confirm": {"type": "boolean"}});
            let form = elicitation_form(&format!("Delete {file}?"), &confirm, "confirm");
            let reply = task.request_input("confirm", from_json(form)?).await?;
            let confirmed = reply["content"]["confirm"] == true;
            Ok(text(&format!("confirmed: {confirmed}")))
        }
        "multi_input" => {
            let first = from_json(elicitation("The first value?", "value"))?;
            let second = from_json(elicitation("The second value?", "value"))?;
            let (first, second) = tokio::join!(
                task.request_input("first", first),
                task.request_input("second", second)
            );
            let values = json!([first?["content"]["value"], second?["content"]["value"]]);
            Ok(text(&values.to_string()))
        }
        name => Err(TaskExit::Error(unknown("tool", name))),
    }
}

/// Asks within the call, and goes on as a task.
fn asks_then_runs(
    tasks: &TaskManager,
    request: &CallToolRequestParams,
) -> Result<CallToolResponse, ErrorData> {
    let Some(user) = input_response(request.input_responses.as_ref(), "user_name") else {
        let ask = elicitation("What is your name?", "name");
        let requests = from_json(json!({"user_name": ask}))?;
        return Ok(InputRequiredResult::from_input_requests(requests).into());
    };
    let name = user["content"]["name"].as_str().unwrap_or_default();
    let greeting = format!("Hello, {name}!");
    Ok(start(tasks, |_| async move { Ok(text(&greeting)) }))
}

async fn compute(arguments: &Value) -> CallToolResult {
    let seconds = arguments["seconds"].as_f64().unwrap_or(1.0);
    let duration = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    tokio::time::sleep(duration).await;
    text(&format!("{} took {seconds} s", arguments["label"]))
}

fn protocol_error() -> ErrorData {
    ErrorData::internal_error("This job intentionally breaks.", None)
}

fn text(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}
