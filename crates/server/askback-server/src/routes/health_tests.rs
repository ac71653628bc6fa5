//! Goal: the health endpoints report a store that cannot be written, and its recovery.

use std::time::Duration;

use askback_store::{CommitFault, SqliteOptions, StoreError};
use axum::http::{Method, StatusCode};

use crate::openapi::tests::{idle_engine_with, router_of, status};

/// If the database cannot be reopened after a failed write, both endpoints fail, and so do commits.
#[tokio::test]
async fn a_store_that_cannot_be_written_is_unhealthy() {
    let options = SqliteOptions::default();
    let (engine, _directory) = idle_engine_with(options.clone()).await;
    let router = router_of(engine.clone()).await;
    assert_eq!(
        status(&router, &Method::GET, "/healthz").await,
        StatusCode::OK
    );
    options.faults.fail_reopening(true);
    options.faults.inject(CommitFault::NotWritten);
    let unknown = engine.store().end_all_sessions().await;
    assert!(matches!(unknown, Err(StoreError::CommitUnknown(_))));
    for path in ["/healthz", "/readyz"] {
        let told = status(&router, &Method::GET, path).await;
        assert_eq!(told, StatusCode::SERVICE_UNAVAILABLE, "{path}");
    }
    let refused = engine.store().end_all_sessions().await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
    options.faults.fail_reopening(false);
    let works = async {
        while status(&router, &Method::GET, "/healthz").await != StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let works = tokio::time::timeout(Duration::from_mins(1), works).await;
    works.expect("it recovers by itself");
    engine.store().end_all_sessions().await.unwrap();
}

/// A cached result says nothing about a write that has failed since. Small writes that succeed do not end it.
#[tokio::test]
async fn server_is_not_ready_from_the_first_failed_write_until_there_is_room() {
    let options = SqliteOptions::default();
    let (engine, _directory) = idle_engine_with(options.clone()).await;
    let router = router_of(engine.clone()).await;
    let ready = || status(&router, &Method::GET, "/readyz");
    assert_eq!(ready().await, StatusCode::OK);
    options.faults.fill_disk(true);
    options.faults.inject(CommitFault::NotWritten);
    engine.store().end_all_sessions().await.unwrap_err();
    assert_eq!(ready().await, StatusCode::SERVICE_UNAVAILABLE);
    engine.store().end_all_sessions().await.unwrap();
    assert_eq!(ready().await, StatusCode::SERVICE_UNAVAILABLE);
    options.faults.fill_disk(false);
    let works = async {
        while ready().await != StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let works = tokio::time::timeout(Duration::from_mins(1), works).await;
    works.expect("it recovers by itself");
}
