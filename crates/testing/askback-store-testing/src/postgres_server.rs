//! A PostgreSQL server for tests: a cluster of its own in a temporary directory.
//!
//! A shell that waits for the end of its input watches over the server. Its input ends when the value is
//! dropped or the test process ends, however that happens; then it stops the server and deletes the files.

use std::fs::Permissions;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

static COUNT: AtomicU64 = AtomicU64::new(0);

const DATABASE_USER: &str = "askback";
/// PostgreSQL does not run as root.
const UNPRIVILEGED: &str = "nobody";

/// Runs `$1`/postgres on the cluster `$2` with the port `$3` and the further arguments. `restart` on its input restarts the
/// server at once, without a checkpoint, like a crash.
const WATCH: &str = r#"
bin=$1 dir=$2 port=$3; shift 3
start() {
  "$bin/postgres" -D "$dir/data" -p $port "$@" </dev/null >>"$dir/log" 2>&1 & server=$!
  until "$bin/pg_isready" -q -h "$dir" -p $port; do
    kill -0 $server 2>/dev/null || break
    sleep 0.02
  done
  echo started
}
stop() { kill -QUIT $server 2>/dev/null; wait $server 2>/dev/null; }
start "$@"
while read -r word; do
  case $word in
    restart) stop; start "$@" ;;
    stop) stop; echo stopped ;;
    start) start "$@" ;;
  esac
done
stop
rm -rf "$dir"
"#;

/// A running server.
pub struct PostgresServer {
    bin: PathBuf,
    /// The watcher deletes it, also if the test process is killed.
    dir: TempDir,
    port: u16,
    watcher: Child,
    /// `None` only while it is dropped.
    pipes: Mutex<Option<(ChildStdin, BufReader<ChildStdout>)>>,
}

impl PostgresServer {
    /// Creates a cluster and starts its server, which listens on a socket in its directory only. Nothing
    /// in it survives a power failure.
    pub fn start() -> io::Result<PostgresServer> {
        PostgresServer::launch(5432, |_, _| {
            Ok(settings(&[
                "listen_addresses=",
                "fsync=off",
                "shared_buffers=16MB",
            ]))
        })
    }

    /// Starts a server that takes connections with TLS on a port of this machine.
    pub fn start_with_tls(certificate: &Path, key: &Path) -> io::Result<PostgresServer> {
        PostgresServer::launch(free_port()?, |dir, user| {
            let files = [("ssl_cert_file", certificate), ("ssl_key_file", key)];
            let mut all = settings(&[
                "listen_addresses=127.0.0.1",
                "fsync=off",
                "shared_buffers=16MB",
                "ssl=on",
            ]);
            for (setting, file) in files {
                let copy = dir.join(setting);
                std::fs::copy(file, &copy)?;
                std::fs::set_permissions(&copy, Permissions::from_mode(0o600))?;
                give_to(user, &copy)?;
                all.push(format!("{setting}={}", copy.display()));
            }
            Ok(all)
        })
    }

    /// Starts a server that writes everything to disk, with the settings of Debian.
    pub fn start_durable() -> io::Result<PostgresServer> {
        PostgresServer::launch(5432, |_, _| {
            Ok(settings(&["listen_addresses=", "shared_buffers=128MB"]))
        })
    }

