//! What was begun is completed, whoever stops waiting for it.

use super::completed;

#[tokio::test]
async fn work_goes_on_without_its_client() {
    let (done, is_done) = tokio::sync::oneshot::channel();
    let work = async {
        tokio::task::yield_now().await;
        done.send(()).unwrap();
        Ok(())
    };
    tokio::select! {
        biased;
        _ = completed(work) => panic!("it takes a moment"),
        () = std::future::ready(()) => {}
    }
    is_done.await.unwrap();
}
