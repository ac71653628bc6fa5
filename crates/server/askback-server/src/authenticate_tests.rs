//! A session is valid for requests of our own pages, and for no request of another page.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};

use super::{session_applies, without_token};

fn headers(site: &str, mode: &str, dest: &str) -> HeaderMap {
    let pairs = [
        ("sec-fetch-site", site),
        ("sec-fetch-mode", mode),
        ("sec-fetch-dest", dest),
    ];
    let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
    pairs
        .map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            )
        })
        .collect()
}

#[test]
fn session_is_valid_for_our_own_pages_and_for_opening_a_page() {
    let counts = |method: &Method, path: &str, site: &str, mode: &str, dest: &str| {
        session_applies(method, path, &headers(site, mode, dest))
    };
    let (get, post) = (Method::GET, Method::POST);
    for site in ["same-origin", "none", ""] {
        assert!(counts(&get, "/inquiries", site, "cors", "empty"), "{site}");
        assert!(counts(&post, "/inquiries", site, "cors", "empty"), "{site}");
    }
    // Another port of this host is the same site, and browsers send our cookie with requests of its pages.
    for site in ["same-site", "cross-site", "anything"] {
        for path in ["/", "/inbox", "/inbox/inq_1", "/c/cnv_1", "/q/inq_1"] {
            assert!(counts(&get, path, site, "navigate", "document"), "{path}");
            assert!(!counts(&post, path, site, "navigate", "document"), "{path}");
            assert!(!counts(&get, path, site, "navigate", "iframe"), "{path}");
            assert!(!counts(&get, path, site, "no-cors", "image"), "{path}");
        }
        for path in ["/inquiries", "/events", "/sessions", "/metrics"] {
            assert!(!counts(&get, path, site, "navigate", "document"), "{path}");
            assert!(!counts(&get, path, site, "no-cors", "script"), "{path}");
            assert!(!counts(&get, path, site, "cors", "empty"), "{path}");
        }
    }
}

/// The token is removed from the URL; other parameters stay.
#[test]
fn token_is_removed_from_the_url() {
    let bare = |query| without_token("/q/inq_1", query);
    assert_eq!(bare("token=x"), "/q/inq_1");
    assert_eq!(bare(""), "/q/inq_1");
    assert_eq!(bare("token=x&lang=de"), "/q/inq_1?lang=de");
    assert_eq!(bare("sign-in=x&lang=de"), "/q/inq_1?lang=de");
    assert_eq!(bare("a=1&token=x&token=y&b=2"), "/q/inq_1?a=1&b=2");
}

/// The redirect never leads to another host, however the URL was written.
#[test]
fn redirect_stays_on_this_server() {
    for path in [
        "//evil.example/",
        "///evil.example/",
        "/\\evil.example/",
        "\\\\evil.example/",
    ] {
        assert_eq!(without_token(path, "token=x"), "/evil.example/", "{path}");
    }
}
