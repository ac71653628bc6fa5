//! Files are private to their owner, a database has one server, and a server writes to no other files than those that it
//! opened.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use askback_client::Client;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use serde_json::json;

use super::support::raw_http::{raw, request};
use super::support::run_binary::{askback, command, fails};
use super::support::server_process::{Directory, Server};
use super::support::timeout::in_background;

fn mode(path: &Path) -> u32 {
    let found = fs::metadata(path).expect("it is there");
    found.permissions().mode() & 0o777
}

/// Two data directories with one database: the second server is refused, even if it names the
/// database differently.
#[test]
fn database_has_one_server_across_data_directories() {
    let directory = Directory::new();
    let database = directory.path().join("shared.db");
    let store = format!("sqlite:{}", database.display());
    let server = Server::start_with(&directory, &["--store", &store]);
    let link = directory.path().join("link.db");
    std::os::unix::fs::symlink(&database, &link).expect("linked");
    let elsewhere = directory.path().join("elsewhere");
    let elsewhere = elsewhere.to_str().expect("a text");
    for name in [&database, &link] {
        let store = format!("sqlite:{}", name.display());
        let args = ["serve", "--listen", "127.0.0.1:0", "--data", elsewhere];
        let said = fails(&[&args[..], &["--store", &store]].concat(), "", 1);
        let named = fs::canonicalize(&database).expect("it is there");
        for expected in [
            named.to_str().expect("a text"),
            &format!("process {}", server.pid()),
            "stop that process",
        ] {
            assert!(said.contains(expected), "{expected}: {said}");
        }
    }
}

