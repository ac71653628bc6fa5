//! Each route of the API is for the scopes that docs/security.md names.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use askback_wire::link::LinkAllow;
use serde_json::json;

use super::support::raw_http::request;
use super::support::server_process::{Server, TOKEN};
use super::support::team::{SECRET, Team};
use super::support::timeout::TEST_TIMEOUT;

/// Who may use which route besides administrators, as docs/security.md promises. Public routes are for everybody.
const PERMITTED: &[(&str, &[&str])] = &[
    ("GET /inquiries", &["agent", "respondent"]),
    ("POST /inquiries", &["agent"]),
    ("GET /inquiries/{id}", &["agent", "respondent", "inquiry"]),
    ("POST /inquiries/{id}/answer", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/decline", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/reject", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/cancel", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/undo", &["respondent", "inquiry"]),
    (
        "POST /inquiries/{id}/commit-answer",
        &["respondent", "inquiry"],
    ),
    ("POST /inquiries/{id}/keep-open", &["respondent", "inquiry"]),
    ("GET /inquiries/{id}/draft", &["respondent", "inquiry"]),
    ("PUT /inquiries/{id}/draft", &["respondent", "inquiry"]),
    ("POST /inquiries/{id}/hand-on", &["respondent"]),
    ("PUT /inquiries/{id}/snooze", &["respondent"]),
    ("POST /inquiries/{id}/links", &["respondent"]),
    ("GET /inquiries/{id}/messages", &["respondent"]),
    ("POST /inquiries/{id}/withdraw", &["agent"]),
    ("PUT /inquiries/{id}/deadline", &["agent"]),
    ("POST /inquiries/{id}/delivery", &["agent"]),
    ("GET /asker-sessions", &["agent"]),
    ("POST /asker-sessions/take-over", &["agent"]),
    ("GET /dialects", &["agent"]),
    ("GET /recipients", &["agent", "respondent"]),
    ("GET /events", &["agent", "respondent", "inquiry"]),
    ("GET /me", &["agent", "respondent", "inquiry", "metrics"]),
    ("POST /typed-date", &["respondent", "inquiry"]),
    ("POST /presence", &["respondent"]),
    ("GET /push", &["respondent"]),
    ("POST /push/subscriptions", &["respondent"]),
    ("POST /push/unsubscribe", &["respondent"]),
    ("POST /sign-out", &["respondent"]),
    ("POST /sign-in-codes", &["respondent"]),
    ("GET /metrics", &["metrics"]),
];

/// The head and, unless it is a feed, the body of a reply.
fn reply(server: &Server, line: &str, token: &str) -> (u16, String) {
    let address = server.address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let set = stream.set_read_timeout(Some(TEST_TIMEOUT));
    set.expect("it can be set");
    let authorization = format!("Bearer {token}");
    let mut bytes = request(
        line,
        &[
            ("Host", "localhost"),
            ("Authorization", &authorization),
            ("Content-Type", "application/json"),
            ("Content-Length", "2"),
        ],
    );
    bytes.extend(b"{}");
    stream.write_all(&bytes).expect("it is sent");
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let read = reader.read_line(&mut head).expect("a head");
        assert_ne!(read, 0, "{line}: {head}");
    }
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    let mut body = String::new();
    if !head.contains("text/event-stream") {
        reader.read_to_string(&mut body).expect("a body");
    }
    (status.expect("a status"), body)
}

/// Each scope gets to the routes that are for it, and to no others; and none of them shows a question that is not its
/// holder's, whatever is sent there.
#[tokio::test]
async fn every_route_for_every_scope() {
    let team = Team::start(&[]).await;
    let own = team.ask("laptop", "Deploy?", Some("anna")).await;
    let secret = team.ask("build-server", SECRET, Some("ben")).await;
    let inquiry = team.inquiry_token(&own.id, LinkAllow::Stop).await;
    let callers = [
        ("agent", team.tokens["laptop"].as_str()),
        ("respondent", &team.tokens["anna"]),
        ("metrics", &team.tokens["prometheus"]),
        ("inquiry", &inquiry),
    ];
    let document = team.server.client.openapi().await.expect("a document");
    let mut walked = 0;
    let mut table = Vec::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let route = format!("{} {path}", method.to_uppercase());
            let is_public = operation["security"] == json!([]);
            let known = PERMITTED.iter().find(|(known, _)| *known == route);
            let permitted = known.map_or(&[][..], |(_, scopes)| scopes);
            let id = match path {
                path if path.starts_with("/conversations") => secret.conversation_id.as_str(),
                _ => secret.id.as_str(),
            };
            let line = route.replace("{id}", id);
            let mut row = format!("{route:44}");
            for (scope, token) in callers {
                let (status, body) = reply(&team.server, &line, token);
                walked += 1;
                row = format!("{row} {scope}: {status}");
                let is_refused = status == 403 && body.contains("forbidden_scope");
                let expected = !is_public && !permitted.contains(&scope);
                assert_eq!(is_refused, expected, "{scope} {route}: {status} {body}");
                assert_ne!(status, 401, "{scope} {route}");
                assert!(!body.contains("salaries"), "{scope} {route}: {body}");
                if path.starts_with("/inquiries/{id}") && permitted.contains(&scope) {
                    // A body that the route cannot read is refused whoever sends it.
                    let is_hidden = [400, 404, 422].contains(&status);
                    assert!(is_hidden, "{scope} {route}: {status} {body}");
                }
            }
            table.push(row);
            for admin in [TOKEN, &team.tokens["second-admin"]] {
                if route.starts_with("GET") && !path.ends_with("events") {
                    let (status, body) = reply(&team.server, &line, admin);
                    assert!(![401, 403].contains(&status), "admin {route}: {body}");
                }
            }
        }
    }
    assert!(walked > 200, "{walked} requests");
    // With --nocapture.
    println!("{}", table.join("\n"));
    let still = team
        .server
        .client
        .inquiry(&secret.id)
        .await
        .expect("it is there");
    assert_eq!(still.version, secret.version, "nothing has changed it");
    for line in [
        "POST /mcp",
        "GET /conversations",
        "GET /",
        "GET /new",
        "POST /askback/hand-over",
    ] {
        let (status, body) = reply(&team.server, line, &team.tokens["prometheus"]);
        assert!([403, 404].contains(&status), "{line}: {status} {body}");
    }
}
