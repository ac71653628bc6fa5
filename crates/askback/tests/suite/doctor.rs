//! `askback doctor` names what is wrong, and what to do about it.

use askback_agent::scripted::Script;
use askback_fakes::fake_provider::{FakeProvider, FakeProviderOptions};
use serde_json::json;

use super::support::run_binary::{Run, askback, command};
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::within;

async fn fake_provider(key: Option<&str>, models: &[&str]) -> FakeProvider {
    let script = json!({"steps": [{"say": "OK"}]}).to_string();
    let mut options = FakeProviderOptions::new(Script::parse(&script).expect("a script"));
    options.key = key.map(str::to_owned);
    options.models = models.iter().map(|model| (*model).to_owned()).collect();
    FakeProvider::start(options).await.expect("it starts")
}

/// Runs doctor against a provider at this address.
async fn doctor(provider: &'static str, base_url: String, more: &'static [&'static str]) -> Run {
    let run = tokio::task::spawn_blocking(move || {
        let directory = Directory::new();
        let config = directory.path().join("askback.toml");
        std::fs::write(&config, "api_key = \"right\"\n").expect("written");
        let data = directory.path().join("data").display().to_string();
        let config = config.display().to_string();
        let mut args = vec!["doctor", "--data", &data, "--config", &config];
        args.extend(["--provider", provider, "--base-url", &base_url]);
        args.extend(more);
        askback(&args, "")
    });
    within("doctor ends", run).await.expect("no panic")
}

/// A server at --url that does not answer, or refuses the token, is one failed check among the others, with what to do.
#[test]
fn server_that_cannot_be_asked_is_a_failed_check() {
    let directory = Directory::new();
    let away = directory.path().join("away").display().to_string();
    let doctor = |url: &str, token: &str| {
        let args = ["doctor", "--offline", "--data", &away];
        askback(&[&args, &["--url", url, "--token", token][..]].concat(), "")
    };
    let nobody = doctor("http://127.0.0.1:1", TOKEN);
    let server = Server::start(&directory, &json!({"steps": [{"say": "-"}]}));
    let wrong = doctor(&server.address, "not-the-token-of-it");
    for (run, advice) in [
        (nobody, "Check that the server runs"),
        (wrong, "--token-file"),
    ] {
        assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
        let line = run
            .out
            .lines()
            .find(|line| line.starts_with("server: error: "));
        let line = line.unwrap_or_else(|| panic!("{}{}", run.out, run.err));
        assert!(line.contains(advice), "{line}");
        assert!(
            run.out.contains("permissions: not checked: "),
            "{}",
            run.out
        );
    }
    let right = doctor(&server.address, TOKEN);
    assert_eq!(right.code, Some(0), "{}{}", right.out, right.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replying_provider_is_ok() {
    for provider in ["anthropic", "openai", "openai-responses"] {
        let there = fake_provider(Some("right"), &["one"]).await;
        let run = doctor(provider, there.base_url(), &["--model", "one"]).await;
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert!(run.out.contains("provider: OK"), "{}", run.out);
        assert_eq!(there.requests().len(), 1, "one request");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_key_model_and_address_have_distinct_errors() {
    for provider in ["anthropic", "openai", "openai-responses"] {
        let locked = fake_provider(Some("another"), &[]).await;
        let run = doctor(provider, locked.base_url(), &["--model", "one"]).await;
        assert_eq!(run.code, Some(1));
        assert!(run.out.contains("ASKBACK_API_KEY"), "{}", run.out);
        assert!(!run.out.contains("right"), "the key stays a secret");

        let other = fake_provider(None, &["two"]).await;
        let run = doctor(provider, other.base_url(), &["--model", "one"]).await;
        assert_eq!(run.code, Some(1));
        assert!(run.out.contains("--model"), "{}", run.out);

        let nobody = other.base_url();
        drop(other);
        let run = doctor(provider, nobody, &["--model", "one"]).await;
        assert_eq!(run.code, Some(1));
        assert!(run.out.contains("--base-url"), "{}", run.out);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn offline_tries_nothing() {
    let locked = fake_provider(Some("another"), &[]).await;
    let run = doctor("openai", locked.base_url(), &["--offline"]).await;
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(locked.requests().len(), 0);
}

/// What this command was not given says nothing about the server that runs.
#[test]
fn provider_of_a_running_server_is_not_guessed() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    let data = directory.path().join("data").display().to_string();
    let run = askback(&["doctor", "--data", &data, "--token", TOKEN], "");
    assert!(
        run.out
            .contains("provider: the one that the running server was started with")
    );
    assert!(!run.out.contains("no model"), "{}", run.out);
    server.kill();
}

/// Whoever only looks creates nothing, and an unusable token is named by its file.
#[test]
fn doctor_creates_nothing_and_names_an_empty_token_file() {
    let directory = Directory::new();
    let data = directory.path().join("data");
    let shown = data.display().to_string();
    let doctor = || askback(&["doctor", "--offline", "--limits", "--data", &shown], "");
    let run = doctor();
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("server: not running"), "{}", run.out);
    assert!(!data.exists());

    assert_eq!(askback(&["list", "--data", &shown], "").code, Some(0));
    std::fs::write(data.join("token"), "").expect("written");
    let run = doctor();
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let line = format!("cannot use {shown}/token: it holds no token; remove it");
    assert!(run.out.contains(&line), "{}", run.out);
}

/// Files that other users can read are reported with a fix. A directory with only our own files is
/// made private without asking.
#[test]
fn doctor_reports_files_others_can_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = Directory::new();
    let data = directory.path().join("data");
    let path = data.display().to_string();
    std::fs::create_dir(&data).expect("made");
    let loose = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&data, loose.clone()).expect("ours");
    let run = askback(&["doctor", "--offline", "--data", &path], "");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("permissions: OK"), "{}", run.out);
    std::fs::write(data.join("letter.txt"), "Dear diary").expect("written");
    std::fs::set_permissions(&data, loose).expect("ours");
    let run = askback(&["doctor", "--offline", "--data", &path], "");
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let expected = format!("other users can access {path} (mode 755); run chmod go-rwx {path}");
    assert!(run.out.contains(&expected), "{}", run.out);
}

/// The checks come first, one per line; without a server or an agent they say what to do, and name no
/// address that is gone a moment later. Limits are printed on request.
#[test]
fn doctor_says_what_is_missing() {
    let directory = Directory::new();
    let data = directory.path().join("data").display().to_string();
    let home = directory.path().display().to_string();
    let run = |more: &[&str]| {
        let mut args = vec!["doctor", "--offline", "--data", &data];
        args.extend(more);
        let run = command(&args)
            .env("HOME", &home)
            .env_remove("XDG_CONFIG_HOME")
            .output();
        let run = run.expect("doctor runs");
        assert!(run.status.success(), "{run:?}");
        String::from_utf8(run.stdout).expect("text")
    };
    let said = run(&[]);
    assert!(
        !said.contains("http://") && !said.contains("limits:"),
        "{said}"
    );
    for line in [
        "server: not running. Commands start one when they need it",
        "permissions: not checked: ",
        "agent: none is set up. Run `askback install AGENT`, with one of: claude-code, ",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(askback(&["list", "--data", &data], "").code, Some(0));
    let said = run(&["--limits"]);
    let (checks, limits) = said.split_once("\nlimits:\n").expect("a heading");
    assert!(
        checks.contains("permissions: OK") && limits.lines().count() > 10,
        "{said}"
    );
}
