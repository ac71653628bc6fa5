//! Goal: a person who has the token can sign a browser in with the form of the sign-in page, without JavaScript
//! and without the token in an address. Another site cannot.

use std::fs;

use askback_wire::path::percent_encoded;
use serde_json::json;

use super::support::raw_http::{body, header, raw, request};
use super::support::server_process::{Directory, Server, TOKEN};

const HTML: (&str, &str) = ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
const OWN: (&str, &str) = ("Origin", "http://localhost");

fn start(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-"}]}))
}

/// Sends the form.
fn send(server: &Server, token: &str, to: &str, more: &[(&str, &str)]) -> (u16, String) {
    let form = format!(
        "to={}&token={}",
        percent_encoded(to),
        percent_encoded(token)
    );
    let length = form.len().to_string();
    let headers = [
        ("Host", "localhost"),
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Content-Length", &length),
    ];
    let mut bytes = request("POST /sign-in", &[&headers, more].concat());
    bytes.extend(form.bytes());
    raw(server, &bytes)
}

fn open(server: &Server, path: &str, more: &[(&str, &str)]) -> (u16, String) {
    let headers = [&[("Host", "localhost")], more].concat();
    raw(server, &request(&format!("GET {path}"), &headers))
}

/// The page has a form; the form gives the same session as the printed address, and leads back to the page.
#[test]
fn form_of_the_sign_in_page_signs_in() {
    let directory = Directory::new();
    let server = start(&directory);
    let (status, page) = open(&server, "/inbox?all=1", &[HTML]);
    assert_eq!(status, 401);
    for part in [
        r#"<form method="post" action="/sign-in">"#,
        r#"<input type="hidden" name="to" value="/inbox?all=1">"#,
        r#"<label for="token">Token</label>"#,
        r#"<input type="password" id="token" name="token" required autofocus"#,
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // With no-referrer, browsers send `Origin: null` with the form, which is refused.
    assert_eq!(header(&page, "referrer-policy"), ["same-origin"]);

    let (status, reply) = send(
        &server,
        &format!(" {TOKEN}\n"),
        "/inbox?all=1",
        &[HTML, OWN],
    );
    assert_eq!(status, 303, "{reply}");
    assert_eq!(header(&reply, "location"), ["/inbox?all=1"]);
    assert_eq!(header(&reply, "cache-control"), ["no-store"]);
    let cookie = header(&reply, "set-cookie")[0];
    for part in [
        "askback_session=",
        "; HttpOnly",
        "; SameSite=Strict",
        "; Path=/",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!reply.contains(TOKEN));
    let cookie = cookie.split(';').next().unwrap_or_default();
    assert_eq!(open(&server, "/inquiries", &[("Cookie", cookie)]).0, 200);
}

/// A wrong token gets the page again, in the reader's language, with the field in focus and empty. Programs get a
/// problem. Nothing that was typed is in a response or in the log.
#[test]
fn wrong_token_is_explained_and_not_repeated() {
    let directory = Directory::new();
    let server = start(&directory);
    let wrong = "hunter2-hunter2-hunter2";
    let german = ("Accept-Language", "de");
    let (status, page) = send(&server, wrong, "/inbox", &[HTML, OWN, german]);
    assert_eq!(status, 401, "{page}");
    assert!(header(&page, "set-cookie").is_empty());
    for part in [
        r#"<p class="summary" role="alert" id="token-error">Das ist nicht das Token dieses Servers."#,
        r#"aria-invalid="true" aria-describedby="token-error""#,
        r#"name="to" value="/inbox""#,
        " autofocus ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let (status, problem) = send(&server, wrong, "/", &[OWN]);
    assert_eq!(status, 401);
    assert!(
        body(&problem).contains(r#""code":"unauthorized""#),
        "{problem}"
    );
    // An address with a wrong token is explained in the same way.
    let (status, opened) = open(&server, &format!("/?token={wrong}"), &[HTML]);
    assert_eq!(status, 401);
    assert!(
        opened.contains("This is not the token of this server."),
        "{opened}"
    );

    assert_eq!(send(&server, TOKEN, "/", &[HTML, OWN]).0, 303);
    for reply in [&page, &problem, &opened] {
        assert!(!reply.contains(wrong), "{reply}");
    }
    let log = fs::read_to_string(directory.path().join("server.log")).expect("a log");
    assert!(!log.contains(wrong) && !log.contains(TOKEN), "{log}");
}

/// The guards of every other route: another origin, another host, and a form that no browser sends.
#[test]
fn other_sites_cannot_sign_a_browser_in() {
    let directory = Directory::new();
    let server = start(&directory);
    for refused in [
        ("Origin", "http://evil.example"),
        ("Origin", "http://localhost:1"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Referer", "http://evil.example/"),
    ] {
        let (status, reply) = send(&server, TOKEN, "/", &[HTML, refused]);
        assert_eq!(status, 403, "{refused:?}: {reply}");
        assert!(header(&reply, "set-cookie").is_empty(), "{reply}");
    }
    let json = format!("{{\"token\":\"{TOKEN}\"}}");
    let length = json.len().to_string();
    let headers = [
        ("Host", "localhost"),
        ("Content-Type", "application/json"),
        ("Content-Length", &length),
    ];
    let mut bytes = request("POST /sign-in", &headers);
    bytes.extend(json.bytes());
    assert_eq!(raw(&server, &bytes).0, 415);
    // The redirect stays on this server.
    let (_, reply) = send(&server, TOKEN, "https://evil.example/inbox", &[HTML, OWN]);
    assert_eq!(header(&reply, "location"), ["/"]);
}
