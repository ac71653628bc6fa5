//! Goal: whatever happens to a connection while a commit is written, it is written once or not at all,
//! and what callers are told is true.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::*;
use askback_store_testing::PostgresServer;
use askback_store_testing::sample::{conversation, create, update};
use tempfile::TempDir;

/// What the proxy does with the next `COMMIT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Cut {
    Nothing,
    /// The server gets it, the client no response.
    AfterCommit,
    /// The server does not get it.
    BeforeCommit,
    /// Like `AfterCommit`, and the server cannot be reached any more.
    AfterCommitForGood,
    /// No connection works.
    Everything,
}

/// A proxy in front of the socket of a server.
struct Proxy {
    dir: TempDir,
    cut: Arc<AtomicU8>,
}

impl Proxy {
    fn start(server: &PostgresServer) -> Proxy {
        let dir = tempfile::tempdir().unwrap();
        let cut = Arc::new(AtomicU8::new(Cut::Nothing as u8));
        let listener = UnixListener::bind(dir.path().join(".s.PGSQL.5432")).unwrap();
        let target = server.socket_dir().join(".s.PGSQL.5432");
        let state = Arc::clone(&cut);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, target.clone(), Arc::clone(&state)));
            }
        });
        Proxy { dir, cut }
    }

    fn set(&self, cut: Cut) {
        self.cut.store(cut as u8, Ordering::SeqCst);
    }

    /// A store that gives up after a time.
    async fn store(&self, url: &str, patience: Duration) -> PostgresStore {
        let host = self.dir.path().display().to_string().replace('/', "%2F");
        let database = url.rsplit('/').next().unwrap();
        let url = format!("postgres://askback@{host}/{database}?lease=60");
        let mut options = PostgresOptions::parse(&url).unwrap();
        options.patience = patience;
        PostgresStore::open(options).await.unwrap()
    }
}

async fn forward(mut client: UnixStream, target: PathBuf, cut: Arc<AtomicU8>) {
    let is = |expected: Cut| cut.load(Ordering::SeqCst) == expected as u8;
    if is(Cut::Everything) {
        return;
    }
    let Ok(mut server) = UnixStream::connect(target).await else {
        return;
    };
    let (mut sent, mut received) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            read = client.read(&mut sent) => {
                let Ok(length @ 1..) = read else { return };
                let bytes = &sent[..length];
                // Reads end with a COMMIT as well, but they also begin.
                let has = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
                let commits = has(b"COMMIT\0") && !has(b"BEGIN");
                if commits && is(Cut::BeforeCommit) {
                    cut.store(Cut::Nothing as u8, Ordering::SeqCst);
                    return;
                }
                if server.write_all(bytes).await.is_err() {
                    return;
                }
                if commits && (is(Cut::AfterCommit) || is(Cut::AfterCommitForGood)) {
                    let next = if is(Cut::AfterCommit) { Cut::Nothing } else { Cut::Everything };
                    cut.store(next as u8, Ordering::SeqCst);
                    // The response to COMMIT comes, so it is written; the client never gets it.
                    let mut response: Vec<u8> = Vec::new();
                    while !response.windows(7).any(|part| part == b"COMMIT\0") {
                        let Ok(length @ 1..) = server.read(&mut received).await else { return };
                        response.extend(&received[..length]);
                    }
                    return;
                }
            }
            read = server.read(&mut received) => {
                let Ok(length @ 1..) = read else { return };
                if is(Cut::Everything) || client.write_all(&received[..length]).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// The connection is lost after the commit or before it: the store finds out which, and the caller gets
/// the result of a commit that was written once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_connection_that_is_cut_at_commit_is_resolved() {
    let server = PostgresServer::start().unwrap();
    let url = server.create_database().unwrap();
    let proxy = Proxy::start(&server);
    let store = proxy.store(&url, Duration::from_mins(1)).await;
    let id = conversation(1);
    store.commit(create(&id, 1)).await.unwrap();
    for (version, cut) in [(1, Cut::AfterCommit), (2, Cut::BeforeCommit)] {
        proxy.set(cut);
        let committed = store.commit(update(&id, version, 2)).await.unwrap();
        assert_eq!(committed.first_sequence, version + 1);
        assert_eq!(
            proxy.cut.load(Ordering::SeqCst),
            Cut::Nothing as u8,
            "{cut:?}"
        );
    }
    let records = store.records(None, 0, 9).await.unwrap();
    let records: Vec<_> = records.iter().map(|record| record.last).collect();
    assert_eq!(records, [1, 2, 3]);
}

/// While nobody knows whether a commit was written, its caller is told so and nothing can be read. What
/// is read afterwards is final.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_unknown_commit_is_resolved_before_anything_is_read() {
    let server = PostgresServer::start().unwrap();
    let url = server.create_database().unwrap();
    let proxy = Proxy::start(&server);
    let store = proxy.store(&url, Duration::from_secs(1)).await;
    let id = conversation(1);
    store.commit(create(&id, 1)).await.unwrap();
    proxy.set(Cut::AfterCommitForGood);
    let unknown = store.commit(update(&id, 1, 2)).await;
    assert!(
        matches!(unknown, Err(StoreError::CommitUnknown(_))),
        "{unknown:?}"
    );
    assert!(!store.is_healthy());
    let refused = store.load(&id).await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable(_))),
        "{refused:?}"
    );
    let refused = store.commit(update(&id, 2, 3)).await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable(_))),
        "{refused:?}"
    );
    proxy.set(Cut::Nothing);
    let resolved = async {
        while !store.is_healthy() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_mins(1), resolved).await.unwrap();
    let loaded = store.load(&id).await.unwrap().unwrap();
    assert_eq!(loaded.row.snapshot.version, 2);
    store.commit(update(&id, 2, 3)).await.unwrap();
}

/// The server crashes and restarts under load: acknowledged commits are there, refused ones are not, and
/// the feed has no gap.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_restart_of_the_server_loses_nothing() {
    let server = PostgresServer::start().unwrap();
    let url = server.create_database().unwrap();
    let store = Arc::new(
        PostgresStore::open(PostgresOptions::parse(&url).unwrap())
            .await
            .unwrap(),
    );
    let mut committers = JoinSet::new();
    for number in 1..=4_u128 {
        let store = Arc::clone(&store);
        committers.spawn(async move {
            let id = conversation(number);
            let mut version = 0;
            while version < 60 {
                let commit = if version == 0 {
                    create(&id, 1)
                } else {
                    update(&id, version, 1)
                };
                match store.commit(commit).await {
                    Ok(_) => version += 1,
                    Err(StoreError::CommitUnknown(_) | StoreError::Unavailable(_)) => {
                        while !store.is_healthy() {
                            sleep(Duration::from_millis(10)).await;
                        }
                        let Ok(loaded) = store.load(&id).await else {
                            continue;
                        };
                        version = loaded.map_or(0, |loaded| loaded.row.snapshot.version);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        });
    }
    for restart_after in [40, 100, 160] {
        while store.newest_sequence().await.unwrap_or(0) < restart_after {
            sleep(Duration::from_millis(1)).await;
        }
        tokio::task::block_in_place(|| server.restart()).unwrap();
    }
    committers.join_all().await;
    let mut seen = Vec::new();
    while seen.len() < 240 {
        let after = seen.last().copied().unwrap_or(0);
        let records = store.records(None, after, 100).await.unwrap();
        seen.extend(records.iter().map(|record| record.last));
    }
    assert_eq!(seen, (1..=240).collect::<Vec<_>>());
    drop(store);
    drop(server);
}
