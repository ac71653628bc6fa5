//! The recipes of `docs/scripts.md` do what they promise, as they are printed there.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use askback_wire::list::ListInquiriesParams;
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::support::pty::Pty;
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::{in_background, within};

const PAGE: &str = include_str!("../../../../docs/scripts.md");

/// The only recipe without a terminal; it has a test of its own.
const CI_PAUSE: &str = "Pause a CI job until somebody agrees";

/// What is shown, and the keys that are typed then.
type Step = (&'static str, &'static str);

struct Recipe {
    title: &'static str,
    steps: &'static [Step],
    /// Prints what the recipe did.
    check: &'static str,
    done: &'static str,
}

const RECIPES: &[Recipe] = &[
    Recipe {
        title: "Switch the branch",
        steps: &[("> 1 ○ feature", "2")],
        check: "git branch --show-current",
        done: "main",
    },
    Recipe {
        title: "Ask before a deployment",
        steps: &[("Deploy feature to production?", "y")],
        check: "cat ran",
        done: "deploy",
    },
    Recipe {
        title: "Choose what to test",
        steps: &[("> 1 ☑ unit", "3\r")],
        check: "cat ran",
        done: "test unit test load",
    },
    Recipe {
        title: "Suggest the next version",
        steps: &[("v1.0.1", "\r")],
        check: "git tag | tr '\\n' ' '",
        done: "v1.0.0 v1.0.1",
    },
    // The suggestion can be edited.
    Recipe {
        title: "Suggest the next version",
        steps: &[("v1.0.1", "\x7f\x7f\x7f1.0\r")],
        check: "git tag | tr '\\n' ' '",
        done: "v1.0.0 v1.1.0",
    },
    Recipe {
        title: "What changed since a day",
        steps: &[("Changes since when?", "2020-01-01\r")],
        check: "echo \"since $since\"",
        done: "since 2020-01-01",
    },
    Recipe {
        title: "Scale a service",
        steps: &[("How many replicas?", "\r")],
        check: "cat ran",
        done: "scale 3",
    },
    Recipe {
        title: "Delete merged branches",
        steps: &[("> 1 ☐ feature", "2\r")],
        check: "git branch --format='%(refname:short)' | tr '\\n' ' '",
        done: "feature main",
    },
    // Left without an answer, it calls nothing.
    Recipe {
        title: "Delete merged branches",
        steps: &[("> 1 ☐ feature", "\x03")],
        check: "git branch --format='%(refname:short)' | tr '\\n' ' '",
        done: "feature main old",
    },
    Recipe {
        title: "Write a commit message",
        steps: &[("> 1 ○ feat", "2"), ("Summary?", "a crash\r")],
        check: "git log -1 --format=%s",
        done: "fix: a crash",
    },
    Recipe {
        title: "A hook of git",
        steps: &[("Push to main?", "y")],
        check: "true",
        done: "code 0",
    },
    Recipe {
        title: "Go on after a minute",
        steps: &[("> 1 ○ Europe", "2")],
        check: "true",
        done: "deploying to Asia",
    },
];

/// The script below a heading.
fn script(title: &str) -> &'static str {
    let (_, behind) = PAGE
        .split_once(&format!("### {title}\n"))
        .unwrap_or_else(|| panic!("{title} is on the page"));
    let (_, behind) = behind.split_once("```sh\n").expect("it has a script");
    behind.split_once("```").expect("the script ends").0
}

/// A repository with two branches, and commands that write down how they were called.
fn repository(directory: &Path) {
    let bin = directory.join("bin");
    fs::create_dir(&bin).expect("a directory");
    let binary = env!("CARGO_BIN_EXE_askback");
    std::os::unix::fs::symlink(binary, bin.join("askback")).expect("a link");
    let commands = "for name in deploy test scale release; do \
        printf '#!/bin/sh\\nprintf \"%%s \" \"$(basename $0)${1:+ $1}\" >> ran\\n' > $name; chmod +x $name; done
        git init -q -b main . && git commit -q --allow-empty -m first && git tag v1.0.0
        git branch old && git switch -q -c feature";
    let made = in_repository(Command::new("sh").args(["-c", commands]), directory)
        .output()
        .expect("a shell runs");
    assert!(made.status.success(), "{made:?}");
}

