//! The file: its fields, and what is checked before anything is played.

use std::path::{Path, PathBuf};

use askback_core::conversation::event::FailureKind;
use serde::Deserialize;
use serde_json::Value;

use super::fill;

/// The demonstration that needs no key.
const DEMO: &str = include_str!("demo.json");

/// Most bytes of a script.
const BYTES_MAX: usize = 4 << 20;

/// What an agent says and does, step by step.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// What the script is for; not played.
    #[serde(default, rename = "about")]
    _about: Option<String>,
    /// Milliseconds between two words, to look alive.
    #[serde(default)]
    pub(super) chunk_ms: u64,
    /// The steps of every conversation for which there is no scene.
    #[serde(default)]
    pub(super) steps: Vec<Step>,
    /// The step with which it goes on after the last one, counted from one.
    #[serde(default)]
    pub(super) repeat_from: Option<usize>,
    /// Steps for conversations that begin in a certain way: sub-agents, above all.
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
}

/// Steps for conversations whose first message holds a text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scene {
    /// The text, in any case.
    pub(super) when: String,
    /// The steps.
    pub(super) steps: Vec<Step>,
    /// As in the script.
    #[serde(default)]
    pub(super) repeat_from: Option<usize>,
}

/// One reply.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// A remark; not played.
    #[serde(default, rename = "note")]
    _note: Option<String>,
    /// As an alternative: only if what the agent heard last holds this text.
    #[serde(default, rename = "if")]
    pub(super) condition: Option<String>,
    /// Alternatives, of which the first that fits is played.
    #[serde(default)]
    pub(super) either: Vec<Step>,
    /// What to say.
    #[serde(default)]
    pub(super) say: Option<String>,
    /// Reasoning that must come back with the next request.
    #[serde(default)]
    pub(super) think: Option<Value>,
    /// What to call.
    #[serde(default)]
    pub(super) calls: Vec<Call>,
    /// How the first attempts fail, in order.
    #[serde(default)]
    pub(super) fail: Vec<Fail>,
    /// Milliseconds before anything happens.
    #[serde(default)]
    pub(super) delay_ms: u64,
    /// What the agent must have heard last, all of it.
    #[serde(default)]
    pub(super) expect: Vec<String>,
    /// How often in a row the step is played.
    #[serde(default = "once")]
    pub(super) times: usize,
}

/// One tool call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    /// The tool.
    pub(super) tool: String,
    /// Its input. A text is sent as it is, as a model sends JSON that is broken.
    #[serde(default = "no_input")]
    pub(super) input: Value,
    /// The provider's id for it, if it matters.
    #[serde(default)]
    pub(super) id: Option<String>,
}

/// How an attempt fails.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fail {
    /// What kind of failure.
    pub kind: FailureKind,
    /// What the user is told.
    #[serde(default = "scripted_failure")]
    pub message: String,
    /// How long the provider asks to wait, in milliseconds.
    #[serde(default)]
    pub retry_after_ms: Option<i64>,
}

/// Why a script cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("the script {} cannot be read: {source}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is too big to be a script.
    #[error("the script has more than {BYTES_MAX} bytes")]
    TooBig,
    /// The text is no JSON, or has unknown or missing fields.
    #[error("the script is not in the form of docs/scripted-provider.md: {0}")]
    Form(#[from] serde_json::Error),
    /// A step cannot be played.
    #[error("{place}: {problem}")]
    Step {
        /// Which step, counted from one.
        place: String,
        /// What is wrong and what to write instead.
        problem: String,
    },
    /// The error of a file, with its name.
    #[error("{}: {source}", path.display())]
    InFile {
        /// Which file.
        path: PathBuf,
        /// What is wrong in it.
        source: Box<ScriptError>,
    },
}

impl Script {
    /// Reads a script and checks all that can be checked before it is played.
    pub fn parse(text: &str) -> Result<Script, ScriptError> {
        if text.len() > BYTES_MAX {
            return Err(ScriptError::TooBig);
        }
        let script: Script = serde_json::from_str(text)?;
        if script.steps.is_empty() && script.scenes.is_empty() {
            return Err(wrong("script", "it has neither `steps` nor `scenes`"));
        }
        check_steps("", &script.steps, script.repeat_from)?;
        for scene in &script.scenes {
            let place = format!("scene \"{}\", ", scene.when);
            check_steps(&place, &scene.steps, scene.repeat_from)?;
        }
        Ok(script)
    }

    /// Reads the script in a file.
    pub fn read(path: &Path) -> Result<Script, ScriptError> {
        let text = std::fs::read_to_string(path).map_err(|source| ScriptError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        Script::parse(&text).map_err(|source| ScriptError::InFile {
            path: path.to_owned(),
            source: Box::new(source),
        })
    }

    /// The demonstration: an agent that asks a few questions and reacts to the answers.
    pub fn demo() -> Result<Script, ScriptError> {
        Script::parse(DEMO)
    }
}

fn check_steps(
    before: &str,
    steps: &[Step],
    repeat_from: Option<usize>,
) -> Result<(), ScriptError> {
    for (index, step) in steps.iter().enumerate() {
        let place = format!("{before}step {}", index + 1);
        if step.condition.is_some() {
            return Err(wrong(&place, "`if` belongs to a step within `either`"));
        }
        check_step(&place, step)?;
    }
    match repeat_from {
        Some(number) if number == 0 || number > steps.len() => Err(wrong(
            &format!("{before}repeat_from"),
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
        return Err(wrong(place, "`times` is at least 1"));
    }
    if !step.either.is_empty() {
        let own = step.say.is_some() || !step.calls.is_empty() || !step.fail.is_empty();
        if own {
            return Err(wrong(
                place,
                "a step with `either` has nothing else to say or call",
            ));
        }
        for (index, alternative) in step.either.iter().enumerate() {
            let place = format!("{place}, alternative {}", index + 1);
            if !alternative.either.is_empty() {
                return Err(wrong(
                    &place,
                    "an alternative has no alternatives of its own",
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
        return Err(wrong(place, "it needs `say`, `calls`, `fail` or `either`"));
    }
    if step.calls.iter().any(|call| call.tool.is_empty()) {
        return Err(wrong(place, "a call names no `tool`"));
    }
    let inputs = step.calls.iter().map(|call| &call.input);
    let unknown = step
        .say
        .iter()
        .find_map(|say| fill::unknown(say))
        .or_else(|| inputs.into_iter().find_map(fill::unknown_in));
    match unknown {
        Some(name) => Err(wrong(
            place,
            &format!(
                "`{{{{{name}}}}}` stands for nothing; there are {}",
                fill::NAMES
            ),
        )),
        None => Ok(()),
    }
}

fn wrong(place: &str, problem: &str) -> ScriptError {
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
    "The script lets this attempt fail.".to_owned()
}
