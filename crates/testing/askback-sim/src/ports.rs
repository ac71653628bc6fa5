//! Models, tools and webhook receivers that fail, hang, repeat themselves and die halfway.

use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::command::{RawCall, RawReply};
use askback_core::conversation::event::{AgentFailure, CallResult, FailureKind};
use askback_core::conversation::history::HistoryEntry;
use askback_core::conversation::policy::Policy;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_engine::ports::{
    App, Apps, Llm, LlmFailure, LlmRequest, PortFuture, TokenSink, ToolDefinition, ToolReturn,
    ToolRun, Tools, WebhookDelivery, Webhooks,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::process::Process;

/// The message of panics that are simulated.
pub(crate) const SIMULATED_PANIC: &str = "a simulated panic";

/// What the engine of a process talks to.
#[derive(Clone)]
pub(crate) struct SimPorts(pub Arc<Process>);

/// How a call of a port goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    Succeed,
    Fail,
    /// Takes as many seconds, which may be longer than the caller waits.
    Hang(u64),
    Panic,
}

impl SimPorts {
    async fn course(&self, what: &'static str) -> Course {
        let world = &self.0.world;
        let is_fault = world.draw_fault(world.profile.port_faults);
        let (course, ms) = {
            let mut rng = world.rng();
            let course = match rng.below(8) {
                0 => Course::Panic,
                1 | 2 => Course::Hang(rng.within(1, 90) as u64),
                _ => Course::Fail,
            };
            (
                if is_fault { course } else { Course::Succeed },
                rng.below(200),
            )
        };
        world.trace(what, format_args!("p{} {course:?}", self.0.number));
        let pause = match course {
            Course::Hang(seconds) => Duration::from_secs(seconds),
            Course::Succeed | Course::Fail | Course::Panic => Duration::from_millis(ms as u64),
        };
        self.0.run(tokio::time::sleep(pause)).await;
        assert!(course != Course::Panic, "{SIMULATED_PANIC}");
        course
    }

    /// No two processes make the same request at the same time: who loses a lease stops before another
    /// takes the job.
    fn begin_request(&self, request: &LlmRequest) -> RequestUnderWay {
        let process = &self.0;
        // The history tells it from the request of a later turn.
        let (attempt, history) = (request.attempt, &request.history);
        let name = format!("{} {attempt} {history:?}", request.conversation);
        let mut checker = process.world.checker();
        let before = checker.requests.insert(name.clone(), Arc::clone(process));
        drop(checker);
        let other = before.filter(|other| other.number != process.number && !other.is_dead());
        process.world.check(other.is_none(), || {
            format!("two processes make the same request at the same time: {name}")
        });
        RequestUnderWay(Arc::clone(process), name)
    }

    fn reply(&self, request: &LlmRequest) -> RawReply {
        let world = &self.0.world;
        let has_tool = |name: &str| request.tools.iter().any(|tool| tool.name == name);
        let mut rng = world.rng();
        let mut calls = Vec::new();
        let turn_is_long = request.history.len() > 24;
        if !world.is_calm() && !turn_is_long && !rng.one_in(3) {
            for _ in 0..rng.within(1, 3) {
                let (name, input) = match rng.below(10) {
                    0..4 => ("work", json!({"how": rng.below(6)})),
                    4..8 => ("ask_user", question_input(rng.below(100))),
                    8 if has_tool("spawn_agents") => (
                        "spawn_agents",
                        json!({"agents": ["one part", "another part"]}),
                    ),
                    _ => ("no_such_tool", json!({})),
                };
                calls.push(RawCall {
                    provider_id: format!("c{}", rng.below(4)),
                    name: name.to_owned(),
                    input,
                });
            }
        }
        RawReply {
            text: "Let me see.".to_owned(),
            calls,
            ..RawReply::default()
        }
    }
}

/// Ends with the future of the request.
struct RequestUnderWay(Arc<Process>, String);

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        let mut checker = self.0.world.checker();
        let owner = checker.requests.get(&self.1);
        if owner.is_some_and(|owner| owner.number == self.0.number) {
            checker.requests.remove(&self.1);
        }
    }
}

/// The input of a question with two choices.
fn question_input(number: usize) -> Value {
    json!({ "question": format!("Which of {number}?"), "options": ["Red", "Blue"] })
}

