//! Goal: a session has ended when its process has, and not before.

use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::{TempDir, tempdir};

use super::*;

/// A name in the directory as `session` gives it.
fn sibling(session: &SessionLock, name: &str) -> String {
    let machine = session.session().split('.').next().unwrap_or_default();
    format!("{machine}.{name}")
}

fn inherits_now(session: &SessionLock, from: &str) -> bool {
    matches!(session.inherits(from), Inheritance::Now(_))
}

/// A session inherits from those that had ended when it started.
#[test]
fn only_sessions_that_start_after_the_end_inherit() {
    let directory = tempdir().unwrap();
    let running = SessionLock::acquire(directory.path(), None);
    let owner = SessionLock::acquire(directory.path(), None);
    let name = owner.session().to_owned();
    let beside = SessionLock::acquire(directory.path(), None);
    assert!(!inherits_now(&beside, &name));
    drop(owner);
    assert!(!inherits_now(&running, &name));
    assert!(!inherits_now(&beside, &name));
    let next = SessionLock::acquire(directory.path(), None);
    assert!(inherits_now(&next, &name));
    assert!(!inherits_now(&next, next.session()));
    assert!(!inherits_now(&next, beside.session()));
}

/// A session that its client named can come back for a while; any process of it keeps it running.
#[test]
fn named_session_is_inherited_later() {
    let directory = tempdir().unwrap();
    let owner = SessionLock::acquire(directory.path(), Some("one"));
    let again = SessionLock::acquire(directory.path(), Some("one"));
    let name = owner.session().to_owned();
    assert_eq!(again.session(), name);
    drop(owner);
    drop(again);
    let next = SessionLock::acquire(directory.path(), Some("two"));
    assert!(matches!(next.inherits(&name), Inheritance::Later));
    let lock = open_lock(directory.path(), "one").expect("it has a file");
    let now = lock.metadata().and_then(|metadata| metadata.modified());
    let now = now.expect("it has a time");
    lock.set_modified(now + NAMED_GRACE).expect("it can be set");
    assert!(matches!(next.inherits(&name), Inheritance::Later));
    lock.set_modified(now - NAMED_GRACE).expect("it can be set");
    assert!(inherits_now(&next, &name));
    // It comes back.
    let _owner = SessionLock::acquire(directory.path(), Some("one"));
    assert!(!inherits_now(&next, &name));
}

/// Processes that start all the time, such as hooks, do not fill the disk. A session that runs keeps its file.
#[test]
fn of_too_many_ended_sessions_the_oldest_are_forgotten() {
    let directory = tempdir().unwrap();
    let running = SessionLock::acquire(directory.path(), Some("running"));
    let name = |number: usize| format!("{PROCESS_PREFIX}{number}");
    let set_age = |name: &str, seconds: usize| {
        let file = open_lock(directory.path(), name).unwrap();
        let written = file.metadata().unwrap().modified().unwrap();
        let age = Duration::from_secs(u64::try_from(seconds).unwrap());
        file.set_modified(written - age).unwrap();
    };
    set_age("running", 90_000);
    for number in 0..LOCKS_MAX + 5 {
        fs::write(lock_path(directory.path(), &name(number)), "").unwrap();
        set_age(&name(number), 80_000 - number);
    }
    let _next = SessionLock::acquire(directory.path(), None);
    let left = lock_names(directory.path());
    assert!(left.len() <= LOCKS_MAX + 2, "{} files", left.len());
    assert!(left.contains(&"running".to_owned()));
    assert!(!left.contains(&name(0)) && left.contains(&name(LOCKS_MAX)));
    drop(running);
}

/// While a session takes over, the other one cannot start again.
#[test]
fn session_that_is_taken_over_waits() {
    let directory = tempdir().unwrap();
    let name = SessionLock::acquire(directory.path(), None)
        .session()
        .to_owned();
    let next = SessionLock::acquire(directory.path(), None);
    let taking_over = next.inherits(&name);
    assert!(matches!(taking_over, Inheritance::Now(Some(_))));
    let file = name.split('.').next_back().expect("it has a name");
    let owner = open_lock(directory.path(), file).expect("it has a file");
    assert!(owner.try_lock_shared().is_err());
    drop(taking_over);
    assert!(owner.try_lock_shared().is_ok());
}

/// The question of a hook passes to the session that called it, whenever the hook ends.
#[test]
fn hook_is_inherited_by_its_own_session() {
    let directory = tempdir().unwrap();
    let own = SessionLock::acquire(directory.path(), Some("one"));
    let other = SessionLock::acquire(directory.path(), Some("one-more"));
    let hook = SessionLock::acquire_for_hook(directory.path(), "one", "toolu_1");
    let name = hook.session().to_owned();
    let prefix = own.hook_prefix().expect("it has hooks");
    assert!(name.starts_with(&prefix), "{name} {prefix}");
    assert!(!inherits_now(&own, &name));
    drop(hook);
    assert!(inherits_now(&own, &name));
    assert!(!inherits_now(&other, &name));
    let again = SessionLock::acquire_for_hook(directory.path(), "one", "toolu_2");
    assert!(inherits_now(&again, &name));
    // Hooks of another session could not deliver it.
    let ended = SessionLock::acquire(directory.path(), None)
        .session()
        .to_owned();
    let next = SessionLock::acquire_for_hook(directory.path(), "two", "toolu_3");
    assert!(matches!(next.inherits(&name), Inheritance::Never));
    assert!(matches!(next.inherits(&ended), Inheritance::Never));
}

