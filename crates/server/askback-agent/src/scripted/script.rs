//! The script file: its fields and its validation.

use std::path::{Path, PathBuf};

use askback_core::conversation::event::FailureKind;
use serde::Deserialize;
use serde_json::Value;

use super::template;

/// The demo that comes with the binary.
const DEMO: &str = include_str!("demo.json");

/// Most bytes of a script.
const BYTES_MAX: usize = 4 << 20;

/// The replies of a scripted agent, step by step.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// A comment.
    #[serde(rename = "about")]
    _about: Option<String>,
    /// The pause between two words, in milliseconds, so that the reply looks streamed.
    #[serde(default)]
    pub(super) chunk_ms: u64,
    /// The steps of conversations that no scene matches.
    #[serde(default)]
    pub(super) steps: Vec<Step>,
    /// The step that follows the last one, counted from 1. Without it, the script ends.
    pub(super) repeat_from: Option<usize>,
    /// Steps for conversations whose first message contains a text. Mostly for sub-agents.
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scene {
    /// Looked for in the first message, ignoring case.
    pub(super) when: String,
    pub(super) steps: Vec<Step>,
    /// As in [`Script`].
    pub(super) repeat_from: Option<usize>,
}

/// One reply.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// A comment.
    #[serde(rename = "note")]
    _note: Option<String>,
    /// Only in an alternative: it matches if the agent has received this text since its last reply.
    #[serde(rename = "if")]
    pub(super) condition: Option<String>,
    /// Alternatives. The first that matches replaces this step.
    #[serde(default)]
    pub(super) either: Vec<Step>,
    pub(super) say: Option<String>,
    /// Reasoning that must be sent back with the next request.
    pub(super) think: Option<Value>,
    #[serde(default)]
    pub(super) calls: Vec<ScriptedCall>,
    /// The failures of the first attempts, in order.
    #[serde(default)]
    pub(super) fail: Vec<ScriptedFailure>,
    /// The pause before the reply, in milliseconds.
    #[serde(default)]
    pub(super) delay_ms: u64,
    /// Texts that the agent must have received since its last reply, all of them.
    #[serde(default)]
    pub(super) expect: Vec<String>,
    /// How many replies in a row use this step.
    #[serde(default = "once")]
    pub(super) times: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptedCall {
    pub(super) tool: String,
    /// A string is sent as it is, like invalid JSON from a model.
    #[serde(default = "no_input")]
    pub(super) input: Value,
    /// The provider's id of the call. Made up if missing.
    pub(super) id: Option<String>,
}

/// A failure that a script simulates.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedFailure {
    /// Decides whether the request is retried.
    pub kind: FailureKind,
    /// Shown to the user.
    #[serde(default = "scripted_failure")]
    pub message: String,
    /// The wait that the provider asks for, in milliseconds.
    pub retry_after_ms: Option<i64>,
}

/// Why a script cannot be used. Each message contains its cause, so that none has a `source`.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// Missing, or not UTF-8, or no permission.
    #[error("the script {} cannot be read: {error}", path.display())]
    Unreadable {
        /// As given by the user.
        path: PathBuf,
        /// From the operating system.
        error: std::io::Error,
    },
    /// Over the size limit.
    #[error("the script has more than {BYTES_MAX} bytes")]
    TooBig,
    /// Not JSON, or unknown or missing fields.
    #[error("the script is not in the form of docs/scripted-provider.md: {0}")]
    Form(serde_json::Error),
    /// A step makes no sense.
    #[error("{place}: {problem}")]
    Step {
        /// The step, counted from 1.
        place: String,
        /// Says what to write instead.
        problem: String,
    },
    /// Any of the other errors, with the file that it is in.
    #[error("{}: {error}", path.display())]
    InFile {
        /// As given by the user.
        path: PathBuf,
        /// The error without the file name.
        error: Box<ScriptError>,
    },
}

