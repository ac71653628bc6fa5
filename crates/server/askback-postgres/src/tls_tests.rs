//! Goal: a server is reached with TLS if its certificate is right, and refused with a reason if it is not.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;
use askback_store_testing::PostgresServer;
use askback_store_testing::sample::{conversation, create};

fn has_openssl() -> bool {
    let has = Command::new("openssl").arg("version").output().is_ok();
    if !has {
        eprintln!("skipped: openssl is not installed, so no certificate can be made");
    }
    has
}

/// Runs openssl in a directory.
fn openssl(dir: &Path, arguments: &str) {
    let run = Command::new("openssl")
        .args(arguments.split(' '))
        .current_dir(dir)
        .output()
        .expect("openssl is installed");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

/// Makes the certificate of an authority and returns its path.
fn authority(dir: &Path, name: &str) -> PathBuf {
    openssl(
        dir,
        &format!("req -x509 {KEY} -keyout {name}.key -out {name}.pem -days 2 -subj /CN={name}"),
    );
    dir.join(format!("{name}.pem"))
}

/// A server whose certificate is for `localhost` only.
fn server_for_localhost(dir: &Path) -> PostgresServer {
    openssl(
        dir,
        &format!("req {KEY} -keyout server.key -out server.csr -subj /CN=localhost"),
    );
    std::fs::write(dir.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    openssl(
        dir,
        "x509 -req -in server.csr -CA right.pem -CAkey right.key -CAcreateserial -days 2 \
         -extfile names -out server.pem",
    );
    PostgresServer::start_with_tls(&dir.join("server.pem"), &dir.join("server.key")).unwrap()
}

fn url(server: &PostgresServer, host: &str, authority: &Path) -> String {
    let database = server.create_database().unwrap();
    let database = database.rsplit('/').next().unwrap();
    let (port, file) = (server.port(), authority.display());
    format!("postgres://askback@{host}:{port}/{database}?sslmode=verify-full&sslrootcert={file}")
}

async fn refused(url: &str) -> String {
    let opened = PostgresStore::open(PostgresOptions::parse(url).unwrap()).await;
    opened.err().expect("it is refused").to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_certificate_of_the_server_is_checked() {
    if !has_openssl() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (right, wrong) = (
        authority(dir.path(), "right"),
        authority(dir.path(), "wrong"),
    );
    let server = server_for_localhost(dir.path());

    let url_with_tls = url(&server, "localhost", &right);
    let options = PostgresOptions::parse(&url_with_tls).unwrap();
    let store = PostgresStore::open(options).await.unwrap();
    store.commit(create(&conversation(1), 1)).await.unwrap();
    assert_eq!(store.records(None, 0, 9).await.unwrap().len(), 1);
    let plain = "SELECT count(*) FILTER (WHERE NOT ssl), count(*) > 1 FROM pg_stat_ssl
                 JOIN pg_stat_activity USING (pid) WHERE application_name = 'askback'";
    assert_eq!(server.run_sql(&url_with_tls, plain).unwrap(), "0|t");

    let error = refused(&url(&server, "localhost", &wrong)).await;
    assert!(
        error.contains("not signed by a trusted authority"),
        "{error}"
    );
    assert!(error.contains("sslrootcert="), "{error}");
    let error = refused(&url(&server, "127.0.0.1", &right)).await;
    assert!(error.contains("it is for another host"), "{error}");
}

/// Nothing is sent without encryption to a server that does not offer it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_without_tls_is_refused() {
    if !has_openssl() {
        return;
    }
    let server = PostgresServer::start().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let proxy = askback_store_testing::FaultProxy::start(&server).unwrap();
    let plain = proxy.url(&server.create_database().unwrap());
    let file = authority(dir.path(), "right");
    let error = refused(&format!(
        "{plain}?sslmode=require&sslrootcert={}",
        file.display()
    ))
    .await;
    assert!(error.contains("TLS"), "{error}");
}
