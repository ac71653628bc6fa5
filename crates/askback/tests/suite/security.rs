//! Authentication, what unauthenticated clients are told, and what never reaches the log.

use std::fs;

use serde_json::{Value, json};

use super::support::raw_http::{bearer, body, header, raw, request};
use super::support::run_binary::askback;
use super::support::server_process::{Directory, Server, TOKEN};

fn server(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-"}]}))
}

/// No token, a wrong one, a foreign host and a foreign origin are refused, whatever the route.
#[test]
fn unauthenticated_requests_are_refused_first() {
    let directory = Directory::new();
    let server = server(&directory);
    let token = bearer();
    let refused = |line: &str, headers: &[(&str, &str)], expected: u16| {
        let (status, reply) = raw(&server, &request(line, headers));
        assert_eq!(status, expected, "{line} {headers:?}: {reply}");
        assert!(reply.contains("application/problem+json"), "{reply}");
    };
    let evil = ("Host", "evil.example");
    for line in ["GET /", "GET /conversations", "POST /inquiries"] {
        refused(line, &[evil], 403);
        refused(line, &[evil, ("Authorization", "Bearer wrong")], 403);
    }
    for line in [
        "GET /conversations",
        "POST /inquiries",
        "GET /events",
        "GET /metrics",
        "GET /nothing",
    ] {
        refused(line, &[("Host", "localhost")], 401);
        refused(
            line,
            &[("Host", "localhost"), ("Authorization", "Bearer wrong")],
            401,
        );
        let origin = ("Origin", "http://evil.example");
        refused(
            line,
            &[("Host", "localhost"), ("Authorization", &token), origin],
            403,
        );
    }
}

/// Probes, scrapers and other containers reach the server by an address or by the name of a service. No page has a token.
#[test]
fn probes_and_requests_with_a_token_need_no_known_host() {
    let directory = Directory::new();
    let server = server(&directory);
    let token = bearer();
    let status = |line: &str, headers: &[(&str, &str)]| raw(&server, &request(line, headers)).0;
    let service = ("Host", "askback.default.svc:7777");
    let auth = ("Authorization", token.as_str());
    assert_eq!(status("GET /healthz", &[service]), 200);
    assert_eq!(status("GET /readyz", &[("Host", "10.1.2.3:7777")]), 200);
    assert_eq!(status("GET /metrics", &[service]), 401);
    assert_eq!(status("GET /metrics", &[service, auth]), 200);
    assert_eq!(status("GET /inquiries", &[service, auth]), 200);
    let (_, reply) = raw(&server, &request("GET /?token=x", &[("Host", "localhost")]));
    assert!(!reply.contains("set-cookie"), "{reply}");
    let sign_in = format!("GET /?token={TOKEN}");
    assert_eq!(
        status(&sign_in, &[service]),
        403,
        "a page could use the cookie"
    );
    assert_eq!(status(&sign_in, &[("Host", "localhost")]), 303);
    let page = ("Origin", "http://askback.default.svc:7777.evil.example");
    assert_eq!(status("GET /inquiries", &[service, auth, page]), 403);
}

/// Every response has the id of its request; problems and the log name it, too.
#[test]
fn requests_have_ids() {
    let directory = Directory::new();
    let server = server(&directory);
    let sent = ("X-Request-Id", "from-the-proxy-7");
    let (_, reply) = raw(
        &server,
        &request("GET /apps", &[("Host", "localhost"), sent]),
    );
    assert_eq!(
        header(&reply, "x-request-id"),
        ["from-the-proxy-7"],
        "{reply}"
    );
    let problem: Value = serde_json::from_str(body(&reply)).expect("it is JSON");
    assert_eq!(problem["request_id"], "from-the-proxy-7");
    let (_, reply) = raw(&server, &request("GET /healthz", &[("Host", "localhost")]));
    assert_eq!(header(&reply, "x-request-id").len(), 1, "{reply}");
    let (_, reply) = raw(
        &server,
        &request("GET /no/such?token=secret", &[("Host", "localhost")]),
    );
    let made = header(&reply, "x-request-id")[0].to_owned();
    let auth = bearer();
    let signed_in = [("Host", "localhost"), ("Authorization", auth.as_str())];
    raw(
        &server,
        &request("GET /inquiries/inq_1?wait=0s", &signed_in),
    );
    let log = fs::read_to_string(directory.path().join("server.log")).expect("it is there");
    let line = |has: &str| {
        log.lines()
            .find(|line| line.contains("handled a request") && line.contains(has))
    };
    let unknown = line(&made).expect("it is logged");
    for part in [
        "method=\"GET\"",
        "route=\"none\"",
        "status=401",
        "duration_ms=",
    ] {
        assert!(unknown.contains(part), "{unknown}");
    }
    let read = line("route=\"/inquiries/{id}\"").expect("it is logged");
    assert!(
        read.contains("caller=\"admin\"") && read.contains("status=404"),
        "{read}"
    );
    for unseen in ["secret", "inq_1", "/no/such", TOKEN] {
        let mut lines = log
            .lines()
            .filter(|line| line.contains("handled a request"));
        assert!(!lines.any(|line| line.contains(unseen)), "{unseen}\n{log}");
    }
}

