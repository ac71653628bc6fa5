//! A code has its three corners and its quiet zone, in every format.

use super::{NARROW_QUIET_ZONE, QUIET_ZONE, blocks, modules, narrow_blocks, rows, svg};

const LINK: &str = "http://192.168.0.7:7777/q/inq_01hzy3v5q0k2m4n6p8r0s2t4v6?key=1795012345-0123456789abcdef0123456789abcdef";

/// The square that cameras look for.
const FINDER: [&str; 7] = [
    "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
];

fn corner(rows: &[Vec<bool>], top: usize, left: usize) -> Vec<String> {
    let rows = rows[top..top + 7].iter();
    rows.map(|row| {
        let row = row[left..left + 7].iter();
        row.map(|dark| if *dark { '#' } else { '.' }).collect()
    })
    .collect()
}

#[test]
fn code_has_its_corners_and_its_quiet_zone() {
    let rows = modules(LINK, QUIET_ZONE).unwrap();
    let side = rows.len();
    assert_eq!(corner(&rows, 4, 4), FINDER);
    assert_eq!(corner(&rows, 4, side - 11), FINDER);
    assert_eq!(corner(&rows, side - 11, 4), FINDER);
    let quiet = rows[..4].iter().chain(&rows[side - 4..]).flatten();
    assert!(quiet.into_iter().all(|dark| !dark));
    assert!(rows.iter().all(|row| !row[3] && !row[side - 4]));
}

/// All formats have the same modules.
#[test]
fn image_rows_and_text_draw_the_same() {
    let digits = rows(LINK).unwrap();
    let rows = modules(LINK, QUIET_ZONE).unwrap();
    let read = |row: &String| row.chars().map(|digit| digit == '1').collect::<Vec<bool>>();
    assert_eq!(digits.iter().map(read).collect::<Vec<_>>(), rows);
    let dark = rows.iter().flatten().filter(|dark| **dark).count();
    assert_eq!(svg(LINK).unwrap().matches("h1v1h-1z").count(), dark);
    let text = blocks(LINK).unwrap();
    assert!(text.lines().all(|line| line.chars().count() == rows.len()));
    let light = text.chars().map(|c| match c {
        '█' => 2,
        '▀' | '▄' => 1,
        _ => 0,
    });
    assert_eq!(light.sum::<usize>(), rows.len() * rows.len() - dark);
}

#[test]
fn text_beyond_the_largest_code_gives_none() {
    let long = "x".repeat(4_000);
    assert_eq!((svg(&long), blocks(&long), rows(&long)), (None, None, None));
}

/// The narrow format is the same code with a smaller quiet zone.
#[test]
fn narrow_format_is_the_same_code() {
    let (wide, narrow) = (
        modules(LINK, QUIET_ZONE).unwrap(),
        modules(LINK, NARROW_QUIET_ZONE).unwrap(),
    );
    let less = QUIET_ZONE - NARROW_QUIET_ZONE;
    assert_eq!(narrow.len() + 2 * less, wide.len());
    for (row, within) in narrow.iter().zip(&wide[less..]) {
        assert_eq!(row[..], within[less..less + row.len()]);
    }
    let text = narrow_blocks(LINK).unwrap();
    assert_eq!(text.lines().count(), narrow.len().div_ceil(2));
}
