//! The agents of one computer, which an inbox in which nothing waits names.

/// The agents that `askback install` knows and found on this computer, by its names for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalAgents {
    /// Those that ask through askback.
    pub ready: Vec<String>,
    /// Those that do not.
    pub rest: Vec<String>,
}
