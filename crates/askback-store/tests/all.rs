//! Goal: what the store promises about its files holds for whole processes.

#[cfg(test)]
mod suite {
    mod crash;
    mod opening;
    mod workdir;
}
