//! The files of a data directory are private, and a directory with other files keeps its mode.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use askback_wire::discovery::Discovery;
use askback_wire::server_process::ServerRole;
use askback_wire::token::Token;
use tempfile::TempDir;

use super::{DataDir, DataDirError, UntrustedFile, files};

/// A directory for one test, made by it or by what it tests.
struct Directory {
    path: PathBuf,
    _parent: TempDir,
}

impl Directory {
    fn new() -> Directory {
        let parent = tempfile::tempdir().unwrap();
        Directory {
            path: parent.path().join("data"),
            _parent: parent,
        }
    }

    fn write(&self, name: &str, mode: u32) {
        std::fs::create_dir_all(&self.path).unwrap();
        std::fs::write(self.path.join(name), "a token that was kept here").unwrap();
        set_mode(&self.path.join(name), mode);
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
    let directory = Directory::new();
    for name in ["token.new", "askback.db", "server.json", "server.lock"] {
        directory.write(name, 0o644);
    }
    set_mode(&directory.path, 0o755);
    let taken = DataDir::acquire(&directory.path).unwrap();
    taken.token(None).unwrap();
    taken.announce(&discovery(1)).unwrap();
    assert_eq!(mode(&directory.path), 0o700);
    for name in ["token", "askback.db", "server.json", "server.lock"] {
        assert_eq!(mode(&directory.path.join(name)), 0o600, "{name}");
    }
}

/// A directory with other files keeps its mode, but is reported.
#[test]
fn directory_with_other_files_keeps_its_mode() {
    let directory = Directory::new();
    directory.write("letter.txt", 0o644);
    directory.write("askback.db", 0o644);
    set_mode(&directory.path, 0o755);
    let taken = DataDir::acquire(&directory.path).unwrap();
    assert_eq!(mode(&directory.path), 0o755);
    assert_eq!(mode(&directory.path.join("letter.txt")), 0o644);
    assert_eq!(mode(&directory.path.join("askback.db")), 0o600);
    let names = ["askback.db", "server.lock"].map(|name| directory.path.join(name));
    let expected = [std::slice::from_ref(&directory.path), &names].concat();
    assert_eq!(files(&directory.path).unwrap(), expected);
    drop(taken);
}

/// Others may have put the token there, or changed it.
#[test]
fn directory_and_files_that_others_can_write_are_refused() {
    let refused = |directory: &Directory, expected: &Path| match DataDir::acquire(&directory.path) {
        Err(DataDirError::Untrusted(UntrustedFile::Writable { path, .. })) => {
            assert_eq!(path, expected);
        }
        other => panic!("{other:?}"),
    };
    let directory = Directory::new();
    directory.write("token", 0o600);
    for mode in [0o770, 0o707, 0o1777] {
        set_mode(&directory.path, mode);
        refused(&directory, &directory.path);
    }
    set_mode(&directory.path, 0o755);
    for name in ["token", "askback.db", "askback.db-wal", "channels.toml"] {
        directory.write(name, 0o620);
        refused(&directory, &directory.path.join(name));
        set_mode(&directory.path.join(name), 0o640);
    }
    DataDir::acquire(&directory.path).unwrap();
    assert_eq!(mode(&directory.path.join("token")), 0o600);
    // Nobody has put anything into an empty directory.
    let empty = Directory::new();
    std::fs::create_dir(&empty.path).unwrap();
    set_mode(&empty.path, 0o777);
    DataDir::acquire(&empty.path).unwrap();
    assert_eq!(mode(&empty.path), 0o700);
}

/// Only root can give files away, so nothing is tried elsewhere.
#[test]
fn directory_and_files_of_another_user_are_refused() {
    use std::os::unix::fs::{chown, lchown, symlink};
    const SOMEBODY: Option<u32> = Some(54_321);
    let directory = Directory::new();
    directory.write("token", 0o600);
    if chown(directory.path.join("token"), SOMEBODY, None).is_err() {
        return;
    }
    let refused = |path: &Path, expected: &Path| match DataDir::acquire(path) {
        Err(DataDirError::Untrusted(UntrustedFile::ForeignOwner { path, owner, .. })) => {
            assert_eq!((path.as_path(), owner), (expected, 54_321));
        }
        other => panic!("{other:?}"),
    };
    refused(&directory.path, &directory.path.join("token"));
    std::fs::remove_file(directory.path.join("token")).unwrap();
    chown(&directory.path, SOMEBODY, None).unwrap();
    refused(&directory.path, &directory.path);
    chown(&directory.path, Some(0), None).unwrap();
    // A link of another user may lead elsewhere tomorrow.
    let other = Directory::new();
    std::fs::create_dir(&other.path).unwrap();
    let link = other.path.join("link");
    symlink(&directory.path, &link).unwrap();
    lchown(&link, SOMEBODY, None).unwrap();
    refused(&link, &link);
    DataDir::acquire(&directory.path).unwrap();
}

/// The `server.json` of a dead server is removed before a client can use it.
#[test]
fn stale_server_json_is_removed_under_the_lock() {
    let directory = Directory::new();
    directory.write(Discovery::FILE, 0o600);
    let taken = DataDir::acquire(&directory.path).unwrap();
    assert!(matches!(Discovery::read(&directory.path), Ok(None)));
    assert!(matches!(
        DataDir::acquire(&directory.path),
        Err(DataDirError::InUse(_))
    ));
    taken.announce(&discovery(1)).unwrap();
    assert_eq!(
        Discovery::read(&directory.path).unwrap(),
        Some(discovery(1))
    );
    drop(taken);
    assert!(matches!(Discovery::read(&directory.path), Ok(None)));
}

/// A child process has a copy of every open file between fork and exec.
#[test]
fn lock_is_released_although_a_child_has_the_file_open() {
    let directory = Directory::new();
    let taken = DataDir::acquire(&directory.path).unwrap();
    let in_child = taken.lock.try_clone().unwrap();
    drop(taken);
    assert!(DataDir::acquire(&directory.path).is_ok());
    drop(in_child);
}

/// A directory that was removed and created again belongs to the next server: its `server.json` stays.
#[test]
fn server_json_of_another_server_is_not_removed() {
    let directory = Directory::new();
    let first = DataDir::acquire(&directory.path).unwrap();
    first.announce(&discovery(1)).unwrap();
    assert!(first.is_in_place());
    std::fs::remove_dir_all(&directory.path).unwrap();
    assert!(!first.is_in_place());
    let second = DataDir::acquire(&directory.path).unwrap();
    assert!(!first.is_in_place());
    assert!(second.is_in_place());
    second.announce(&discovery(2)).unwrap();
    drop(first);
    assert_eq!(
        Discovery::read(&directory.path).unwrap(),
        Some(discovery(2))
    );
    drop(second);
}
