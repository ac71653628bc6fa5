//! No test is left out, and no failure is counted as a pass.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use super::{Counts, Extent, TestProgram, programs, run, without_passed};
use crate::processes::Processes;

#[test]
fn every_test_program_that_cargo_made_is_found() {
    let artifact = |name: &str, kind: &str, rest: &str| {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"/r/crates/a/Cargo.toml","target":{{"name":"{name}","kind":["{kind}"]}},{rest}}}"#
        )
    };
    let messages = [
        artifact("b", "lib", r#""profile":{"test":false},"executable":null"#),
        artifact(
            "a",
            "bin",
            r#""profile":{"test":false},"executable":"/t/a""#,
        ),
        artifact(
            "all",
            "test",
            r#""profile":{"test":true},"executable":"/t/all-1""#,
        ),
        r#"{"reason":"build-finished","success":true}"#.to_owned(),
    ];
    let expected = TestProgram {
        name: "a test all".to_owned(),
        directory: PathBuf::from("/r/crates/a"),
        executable: PathBuf::from("/t/all-1"),
    };
    assert_eq!(programs(&messages.join("\n")), [expected]);
}

#[test]
fn closing_line_is_counted() {
    let printed = "running 3 tests\ntest a ... ok\n\ntest result: FAILED. 562 passed; 3 failed; 0 ignored; \
                   0 measured; 0 filtered out; finished in 1.00s\n";
    let expected = Counts {
        passed: 562,
        failed: 3,
    };
    assert_eq!(Counts::read(printed), expected);
    assert_eq!(Counts::read("killed"), Counts::default());
}

#[test]
fn only_what_passed_is_left_out() {
    let printed = "test a ... ok\ntest b ... FAILED\n---- b ----\nit is not ok";
    assert_eq!(
        without_passed(printed),
        "test b ... FAILED\n---- b ----\nit is not ok"
    );
}

/// One that ends before it has counted anything is a failure, and so is a run without a test.
#[test]
fn run_needs_a_test_and_no_failing_program() {
    let directory = tempfile::tempdir().unwrap();
    let executable = directory.path().join("ends-at-once");
    symlink("/bin/false", &executable).unwrap();
    let fails = TestProgram {
        name: "ends at once".to_owned(),
        directory: directory.path().to_owned(),
        executable,
    };
    let processes = Processes::default();
    assert!(!run(&[fails], Extent::Short, &processes).unwrap());
    assert!(!run(&[], Extent::Short, &processes).unwrap());
}
