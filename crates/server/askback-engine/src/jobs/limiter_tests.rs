//! Goal: a kind of job, or a host, that has used up its limit takes nothing from the others.

use std::sync::Arc;

use super::{JobLimiter, JobPermit, LLM_REQUESTS, WEBHOOKS, WEBHOOKS_KEPT, WEBHOOKS_PER_HOST};
use crate::jobs::queue::Queue;
use crate::jobs::start::JobWaker;

fn limiter() -> (JobLimiter, Arc<JobWaker>) {
    let waker = Arc::new(JobWaker::default());
    (JobLimiter::new(Arc::clone(&waker)), waker)
}

fn webhook(host: usize) -> Queue {
    Queue::Webhook(format!("{host}.example"))
}

/// Whether the worker was woken since the last call.
async fn was_woken(waker: &JobWaker) -> bool {
    tokio::select! {
        biased;
        () = waker.jobs.notified() => true,
        () = std::future::ready(()) => false,
    }
}

#[test]
fn a_kind_at_its_limit_does_not_delay_others() {
    let (limiter, _) = limiter();
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
    let (limiter, _) = limiter();
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
    assert_eq!(limiter.used.lock().hosts.len(), 0);
}

/// Takes all that each of many hosts gets, one host after the other.
fn take_all(limiter: &JobLimiter) -> Vec<JobPermit> {
    let of = |host| std::iter::from_fn(move || limiter.try_acquire(&webhook(host)));
    (0..WEBHOOKS).flat_map(of).collect()
}

#[test]
fn hosts_with_nothing_under_way_have_a_share_of_their_own() {
    let (limiter, _) = limiter();
    let permits = take_all(&limiter);
    assert_eq!(permits.len(), WEBHOOKS);
    let shared = (WEBHOOKS - WEBHOOKS_KEPT) / WEBHOOKS_PER_HOST;
    let hosts = limiter.used.lock().hosts.len();
    assert_eq!(hosts, shared + WEBHOOKS_KEPT);
}

#[test]
fn a_new_webhook_overtakes_none_that_waits() {
    let (limiter, _) = limiter();
    let mut permits = take_all(&limiter);
    permits.truncate(WEBHOOKS - 1);
    let new = webhook(WEBHOOKS);
    assert!(limiter.try_acquire_with_commit(&new).is_none());
    assert!(limiter.try_acquire(&new).is_some());
}

/// Between a look that found nothing free and the end of a job, another job may have started or ended.
#[tokio::test]
async fn a_look_that_found_nothing_is_repeated() {
    let (limiter, waker) = limiter();
    let mut permits = take_all(&limiter);
    permits.pop();
    assert!(was_woken(&waker).await, "more was asked for");
    permits.pop();
    assert!(!was_woken(&waker).await, "nobody has looked since");
    permits.extend((0..2).map_while(|new| limiter.try_acquire(&webhook(WEBHOOKS + new))));
    assert_eq!(permits.len(), WEBHOOKS);
    assert_eq!(limiter.free(&webhook(WEBHOOKS + 2)), 0);
    permits.pop();
    assert!(was_woken(&waker).await);
}
