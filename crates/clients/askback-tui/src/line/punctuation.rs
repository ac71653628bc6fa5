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
#[path = "punctuation_tests.rs"]
mod tests;
