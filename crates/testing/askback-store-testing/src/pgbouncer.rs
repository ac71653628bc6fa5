//! pgbouncer in transaction mode, in front of a PostgreSQL server of a test.

use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use tempfile::TempDir;

use crate::PostgresServer;
use crate::postgres_server::{as_user, give_to, unprivileged_user};

/// Runs the command until its input ends, which it does with the test process, however that happens; then it
/// deletes the files. Says so when it takes connections.
const WATCH: &str = r#"
"$@" </dev/null >/dev/null 2>&1 & pooler=$!
until [ -S .s.PGSQL.5432 ]; do kill -0 $pooler 2>/dev/null || exit 1; sleep 0.02; done
echo started
read -r _; kill $pooler; wait
rm -rf "$PWD"
"#;

/// A running pgbouncer.
pub struct PgBouncer {
    dir: TempDir,
    watcher: Child,
}

impl PgBouncer {
    /// Without it, its tests are skipped.
    pub fn is_installed() -> bool {
        program().is_ok()
    }

    /// Starts it with few connections to the server, so that clients share them.
    pub fn start(server: &PostgresServer) -> io::Result<PgBouncer> {
        let dir = tempfile::tempdir()?;
        let user = unprivileged_user(dir.path())?;
        let config = dir.path().join("pgbouncer.ini");
        fs::write(&config, ini(dir.path(), server.socket_dir()))?;
        give_to(user, &config)?;
        let watcher = as_user(user, Path::new("/bin/sh"))
            .args(["-c", WATCH, "sh"])
            .args([program()?, config])
            .current_dir(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut bouncer = PgBouncer { dir, watcher };
        let mut said = String::new();
        if let Some(output) = bouncer.watcher.stdout.take() {
            BufReader::new(output).read_line(&mut said)?;
        }
        if said.is_empty() {
            return Err(io::Error::other("pgbouncer does not start"));
        }
        Ok(bouncer)
    }

    /// The URL of a database of the server, through this pooler. The listener connects to the server.
    pub fn url(&self, server: &PostgresServer, database_url: &str) -> String {
        let listen_host = encode(server.socket_dir());
        format!(
            "{}&listen_host={listen_host}",
            self.url_without_listener(database_url)
        )
    }

    /// The same without the address for the listener, as a careless operator would write it.
    pub fn url_without_listener(&self, database_url: &str) -> String {
        let database = database_url.rsplit('/').next().unwrap_or_default();
        let host = encode(self.dir.path());
        format!("postgres://askback@{host}/{database}?prepare=off")
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        drop(self.watcher.wait());
    }
}

fn encode(path: &Path) -> String {
    path.display().to_string().replace('/', "%2F")
}

fn ini(dir: &Path, server: &Path) -> String {
    let (dir, server) = (dir.display(), server.display());
    format!(
        "[databases]\n* = host={server} user=askback\n[pgbouncer]\npool_mode = transaction\n\
         listen_addr =\nlisten_port = 5432\nunix_socket_dir = {dir}\nauth_type = any\n\
         default_pool_size = 4\nmax_client_conn = 200\n"
    )
}

/// Debian installs it where only root looks for programs.
fn program() -> io::Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let mut programs = places.map(|dir| dir.join("pgbouncer"));
    programs.find(|program| program.exists()).ok_or_else(|| {
        io::Error::other("pgbouncer is missing; install it (on Debian, the package pgbouncer)")
    })
}
