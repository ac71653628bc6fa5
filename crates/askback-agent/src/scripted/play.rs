//! Which step comes next, and what it makes the agent say. Pure: the history decides.

use std::time::Duration;

use askback_core::conversation::command::RawCall;
use askback_core::conversation::history::Entry;
use serde_json::Value;

use super::fill;
use super::heard::Heard;
use super::script::{Call, Fail, Scene, Script, Step};

/// What the agent does next.
#[derive(Debug, Clone, PartialEq)]
pub struct Play {
    /// What it says; may be empty if it calls something.
    pub say: String,
    /// Reasoning that must come back.
    pub think: Option<Value>,
    /// What it calls.
    pub calls: Vec<RawCall>,
    /// How the first attempts fail, in order.
    pub fails: Vec<Fail>,
    /// The time before anything happens.
    pub delay: Duration,
    /// The time between two words.
    pub chunk_pause: Duration,
}

impl Play {
    /// How an attempt fails, counted from one; nothing if it succeeds.
    pub fn fail_at(&self, attempt: u32) -> Option<&Fail> {
        let index = usize::try_from(attempt).ok()?.checked_sub(1)?;
        let only_fails = self.say.is_empty() && self.calls.is_empty();
        let last = self.fails.last().filter(|_| only_fails);
        self.fails.get(index).or(last)
    }
}

impl Script {
    /// What comes after `history`, or a sentence on why nothing does.
    pub fn next(&self, history: &[Entry]) -> Result<Play, String> {
        let heard = Heard::new(history);
        let reply = heard.replies();
        let (steps, repeat_from) = match self.scene(heard.task()) {
            Some(scene) => (&scene.steps, scene.repeat_from),
            None => (&self.steps, self.repeat_from),
        };
        let Some(index) = step_at(steps, repeat_from, reply) else {
            return Err(format!(
                "The script is over: it has steps for {reply} replies, and this would be one more. \
                 Add a step, or `repeat_from`."
            ));
        };
        let number = index + 1;
        let step = alternative(&steps[index], heard).ok_or_else(|| {
            format!("None of the alternatives of step {number} fits what the agent heard.")
        })?;
        if let Some(missing) = step.expect.iter().find(|text| !holds(&heard.all(), text)) {
            return Err(format!(
                "Step {number} of the script expects to have heard \"{missing}\", and has not."
            ));
        }
        Ok(Play {
            say: fill::text(step.say.as_deref().unwrap_or_default(), heard),
            think: step.think.clone(),
            calls: calls(&step.calls, heard),
            fails: step.fail.clone(),
            delay: Duration::from_millis(step.delay_ms),
            chunk_pause: Duration::from_millis(self.chunk_ms),
        })
    }

    fn scene(&self, task: &str) -> Option<&Scene> {
        self.scenes.iter().find(|scene| holds(task, &scene.when))
    }
}

/// The index of the step for a reply, the replies counted from zero.
fn step_at(steps: &[Step], repeat_from: Option<usize>, reply: usize) -> Option<usize> {
    let played = |steps: &[Step]| steps.iter().map(|step| step.times).sum::<usize>();
    let total = played(steps);
    let mut left = if reply < total {
        reply
    } else {
        let first = repeat_from?.checked_sub(1)?;
        let before = played(steps.get(..first)?);
        before + (reply - total).checked_rem(total - before)?
    };
    steps.iter().position(|step| {
        let found = left < step.times;
        left = left.saturating_sub(step.times);
        found
    })
}

/// The step itself, or the first of its alternatives that fits.
fn alternative<'a>(step: &'a Step, heard: Heard<'_>) -> Option<&'a Step> {
    if step.either.is_empty() {
        return Some(step);
    }
    let all = heard.all();
    step.either.iter().find(|step| match &step.condition {
        Some(text) => holds(&all, text),
        None => true,
    })
}

fn calls(calls: &[Call], heard: Heard<'_>) -> Vec<RawCall> {
    let numbered = calls.iter().enumerate();
    numbered
        .map(|(index, call)| RawCall {
            provider_id: match &call.id {
                Some(id) => id.clone(),
                None => format!("scripted_{}_{}", heard.replies() + 1, index + 1),
            },
            name: call.tool.clone(),
            input: fill::value(&call.input, heard),
        })
        .collect()
}

/// Whether a text holds another, in any case.
fn holds(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(&wanted.to_lowercase())
}
