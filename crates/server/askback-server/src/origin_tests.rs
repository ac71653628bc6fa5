//! Which texts are valid origins, and that only an equal origin is allowed.

use super::Origin;

#[test]
fn origin_is_written_as_a_browser_writes_it() {
    let read = |text: &str| text.parse::<Origin>().map(|origin| origin.to_string());
    for (text, origin) in [
        ("https://app.example", "https://app.example"),
        ("https://APP.example/", "https://app.example"),
        ("https://app.example:443", "https://app.example"),
        ("http://app.example:80", "http://app.example"),
        ("http://localhost:5173", "http://localhost:5173"),
        ("http://[::1]:3000", "http://[::1]:3000"),
        ("null", "null"),
        ("app://main", "app://main"),
        ("vscode-webview://*", "vscode-webview://*"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(origin), "{text}");
    }
}

/// A pattern, a path or no scheme would allow more or less than its author thinks.
#[test]
fn malformed_origins_are_refused() {
    for text in [
        "*",
        "app.example",
        "file:",
        "https://*",
        "app://*.example",
        "https://",
        "https://*.example",
        "https://app.example/path",
        "https://app.example?query",
        "https://user@app.example",
        "ftp://app.example",
        "",
    ] {
        assert!(text.parse::<Origin>().is_err(), "{text}");
    }
}

#[test]
fn only_an_equal_origin_is_allowed() {
    let origin: Origin = "https://app.example".parse().unwrap();
    assert!(origin.is("https://app.example"));
    for other in [
        "http://app.example",
        "https://app.example:8443",
        "https://app.example.evil.example",
        "https://evil.example",
        "https://xapp.example",
        "null",
        "",
    ] {
        assert!(!origin.is(other), "{other}");
    }
}

#[test]
fn webviews_of_an_editor_are_allowed_together() {
    let origin: Origin = "vscode-webview://*".parse().unwrap();
    assert!(origin.is("vscode-webview://0j2k"));
    for other in [
        "vscode-webview://",
        "https://app.example",
        "null",
        "app://main",
    ] {
        assert!(!origin.is(other), "{other}");
    }
}
