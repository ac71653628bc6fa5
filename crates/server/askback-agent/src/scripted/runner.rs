//! Finds the step that comes next and renders its reply. A pure function of the history.

use std::time::Duration;

use askback_core::conversation::command::RawCall;
use askback_core::conversation::history::HistoryEntry;
use serde_json::Value;

use super::history_view::HistoryView;
use super::script::{Scene, Script, ScriptedCall, ScriptedFailure, Step};
use super::template;

/// A step with its placeholders filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptedReply {
    /// Empty if the step only has calls.
    pub say: String,
    /// Reasoning that must be sent back with the next request.
    pub think: Option<Value>,
    /// In the order of the script.
    pub calls: Vec<RawCall>,
    /// The failures of the first attempts, in order.
    pub failures: Vec<ScriptedFailure>,
    /// The time before the first word.
    pub delay: Duration,
    /// The time between two words.
    pub chunk_pause: Duration,
}

impl ScriptedReply {
    /// The failure of an attempt, counted from 1; `None` if it succeeds. A step that has only
    /// failures fails every attempt.
    pub fn failure_for_attempt(&self, attempt: u32) -> Option<&ScriptedFailure> {
        let index = usize::try_from(attempt).ok()?.checked_sub(1)?;
        let only_fails = self.say.is_empty() && self.calls.is_empty();
        let last = self.failures.last().filter(|_| only_fails);
        self.failures.get(index).or(last)
    }
}

impl Script {
    /// The reply that follows `history`, or a message that says why there is none.
    pub fn next_reply(&self, history: &[HistoryEntry]) -> Result<ScriptedReply, String> {
        let view = HistoryView::new(history);
        let reply = view.reply_count();
        let (steps, repeat_from) = match self.scene(view.task()) {
            Some(scene) => (&scene.steps, scene.repeat_from),
            None => (&self.steps, self.repeat_from),
        };
        let Some(index) = step_at(steps, repeat_from, reply) else {
            return Err(format!(
                "The script has ended: it has steps for {reply} replies, and this is one more. Add a \
                 step, or `repeat_from`."
            ));
        };
        let number = index + 1;
        let step = alternative(&steps[index], view).ok_or_else(|| {
            format!("No alternative of step {number} matches what the agent received.")
        })?;
        if let Some(missing) = step
            .expect
            .iter()
            .find(|text| !contains(&view.latest(), text))
        {
            return Err(format!(
                "Step {number} of the script expects \"{missing}\", which the agent did not receive."
            ));
        }
        Ok(ScriptedReply {
            say: template::render(step.say.as_deref().unwrap_or_default(), view),
            think: step.think.clone(),
            calls: render_calls(&step.calls, view),
            failures: step.fail.clone(),
            delay: Duration::from_millis(step.delay_ms),
            chunk_pause: Duration::from_millis(self.chunk_ms),
        })
    }

    fn scene(&self, task: &str) -> Option<&Scene> {
        self.scenes.iter().find(|scene| contains(task, &scene.when))
    }
}

/// The index of the step for a reply, counted from 0.
fn step_at(steps: &[Step], repeat_from: Option<usize>, reply: usize) -> Option<usize> {
    let replies = |steps: &[Step]| steps.iter().map(|step| step.times).sum::<usize>();
    let total = replies(steps);
    let mut left = if reply < total {
        reply
    } else {
        let first = repeat_from?.checked_sub(1)?;
        let before = replies(steps.get(..first)?);
        before + (reply - total).checked_rem(total - before)?
    };
    steps.iter().position(|step| {
        let found = left < step.times;
        left = left.saturating_sub(step.times);
        found
    })
}

/// The step itself, or the first of its alternatives that matches.
fn alternative<'a>(step: &'a Step, view: HistoryView<'_>) -> Option<&'a Step> {
    if step.either.is_empty() {
        return Some(step);
    }
    let latest = view.latest();
    step.either.iter().find(|step| match &step.condition {
        Some(text) => contains(&latest, text),
        None => true,
    })
}

fn render_calls(calls: &[ScriptedCall], view: HistoryView<'_>) -> Vec<RawCall> {
    let numbered = calls.iter().enumerate();
    numbered
        .map(|(index, call)| RawCall {
            provider_id: match &call.id {
                Some(id) => id.clone(),
                None => format!("scripted_{}_{}", view.reply_count() + 1, index + 1),
            },
            name: call.tool.clone(),
            input: template::render_value(&call.input, view),
        })
        .collect()
}

/// Ignores case.
fn contains(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(&wanted.to_lowercase())
}
