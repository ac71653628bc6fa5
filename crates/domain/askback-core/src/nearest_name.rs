//! Which known name somebody may have meant.

/// No name that anybody knows is longer.
const NAME_BYTES_MAX: usize = 64;

/// The known name that differs least from `name`, if it differs by little, or else one that is a part of the other.
pub fn nearest_name<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    // Comparing takes time by the length.
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let name = name.to_lowercase().replace('-', "_");
    let by_distance = known.iter().map(|known| (distance(&name, known), *known));
    let is_near = |(distance, known): &(usize, &str)| *distance <= 2 || distance * 3 <= known.len();
    let nearest = by_distance.min().filter(is_near).map(|(_, known)| known);
    let is_part =
        |known: &&&str| name.len() >= 3 && (known.contains(&name) || name.contains(**known));
    nearest.or_else(|| known.iter().find(is_part).copied())
}

/// How many characters must be added, removed or replaced to make one text of the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, left) in left.chars().enumerate() {
        let mut diagonal = above;
        let mut last = above + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(&right) {
            let replaced = diagonal + usize::from(left != *right);
            diagonal = *cell;
            *cell = replaced.min(diagonal + 1).min(last + 1);
            last = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = above + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
#[path = "nearest_name_tests.rs"]
mod tests;
