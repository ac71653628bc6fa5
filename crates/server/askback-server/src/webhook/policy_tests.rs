//! A webhook may go to the public internet or to what the operator allowed, and a refusal says why.

use super::{WebhookAllow, WebhookPolicy, WebhookRefusal};

fn policy(allowed: &[&str]) -> WebhookPolicy {
    WebhookPolicy::new(allowed.iter().map(|text| text.parse().unwrap()).collect())
}

fn private(host: &str) -> Result<(), WebhookRefusal> {
    Err(WebhookRefusal::Private {
        host: host.to_owned(),
    })
}

fn check(policy: &WebhookPolicy, url: &str) -> Result<(), WebhookRefusal> {
    policy.check(url).map(drop)
}

#[test]
fn malformed_urls_are_refused() {
    let policy = policy(&[]);
    for malformed in [
        "",
        "hook",
        "ftp://example.com/",
        "file:///etc/passwd",
        "HTTP://example.com",
        "http:/example.com",
        "http:///example.com",
        "http:example.com",
        "http://",
        "http://?a",
        "http://exa mple.com/",
        "http://example.com/\nx",
        "http:\\\\example.com",
        "http://example.com\\@127.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://example%2ecom/",
        "https://example.com/#fragment",
        "http://example.com#@127.0.0.1/",
        "http://[::1",
        "http://[fe80::1%25eth0]/",
        "http://example.com:99999/",
        "http://example.com:0/",
        "http://256.1.1.1/",
        " https://example.com/",
    ] {
        assert_eq!(
            check(&policy, malformed),
            Err(WebhookRefusal::Malformed),
            "{malformed:?}"
        );
    }
    for url in [
        "http://user:secret@example.com/",
        "http://user@example.com/",
        "http://@example.com/",
        "http://example.com:80@example.org/",
    ] {
        assert_eq!(
            check(&policy, url),
            Err(WebhookRefusal::Credentials),
            "{url}"
        );
    }
    let long = format!("https://example.com/{}", "x".repeat(2_000));
    assert_eq!(check(&policy, &long), Err(WebhookRefusal::TooLong));
}

/// An address of this machine or of a private network is recognised in every notation.
#[test]
fn private_addresses_are_refused_in_every_notation() {
    let policy = policy(&["hooks.internal", "10.7.0.0/16"]);
    for (url, host) in [
        ("http://127.0.0.1:8080/hook", "127.0.0.1"),
        ("http://127.1/", "127.0.0.1"),
        ("http://2130706433/", "127.0.0.1"),
        ("http://0x7f.0.0.1/", "127.0.0.1"),
        ("http://0177.0.0.1/", "127.0.0.1"),
        ("http://0/", "0.0.0.0"),
        ("http://127.0.0.1./", "127.0.0.1"),
        ("http://１２７.0.0.1/", "127.0.0.1"),
        ("http://[::1]:9/", "::1"),
        ("http://[::ffff:127.0.0.1]/", "127.0.0.1"),
        ("http://[::ffff:7f00:1]/", "127.0.0.1"),
        (
            "http://169.254.169.254/latest/meta-data/",
            "169.254.169.254",
        ),
        ("http://[fd00:ec2::254]/", "fd00:ec2::254"),
        ("http://localhost/", "localhost"),
        ("http://LOCALHOST./", "localhost"),
        ("http://a.localhost:7777/", "a.localhost"),
        ("https://10.8.0.1/", "10.8.0.1"),
    ] {
        assert_eq!(check(&policy, url), private(host), "{url}");
    }
}

#[test]
fn public_and_allowed_addresses_are_accepted() {
    let policy = policy(&["hooks.internal", "10.7.0.0/16", "127.0.0.1"]);
    for url in [
        "https://example.com/hook%20x?a=%40b",
        "https://example.com/@x",
        "http://1.1.1.1/",
        "https://[2606:4700::1111]:8443/",
        "https://hooks.internal/",
        "http://10.7.1.2:8080/",
        "http://[::ffff:10.7.1.2]/",
        "http://127.0.0.1:1/",
        "http://localhost:1/",
        "https://bücher.example/",
    ] {
        assert_eq!(check(&policy, url), Ok(()), "{url}");
    }
    assert_eq!(check(&policy, "http://127.0.0.2/"), private("127.0.0.2"));
}

/// A name that resolves to a private address is refused, unless the operator allowed the name or the
/// network.
#[test]
fn resolved_addresses_are_checked_by_name_and_network() {
    let policy = policy(&["Hooks.internal", "10.7.0.0/16"]);
    let permits = |name: &str, address: &str| policy.permits(name, address.parse().unwrap());
    assert!(permits("example.com", "1.1.1.1"));
    assert!(!permits("example.com", "127.0.0.1"));
    assert!(!permits("example.com", "::ffff:192.168.0.1"));
    assert!(permits("hooks.internal", "192.168.0.1"));
    assert!(permits("HOOKS.internal.", "192.168.0.1"));
    assert!(!permits("evil-hooks.internal", "192.168.0.1"));
    assert!(permits("example.com", "10.7.3.4"));
}

#[test]
fn exception_is_a_name_an_address_or_a_block() {
    let read = |text: &str| text.parse::<WebhookAllow>();
    assert_eq!(
        read(" Hooks.Internal. "),
        Ok(WebhookAllow::Host("hooks.internal".to_owned()))
    );
    for network in [
        "10.0.0.0/8",
        "10.0.0.7",
        "::1",
        "[::1]",
        "fd00::/8",
        "0.0.0.0/0",
    ] {
        assert!(
            matches!(read(network), Ok(WebhookAllow::Network(_))),
            "{network}"
        );
    }
    for wrong in [
        "",
        "*",
        "*.internal",
        "http://hooks.internal",
        "hooks.internal:80",
        "hooks.internal/8",
        "10.0.0.0/33",
        "10.0.0.0/x",
        "127.1",
        "2130706433",
        "a b",
    ] {
        let error = read(wrong).expect_err(wrong);
        assert!(error.to_string().contains("10.0.0.0/8"), "{error}");
    }
}
