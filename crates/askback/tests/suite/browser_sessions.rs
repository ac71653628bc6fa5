//! Browser sessions can be listed and ended.

use std::io::{Read as _, Write as _};
use std::net::{TcpStream, UdpSocket};

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::support::raw_http::{bearer, header, raw, request};
use super::support::run_binary::{Run, askback};
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::{TEST_TIMEOUT, in_background};

fn start(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-"}]}))
}

/// Host and port as a browser names them.
fn host(server: &Server) -> &str {
    server.address.trim_start_matches("http://")
}

/// Opens the printed address like a browser; returns its cookie.
fn sign_in(server: &Server, agent: &str) -> String {
    let line = format!("GET /?token={TOKEN}");
    let headers = [("Host", host(server)), ("User-Agent", agent)];
    let (status, reply) = raw(server, &request(&line, &headers));
    assert_eq!(status, 303, "{reply}");
    assert_eq!(header(&reply, "location"), ["/"]);
    let cookie = header(&reply, "set-cookie")[0];
    let port = host(server).rsplit_once(':').expect("a port").1;
    assert!(
        cookie.starts_with(&format!("askback_session_{port}=")),
        "{cookie}"
    );
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains(TOKEN));
    cookie.split(';').next().unwrap_or_default().to_owned()
}

fn call(server: &Server, line: &str, cookie: &str, more: &[(&str, &str)]) -> (u16, String) {
    let headers = [&[("Host", host(server)), ("Cookie", cookie)], more].concat();
    raw(server, &request(line, &headers))
}

fn status(server: &Server, line: &str, cookie: &str) -> u16 {
    call(server, line, cookie, &[]).0
}

fn run(server: &Server, args: &[&str]) -> Run {
    let at = ["--url", &server.address, "--token", TOKEN];
    askback(&[&["sessions"], args, &at].concat(), "")
}