impl Script {
    /// Parses and validates a script. The placeholders of every step are checked, too.
    pub fn parse(text: &str) -> Result<Script, ScriptError> {
        if text.len() > BYTES_MAX {
            return Err(ScriptError::TooBig);
        }
        let script: Script = serde_json::from_str(text).map_err(ScriptError::Form)?;
        if script.steps.is_empty() && script.scenes.is_empty() {
            return Err(invalid("script", "it has neither `steps` nor `scenes`"));
        }
        check_steps("", &script.steps, script.repeat_from)?;
        for scene in &script.scenes {
            let place = format!("scene \"{}\", ", scene.when);
            check_steps(&place, &scene.steps, scene.repeat_from)?;
        }
        Ok(script)
    }

    /// Reads a script file.
    pub fn read(path: &Path) -> Result<Script, ScriptError> {
        let text = std::fs::read_to_string(path).map_err(|error| ScriptError::Unreadable {
            path: path.to_owned(),
            error,
        })?;
        Script::parse(&text).map_err(|error| ScriptError::InFile {
            path: path.to_owned(),
            error: Box::new(error),
        })
    }

    /// The demo: an agent that asks a few questions and reacts to the answers.
    pub fn demo() -> Result<Script, ScriptError> {
        Script::parse(DEMO)
    }
}

fn check_steps(
    prefix: &str,
    steps: &[Step],
    repeat_from: Option<usize>,
) -> Result<(), ScriptError> {
    for (index, step) in steps.iter().enumerate() {
        let place = format!("{prefix}step {}", index + 1);
        if step.condition.is_some() {
            return Err(invalid(&place, "`if` belongs to a step within `either`"));
        }
        check_step(&place, step)?;
    }
    match repeat_from {
        Some(number) if number == 0 || number > steps.len() => Err(invalid(
            &format!("{prefix}repeat_from"),
            &format!(
                "there is no step {number}; steps count from 1 to {}",
                steps.len()
            ),
        )),
        _ => Ok(()),
    }
}

fn check_step(place: &str, step: &Step) -> Result<(), ScriptError> {
    if step.times == 0 {
        return Err(invalid(place, "`times` must be at least 1"));
    }
    if !step.either.is_empty() {
        let own = step.say.is_some() || !step.calls.is_empty() || !step.fail.is_empty();
        if own {
            return Err(invalid(
                place,
                "a step with `either` cannot have `say`, `calls` or `fail` itself",
            ));
        }
        for (index, alternative) in step.either.iter().enumerate() {
            let place = format!("{place}, alternative {}", index + 1);
            if !alternative.either.is_empty() {
                return Err(invalid(
                    &place,
                    "an alternative cannot have alternatives itself",
                ));
            }
            check_step(&place, alternative)?;
        }
        return Ok(());
    }
    if step.say.as_deref().unwrap_or_default().trim().is_empty()
        && step.calls.is_empty()
        && step.fail.is_empty()
    {
        return Err(invalid(
            place,
            "it needs `say`, `calls`, `fail` or `either`",
        ));
    }
    if step.calls.iter().any(|call| call.tool.is_empty()) {
        return Err(invalid(place, "a call has no `tool`"));
    }
    let inputs = step.calls.iter().map(|call| &call.input);
    let unknown = step
        .say
        .iter()
        .find_map(|say| template::unknown_placeholder(say))
        .or_else(|| {
            inputs
                .into_iter()
                .find_map(template::unknown_placeholder_in)
        });
    match unknown {
        Some(name) => Err(invalid(
            place,
            &format!(
                "`{{{{{name}}}}}` is not a placeholder; there are {}",
                template::PLACEHOLDERS
            ),
        )),
        None => Ok(()),
    }
}

fn invalid(place: &str, problem: &str) -> ScriptError {
    ScriptError::Step {
        place: place.to_owned(),
        problem: problem.to_owned(),
    }
}

fn once() -> usize {
    1
}

fn no_input() -> Value {
    Value::Object(serde_json::Map::new())
}

fn scripted_failure() -> String {
    "The script makes this attempt fail.".to_owned()
}
