//! Goal: a session is over when its process is gone, and never before.

use super::*;

struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        Scratch(std::env::temp_dir().join(format!("askback-mcp-{}", Uuid::now_v7().simple())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[test]
fn a_session_is_over_when_nobody_holds_it() {
    let scratch = Scratch::new();
    let first = Presence::begin(&scratch.0, Some("one"));
    let second = Presence::begin(&scratch.0, None);
    let name = first.session().to_owned();
    assert!(!second.is_over(&name));
    assert!(!second.is_over(second.session()));
    // The same session in a second process keeps it alive.
    let again = Presence::begin(&scratch.0, Some("one"));
    assert_eq!(again.session(), name);
    drop(first);
    assert!(!second.is_over(&name));
    drop(again);
    assert!(second.is_over(&name));
}

#[test]
fn sessions_of_other_machines_are_never_over() {
    let (here, there) = (Scratch::new(), Scratch::new());
    let mine = Presence::begin(&here.0, None);
    let theirs = Presence::begin(&there.0, Some("one")).session().to_owned();
    assert!(!mine.is_over(&theirs));
    assert!(!mine.is_over("http"));
    assert!(!mine.is_over(""));
}

#[test]
fn names_stay_within_the_directory() {
    let scratch = Scratch::new();
    let session = Presence::begin(&scratch.0, Some("../../etc/passwd"));
    assert!(session.session().ends_with(".______etc_passwd"));
    let other = Presence::begin(&scratch.0, None);
    let machine = other
        .session()
        .split('.')
        .next()
        .unwrap_or_default()
        .to_owned();
    assert!(!other.is_over(&format!("{machine}.../../x")));
}

#[test]
fn a_directory_that_cannot_be_written_is_done_without() {
    let session = Presence::begin(Path::new("/dev/null/askback"), Some("one"));
    assert_eq!(session.session(), "one");
    assert!(!session.is_over("two"));
}
