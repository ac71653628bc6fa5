//! A base URL gives the right endpoint however it is written.

use super::*;

#[test]
fn base_urls_give_the_messages_endpoint() {
    let cases = [
        ("http://h:1", "http://h:1/v1/messages"),
        ("http://h:1/", "http://h:1/v1/messages"),
        ("http://h:1/v1", "http://h:1/v1/messages"),
        ("http://h:1/v1/", "http://h:1/v1/messages"),
        ("http://h/v1/messages", "http://h/v1/messages"),
        ("https://h/api/a", "https://h/api/a/v1/messages"),
    ];
    for (base_url, expected) in cases {
        let url = endpoint_url(Protocol::Anthropic, Some(base_url)).unwrap();
        assert_eq!(url.as_str(), expected, "{base_url}");
    }
    let own = endpoint_url(Protocol::Anthropic, None).unwrap();
    assert_eq!(own.as_str(), "https://api.anthropic.com/v1/messages");
}

#[test]
fn base_urls_give_the_chat_completions_endpoint() {
    let cases = [
        ("http://h:1", "http://h:1/v1/chat/completions"),
        ("http://h:1/", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/", "http://h:1/v1/chat/completions"),
        ("https://h/b/openai/", "https://h/b/openai/chat/completions"),
        (
            "https://h/v1/chat/completions",
            "https://h/v1/chat/completions",
        ),
    ];
    for (base_url, expected) in cases {
        let url = endpoint_url(Protocol::OpenAiChat, Some(base_url)).unwrap();
        assert_eq!(url.as_str(), expected, "{base_url}");
    }
    let own = endpoint_url(Protocol::OpenAiChat, None).unwrap();
    assert_eq!(own.as_str(), "https://api.openai.com/v1/chat/completions");
}

#[test]
fn base_urls_give_the_responses_endpoint() {
    let cases = [
        ("http://h:1", "http://h:1/v1/responses"),
        ("http://h:1/v1/", "http://h:1/v1/responses"),
        ("https://h/v1/responses", "https://h/v1/responses"),
        ("https://h/b/openai/", "https://h/b/openai/responses"),
    ];
    for (base_url, expected) in cases {
        let url = endpoint_url(Protocol::OpenAiResponses, Some(base_url)).unwrap();
        assert_eq!(url.as_str(), expected, "{base_url}");
    }
    let own = endpoint_url(Protocol::OpenAiResponses, None).unwrap();
    assert_eq!(own.as_str(), "https://api.openai.com/v1/responses");
}

#[test]
fn invalid_base_urls_are_refused_with_an_example() {
    for base_url in ["localhost:8080", "ftp://h/", "", "not a url"] {
        let error = endpoint_url(Protocol::OpenAiChat, Some(base_url)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the base URL is not an http or https address such as https://api.openai.com/v1: check \
             --base-url or ASKBACK_BASE_URL"
        );
    }
}

#[test]
fn loopback_is_recognised() {
    let loopback = |url: &str| is_loopback(&Url::parse(url).unwrap());
    assert!(
        loopback("http://127.0.0.1:9/v1")
            && loopback("http://localhost/")
            && loopback("http://[::1]:8/")
    );
    assert!(!loopback("https://api.openai.com/v1") && !loopback("http://127.example.org/"));
}
