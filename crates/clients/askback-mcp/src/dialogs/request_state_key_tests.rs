//! The key stays the same for a directory, and only its owner can read it.

use super::*;

fn directory() -> std::path::PathBuf {
    let name = format!("askback-key-{}", Uuid::now_v7().simple());
    std::env::temp_dir().join(name)
}

#[test]
fn key_is_created_once_and_private() {
    let directory = directory();
    let first = RequestStateKey::load(&directory).unwrap();
    assert_eq!(RequestStateKey::load(&directory).unwrap(), first);
    assert_ne!(first.bytes(), [0; KEY_BYTES]);
    assert!(!format!("{first:?}").contains(&format!("{:?}", first.bytes()[0])));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(directory.join(FILE_NAME)).unwrap();
        assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    }
    let files = fs::read_dir(&directory).unwrap().count();
    assert_eq!(files, 1, "nothing is left behind");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn file_without_a_key_is_not_replaced() {
    let directory = directory();
    fs::create_dir(&directory).unwrap();
    fs::write(directory.join(FILE_NAME), "short").unwrap();
    assert!(RequestStateKey::load(&directory).is_err());
    assert_eq!(fs::read(directory.join(FILE_NAME)).unwrap(), b"short");
    fs::remove_dir_all(directory).unwrap();
}
