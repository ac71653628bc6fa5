//! Stands before a server and holds back whoever asks for the feed, until it is opened.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Every wait ends by then.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Default)]
struct State {
    came: bool,
    open: bool,
}

/// A gate.
pub(crate) struct Gate {
    state: Arc<(Mutex<State>, Condvar)>,
    /// Where to go through it.
    pub(crate) address: String,
}

impl Gate {
    /// A gate before a server, which is closed.
    pub(crate) fn before(server: &str) -> Gate {
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
                std::thread::spawn(move || carry(near, far, Some(&state)));
                if let (Ok(far), Ok(near)) = back {
                    std::thread::spawn(move || carry(far, near, None));
                }
            }
        });
        Gate { state, address }
    }

    /// Waits until somebody has asked for the feed.
    pub(crate) fn feed_came(&self) {
        let state = self.state.0.lock().expect("the lock is sound");
        let waited = self
            .state
            .1
            .wait_timeout_while(state, PATIENCE, |state| !state.came);
        assert!(
            waited.expect("the lock is sound").0.came,
            "nobody asks for it"
        );
    }

    /// Lets everybody through.
    pub(crate) fn open(&self) {
        self.state.0.lock().expect("the lock is sound").open = true;
        self.state.1.notify_all();
    }
}

/// Carries bytes one way until there are no more; a request for the feed waits at the gate.
fn carry(mut from: impl Read, mut to: impl Write, gate: Option<&(Mutex<State>, Condvar)>) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(read) = from.read(&mut bytes) {
        let wants_feed = bytes[..read].starts_with(b"GET /events");
        if let (true, Some((state, changed))) = (wants_feed, gate) {
            let mut state = state.lock().expect("the lock is sound");
            state.came = true;
            changed.notify_all();
            drop(changed.wait_timeout_while(state, PATIENCE, |state| !state.open));
        }
        if read == 0 || to.write_all(&bytes[..read]).is_err() {
            return;
        }
    }
}
