//! The focused block is always in view as a whole, and marks have their room.

use super::{Window, window};

#[test]
fn everything_is_shown_where_it_fits() {
    assert_eq!(
        window(&[2, 2, 1], 0, 5),
        Window {
            shown: 0..3,
            above: 0,
            below: 0
        }
    );
}

/// Two above, three in view with the focus in the middle, four below.
#[test]
fn focus_keeps_one_neighbour_in_view() {
    assert_eq!(
        window(&[1; 9], 3, 5),
        Window {
            shown: 2..5,
            above: 2,
            below: 4
        }
    );
    assert_eq!(
        window(&[1; 9], 0, 5),
        Window {
            shown: 0..4,
            above: 0,
            below: 5
        }
    );
    assert_eq!(
        window(&[1; 9], 8, 5),
        Window {
            shown: 5..9,
            above: 5,
            below: 0
        }
    );
}

/// Whatever the heights, no more rows are used than there are, and the focus is in view.
#[test]
fn focus_is_in_view_at_every_height() {
    let heights = [3, 1, 4, 2, 2, 5, 1];
    for room in 7..20 {
        for focus in 0..heights.len() {
            let found = window(&heights, focus, room);
            let marks = usize::from(found.above > 0) + usize::from(found.below > 0);
            let used = heights[found.shown.clone()].iter().sum::<usize>() + marks;
            assert!(used <= room, "{used} of {room} at {focus}");
            assert!(found.shown.contains(&focus));
        }
    }
}
