use super::*;

#[test]
fn small_differences_do_not_move_the_clock() {
    let offset = ClockOffset::default();
    offset.measured(499_999);
    assert_eq!(offset.get(), SignedDuration::ZERO);
    offset.measured(-60_000_000);
    assert_eq!(offset.get(), SignedDuration::from_secs(-60));
    offset.measured(-60_400_000);
    assert_eq!(offset.get(), SignedDuration::from_secs(-60));
    offset.measured(0);
    assert_eq!(offset.get(), SignedDuration::ZERO);
}