/// Any bytes get a refusal, and the server keeps running.
#[test]
fn malformed_requests_are_refused_and_the_server_survives() {
    let directory = Directory::new();
    let server = server(&directory);
    let token = bearer();
    let headers = |kind: &'static str, length: &'static str| {
        [
            ("Host", "localhost"),
            ("Authorization", token.as_str()),
            ("Content-Type", kind),
            ("Content-Length", length),
        ]
        .map(|(name, value)| (name, value.to_owned()))
    };
    let post = |body: &[u8], kind: &'static str| {
        let mut bytes = b"POST /inquiries HTTP/1.1\r\nConnection: close\r\n".to_vec();
        for (name, value) in headers(kind, "0").iter().take(3) {
            bytes.extend(format!("{name}: {value}\r\n").bytes());
        }
        bytes.extend(format!("Content-Length: {}\r\n\r\n", body.len()).bytes());
        bytes.extend(body);
        raw(&server, &bytes).0
    };
    assert_eq!(post(b"{", "application/json"), 400);
    assert_eq!(post(b"\xff\xfe", "application/json"), 400);
    assert_eq!(post(b"{}", "text/plain"), 415);
    assert_eq!(
        post(br#"{"input": {"question": []}}"#, "application/json"),
        422
    );
    assert_eq!(
        post(
            br#"{"input": {"question": "x"}, "dialect": "nope"}"#,
            "application/json"
        ),
        422
    );
    assert_eq!(post(&vec![b' '; 3 << 20], "application/json"), 413);
    let (status, _) = raw(&server, b"nonsense\r\n\r\n");
    assert_eq!(status, 400);
    let alive = raw(&server, &request("GET /healthz", &[("Host", "localhost")]));
    assert_eq!(alive.0, 200);
}

/// The token in an address becomes a cookie, and the cookie authenticates.
#[test]
fn cookie_from_the_printed_address_authenticates() {
    let directory = Directory::new();
    let server = server(&directory);
    let (status, reply) = raw(
        &server,
        &request(
            &format!("GET /apps?token={TOKEN}"),
            &[("Host", "localhost")],
        ),
    );
    assert_eq!(status, 303, "{reply}");
    let cookie = reply
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .expect("a cookie");
    assert!(!cookie.contains(TOKEN));
    let pair = cookie.split(';').next().expect("a pair");
    let (status, _) = raw(
        &server,
        &request("GET /apps", &[("Host", "localhost"), ("Cookie", pair)]),
    );
    assert_eq!(status, 200);
}

/// An address that other machines can reach requires a token chosen by the user.
#[test]
fn public_listen_address_requires_a_token() {
    let directory = Directory::new();
    let data = directory.path().join("data").display().to_string();
    let run = askback(&["serve", "--listen", "0.0.0.0:0", "--data", &data], "");
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("--token"), "{}", run.err);
}

/// One data directory has one server; the second says so, and files of the first are private.
#[test]
fn data_directory_has_one_server_and_private_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = Directory::new();
    let running = server(&directory);
    let data = directory.path().join("data");
    let path = data.display().to_string();
    let run = askback(&["serve", "--listen", "127.0.0.1:0", "--data", &path], "");
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("askback serve already runs"),
        "{}",
        run.err
    );
    let mode = fs::metadata(data.join("server.json"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    running.kill();
    let after = server(&directory);
    assert_ne!(after.address, "", "a dead server keeps nobody out");
}

/// Neither answers nor tokens are ever written to the log, at any level.
#[tokio::test]
async fn answers_are_not_in_the_log() {
    const SECRET: &str = "swordfish-4711";
    let directory = Directory::new();
    let calls =
        json!([{"tool": "ask_user", "input": {"question": "Password?", "allow_skip": true}}]);
    let server = Server::start(
        &directory,
        &json!({"steps": [{"calls": calls}, {"say": "ok"}]}),
    );
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    let params = askback_wire::respond::RespondParams {
        answers: json!({"q1": {"number": SECRET}}),
        ..askback_wire::respond::RespondParams::default()
    };
    server
        .client
        .respond(&id, &params)
        .await
        .expect_err("it does not fit");
    server
        .respond(&id, json!({"q1": {"text": SECRET, "note": SECRET}}))
        .await;
    server.reaches(&id, "idle").await;
    server.kill();
    let log = fs::read_to_string(directory.path().join("server.log")).expect("there is a log");
    assert!(!log.is_empty(), "the log was written");
    assert!(!log.contains(SECRET) && !log.contains(TOKEN), "{log}");
}

/// The token comes from a file that only its owner can read, and not from the command line.
#[tokio::test]
async fn token_comes_from_a_private_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = Directory::new();
    let file = directory.path().join("secret");
    fs::write(&file, format!("{TOKEN}\n")).expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("ours");
    let name = file.display().to_string();
    let data = directory.path().join("data").display().to_string();
    let args = ["list", "--token-file", &name, "--data", &data];
    let run = askback(&args, "");
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("chmod 600"), "{}", run.err);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("ours");
    let server = server(&directory);
    let url = &server.address;
    let run = askback(&["list", "--url", url, "--token-file", &name], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = askback(&["list", "--url", url], "");
    assert_ne!(run.code, Some(0), "no token, no entry");
}
