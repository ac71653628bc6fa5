//! Goal: after signing in, a browser is sent to the page that it asked for, and never to another server.

use super::page_to_open;

#[test]
fn pages_of_this_server_are_opened() {
    for page in ["/", "/inbox", "/c/cnv_1", "/q/inq_1", "/inbox?all=1"] {
        assert_eq!(page_to_open(page), page);
    }
    assert_eq!(page_to_open("/inbox?token=wrong"), "/inbox");
}

#[test]
fn other_addresses_count_as_the_start_page() {
    for other in [
        "",
        "inbox",
        "//evil.example/",
        "///evil.example/",
        "/\\evil.example/",
        "https://evil.example/inbox",
        "//evil.example/q/inq_1",
        "javascript:alert(1)",
        "/metrics",
        "/inbox\r\nSet-Cookie: a=b",
    ] {
        assert_eq!(page_to_open(other), "/", "{other}");
    }
}
