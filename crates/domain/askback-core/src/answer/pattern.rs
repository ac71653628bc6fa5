//! Patterns of agents for text answers, and what matching them costs at most.
//!
//! The matcher is linear in the text, but each character may visit every position of the pattern,
//! and a repetition multiplies positions: `(?:x?x?x?x?){2000}y` has 8,001 of them in 21 characters.
//! Positions times characters is therefore bounded where a question is asked, so that no answer to
//! it takes long, whoever sends it.

use regex_syntax::hir::{Hir, HirKind};

use crate::limits;

/// Compiles a validation pattern within its bounds; `None` if it is not one.
pub(crate) fn compile_pattern(pattern: &str) -> Option<regex::Regex> {
    regex::RegexBuilder::new(pattern)
        .size_limit(limits::PATTERN_BYTES_MAX)
        .build()
        .ok()
}

/// The positions of a pattern, each of which a character of the text may visit: characters and
/// classes, repeated as often as the pattern repeats them. `None` if it is no pattern.
pub(crate) fn pattern_positions(pattern: &str) -> Option<usize> {
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    Some(positions(&hir))
}

fn positions(hir: &Hir) -> usize {
    let inside: usize = match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => 1,
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).chars().count(),
        HirKind::Capture(capture) => positions(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            let parts = parts.iter().map(positions);
            parts.fold(0, usize::saturating_add)
        }
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min).max(1);
            let times = usize::try_from(times).unwrap_or(usize::MAX);
            positions(&repetition.sub).saturating_mul(times)
        }
    };
    inside.max(1)
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
