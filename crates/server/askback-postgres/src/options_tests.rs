//! Goal: a URL says what it says, unsafe and unknown parameters are refused, and no error shows the
//! password.

use super::*;

fn error(url: &str) -> String {
    match PostgresOptions::parse(url) {
        Ok(_) => panic!("{url} is accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn other_machines_are_reached_with_tls() {
    for (url, mode) in [
        ("postgres://u@db.example/askback", SslMode::Require),
        (
            "postgres://u@db.example/a?sslmode=verify-full",
            SslMode::Require,
        ),
        (
            "postgres://u@db.example/a?sslmode=disable",
            SslMode::Disable,
        ),
        ("postgres://u@localhost/a", SslMode::Disable),
        ("postgres://u@127.0.0.1:5433/a", SslMode::Disable),
        ("postgres://u@%2Frun%2Fpostgresql/a", SslMode::Disable),
        ("postgres://u@localhost/a?sslmode=require", SslMode::Require),
    ] {
        let options = PostgresOptions::parse(url).unwrap();
        assert_eq!(options.config.get_ssl_mode(), mode, "{url}");
    }
    assert!(error("postgres://u@db.example/a?sslmode=prefer").contains("sslmode takes"));
}

/// A password whose @ is not encoded must not be taken for the host, which errors and logs show.
#[test]
fn unencoded_password_is_refused_without_showing_it() {
    for url in [
        "postgres://askback:p@ss w0rd@localhost:5432/askback",
        "postgres://askback:p@ssw0rd@localhost/askback",
    ] {
        let error = error(url);
        assert!(error.contains("%40") && !error.contains("w0rd"), "{error}");
    }
}

#[test]
fn own_parameters_are_read() {
    let url = "postgres://u@db.example:6432/a?pool=3&prepare=off&lease=30s&listen_port=5432";
    let options = PostgresOptions::parse(url).unwrap();
    assert_eq!(options.readers.get(), 3);
    assert_eq!(options.prepare, Prepare::Never);
    assert_eq!(options.lease, Duration::from_secs(30));
    assert_eq!(options.config.get_ports(), [6432]);
    assert_eq!(options.listen_config.get_ports(), [5432]);
    assert_eq!(
        options.listen_config.get_hosts(),
        options.config.get_hosts()
    );
    assert_eq!(options.listen_config.get_user(), Some("u"));
    assert_eq!(options.address(), "db.example:6432/a");
}

#[test]
fn no_error_shows_the_password() {
    for url in [
        "postgres://u:hunter2@db.example/a?pool=0",
        "postgres://u:hunter2@db.example/a?lease=1s",
        "postgres://u:hunter2@db.example/a?unknown=hunter2",
        "postgres://u:hunter2@db.example:port/a",
        "postgres://u:hunter2@/a",
        "postgres://u:hun%zzter2@db.example:99999999/a",
    ] {
        let error = error(url);
        assert!(!error.contains("hunter2"), "{error}");
        assert!(error.contains("URL"), "{error}");
    }
    assert!(error("postgres://u@db.example/a?unknown=x").contains("unknown"));
}
