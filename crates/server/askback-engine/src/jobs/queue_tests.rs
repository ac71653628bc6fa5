//! Goal: every queue survives the round trip through its name, and webhooks of one receiver share a queue.

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
fn webhooks_of_one_host_and_port_share_a_queue() {
    let expected = Queue::Webhook("example.org:8443".to_owned());
    for url in [
        "https://example.org:8443/hooks/1",
        "https://EXAMPLE.org:8443?q=1",
        "https://user:a@b@example.org:8443#there",
        "https://example.org:8443",
        "https://example.org:8443\\@other.example/",
    ] {
        assert_eq!(Queue::for_webhook(url), expected, "{url}");
    }
    for other in [
        "https://hooks.example.org:8443/",
        "https://example.org:8444/",
        "https://example.org/",
        "https://[2001:db8::1]:8443/",
    ] {
        assert_ne!(Queue::for_webhook(other), expected, "{other}");
    }
}
