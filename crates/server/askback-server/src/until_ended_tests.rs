//! What a caller sends ends with their access.

use super::*;

#[tokio::test]
async fn a_body_fails_once_when_the_access_ends() {
    let never = stream::pending::<Result<Vec<u8>, BoxError>>();
    let body = end_body_on(Body::from_stream(never), Box::pin(std::future::ready(())));
    let mut chunks = body.into_data_stream();
    let error = chunks.next().await.expect("the body fails").unwrap_err();
    assert!(AccessEnded::caused(&error));
    assert!(chunks.next().await.is_none());
}
