//! Goal: every queue survives the round trip through its name, and webhooks of one host share a queue.

use super::Queue;

#[test]
fn a_queue_survives_the_round_trip_through_its_name() {
    let queues = [
        Queue::Timer,
        Queue::HeldAnswers,
        Queue::Llm(None),
        Queue::Llm(Some("scripted".to_owned())),
        Queue::Llm(Some("a name with spaces".to_owned())),
        Queue::Tool,
        Queue::Agents,
        Queue::Webhook("example.org".to_owned()),
        Queue::Webhook(String::new()),
    ];
    for queue in queues {
        assert_eq!(Queue::from_name(&queue.name()), Some(queue));
    }
    assert_eq!(Queue::from_name("of a later version"), None);
}

#[test]
fn webhooks_of_one_host_share_a_queue() {
    let expected = Queue::Webhook("example.org".to_owned());
    for url in [
        "https://example.org:8443/hooks/1",
        "https://EXAMPLE.org:8443?q=1",
        "https://user:a@b@example.org:8443#there",
        "https://example.org:8443",
        "https://example.org:8443\\@other.example/",
        "https://example.org:8444/",
        "http://example.org./",
        "https://example.org/",
    ] {
        assert_eq!(Queue::for_webhook(url), expected, "{url}");
    }
    let other = Queue::Webhook("hooks.example.org".to_owned());
    assert_eq!(Queue::for_webhook("https://hooks.example.org/"), other);
    let ipv6 = Queue::Webhook("[2001:db8::1]".to_owned());
    assert_eq!(Queue::for_webhook("https://[2001:db8::1]/"), ipv6);
    assert_eq!(Queue::for_webhook("https://[2001:db8::1]:8443/"), ipv6);
}
