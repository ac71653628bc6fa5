use super::{BaseUrl, BaseUrlError};

#[test]
fn https_is_taken_and_http_only_on_this_machine() {
    for good in [
        "https://ntfy.sh",
        "https://ntfy.example/sub/",
        "http://127.0.0.1:8080",
        "http://localhost:1/",
        "http://[::1]:9",
    ] {
        assert!(BaseUrl::parse(good).is_ok(), "{good}");
    }
    for plain in [
        "http://ntfy.sh",
        "http://10.0.0.7",
        "http://127.0.0.1.example",
    ] {
        assert_eq!(BaseUrl::parse(plain), Err(BaseUrlError::Plain), "{plain}");
    }
    for bad in [
        "",
        "ntfy.sh",
        "ftp://ntfy.sh",
        "https://user@ntfy.sh",
        "https://:secret@ntfy.sh",
        "https://ntfy.sh/?auth=x",
        "file:///etc/passwd",
    ] {
        assert_eq!(BaseUrl::parse(bad), Err(BaseUrlError::Malformed), "{bad}");
    }
}

#[test]
fn only_the_host_is_shown() {
    let url = BaseUrl::parse("https://hooks.example/secret/path");
    let url = url.expect("it is https");
    assert_eq!(url.host(), "hooks.example");
    assert!(!format!("{url:?}").contains("secret"));
    assert_eq!(url.as_str(), "https://hooks.example/secret/path");
}
