//! Secrets that a container runtime mounts. Podman, Docker and Kubernetes give them to root with mode 0440, 0444 or 0644, in
//! a place that only the container sees.

use std::fs::Metadata;
use std::path::Path;

/// Where runtimes mount secrets unless they are told otherwise.
const DIRECTORIES: [&str; 2] = ["/run/secrets", "/var/run/secrets"];

/// Whether a container runtime has mounted this file as a secret: root owns it, nobody else can write to it, and it is in
/// `/run/secrets` or on a file system that is mounted read-only. A file in a home directory is neither.
pub fn is_mounted_secret(path: &Path, metadata: &Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let is_of_root = metadata.uid() == 0;
    let is_writable_by_others = metadata.permissions().mode() & 0o022 != 0;
    is_of_root && !is_writable_by_others && (is_in_directory(path) || is_on_read_only_mount(path))
}

/// A link that leads elsewhere does not count.
fn is_in_directory(path: &Path) -> bool {
    let real = path.canonicalize();
    real.is_ok_and(|real| DIRECTORIES.iter().any(|it| real.starts_with(it)))
}

fn is_on_read_only_mount(path: &Path) -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    statvfs(path).is_ok_and(|found| found.f_flag.contains(StatVfsMountFlags::RDONLY))
}

#[cfg(test)]
#[path = "mounted_secret_tests.rs"]
mod tests;
