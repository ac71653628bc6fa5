//! Goal: fsyncs are shared by many callers, and nobody waits for callers that are not there.

use super::*;

/// The size of a batch with this many callers, all of which come in time.
fn batch(target: &mut BatchTarget, waiting: usize, callers: usize) -> usize {
    let size = target.get().clamp(waiting, callers);
    target.record(size);
    size
}

#[test]
fn a_single_caller_never_waits() {
    let mut target = BatchTarget::default();
    for _ in 0..3 * MEASURE_INTERVAL {
        assert!(target.get() <= 1, "{target:?}");
        target.record(1);
    }
}

/// From one caller on, each batch may find a few more that wait. Targets 2 and 3: at most 0.4 fsyncs
/// for the two commits of a cycle with 16 callers, 0.15 with 64.
#[test]
fn the_number_of_callers_is_found_and_halved() {
    for (callers, fsyncs_max) in [(16, 0.4), (64, 0.15)] {
        let mut target = BatchTarget::default();
        for _ in 0..=MEASURE_INTERVAL {
            batch(&mut target, 2, callers);
        }
        let mut written = 0_u32;
        for _ in 0..100 {
            written += u32::try_from(batch(&mut target, 2, callers)).unwrap();
        }
        let fsyncs = 2.0 * 100.0 / f64::from(written);
        assert!(fsyncs <= fsyncs_max, "{callers}: {fsyncs}");
        assert_eq!(target.get(), callers / 2);
    }
}

/// After the others have left, a few batches wait for them in vain.
#[test]
fn callers_that_left_are_soon_forgotten() {
    let mut target = BatchTarget::default();
    target.record(64);
    let mut waited = 0;
    while target.get() > 1 {
        target.record(1);
        waited += 1;
    }
    assert!(waited <= 6, "{waited}");
}
