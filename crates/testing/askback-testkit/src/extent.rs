//! How much a test run covers.

/// The first number, or the second one where somebody asks for the full run with `ASKBACK_TEST_FULL=1`.
pub fn short_or_full<T>(short: T, full: T) -> T {
    if std::env::var_os("ASKBACK_TEST_FULL").is_some() {
        full
    } else {
        short
    }
}
