//! Files that no container runtime has mounted are not taken for secrets of one.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use tempfile::NamedTempFile;

use super::is_mounted_secret;

#[test]
fn file_in_a_directory_of_a_user_is_no_mounted_secret() {
    let file = NamedTempFile::new().unwrap();
    let path = file.path();
    for mode in [0o440, 0o444, 0o644] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let metadata = fs::metadata(path).unwrap();
        assert!(!is_mounted_secret(path, &metadata), "{mode:o}");
    }
}
