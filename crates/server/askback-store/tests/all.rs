//! Goal: the SQLite store passes the conformance suite, and what it promises about its files holds for whole processes.

#[cfg(test)]
mod suite {
    mod conformance;
    mod crash;
    mod opening;
    mod workdir;
}
