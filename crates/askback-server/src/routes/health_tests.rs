//! Goal: the health endpoints report a store that cannot be written, and its recovery.

use std::time::Duration;

use askback_store::{CommitFault, SqliteOptions, StoreError};
use axum::http::{Method, StatusCode};

use crate::openapi::tests::{idle_engine_with, router_of, status};

/// F-S33: if the database cannot be reopened after a failed write, both endpoints fail, and so do commits.
#[tokio::test]
async fn a_store_that_cannot_be_written_is_unhealthy() {
    let options = SqliteOptions::default();
    let (engine, file) = idle_engine_with("health", options.clone()).await;
    let router = router_of(engine.clone());
    assert_eq!(
        status(&router, &Method::GET, "/healthz").await,
        StatusCode::OK
    );
    let away = file.path().with_extension("away");
    std::fs::rename(file.path(), &away).unwrap();
    options.faults.inject(CommitFault::NotWritten);
    let unknown = engine.store().end_all_sessions().await;
    assert!(matches!(unknown, Err(StoreError::CommitUnknown(_))));
    for path in ["/healthz", "/readyz"] {
        let told = status(&router, &Method::GET, path).await;
        assert_eq!(told, StatusCode::SERVICE_UNAVAILABLE, "{path}");
    }
    let refused = engine.store().end_all_sessions().await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
    std::fs::rename(&away, file.path()).unwrap();
    let works = async {
        while status(&router, &Method::GET, "/healthz").await != StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let works = tokio::time::timeout(Duration::from_mins(1), works).await;
    works.expect("it recovers by itself");
    engine.store().end_all_sessions().await.unwrap();
}