const IDENTITY: [(&str, &str); 5] = [
    ("GIT_AUTHOR_NAME", "Ana"),
    ("GIT_AUTHOR_EMAIL", "ana@example.org"),
    ("GIT_COMMITTER_NAME", "Ana"),
    ("GIT_COMMITTER_EMAIL", "ana@example.org"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
];

fn in_repository<'a>(command: &'a mut Command, directory: &Path) -> &'a mut Command {
    let path = format!("{}:/usr/bin:/bin", directory.join("bin").display());
    command
        .current_dir(directory)
        .env("PATH", path)
        .env("HOME", directory)
        .envs(IDENTITY)
}

#[test]
fn every_recipe_does_what_it_promises() {
    for Recipe {
        title,
        steps,
        check,
        done,
    } in RECIPES
    {
        let directory = Directory::new();
        repository(directory.path());
        let path = directory.path().display().to_string();
        let script = format!("cd {path}; {}\necho \"code $?\"; {check}", script(title));
        let search = format!("{path}/bin:/usr/bin:/bin");
        let mut vars = vec![("PATH", search.as_str()), ("HOME", &path)];
        vars.extend(IDENTITY);
        let mut pty = Pty::shell(&script, &vars);
        for (shown, keys) in *steps {
            pty.shows(shown);
            pty.send(keys);
        }
        pty.shows("code 0");
        pty.shows(done);
        pty.ends();
    }
}

#[tokio::test]
async fn ci_job_waits_for_somebody_who_agrees() {
    let directory = Directory::new();
    repository(directory.path());
    let server = Server::start_with(&directory, &[]);
    let log = directory.path().join("said");
    let mut job = Command::new("sh");
    in_repository(&mut job, directory.path())
        .args(["-c", script(CI_PAUSE)])
        .env("ASKBACK_URL", &server.address)
        .env("ASKBACK_TOKEN", TOKEN)
        .env("CI_RUN_ID", "42")
        .env("VERSION", "1.0.1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(fs::File::create(&log).expect("a file for what it says"));
    let job = in_background(move || job.output().expect("a shell runs"));
    // A job that finds its question answered says nothing, so it is answered once the job has said where.
    let asked = within("the job says where to answer", async {
        loop {
            let params = ListInquiriesParams::default();
            let page = server.client.inquiries(&params).await;
            let said = fs::read_to_string(&log).expect("what it says");
            if let Some(asked) = page.expect("listed").items.pop()
                && said.contains(&format!("{}/q/{}", server.address, asked.id))
                && said.contains("askback answer inq_")
            {
                return asked;
            }
        }
    });
    let asked = asked.await;
    let params = AnswerParams {
        answers: json!({ "q1": "yes" }),
        ..AnswerParams::default()
    };
    let answered = server.client.answer(&asked.id, &params).await;
    answered.expect("it is answered");
    let job = job.get().expect("the job ends");
    let said = fs::read_to_string(&log).expect("what it said");
    assert!(job.status.success() && job.stdout.is_empty(), "{job:?}");
    assert!(!said.contains("no interactive terminal"), "{said}");
    let ran = fs::read_to_string(directory.path().join("ran")).expect("it was released");
    assert_eq!(ran, "release ");
}

#[test]
fn page_has_no_other_recipes() {
    let titles = PAGE.lines().filter_map(|line| line.strip_prefix("### "));
    let mut titles: Vec<&str> = titles.collect();
    let mut tried: Vec<&str> = RECIPES.iter().map(|recipe| recipe.title).collect();
    tried.push(CI_PAUSE);
    tried.dedup();
    titles.sort_unstable();
    tried.sort_unstable();
    assert_eq!(titles, tried);
}