    fn launch(
        port: u16,
        further: impl FnOnce(&Path, Option<&str>) -> io::Result<Vec<String>>,
    ) -> io::Result<PostgresServer> {
        let bin = find_programs()?;
        let directory = TempDir::with_prefix("askback-postgres-")?;
        let dir = directory.path();
        let user = unprivileged_user(dir)?;
        let mut initdb = as_user(user, &bin.join("initdb"));
        initdb.arg("-D").arg(dir.join("data"));
        initdb.args(["-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-U"]);
        let made = initdb
            .arg(DATABASE_USER)
            .current_dir(dir)
            .stdin(Stdio::null())
            .output()?;
        if !made.status.success() {
            let why = String::from_utf8_lossy(&made.stderr).into_owned();
            return Err(io::Error::other(format!("initdb failed: {why}")));
        }
        let mut watcher = as_user(user, Path::new("/bin/sh"));
        watcher.args(["-c", WATCH, "sh"]).arg(&bin).arg(dir);
        watcher.arg(port.to_string());
        for setting in further(dir, user)? {
            watcher.args(["-c", &setting]);
        }
        watcher.arg("-k").arg(dir);
        let mut watcher = watcher
            .current_dir(dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let pipes = watcher.stdin.take().zip(watcher.stdout.take());
        let pipes = pipes.map(|(input, output)| (input, BufReader::new(output)));
        let server = PostgresServer {
            bin,
            dir: directory,
            port,
            watcher,
            pipes: Mutex::new(pipes),
        };
        server.send("")?;
        Ok(server)
    }

    /// Creates an empty database and returns its URL.
    pub fn create_database(&self) -> io::Result<String> {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{count}");
        self.psql("postgres", &format!("CREATE DATABASE {name}"))?;
        Ok(self.url(&name))
    }

    /// Runs SQL in the database of a URL and returns its output.
    pub fn run_sql(&self, url: &str, sql: &str) -> io::Result<String> {
        let url = url.split('?').next().unwrap_or_default();
        let database = url.rsplit('/').next().unwrap_or_default();
        self.psql(database, sql)
    }

    /// Ends the server like a crash and starts it again. Returns when it takes connections.
    pub fn restart(&self) -> io::Result<()> {
        self.send("restart\n")
    }

    /// Ends the server like a crash.
    pub fn stop(&self) -> io::Result<()> {
        self.send("stop\n")
    }

    /// Starts the server again after [`PostgresServer::stop`].
    pub fn start_again(&self) -> io::Result<()> {
        self.send("start\n")
    }

    /// The directory with the socket of the server.
    pub fn socket_dir(&self) -> &Path {
        self.dir.path()
    }

    /// The socket of the server.
    pub fn socket(&self) -> PathBuf {
        self.dir.path().join(format!(".s.PGSQL.{}", self.port))
    }

    /// The port that the server listens on, if it was started with TLS.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The directory with the programs of PostgreSQL.
    pub fn programs(&self) -> &Path {
        &self.bin
    }

    fn url(&self, database: &str) -> String {
        let host = self.dir.path().display().to_string().replace('/', "%2F");
        let port = if self.port == 5432 {
            String::new()
        } else {
            format!(":{}", self.port)
        };
        format!("postgres://{DATABASE_USER}@{host}{port}/{database}")
    }

    fn psql(&self, database: &str, sql: &str) -> io::Result<String> {
        let psql = self.bin.join("psql");
        let output = Command::new(psql)
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"])
            .arg("-h")
            .arg(self.dir.path())
            .args(["-p", &self.port.to_string()])
            .args(["-U", DATABASE_USER, "-d", database, "-c", sql])
            .stdin(Stdio::null())
            .output()?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(io::Error::other(format!("psql failed: {why}")));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Sends a word to the watcher and waits until it has done that.
    fn send(&self, word: &str) -> io::Result<()> {
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((input, output)) = pipes.as_mut() else {
            return Err(io::Error::other("the server has ended"));
        };
        input.write_all(word.as_bytes())?;
        let mut done = String::new();
        output.read_line(&mut done)?;
        if done.is_empty() {
            let log = std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default();
            return Err(io::Error::other(format!("PostgreSQL has ended: {log}")));
        }
        Ok(())
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        drop(pipes.take());
        drop(self.watcher.wait());
    }
}

/// The directory of the newest version that Debian has installed, or that of the programs in the path.
fn find_programs() -> io::Result<PathBuf> {
    let mut versions = Vec::new();
    for entry in std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
    {
        let bin = entry?.path().join("bin");
        if bin.join("initdb").exists() {
            versions.push(bin);
        }
    }
    versions.sort();
    if let Some(newest) = versions.pop() {
        return Ok(newest);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path);
    found
        .find(|dir| dir.join("initdb").exists())
        .ok_or_else(|| {
            io::Error::other("initdb is missing; install PostgreSQL (on Debian, postgresql)")
        })
}

fn settings(own: &[&str]) -> Vec<String> {
    let common = ["max_connections=200"];
    let all = common.iter().chain(own);
    all.map(|setting| (*setting).to_owned()).collect()
}

/// A port that nothing listens on.
fn free_port() -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// The user that gets a directory and runs programs in it, if this process is root.
pub(super) fn unprivileged_user(dir: &Path) -> io::Result<Option<&'static str>> {
    if std::fs::metadata(dir)?.uid() != 0 {
        return Ok(None);
    }
    give_to(Some(UNPRIVILEGED), dir)?;
    Ok(Some(UNPRIVILEGED))
}

/// Changes the owner of a file.
pub(super) fn give_to(user: Option<&str>, path: &Path) -> io::Result<()> {
    let Some(user) = user else {
        return Ok(());
    };
    let id = Command::new("id").args(["-u", user]).output()?;
    let id = String::from_utf8_lossy(&id.stdout).trim().parse().ok();
    chown(path, id, None)
}

pub(super) fn as_user(user: Option<&str>, program: &Path) -> Command {
    let Some(user) = user else {
        return Command::new(program);
    };
    let mut command = Command::new("setpriv");
    command
        .arg(format!("--reuid={user}"))
        .args(["--clear-groups", "--regid=nogroup"])
        .arg(program);
    command
}
