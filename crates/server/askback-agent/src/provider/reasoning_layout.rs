//! Reasoning in its position among the text and the calls of a reply, for protocols that want it back there.

use serde_json::{Value, json};

/// The names that a protocol has for the blocks of a reply.
pub(super) struct BlockNames {
    pub(super) text: &'static str,
    /// The field of a text block that has the text.
    pub(super) content: &'static str,
    pub(super) call: &'static str,
}

impl BlockNames {
    /// The blocks that must be sent back unchanged, in their position among the others. `None` if there
    /// are none.
    ///
    /// The history stores calls, and text in a single block, by itself. Their blocks are placeholders.
    pub(super) fn layout(&self, blocks: &[Value]) -> Option<Vec<Value>> {
        let is_text = |block: &Value| block["type"] == self.text;
        let is_call = |block: &Value| block["type"] == self.call;
        if blocks.iter().all(|it| is_text(it) || is_call(it)) {
            return None;
        }
        let has_one_text = blocks.iter().filter(|it| is_text(it)).count() == 1;
        let layout = blocks.iter().map(|block| {
            if is_call(block) || (has_one_text && is_text(block)) {
                json!({ "type": block["type"] })
            } else {
                block.clone()
            }
        });
        Some(layout.collect())
    }

    /// The text and the calls of a reply, with its reasoning in its original position.
    pub(super) fn restore(
        &self,
        layout: Option<&Value>,
        mut text: Option<Value>,
        mut calls: impl Iterator<Item = Value>,
    ) -> Vec<Value> {
        let layout = layout.and_then(Value::as_array);
        let mut blocks: Vec<Value> = Vec::new();
        for block in layout.into_iter().flatten() {
            if block["type"] == self.call {
                blocks.extend(calls.next());
            } else if block["type"] != self.text {
                blocks.push(block.clone());
            } else if let Some(content) = block.get(self.content) {
                text = None;
                let is_blank = content.as_str().is_some_and(|part| part.trim().is_empty());
                blocks.extend((!is_blank).then(|| block.clone()));
            } else {
                blocks.extend(text.take());
            }
        }
        blocks.extend(text);
        blocks.extend(calls);
        blocks
    }
}
