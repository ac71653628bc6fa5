//! The integration tests of the crate, one binary for all of them.

#[cfg(test)]
mod suite {
    mod browser;
    mod choose;
    mod files;
    mod frames;
    mod problems;
    mod refusals;
    mod someone;
    mod typed;
}