fn listed(server: &Server) -> Vec<Value> {
    let run = run(server, &["--json"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let lines = run.out.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// An open feed.
struct Feed(TcpStream);

impl Feed {
    fn open(server: &Server, name: &str, value: &str) -> Feed {
        let mut stream = TcpStream::connect(host(server)).expect("the server listens");
        stream
            .set_read_timeout(Some(TEST_TIMEOUT))
            .expect("it is set");
        let headers = [("Host", host(server)), (name, value)];
        stream
            .write_all(&request("GET /events", &headers))
            .expect("it is sent");
        let mut first = [0; 12];
        stream.read_exact(&mut first).expect("a status");
        assert_eq!(&first, b"HTTP/1.1 200");
        Feed(stream)
    }

    /// Waits until the server closes it.
    fn ends(mut self) {
        let ended = in_background(move || {
            let mut rest = Vec::new();
            self.0.read_to_end(&mut rest).is_ok()
        });
        assert_eq!(ended.get(), Some(true), "the feed ends");
    }

    fn is_open(&mut self) -> bool {
        self.0.set_nonblocking(true).expect("it is set");
        let mut byte = [0; 4096];
        let open = loop {
            match self.0.read(&mut byte) {
                Ok(0) => break false,
                Ok(_) => {}
                Err(error) => break error.kind() == std::io::ErrorKind::WouldBlock,
            }
        };
        self.0.set_nonblocking(false).expect("it is set");
        open
    }
}

/// Signing out ends the session and its feeds at once and clears the cookie; a copy of the cookie is
/// useless.
#[test]
fn signing_out_ends_the_session_and_its_feeds() {
    let directory = Directory::new();
    let server = start(&directory);
    let (cookie, other) = (sign_in(&server, "One"), sign_in(&server, "Two"));
    let feed = Feed::open(&server, "Cookie", &cookie);
    let mut elsewhere = Feed::open(&server, "Cookie", &other);
    let mut program = Feed::open(&server, "Authorization", &bearer());
    assert_eq!(status(&server, "GET /inquiries", &cookie), 200);
    let (code, reply) = call(
        &server,
        "POST /sign-out",
        &cookie,
        &[("Origin", &server.address)],
    );
    assert_eq!(code, 204, "{reply}");
    let cleared = header(&reply, "set-cookie")[0];
    let name = cookie.split_once('=').expect("a name").0;
    assert!(cleared.starts_with(&format!("{name}=;")), "{cleared}");
    assert!(cleared.contains("Max-Age=0"), "{cleared}");
    feed.ends();
    for line in ["GET /inquiries", "GET /events", "GET /", "POST /sign-out"] {
        assert_eq!(status(&server, line, &cookie), 401, "{line}");
    }
    assert!(elsewhere.is_open() && program.is_open());
    assert_eq!(status(&server, "GET /inquiries", &other), 200);
    let program = call(
        &server,
        "POST /sign-out",
        "",
        &[("Authorization", &bearer())],
    );
    assert_eq!(program.0, 204, "the token is not a session");
}

/// Sessions are listed with what is known of them, ended one by one or all at once, and stay ended.
#[test]
fn command_lists_and_ends_sessions() {
    let directory = Directory::new();
    let server = start(&directory);
    let nobody = run(&server, &[]);
    assert_eq!((nobody.code, nobody.out.as_str()), (Some(0), ""));
    assert!(
        nobody.err.contains("No browser is signed in"),
        "{}",
        nobody.err
    );
    let (one, two) = (sign_in(&server, "Firefox/1"), sign_in(&server, "Chrome/2"));
    let sessions = listed(&server);
    assert_eq!(sessions.len(), 2);
    let id_of = |agent: &str| {
        let found = sessions.iter().find(|it| it["user_agent"] == agent);
        found.expect("it is listed")["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    assert!(sessions.iter().all(|it| it["current"] == false));
    let secret = one.split_once('=').expect("a value").1;
    assert!(!sessions.iter().any(|it| it.to_string().contains(secret)));
    let plain = run(&server, &["list"]);
    assert!(
        plain.out.contains("Firefox/1") && plain.out.contains("last used"),
        "{}",
        plain.out
    );
    let (_, mine) = call(&server, "GET /sessions", &two, &[]);
    assert_eq!(mine.matches("\"current\":true").count(), 1, "{mine}");
    let feed = Feed::open(&server, "Cookie", &one);
    let ended = run(&server, &["end", &id_of("Firefox/1")]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    feed.ends();
    assert_eq!(status(&server, "GET /inquiries", &one), 401);
    assert_eq!(status(&server, "GET /inquiries", &two), 200);
    let again = run(&server, &["end", &id_of("Firefox/1")]);
    assert_eq!(again.code, Some(2), "{}", again.err);
    for wrong in [&["end"][..], &["--all"], &["list", "ses_1"]] {
        assert_eq!(run(&server, wrong).code, Some(2), "{wrong:?}");
    }
    let feed = Feed::open(&server, "Cookie", &two);
    assert_eq!(run(&server, &["end", "--all"]).code, Some(0));
    feed.ends();
    assert_eq!(status(&server, "GET /inquiries", &two), 401);
    server.kill();
    let server = start(&directory);
    assert_eq!(listed(&server), Vec::<Value>::new());
}

/// A browser stays signed in when the server is killed and started again, at the same port or another.
#[test]
fn session_outlives_a_killed_server() {
    let directory = Directory::new();
    let server = start(&directory);
    let cookie = sign_in(&server, "One");
    let secret = cookie.split_once('=').expect("a value").1.to_owned();
    server.kill();
    let server = start(&directory);
    let port = host(&server).rsplit_once(':').expect("a port").1;
    let cookie = format!("askback_session_{port}={secret}");
    assert_eq!(status(&server, "GET /inquiries", &cookie), 200);
    let line = format!("GET /inbox?token={TOKEN}");
    let (code, reply) = call(&server, &line, &cookie, &[]);
    assert_eq!(
        (code, header(&reply, "set-cookie")),
        (303, vec![]),
        "it has one"
    );
    assert_eq!(listed(&server).len(), 1);
}

/// A server that comes back at another port replaces the cookie that it left at the old one, and leaves
/// the cookies of other servers alone.
#[test]
fn cookie_of_an_old_port_is_replaced() {
    let directories = [Directory::new(), Directory::new()];
    let other = start(&directories[1]);
    let foreign = sign_in(&other, "One");
    let server = start(&directories[0]);
    let old = sign_in(&server, "One");
    server.kill();
    let server = start(&directories[0]);
    let line = format!("GET /?token={TOKEN}");
    let (code, reply) = call(&server, &line, &format!("{foreign}; {old}"), &[]);
    assert_eq!(code, 303, "{reply}");
    let set = header(&reply, "set-cookie");
    let name = |cookie: &str| cookie.split('=').next().unwrap_or_default().to_owned();
    let port = host(&server).rsplit_once(':').expect("a port").1;
    let expected = [format!("askback_session_{port}"), name(&old)];
    assert_eq!(set.iter().map(|it| name(it)).collect::<Vec<_>>(), expected);
    assert!(
        set[1].contains("=; ") && set[1].contains("Max-Age=0"),
        "{set:?}"
    );
    assert_eq!(listed(&server).len(), 1, "the old session has ended");
    assert_eq!(status(&other, "GET /inquiries", &foreign), 200);
}

/// Cookies of earlier versions, which were derived from the token and good for a year, open nothing.
#[test]
fn cookie_derived_from_the_token_opens_nothing() {
    let directory = Directory::new();
    let server = start(&directory);
    let mut mac = Hmac::<Sha256>::new_from_slice(TOKEN.as_bytes()).expect("any key will do");
    mac.update(b"askback browser session");
    let bytes = mac.finalize().into_bytes();
    let old: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let old = old.concat();
    let port = host(&server).rsplit_once(':').expect("a port").1;
    for name in [
        "askback_session".to_owned(),
        format!("askback_session_{port}"),
    ] {
        let cookie = format!("{name}={old}");
        assert_eq!(status(&server, "GET /inquiries", &cookie), 401, "{name}");
    }
}

/// Two servers on one host get the cookies of both: neither accepts nor overwrites the other's.
#[test]
fn servers_on_one_host_keep_their_sessions_apart() {
    let directories = [Directory::new(), Directory::new()];
    let servers = directories.each_ref().map(start);
    let cookies = servers.each_ref().map(|server| sign_in(server, "One"));
    let names = cookies
        .each_ref()
        .map(|it| it.split_once('=').expect("a name").0);
    assert_ne!(names[0], names[1]);
    let both = cookies.join("; ");
    for server in &servers {
        assert_eq!(status(server, "GET /inquiries", &both), 200);
    }
    assert_eq!(status(&servers[0], "GET /inquiries", &cookies[1]), 401);
    let value = cookies[1].split_once('=').expect("a value").1;
    let renamed = format!("{}={value}", names[0]);
    assert_eq!(status(&servers[0], "GET /inquiries", &renamed), 401);
}

/// Pages of other sites and of other ports can neither act for a browser that is signed in nor read
/// what it may; a link may lead to a page.
#[test]
fn other_pages_cannot_use_a_session() {
    let directory = Directory::new();
    let server = start(&directory);
    let cookie = sign_in(&server, "One");
    let port: u16 = host(&server)
        .rsplit_once(':')
        .and_then(|it| it.1.parse().ok())
        .expect("a port");
    let neighbour = format!("http://127.0.0.1:{}", port ^ 1);
    let alias = format!("http://localhost:{port}");
    for origin in ["http://evil.example", "null", &neighbour, &alias] {
        for line in [
            "POST /sign-out",
            "DELETE /sessions",
            "POST /inquiries",
            "GET /inquiries",
        ] {
            let reply = call(&server, line, &cookie, &[("Origin", origin)]);
            assert_eq!(reply.0, 403, "{origin} {line}: {}", reply.1);
        }
    }
    for site in ["same-site", "cross-site"] {
        let marks = [
            ("Sec-Fetch-Site", site),
            ("Sec-Fetch-Mode", "no-cors"),
            ("Sec-Fetch-Dest", "script"),
        ];
        for line in ["GET /inquiries", "GET /events", "GET /sessions", "GET /"] {
            assert_eq!(call(&server, line, &cookie, &marks).0, 401, "{site} {line}");
        }
        for line in ["POST /sign-out", "DELETE /sessions", "POST /q/inq_1"] {
            assert_eq!(call(&server, line, &cookie, &marks).0, 403, "{site} {line}");
        }
        let marks = [
            ("Sec-Fetch-Site", site),
            ("Sec-Fetch-Mode", "navigate"),
            ("Sec-Fetch-Dest", "document"),
        ];
        assert_eq!(call(&server, "GET /inbox", &cookie, &marks).0, 200);
    }
    let own = ("Origin", server.address.as_str());
    let twice = [own, ("Origin", "http://evil.example")];
    assert_eq!(call(&server, "POST /sign-out", &cookie, &twice).0, 403);
    let twice = [own, ("Host", "evil.example")];
    assert_eq!(call(&server, "POST /sign-out", &cookie, &twice).0, 403);
    let line = format!("GET //evil.example/?token={TOKEN}");
    let (_, away) = call(&server, &line, &cookie, &[]);
    assert_eq!(header(&away, "location"), ["/evil.example/"]);
    let referrer = [("Referer", "http://evil.example/")];
    assert_eq!(call(&server, "POST /sign-out", &cookie, &referrer).0, 403);
    let (_, reply) = call(&server, "GET /inquiries", &cookie, &[]);
    assert_eq!(header(&reply, "x-content-type-options"), ["nosniff"]);
    assert_eq!(
        header(&reply, "cross-origin-resource-policy"),
        ["same-origin"]
    );
    assert_eq!(header(&reply, "cache-control"), ["no-store"]);
}

/// `askback phone` prints a link that signs one browser in, once, and refuses to print one that only this computer could open.
#[test]
fn code_for_a_phone_signs_one_browser_in() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &["--public-url", "http://phone.example"]);
    let phone =
        |server: &Server| askback(&["phone", "--url", &server.address, "--token", TOKEN], "");
    let run = phone(&server);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let link = run
        .out
        .lines()
        .find(|line| line.starts_with("http://phone.example/inbox?sign-in="));
    let link = link.unwrap_or_else(|| panic!("{}", run.out));
    assert!(
        run.out.contains('█') && run.out.contains("This is HTTP"),
        "{}",
        run.out
    );
    let get = format!("GET {}", link.trim_start_matches("http://phone.example"));
    let headers = [("Host", host(&server)), ("User-Agent", "Phone")];
    let (status, reply) = raw(&server, &request(&get, &headers));
    assert_eq!(status, 303, "{reply}");
    assert_eq!(header(&reply, "location"), ["/inbox"]);
    let cookie = header(&reply, "set-cookie")[0]
        .split(';')
        .next()
        .unwrap_or_default();
    assert_eq!(call(&server, "GET /inbox", cookie, &[]).0, 200);
    // Whoever opens it again has to sign in.
    let (status, reply) = raw(&server, &request(&get, &headers));
    assert_eq!(
        (status, header(&reply, "set-cookie").len()),
        (401, 0),
        "{reply}"
    );
    assert!(reply.contains("was used before"), "{reply}");
    assert_eq!(listed(&server).len(), 1);
    let directory = Directory::new();
    let local = Server::start_with(&directory, &[]);
    let run = phone(&local);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("askback serve --phone"), "{}", run.err);
}

/// `serve --phone` listens where a phone of the same network reaches it, and the link of `askback phone` leads there.
#[test]
fn phone_in_the_network_reaches_the_server() {
    let routed = UdpSocket::bind("0.0.0.0:0").and_then(|probe| {
        probe.connect("192.0.2.1:9")?;
        probe.local_addr()
    });
    let directory = Directory::new();
    let Ok(here) = routed.map(|address| address.ip()) else {
        // A computer in no network says so.
        let data = directory.path().join("data");
        let data = data.to_str().expect("the path is text");
        let run = askback(&["serve", "--phone", "--data", data], "");
        assert!(run.err.contains("in no network"), "{}", run.err);
        return;
    };
    let server = Server::start_with(&directory, &["--phone"]);
    let run = askback(&["phone", "--url", &server.address, "--token", TOKEN], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let start = format!("http://{here}:");
    let link = run
        .out
        .lines()
        .find_map(|line| line.strip_prefix("http://"));
    let link = link.unwrap_or_else(|| panic!("{}", run.out));
    let (address, path) = link.split_once('/').expect("a path");
    assert!(format!("http://{link}").starts_with(&start), "{link}");
    let mut phone = TcpStream::connect(address).expect("it listens there");
    let get = format!("GET /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    phone.write_all(get.as_bytes()).expect("it is sent");
    let mut reply = String::new();
    phone.read_to_string(&mut reply).expect("a reply");
    assert!(reply.starts_with("HTTP/1.1 303"), "{reply}");
    server.kill();
}
