//! However `ask`, `chat` and `inbox` end, the terminal is restored.

use std::fs;
use std::process::Command;

use super::support::pty::Pty;
use super::support::server_process::Directory;

const QUESTION: &str = r#"{"questions": [{"question": "Which database should we use?", "header": "Database",
  "options": [{"label": "PostgreSQL"}, {"label": "MongoDB"}, {"label": "SQLite"}]}]}"#;

/// A command, what it shows first, the keys that end it, and its exit code then.
struct Case {
    name: &'static str,
    shows: &'static str,
    ends: (&'static str, u32),
}

const ASK: Case = Case {
    name: "ask",
    shows: "enter select",
    ends: ("1", 0),
};
const CHAT: Case = Case {
    name: "chat",
    shows: "Write a message",
    ends: ("\x04", 0),
};
const INBOX: Case = Case {
    name: "inbox",
    shows: "No questions waiting",
    ends: ("q", 0),
};

/// A shell that records the terminal settings before and after a command.
struct Watched {
    directory: Directory,
    pty: Pty,
}

impl Watched {
    /// Runs a command; `{}` in the script stands for it.
    fn run(case: &Case, script: &str, vars: &[(&str, &str)]) -> Watched {
        let directory = Directory::new();
        let path = directory.path().display().to_string();
        let command = match case.name {
            "ask" => {
                fs::write(directory.path().join("question.json"), QUESTION).expect("it is written");
                format!("\"$ASKBACK\" ask --json {path}/question.json")
            }
            name => format!("\"$ASKBACK\" {name} --data {path}/data"),
        };
        let script = script.replace("{}", &command).replace("{dir}", &path);
        let script =
            format!("stty -g > {path}/before; {script}; stty -g > {path}/after; echo next");
        let pty = Pty::shell(&script, vars);
        pty.shows(case.shows);
        Watched { directory, pty }
    }

    fn read(&self, name: &str) -> String {
        let read = fs::read_to_string(self.directory.path().join(name));
        read.expect("the script wrote it").trim().to_owned()
    }

    /// Waits for the end: same settings, modes off, and the next output starts on its own line.
    fn restored(mut self, what: &str) -> Watched {
        self.pty.shows("next");
        assert_eq!(self.pty.ends(), 0, "{what}");
        assert_eq!(self.read("before"), self.read("after"), "{what}");
        assert_eq!(self.pty.modes_left_on(), Vec::<&str>::new(), "{what}");
        let screen = self.pty.screen();
        assert!(screen.iter().any(|row| row == "next"), "{what}: {screen:?}");
        self
    }
}

fn signals(case: &Case) {
    let signals = [
        ("INT", "130"),
        ("TERM", "143"),
        ("HUP", "129"),
        ("QUIT", "131"),
    ];
    for (signal, code) in signals {
        let script = "sh -c 'echo $$ > {dir}/pid; exec {}'; echo $? > {dir}/code";
        let watched = Watched::run(case, script, &[]);
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &watched.read("pid")])
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "{signal}");
        let what = format!("{} after {signal}", case.name);
        let watched = watched.restored(&what);
        assert_eq!(watched.read("code"), code, "{what}");
        let screen = watched.pty.screen().join("\n");
        assert!(!screen.contains(case.shows), "{what}: {screen}");
    }
}

#[test]
fn signals_restore_the_terminal_of_ask() {
    signals(&ASK);
}

#[test]
fn signals_restore_the_terminal_of_chat() {
    signals(&CHAT);
}

#[test]
fn signals_restore_the_terminal_of_inbox() {
    signals(&INBOX);
}

/// A panic message is printed on a restored terminal, below the frame.
#[test]
fn panic_restores_the_terminal() {
    for case in [ASK, CHAT, INBOX] {
        let mut watched =
            Watched::run(&case, "{}; echo $? > {dir}/code", &[("ASKBACK_PANIC", "1")]);
        watched.pty.send("j");
        let watched = watched.restored(&format!("{} after a panic", case.name));
        assert_eq!(watched.read("code"), "101", "{}", case.name);
        let screen = watched.pty.screen().join("\n");
        let told = "the first key panics";
        assert!(screen.contains(told), "{}: {screen}", case.name);
    }
}

/// Suspended by ctrl+z, the shell gets its terminal back; resumed, the screen is drawn again.
#[test]
fn suspended_program_restores_the_terminal() {
    for case in [ASK, CHAT, INBOX] {
        let script = "set -m; {}; stty -g > {dir}/during; echo stopped; fg > /dev/null; echo $? > {dir}/code";
        let mut watched = Watched::run(&case, script, &[]);
        watched.pty.send("\x1a");
        watched.pty.writes("stopped");
        watched.pty.shows(case.shows);
        assert_eq!(
            watched.read("before"),
            watched.read("during"),
            "{}",
            case.name
        );
        let log = watched.pty.log();
        let while_stopped = log.split("stopped").next().unwrap_or_default();
        let off = while_stopped.rfind("\x1b[?2004l") > while_stopped.rfind("\x1b[?2004h");
        assert!(off, "{}: modes were on while it was stopped", case.name);
        watched.pty.send(case.ends.0);
        let watched = watched.restored(&format!("{} after ctrl+z", case.name));
        assert_eq!(
            watched.read("code"),
            case.ends.1.to_string(),
            "{}",
            case.name
        );
    }
}

/// A closed standard output does not disturb the prompt.
#[test]
fn broken_pipe_restores_the_terminal() {
    for case in [ASK, CHAT, INBOX] {
        let mut watched = Watched::run(&case, "{} | true", &[]);
        watched.pty.send(case.ends.0);
        watched.restored(&format!("{} into a broken pipe", case.name));
    }
}
