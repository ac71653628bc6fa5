//! Goal: while PostgreSQL is away, a browser gets a page that says so, and loses nothing that was typed; a probe
//! gets its answer in time; and everything works again afterwards.

use std::time::Duration;

use askback_store_testing::PostgresServer;
use askback_wire::inquiry::NewInquiryParams;
use serde_json::json;
use tokio::time::Instant;

use super::no_script_form::Browser;
use super::support::faulty_node::FaultyNode;
use super::support::raw_http::{body, header, raw, request};
use super::support::timeout::{TEST_TIMEOUT, clock_counts};

fn start(postgres: &PostgresServer) -> FaultyNode {
    let database = postgres.create_database().expect("a database");
    let mut node = FaultyNode::on_postgres(postgres, &database, &json!({"steps": [{"say": "-"}]}));
    node.start();
    node
}

/// Reloading any page gets HTML with a button, and a script that opens the page again; programs get the problem.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_says_that_the_database_is_away_and_that_nothing_is_lost() {
    let postgres = PostgresServer::start().expect("PostgreSQL starts");
    let node = start(&postgres);
    let browser = Browser::new(node.server());
    let question = NewInquiryParams {
        input: json!({"question": "Why?"}),
        ..NewInquiryParams::default()
    };
    let asked = node.client.ask(&question).await.expect("it is asked");
    let form = format!("/q/{}", asked.id);
    let (_, shown) = browser.get(&form);

    node.proxy().refuse();
    for path in ["/", "/inbox", "/c/cnv_1", &form] {
        let (status, page) = browser.get(path);
        assert_eq!(status, 503, "{page}");
        assert_eq!(header(&page, "content-type"), ["text/html; charset=utf-8"]);
        assert_eq!(header(&page, "retry-after"), ["1"]);
        let again = format!(r#"<form method="get" action="{path}">"#);
        for part in [
            "The server cannot reach its database at the moment.",
            "Nothing is lost",
            "src=\"/web/form/retry.js\"",
            &again,
        ] {
            assert!(page.contains(part), "{path}: {part}: {page}");
        }
    }
    let headers = [("Host", "localhost"), ("Cookie", browser.cookie.as_str())];
    let (status, reply) = raw(node.server(), &request("GET /inquiries", &headers));
    assert_eq!(status, 503);
    assert!(
        body(&reply).contains(r#""code":"store_unavailable""#),
        "{reply}"
    );
    // A reload of an address in the address bar asks for HTML.
    let html = [headers.as_slice(), &[("Accept", "text/html")]].concat();
    let (_, reply) = raw(node.server(), &request("GET /inquiries", &html));
    assert!(body(&reply).contains("Nothing is lost"), "{reply}");

    // What was typed comes back, and the button of that page sends it.
    let (status, page) = browser.post(&form, &shown, &[("q1", "Because of <this>")]);
    assert_eq!(status, 503, "{page}");
    assert!(
        page.contains(r#"<dd dir="auto">Because of &lt;this&gt;</dd>"#),
        "{page}"
    );
    assert!(
        page.contains(r#"name="q1" value="Because of &lt;this&gt;""#),
        "{page}"
    );
    assert!(
        !page.contains("retry.js"),
        "nothing opens the page by itself: {page}"
    );
    node.proxy().resume();
    let (status, sent) = browser.post(&form, &page, &[("q1", "Because of <this>")]);
    assert_eq!(status, 303, "{sent}");
    assert_eq!(browser.get("/inbox").0, 200);
}

/// A database that accepts connections and never replies takes a probe no longer than two seconds, and a probe after
/// it has come back succeeds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn probe_of_a_database_that_hangs_ends_in_time() {
    let postgres = PostgresServer::start().expect("PostgreSQL starts");
    let node = start(&postgres);
    let ready = || {
        raw(
            node.server(),
            &request("GET /readyz", &[("Host", "localhost")]),
        )
        .0
    };
    assert_eq!(ready(), 200);
    node.proxy().stall();
    let since = Instant::now();
    // The last result is used for two seconds.
    while ready() == 200 {
        assert!(since.elapsed() < TEST_TIMEOUT, "it is not noticed");
    }
    let since = Instant::now();
    let probes: Vec<u16> = std::thread::scope(|scope| {
        let probes: Vec<_> = (0..8).map(|_| scope.spawn(ready)).collect();
        let ended = probes.into_iter().map(std::thread::ScopedJoinHandle::join);
        ended.map(|status| status.expect("it ends")).collect()
    });
    assert_eq!(probes, [503; 8]);
    let took = since.elapsed();
    // One probe has to wait for two seconds, and the others share its result: eight in a row would take 16.
    let in_time = took < Duration::from_secs(6);
    assert!(in_time || !clock_counts(), "{took:?}");
    node.proxy().resume();
    let since = Instant::now();
    while ready() != 200 {
        assert!(since.elapsed() < TEST_TIMEOUT, "it recovers");
    }
}
