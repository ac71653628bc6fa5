//! The files of a data directory are private, and a directory with other files keeps its mode.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;
use askback_wire::token::Token;

use super::{DataDir, DataDirError, UntrustedFile, files};

/// A directory for one test.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let name = format!("askback-data-dir-{name}-{}", std::process::id());
        Directory(std::env::temp_dir().join(name))
    }

    fn write(&self, name: &str, mode: u32) {
        std::fs::create_dir_all(&self.0).unwrap();
        std::fs::write(self.0.join(name), "a token that was kept here").unwrap();
        set_mode(&self.0.join(name), mode);
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn discovery(port: u16) -> Discovery {
    Discovery {
        address: format!("http://127.0.0.1:{port}"),
        token: Token::new("0123456789abcdef"),
        pid: std::process::id(),
        version: String::new(),
        role: ServerRole::Dedicated,
    }
}

/// New files are private, and files that others could read become private.
#[test]
fn files_and_directory_are_private() {
    let directory = Directory::new("closed");
    for name in ["token.new", "askback.db", "server.json", "server.lock"] {
        directory.write(name, 0o644);
    }
    set_mode(&directory.0, 0o755);
    let taken = DataDir::acquire(&directory.0).unwrap();
    taken.token(None).unwrap();
    taken.announce(&discovery(1)).unwrap();
    assert_eq!(mode(&directory.0), 0o700);
    for name in ["token", "askback.db", "server.json", "server.lock"] {
        assert_eq!(mode(&directory.0.join(name)), 0o600, "{name}");
    }
}

/// A directory with other files keeps its mode, but is reported.
#[test]
fn directory_with_other_files_keeps_its_mode() {
    let directory = Directory::new("other");
    directory.write("letter.txt", 0o644);
    directory.write("askback.db", 0o644);
    set_mode(&directory.0, 0o755);
    let taken = DataDir::acquire(&directory.0).unwrap();
    assert_eq!(mode(&directory.0), 0o755);
    assert_eq!(mode(&directory.0.join("letter.txt")), 0o644);
    assert_eq!(mode(&directory.0.join("askback.db")), 0o600);
    let names = ["askback.db", "server.lock"].map(|name| directory.0.join(name));
    let expected = [std::slice::from_ref(&directory.0), &names].concat();
    assert_eq!(files(&directory.0).unwrap(), expected);
    drop(taken);
}

/// Others may have put the token there, or changed it.
#[test]
fn directory_and_files_that_others_can_write_are_refused() {
    let refused = |directory: &Directory, expected: &Path| match DataDir::acquire(&directory.0) {
        Err(DataDirError::Untrusted(UntrustedFile::Writable { path, .. })) => {
            assert_eq!(path, expected);
        }
        other => panic!("{other:?}"),
    };
    let directory = Directory::new("writable");
    directory.write("token", 0o600);
    for mode in [0o770, 0o707, 0o1777] {
        set_mode(&directory.0, mode);
        refused(&directory, &directory.0);
    }
    set_mode(&directory.0, 0o755);
    for name in ["token", "askback.db", "askback.db-wal", "channels.toml"] {
        directory.write(name, 0o620);
        refused(&directory, &directory.0.join(name));
        set_mode(&directory.0.join(name), 0o640);
    }
    DataDir::acquire(&directory.0).unwrap();
    assert_eq!(mode(&directory.0.join("token")), 0o600);
    // Nobody has put anything into an empty directory.
    let empty = Directory::new("writable-empty");
    std::fs::create_dir(&empty.0).unwrap();
    set_mode(&empty.0, 0o777);
    DataDir::acquire(&empty.0).unwrap();
    assert_eq!(mode(&empty.0), 0o700);
}

/// Only root can give files away, so nothing is tried elsewhere.
#[test]
fn directory_and_files_of_another_user_are_refused() {
    use std::os::unix::fs::{chown, lchown, symlink};
    const SOMEBODY: Option<u32> = Some(54_321);
    let directory = Directory::new("foreign");
    directory.write("token", 0o600);
    if chown(directory.0.join("token"), SOMEBODY, None).is_err() {
        return;
    }
    let refused = |path: &Path, expected: &Path| match DataDir::acquire(path) {
        Err(DataDirError::Untrusted(UntrustedFile::ForeignOwner { path, owner, .. })) => {
            assert_eq!((path.as_path(), owner), (expected, 54_321));
        }
        other => panic!("{other:?}"),
    };
    refused(&directory.0, &directory.0.join("token"));
    std::fs::remove_file(directory.0.join("token")).unwrap();
    chown(&directory.0, SOMEBODY, None).unwrap();
    refused(&directory.0, &directory.0);
    chown(&directory.0, Some(0), None).unwrap();
    // A link of another user may lead elsewhere tomorrow.
    let other = Directory::new("foreign-link");
    std::fs::create_dir(&other.0).unwrap();
    let link = other.0.join("link");
    symlink(&directory.0, &link).unwrap();
    lchown(&link, SOMEBODY, None).unwrap();
    refused(&link, &link);
    DataDir::acquire(&directory.0).unwrap();
}

/// The `server.json` of a dead server is removed before a client can use it.
#[test]
fn stale_server_json_is_removed_under_the_lock() {
    let directory = Directory::new("stale");
    directory.write(Discovery::FILE, 0o600);
    let taken = DataDir::acquire(&directory.0).unwrap();
    assert!(matches!(Discovery::read(&directory.0), Ok(None)));
    assert!(matches!(
        DataDir::acquire(&directory.0),
        Err(DataDirError::InUse(_))
    ));
    taken.announce(&discovery(1)).unwrap();
    assert_eq!(Discovery::read(&directory.0).unwrap(), Some(discovery(1)));
    drop(taken);
    assert!(matches!(Discovery::read(&directory.0), Ok(None)));
}

/// A child process has a copy of every open file between fork and exec.
#[test]
fn lock_is_released_although_a_child_has_the_file_open() {
    let directory = Directory::new("lock-in-child");
    let taken = DataDir::acquire(&directory.0).unwrap();
    let in_child = taken.lock.try_clone().unwrap();
    drop(taken);
    assert!(DataDir::acquire(&directory.0).is_ok());
    drop(in_child);
}

/// A directory that was removed and created again belongs to the next server: its `server.json` stays.
#[test]
fn server_json_of_another_server_is_not_removed() {
    let directory = Directory::new("again");
    let first = DataDir::acquire(&directory.0).unwrap();
    first.announce(&discovery(1)).unwrap();
    assert!(first.is_in_place());
    std::fs::remove_dir_all(&directory.0).unwrap();
    assert!(!first.is_in_place());
    let second = DataDir::acquire(&directory.0).unwrap();
    assert!(!first.is_in_place());
    assert!(second.is_in_place());
    second.announce(&discovery(2)).unwrap();
    drop(first);
    assert_eq!(Discovery::read(&directory.0).unwrap(), Some(discovery(2)));
    drop(second);
}