/// No two sessions share a name, whatever their clients call them.
#[test]
fn different_sessions_have_different_names() {
    let directory = tempdir().unwrap();
    let long = "x".repeat(300);
    let names = [
        "a/b",
        "a_b",
        "a b",
        "hook-a",
        "_hook-a",
        "process-a",
        &long,
        &format!("{long}y"),
    ];
    let locks = names.map(|name| SessionLock::acquire(directory.path(), Some(name)));
    let hooks = [
        ("a", "b_c"),
        ("a_b", "c"),
        ("a", "b/c"),
        ("a-b", "c"),
        ("a", "b-c"),
    ];
    let hooks =
        hooks.map(|(session, call)| SessionLock::acquire_for_hook(directory.path(), session, call));
    let all: Vec<&str> = locks
        .iter()
        .chain(&hooks)
        .map(SessionLock::session)
        .collect();
    let different: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(different.len(), all.len(), "{all:?}");
    assert!(all.iter().all(|name| name.len() <= 200), "{all:?}");
}

/// Processes of two versions look for the lock file of a session under one name.
#[test]
fn name_with_a_hash_does_not_depend_on_the_version() {
    assert_eq!(safe_name("a/b"), "a_b-c14cddc033f64b9d");
}

#[test]
fn sessions_of_other_machines_never_end() {
    let (here, there) = (tempdir().unwrap(), tempdir().unwrap());
    let theirs = SessionLock::acquire(there.path(), None)
        .session()
        .to_owned();
    let mine = SessionLock::acquire(here.path(), None);
    for session in [theirs.as_str(), "http", ""] {
        assert!(matches!(mine.inherits(session), Inheritance::Never));
    }
}

#[test]
fn lock_files_stay_within_the_directory() {
    let directory = tempdir().unwrap();
    let session = SessionLock::acquire(directory.path(), Some("../../etc/passwd"));
    let path = lock_path(
        directory.path(),
        session.session().split('.').nth(1).expect("a name"),
    );
    assert!(path.exists(), "{}", path.display());
    let other = SessionLock::acquire(directory.path(), None);
    let outside = sibling(&other, "../../x");
    assert!(matches!(other.inherits(&outside), Inheritance::Never));
}

#[test]
fn unwritable_directory_gives_a_session_without_lock() {
    let session = SessionLock::acquire(Path::new("/dev/null/askback"), Some("one"));
    assert_eq!(session.session(), "one");
    assert!(matches!(session.inherits("two"), Inheritance::Never));
}

fn set_age(directory: &TempDir, name: &str, age: Duration) {
    let lock = open_lock(directory.path(), name).expect("it has a file");
    make_older(&lock, age);
}

fn make_older(lock: &File, by: Duration) {
    let modified = lock.metadata().and_then(|metadata| metadata.modified());
    let older = modified.expect("it has a time").checked_sub(by);
    lock.set_modified(older.expect("a time"))
        .expect("it can be set");
}

/// Files of sessions that ended long ago go. Those of running sessions stay, however old they look, and so do
/// those of sessions that ended lately.
#[test]
fn locks_of_sessions_that_ended_long_ago_are_removed() {
    let directory = tempdir().unwrap();
    let running = SessionLock::acquire(directory.path(), Some("running"));
    for name in ["old", "lately"] {
        drop(SessionLock::acquire(directory.path(), Some(name)));
    }
    set_age(&directory, "running", KEPT + HEARTBEAT);
    set_age(&directory, "old", KEPT + HEARTBEAT);
    set_age(&directory, "lately", KEPT.saturating_sub(HEARTBEAT));
    let old = sibling(&running, "old");
    let next = SessionLock::acquire(directory.path(), Some("next"));
    let mut left = lock_names(directory.path());
    left.sort();
    assert_eq!(left, ["lately", "next", "running"]);
    assert!(!inherits_now(&next, running.session()));
    assert!(inherits_now(&next, &old), "what it left is not lost");
}

/// A session comes back under its name while others remove its old file: its lock is always on the file that
/// the others see.
#[test]
fn returning_session_never_holds_a_removed_file() {
    let directory = tempdir().unwrap();
    drop(SessionLock::acquire(directory.path(), Some("named")));
    let others = AtomicBool::new(true);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while others.load(Ordering::Relaxed) {
                    remove_old_locks(directory.path(), "other");
                }
            });
        }
        for _ in 0..20 {
            let held = SessionLock::acquire(directory.path(), Some("named"));
            let file = held.lock.as_ref().expect("it is locked");
            assert!(is_file_at(file, &lock_path(directory.path(), "named")));
            drop(held);
            if let Ok(lock) = open_lock(directory.path(), "named") {
                make_older(&lock, KEPT + HEARTBEAT);
            }
        }
        others.store(false, Ordering::Relaxed);
    });
}