/// With any umask, new files are private, and readable ones are made private.
#[test]
fn everything_on_disk_is_private_whatever_the_umask() {
    let directory = Directory::new();
    let data = directory.path().join("above/data");
    for round in ["new", "made readable"] {
        let mut child = Command::new("sh")
            .args([
                "-c",
                "umask 0; exec \"$0\" serve --listen 127.0.0.1:0 --data \"$1\"",
            ])
            .arg(env!("CARGO_BIN_EXE_askback"))
            .arg(&data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let out = child.stdout.take().expect("standard output is a pipe");
        let lines = super::support::timeout::Lines::of(std::io::BufReader::new(out));
        lines.next().expect("the server runs");
        assert_eq!(mode(&data), 0o700, "{round}");
        let mut names = Vec::new();
        for entry in fs::read_dir(&data).expect("it is there") {
            let path = entry.expect("it is there").path();
            assert_eq!(mode(&path), 0o600, "{round}: {}", path.display());
            names.push(path.file_name().expect("a name").to_owned());
        }
        names.sort();
        let expected = [
            "askback.db",
            "askback.db-lock",
            "askback.db-shm",
            "askback.db-wal",
            "server.json",
            "server.lock",
            "token",
        ];
        for name in expected {
            assert!(names.iter().any(|found| found == name), "{round}: {name}");
        }
        child.kill().expect("it ends");
        child.wait().expect("it ends");
        for name in &names {
            let loose = fs::Permissions::from_mode(0o644);
            fs::set_permissions(data.join(name), loose).expect("it is ours");
        }
        fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
}

async fn ask(client: &Client) -> Result<InquiryResponse, askback_client::ClientError> {
    let question = NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    };
    client.ask(&question).await
}

/// What somebody does to a file.
type Way = fn(&Path);

fn back_up(data: &Path, copy: &Path) {
    let [data, copy] = [data, copy].map(|path| path.to_str().expect("a path"));
    let run = askback(&["backup", copy, "--data", data], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
}

/// Expects that a server refuses to start; returns what it says.
fn refuses_to_start(data: &Path) -> String {
    let data = data.to_str().expect("a path");
    let args = ["serve", "--listen", "127.0.0.1:0", "--data", data];
    fails(&args, "", 1)
}

/// Whatever is done to a file of the database: nothing is acknowledged any more, and the server ends and says why. What
/// was acknowledged before is there after a restart, if its files are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_stops_when_its_database_is_taken_away() {
    let move_away = |path: &Path| fs::rename(path, path.with_extension("away")).expect("moved");
    let copy = |path: &Path| {
        fs::copy(path, path.with_extension("new")).expect("copied");
        fs::rename(path.with_extension("new"), path).expect("moved");
    };
    let remove = |path: &Path| fs::remove_file(path).expect("removed");
    let ways: [(&str, Way, &str); 5] = [
        ("askback.db", move_away, "was removed"),
        ("askback.db", copy, "was replaced by another file"),
        ("askback.db-wal", remove, "was removed"),
        ("askback.db-shm", remove, "was removed"),
        ("askback.db-lock", remove, "was removed"),
    ];
    for (name, way, what) in ways {
        let directory = Directory::new();
        let data = directory.path().join("data");
        let server = Server::start_with(&directory, &[]);
        let asked = ask(&server.client).await.expect("it is asked");
        way(&data.join(name));
        let refused = ask(&server.client).await;
        assert!(refused.is_err(), "{name}: {refused:?}");
        let code = in_background(move || server.exit_code());
        assert_eq!(code.get(), Some(Some(1)), "{name}");
        let log = fs::read_to_string(directory.path().join("server.log")).expect("a log");
        let last = log.lines().last().unwrap_or_default();
        for part in [
            &format!("{name} {what}"),
            "nothing more is written",
            "start the server again",
        ] {
            assert!(last.contains(part), "{part}: {last}");
        }
        if name == "askback.db" {
            continue;
        }
        let server = Server::start_with(&directory, &[]);
        let read = server.client.inquiry(&asked.id).await;
        assert!(read.expect("it is there").outcome.is_none());
    }
}

/// Somebody restores a backup and forgets to stop the server: the copy stays as it is, and the next start says what to do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backup_that_is_restored_under_a_running_server_survives() {
    let overwrite = |copy: &Path, path: &Path| {
        fs::copy(copy, path).expect("copied");
    };
    let replace = |copy: &Path, path: &Path| {
        fs::remove_file(path).expect("removed");
        fs::copy(copy, path).expect("copied");
    };
    let ways: [fn(&Path, &Path); 2] = [overwrite, replace];
    for way in ways {
        let directory = Directory::new();
        let data = directory.path().join("data");
        let database = data.join("askback.db");
        let copy = directory.path().join("copy.db");
        let server = Server::start_with(&directory, &[]);
        let before = ask(&server.client).await.expect("it is asked");
        back_up(&data, &copy);
        let after = ask(&server.client).await.expect("it is asked");
        way(&copy, &database);
        let code = in_background(move || server.exit_code());
        assert_eq!(code.get(), Some(Some(1)));
        assert_eq!(
            fs::read(&database).expect("it is there"),
            fs::read(&copy).expect("it is there")
        );
        let said = refuses_to_start(&data);
        assert!(
            said.contains("rm -f ") && said.contains("askback.db-wal"),
            "{said}"
        );
        for ending in ["-wal", "-shm"] {
            drop(fs::remove_file(data.join(format!("askback.db{ending}"))));
        }
        let server = Server::start_with(&directory, &[]);
        server
            .client
            .inquiry(&before.id)
            .await
            .expect("it is there");
        server
            .client
            .inquiry(&after.id)
            .await
            .expect_err("it is not in the copy");
    }
}

/// With the lock files gone, the database is still in use.
#[cfg(target_os = "linux")]
#[test]
fn second_server_is_refused_without_the_lock_files() {
    let directory = Directory::new();
    let data = directory.path().join("data");
    let server = Server::start_with(&directory, &[]);
    // A server that goes on stops when it sees that its files are gone, which may be first.
    server.pause();
    for name in ["askback.db-lock", "server.lock"] {
        fs::remove_file(data.join(name)).expect("removed");
    }
    let said = refuses_to_start(&data);
    assert!(said.contains("is in use by another askback"), "{said}");
    server.resume();
    let code = in_background(move || server.exit_code());
    assert_eq!(code.get(), Some(Some(1)));
}

