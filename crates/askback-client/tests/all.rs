//! The client against a server that is written by hand, byte for byte.

#[cfg(test)]
mod suite {
    mod calls;
    mod feed;
    pub(crate) mod server;
}
