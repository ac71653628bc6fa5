//! The lines in which a settings file changes, as they are shown before it is written.

use serde_json::Value;

/// Said below a change whose lines are not those of the file.
const BROKEN_UP: &str =
    "  (shown with one value on each line; what is in the file stays as it is written)";

/// Pairs of lines between two changes of one file: 32 MB.
const COMPARED_MAX: usize = 4_000_000;

/// What changes, as it can be read: a line of JSON that changes inside is broken up.
pub(super) fn shown(before: &str, after: &str) -> Vec<String> {
    let lines = diff(before, after);
    let has = |sign: char| lines.iter().any(|line| line.starts_with(sign));
    if has('-')
        && has('+')
        && let (Some(before), Some(after)) = (broken_up(before), broken_up(after))
    {
        let broken_up = diff(&before, &after);
        if broken_up != lines {
            return [broken_up, vec![BROKEN_UP.to_owned()]].concat();
        }
    }
    lines
}

/// None if the text is no JSON, or has comments.
fn broken_up(json: &str) -> Option<String> {
    let value: Value = serde_json::from_str(json).ok()?;
    Some(format!("{value:#}"))
}

/// Removed and added lines, without context. A comma at the end of a line is not worth showing.
fn diff(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = same(&mut old.iter().zip(&new));
    let rest = old.len().min(new.len()) - head;
    let tail = same(&mut old.iter().rev().zip(new.iter().rev())).min(rest);
    changed(&old[head..old.len() - tail], &new[head..new.len() - tail])
}

fn same(pairs: &mut dyn Iterator<Item = (&&str, &&str)>) -> usize {
    pairs.take_while(|(old, new)| is_same(old, new)).count()
}

fn is_same(old: &str, new: &str) -> bool {
    old.trim_end_matches(',') == new.trim_end_matches(',')
}

/// The lines outside of a longest common sequence, or all of them if they are too many to compare.
fn changed(old: &[&str], new: &[&str]) -> Vec<String> {
    if old.len() * new.len() > COMPARED_MAX {
        let removed = old.iter().map(|line| format!("- {line}"));
        return removed
            .chain(new.iter().map(|line| format!("+ {line}")))
            .collect();
    }
    // How long the sequence is from these lines on.
    let mut lengths = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for (row, from) in old.iter().enumerate().rev() {
        for (column, to) in new.iter().enumerate().rev() {
            lengths[row][column] = if is_same(from, to) {
                lengths[row + 1][column + 1] + 1
            } else {
                lengths[row + 1][column].max(lengths[row][column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut lines = Vec::new();
    while row < old.len() || column < new.len() {
        let (from, to) = (old.get(row), new.get(column));
        if let (Some(from), Some(to)) = (from, to)
            && is_same(from, to)
        {
            (row, column) = (row + 1, column + 1);
        } else if let Some(from) = from
            && (to.is_none() || lengths[row + 1][column] >= lengths[row][column + 1])
        {
            lines.push(format!("- {from}"));
            row += 1;
        } else if let Some(to) = to {
            lines.push(format!("+ {to}"));
            column += 1;
        }
    }
    lines
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
