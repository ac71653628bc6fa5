//! Full stops after texts that may have their own.

const ENDS: [char; 8] = ['.', '!', '?', '…', '。', '！', '？', '؟'];

/// The text with a full stop, unless it ends a sentence already.
pub(crate) fn sentence(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(ENDS) || text.ends_with([':', '：']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// Removes full stops that a message added after the agent's punctuation: `Continue?.` becomes
/// `Continue?`. An ellipsis and dots within a word, such as a path, stay.
pub(crate) fn without_doubled_stops(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let is_stop = |at: usize| matches!(chars.get(at), Some('.' | '。'));
    let mut out = String::with_capacity(text.len());
    for (at, ch) in chars.iter().enumerate() {
        let ends = chars.get(at + 1).is_none_or(|next| next.is_whitespace());
        let run = (0..=at).rev().take_while(|at| is_stop(*at)).count();
        let before = at.checked_sub(run).map(|before| chars[before]);
        let doubled = match (run, before) {
            (1 | 4, Some(before)) => run == 4 || ENDS.contains(&before),
            (2, Some(before)) => !before.is_whitespace(),
            _ => false,
        };
        let full_width = *ch == '。'
            && at
                .checked_sub(1)
                .is_some_and(|at| ENDS.contains(&chars[at]));
        if !((is_stop(at) && ends && doubled) || full_width) {
            out.push(*ch);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{sentence, without_doubled_stops};

    #[test]
    fn sentence_ends_once() {
        assert_eq!(sentence("Database"), "Database.");
        for text in [
            "Which one?",
            "Done.",
            "And so on...",
            "続けますか？",
            "Pick one:",
        ] {
            assert_eq!(sentence(text), text);
        }
    }

    #[test]
    fn doubled_stop_is_removed() {
        for (text, expected) in [
            ("1. Continue?.", "1. Continue?"),
            ("1. Yes.. Restarts it.", "1. Yes. Restarts it."),
            ("Chosen: a long name.....", "Chosen: a long name....."),
            ("Chosen: a long name....", "Chosen: a long name..."),
            ("続けますか？。次", "続けますか？次"),
            ("1. cd ../src.", "1. cd ../src."),
            ("1. cd .. first.", "1. cd .. first."),
            ("and so on...", "and so on..."),
        ] {
            assert_eq!(without_doubled_stops(text), expected);
        }
    }
}
