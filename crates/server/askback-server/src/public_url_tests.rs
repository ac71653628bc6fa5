//! Which public URLs are valid.

use super::PublicUrl;

#[test]
fn url_is_kept_without_its_trailing_slash() {
    let read = |text: &str| {
        let url: PublicUrl = text.parse().unwrap();
        (url.as_str().to_owned(), url.host().to_owned())
    };
    let own = |base: &str, host: &str| (base.to_owned(), host.to_owned());
    assert_eq!(
        read("https://ask.example/"),
        own("https://ask.example", "ask.example")
    );
    assert_eq!(
        read("http://192.168.0.7:7777"),
        own("http://192.168.0.7:7777", "192.168.0.7")
    );
    assert_eq!(
        read("http://[fd00::1]:80"),
        own("http://[fd00::1]:80", "fd00::1")
    );
}

#[test]
fn invalid_public_urls_are_refused() {
    for text in [
        "",
        "ask.example",
        "ftp://ask.example",
        "https://ask.example/below",
        "https://ask.example?x=1",
        "https://ask.example#x",
        "https://user:secret@ask.example",
        "https://",
    ] {
        assert!(text.parse::<PublicUrl>().is_err(), "{text}");
    }
}
