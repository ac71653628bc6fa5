//! The client against a scripted server, byte for byte.

#[cfg(test)]
mod suite {
    mod calls;
    mod feed;
    pub(crate) mod server;
}