/// A database that is cut is refused at the start, and one with a damaged page is not ready as soon as that is seen. Nothing is
/// written to either, and `doctor` says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_database_is_not_written_and_says_what_to_do() {
    let directory = Directory::new();
    let data = directory.path().join("data");
    let database = data.join("askback.db");
    let server = Server::start_with(&directory, &[]);
    let mut asked = Vec::new();
    for _ in 0..200 {
        asked.push(ask(&server.client).await.expect("it is asked").id);
    }
    server.terminate();
    let whole = fs::read(&database).expect("it is there");
    fs::write(&database, &whole[..whole.len() / 2]).expect("written");
    let said = refuses_to_start(&data);
    for part in [
        "is damaged",
        "askback.db: it is cut off",
        "Restore a backup",
        "mv ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let mut damaged = whole.clone();
    // What is read at the start lies before it.
    let last_quarter = damaged.len() / 16384 * 3 * 4096;
    damaged[last_quarter..].fill(0x5a);
    fs::write(&database, &damaged).expect("written");

    let server = Server::start_with(&directory, &[]);
    let ready = || raw(&server, &request("GET /readyz", &[("Host", "localhost")]));
    let seen = in_turn(&server, &asked).await;
    assert!(seen, "a page in the last quarter is read");
    let (status, body) = ready();
    assert_eq!(status, 503, "{body}");
    assert!(body.contains("The database is damaged"), "{body}");
    let refused = ask(&server.client).await;
    assert!(refused.is_err(), "{refused:?}");
    let shown = data.to_str().expect("a path").to_owned();
    let run = askback(&["doctor", "--offline", "--data", &shown], "");
    assert_eq!(run.code, Some(1), "{}", run.out);
    for line in [
        "store: error: The database is damaged",
        "database: error: the database is damaged",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    server.terminate();
    assert_eq!(fs::read(&database).expect("it is there"), damaged);
    let log = fs::read_to_string(directory.path().join("server.log")).expect("a log");
    assert!(log.contains("nothing is written any more"), "{log}");
    assert!(refuses_to_start(&data).contains("is damaged"));
}

/// Reads everything; whether a read failed.
async fn in_turn(server: &Server, ids: &[askback_core::id::InquiryId]) -> bool {
    for id in ids {
        if server.client.inquiry(id).await.is_err() {
            return true;
        }
    }
    ask(&server.client).await.is_err()
}

/// A configuration that others can write is refused. One with secrets that others can read is refused, too, unless root owns
/// it, as in a container: then there is a warning.
#[test]
fn configuration_of_others_is_refused() {
    use std::os::unix::fs::MetadataExt as _;
    let directory = Directory::new();
    let open = directory.path().join("open");
    fs::create_dir(&open).expect("made");
    let config = open.join("askback.toml");
    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    set_mode(&open, 0o755);
    let data = directory.path().join("data").display().to_string();
    let run = |text: &str, mode| {
        fs::write(&config, text).expect("written");
        set_mode(&config, mode);
        let config = config.to_str().expect("a path");
        let args = ["doctor", "--offline", "--data", &data, "--config", config];
        let output = command(&args)
            .env("ASKBACK_LOG", "warn")
            .output()
            .expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8(said).expect("text"),
        )
    };
    let secret = "api_key = \"a-secret\"\n";
    for (text, mode) in [(secret, 0o622), ("keep = \"1d\"\n", 0o622)] {
        let (works, said) = run(text, mode);
        assert!(
            !works && said.contains("other users can write to "),
            "{said}"
        );
    }
    let (works, said) = run("keep = \"1d\"\n", 0o644);
    assert!(
        works && said.contains("permissions: OK: configuration "),
        "{said}"
    );
    let is_of_root = fs::metadata(&config).expect("it is there").uid() == 0;
    let (works, said) = run(secret, 0o644);
    assert_eq!(works, is_of_root, "{said}");
    assert!(
        said.contains("others can read it") || said.contains("other users can read "),
        "{said}"
    );
    assert!(!said.contains("a-secret"), "{said}");
    let (works, said) = run(secret, 0o600);
    assert!(works, "{said}");
    // Nobody else can enter this directory.
    set_mode(&open, 0o700);
    let (works, said) = run(secret, 0o644);
    assert!(works, "{said}");
}

/// A flag on the command line comes before a variable of the environment, also if one names a data directory and the
/// other a server.
#[test]
fn data_flag_comes_before_an_address_from_the_environment() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let data = directory.path().to_str().expect("a text");
    let nobody = "http://127.0.0.1:1";
    let list = |args: &[&str]| {
        let mut list = command(&[&["list"], args].concat());
        let run = list.env("ASKBACK_URL", nobody).env("ASKBACK_DATA", data);
        run.output().expect("the binary runs").status.code()
    };
    assert_eq!(list(&["--data", data]), Some(0));
    assert_eq!(list(&[]), Some(1), "the address comes before the default");
    let at = ["--data", data, "--url", nobody];
    assert_eq!(list(&at), Some(1), "of two flags, the address");
    drop(server);
}
