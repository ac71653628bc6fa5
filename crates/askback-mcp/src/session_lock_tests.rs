//! Goal: a session has ended when its process has, and not before.

use super::*;

struct TempDirectory(PathBuf);

impl TempDirectory {
    fn new() -> TempDirectory {
        TempDirectory(std::env::temp_dir().join(format!("askback-mcp-{}", Uuid::now_v7().simple())))
    }
}

impl Drop for TempDirectory {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[test]
fn session_has_ended_when_no_process_holds_it() {
    let directory = TempDirectory::new();
    let first = SessionLock::acquire(&directory.0, Some("one"));
    let second = SessionLock::acquire(&directory.0, None);
    let name = first.session().to_owned();
    assert!(!second.has_ended(&name));
    assert!(!second.has_ended(second.session()));
    // A second process of the same session keeps it running.
    let again = SessionLock::acquire(&directory.0, Some("one"));
    assert_eq!(again.session(), name);
    drop(first);
    assert!(!second.has_ended(&name));
    drop(again);
    assert!(second.has_ended(&name));
}

#[test]
fn sessions_of_other_machines_never_end() {
    let (here, there) = (TempDirectory::new(), TempDirectory::new());
    let mine = SessionLock::acquire(&here.0, None);
    let theirs = SessionLock::acquire(&there.0, Some("one"))
        .session()
        .to_owned();
    assert!(!mine.has_ended(&theirs));
    assert!(!mine.has_ended("http"));
    assert!(!mine.has_ended(""));
}

#[test]
fn lock_files_stay_within_the_directory() {
    let directory = TempDirectory::new();
    let session = SessionLock::acquire(&directory.0, Some("../../etc/passwd"));
    assert!(session.session().ends_with(".______etc_passwd"));
    let other = SessionLock::acquire(&directory.0, None);
    let machine = other
        .session()
        .split('.')
        .next()
        .unwrap_or_default()
        .to_owned();
    assert!(!other.has_ended(&format!("{machine}.../../x")));
}

#[test]
fn unwritable_directory_gives_a_session_without_lock() {
    let session = SessionLock::acquire(Path::new("/dev/null/askback"), Some("one"));
    assert_eq!(session.session(), "one");
    assert!(!session.has_ended("two"));
}
