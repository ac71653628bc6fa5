//! One line, for a prompt that is folded away.

use super::Prompt;
use crate::answer_summary;
use crate::keymap::{Action, Mode};
use askback_terminal::row::{Cursor, Frame, Row, Style};

pub(super) fn frame(prompt: &Prompt) -> Frame {
    let question = prompt.draft.question();
    let keys = prompt.options.keymap.key(Mode::Folded, Action::Fold);
    let keys = keys
        .map(|key| key.name(&prompt.options.glyphs))
        .unwrap_or_default();
    let words = prompt.text(
        "folded",
        &[
            ("count", prompt.draft.inquiry.questions().len().into()),
            ("keys", keys.into()),
            ("question", answer_summary::one_line(question).into()),
        ],
    );
    let columns = prompt.options.size.columns.saturating_sub(3);
    let words = askback_terminal::width::clip(&words, columns, prompt.options.glyphs.more);
    let row = Row::new().with("? ", Style::Mark).with(words, Style::Label);
    Frame::inline(vec![row], Cursor::in_first_row(2))
}