/// A question with two choices.
pub(crate) fn question(number: usize) -> Option<Inquiry> {
    let input = question_input(number);
    let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
    parsed.ok().map(|parsed| parsed.inquiry)
}

impl Llm for SimPorts {
    fn request<'a>(
        &'a self,
        request: LlmRequest,
        tokens: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        Box::pin(async move {
            for entry in request.history.iter() {
                if let HistoryEntry::Assistant { reply, results } = entry {
                    self.0.world.check(reply.calls.len() == results.len(), || {
                        format!("{}: the model sees half a round", request.conversation)
                    });
                }
            }
            let _under_way = self.begin_request(&request);
            tokens.token("Let me ");
            let course = self.course("model requests").await;
            tokens.token("see.");
            if course == Course::Succeed || matches!(course, Course::Hang(_)) {
                return Ok(self.reply(&request));
            }
            let (kind, retry_after) = {
                let mut rng = self.0.world.rng();
                let transient = [
                    FailureKind::Overloaded,
                    FailureKind::Network,
                    FailureKind::Malformed,
                    FailureKind::Refused,
                ];
                (rng.pick(&transient), rng.one_in(4))
            };
            Err(LlmFailure {
                failure: AgentFailure::new(kind, "The simulated provider failed."),
                retry_after: retry_after.then(|| SignedDuration::from_secs(20)),
            })
        })
    }
}

impl Tools for SimPorts {
    fn definitions(&self) -> Vec<ToolDefinition> {
        vec![ToolDefinition {
            name: "work".to_owned(),
            description: "Works.".to_owned(),
            input_schema: json!({"type": "object"}),
        }]
    }

    fn run(&self, call: ToolRun) -> PortFuture<'_, ToolReturn> {
        Box::pin(async move {
            let world = &self.0.world;
            if call.resumed.is_none() {
                let mut checker = world.checker();
                let runs = checker.tool_runs.entry(call.call.clone()).or_default();
                *runs += 1;
                let runs = *runs;
                drop(checker);
                world.check(runs == 1, || format!("{} was run {runs} times", call.call));
            }
            let course = self.course("tool runs").await;
            if course == Course::Fail {
                return CallResult::error("The simulated tool failed.").into();
            }
            let how = call.input.get("how").and_then(Value::as_u64);
            let asks = call.resumed.is_none() && !world.is_calm();
            let inquiry = question(7).filter(|_| asks);
            match (how, inquiry) {
                (Some(0), Some(inquiry)) => ToolReturn::Asks {
                    inquiry,
                    state: json!({"step": 2}),
                },
                (Some(1), Some(inquiry)) => {
                    let outcome = self.0.run(call.user.ask(inquiry)).await;
                    CallResult::ok(outcome.name().to_owned()).into()
                }
                _ => CallResult::ok("Done.".to_owned()).into(),
            }
        })
    }
}

impl Webhooks for SimPorts {
    fn deliver<'a>(&'a self, delivery: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let world = &self.0.world;
            let (url, row) = (delivery.url, &delivery.inquiry.row);
            let (inquiry, status) = (row.id.to_string(), row.status.clone());
            if status != "pending" {
                let checker = world.checker();
                let known = checker
                    .outcomes
                    .iter()
                    .find(|(id, _)| id.as_str() == inquiry);
                let known = known.map(|(_, outcome)| outcome.status.clone());
                drop(checker);
                world.check(known.as_ref() == Some(&status), || {
                    format!("{url} is told {status} of {inquiry}, which is {known:?}: {delivery:?}")
                });
            }
            let course = self.course("webhook deliveries").await;
            // A slow reminder may arrive after the outcome.
            if course != Course::Fail && status != "pending" {
                world.checker().webhooks.insert(inquiry, status);
            }
            // The receiver may have accepted it although the sender does not know.
            if course == Course::Succeed {
                Ok(())
            } else {
                Err("the receiver failed".to_owned())
            }
        })
    }
}

impl Apps for SimPorts {
    fn app(&self, _: Option<&str>) -> Option<Arc<App>> {
        let tools = ["ask_user", "spawn_agents", "work"];
        Some(Arc::new(App {
            id: "sim".to_owned(),
            system: "Work.".to_owned(),
            model: None,
            tools: tools.map(str::to_owned).to_vec(),
            policy: Policy::default(),
            tokens_max: None,
        }))
    }
}
