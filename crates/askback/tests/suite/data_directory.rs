//! Files are private to their owner, and a database has one server.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::support::run_binary::fails;
use super::support::server_process::{Directory, Server};

fn mode(path: &Path) -> u32 {
    let found = fs::metadata(path).expect("it is there");
    found.permissions().mode() & 0o777
}

/// F-S8: two data directories with one database: the second server is refused, even if it names the
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

/// F-S5: with any umask, new files are private, and readable ones are made private.
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
            let loose = fs::Permissions::from_mode(0o666);
            fs::set_permissions(data.join(name), loose).expect("it is ours");
        }
        fs::set_permissions(&data, fs::Permissions::from_mode(0o777)).expect("it is ours");
    }
}
