//! The name of this machine, which names a node unless its operator chooses another.

/// The host name, as the system gives it.
pub fn host_name() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}
