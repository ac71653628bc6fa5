//! The tests of the real binary: what it prints, and how it ends.

#[cfg(test)]
mod suite {
    mod binary;
    mod check;
    mod help;
    mod render;
    mod schema;
}
