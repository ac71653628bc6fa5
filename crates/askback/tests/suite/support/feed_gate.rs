//! A proxy that holds back requests for the feed until it is opened.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

use super::timeout::TEST_TIMEOUT;

#[derive(Default)]
struct State {
    feed_requested: bool,
    open: bool,
}

pub(crate) struct FeedGate {
    state: Arc<(Mutex<State>, Condvar)>,
    /// Of the proxy.
    pub(crate) address: String,
}

impl FeedGate {
    /// Starts closed.
    pub(crate) fn in_front_of(server: &str) -> FeedGate {
        let upstream = server.trim_start_matches("http://").trim_end_matches('/');
        let upstream = upstream.to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("it binds");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let state: Arc<(Mutex<State>, Condvar)> = Arc::default();
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let far = TcpStream::connect(&upstream).expect("the server listens");
                let back = (far.try_clone(), near.try_clone());
                let state = Arc::clone(&shared);
                std::thread::spawn(move || forward(near, far, Some(&state)));
                if let (Ok(far), Ok(near)) = back {
                    std::thread::spawn(move || forward(far, near, None));
                }
            }
        });
        FeedGate { state, address }
    }

    pub(crate) fn wait_for_feed_request(&self) {
        let state = self.state.0.lock().expect("the lock is sound");
        let waited = self
            .state
            .1
            .wait_timeout_while(state, TEST_TIMEOUT, |state| !state.feed_requested);
        assert!(
            waited.expect("the lock is sound").0.feed_requested,
            "nobody requested the feed"
        );
    }

    pub(crate) fn open(&self) {
        self.state.0.lock().expect("the lock is sound").open = true;
        self.state.1.notify_all();
    }
}

/// Copies one direction to its end; a request for the feed waits for `gate`.
fn forward(mut from: impl Read, mut to: impl Write, gate: Option<&(Mutex<State>, Condvar)>) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(read) = from.read(&mut bytes) {
        let wants_feed = bytes[..read].starts_with(b"GET /events");
        if let (true, Some((state, changed))) = (wants_feed, gate) {
            let mut state = state.lock().expect("the lock is sound");
            state.feed_requested = true;
            changed.notify_all();
            drop(changed.wait_timeout_while(state, TEST_TIMEOUT, |state| !state.open));
        }
        if read == 0 || to.write_all(&bytes[..read]).is_err() {
            return;
        }
    }
}
