//! The client against a server that is written by hand, byte for byte.

#[cfg(test)]
mod suite {
    mod calls;
    mod feed;
    mod schema;
    pub(crate) mod server;
}
