//! A process is run to its end, unless another step has failed.

use std::io::Read as _;
use std::process::Command;

use super::Processes;

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

#[test]
fn process_succeeds_or_fails() {
    let processes = Processes::default();
    assert!(processes.succeeds(&mut shell("exit 0")).unwrap());
    assert!(!processes.succeeds(&mut shell("exit 3")).unwrap());
}

/// With everything that it has started: nothing holds the pipe open.
#[test]
fn process_ends_when_another_step_fails() {
    let processes = Processes::default();
    let (mut held, end) = std::io::pipe().unwrap();
    let ended = std::thread::scope(|scope| {
        let mut started = shell("sleep 600 & echo started; wait");
        started.stdout(end);
        let running = scope.spawn(|| processes.succeeds(&mut { started }));
        held.read_exact(&mut [0; "started".len()]).unwrap();
        processes.stop();
        running.join().unwrap()
    });
    assert!(!ended.unwrap());
    held.read_to_end(&mut Vec::new()).unwrap();
    assert!(!processes.succeeds(&mut shell("exit 0")).unwrap());
}
