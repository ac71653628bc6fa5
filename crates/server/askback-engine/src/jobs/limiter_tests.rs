//! Goal: a kind of job, or a host, that has used up its limit takes nothing from the others.

use super::{JobLimiter, LLM_REQUESTS, WEBHOOKS_PER_HOST};
use crate::jobs::queue::Queue;

#[test]
fn a_kind_at_its_limit_does_not_delay_others() {
    let limiter = JobLimiter::default();
    let llm = Queue::Llm(Some("scripted".to_owned()));
    let permits: Vec<_> = (0..LLM_REQUESTS)
        .map(|_| limiter.try_acquire(&llm))
        .collect();
    assert!(permits.iter().all(Option::is_some));
    assert_eq!(limiter.free(&llm), 0);
    assert!(limiter.try_acquire(&Queue::Llm(None)).is_none());
    let webhook = Queue::Webhook("a".to_owned());
    for other in [Queue::Timer, Queue::Tool, Queue::Agents, webhook] {
        assert!(limiter.try_acquire(&other).is_some(), "{other:?}");
    }
    drop(permits);
    assert_eq!(limiter.free(&llm), LLM_REQUESTS);
}

#[test]
fn a_host_that_hangs_does_not_delay_others() {
    let limiter = JobLimiter::default();
    let queue = |host: &str| Queue::Webhook(host.to_owned());
    let permits: Vec<_> = (0..WEBHOOKS_PER_HOST)
        .map(|_| limiter.try_acquire(&queue("hangs.example")))
        .collect();
    assert!(permits.iter().all(Option::is_some));
    assert!(limiter.try_acquire(&queue("hangs.example")).is_none());
    assert_eq!(limiter.free(&queue("hangs.example")), 0);
    assert_eq!(limiter.free(&queue("works.example")), WEBHOOKS_PER_HOST);
    drop(permits);
    assert_eq!(limiter.free(&queue("hangs.example")), WEBHOOKS_PER_HOST);
    // Idle hosts are removed.
    assert!(limiter.hosts.0.lock().is_empty());
}
