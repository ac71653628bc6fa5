//! Strangers displace strangers, and nobody else.

use std::net::IpAddr;

use futures_util::FutureExt as _;

use super::{Bounds, CONNECTIONS_MAX, Peer, Strangers};

fn address(last: u8) -> IpAddr {
    IpAddr::from([10, 0, 0, last])
}

fn is_displaced(peer: &Peer) -> bool {
    peer.displaced().now_or_never().is_some()
}

fn three() -> std::sync::Arc<Strangers> {
    Strangers::new(Bounds {
        connections: 12,
        strangers: 3,
    })
}

/// F-S19: on one address, the oldest stranger gives way to the newest.
#[test]
fn oldest_stranger_gives_way() {
    let strangers = three();
    let peers: Vec<_> = (0..5).map(|_| strangers.arrive(address(1))).collect();
    let displaced: Vec<_> = peers.iter().map(is_displaced).collect();
    assert_eq!(displaced, [true, true, false, false, false]);
}

/// F-S19: whoever has shown the token stays, however many strangers come.
#[test]
fn known_peer_stays() {
    let strangers = three();
    let known = strangers.arrive(address(1));
    known.is_known();
    let many: Vec<_> = (0..100).map(|_| strangers.arrive(address(1))).collect();
    assert!(!is_displaced(&known));
    assert_eq!(many.iter().filter(|peer| !is_displaced(peer)).count(), 3);
}

/// F-S19: an address with many connections does not displace one with few.
#[test]
fn address_with_most_connections_gives_way() {
    let strangers = three();
    let single = strangers.arrive(address(2));
    let many: Vec<_> = (0..20).map(|_| strangers.arrive(address(1))).collect();
    assert!(!is_displaced(&single));
    assert!(is_displaced(&many[0]));
}

#[test]
fn connection_that_ends_makes_room() {
    let strangers = three();
    for _ in 0..10 {
        let peers: Vec<_> = (0..3).map(|_| strangers.arrive(address(1))).collect();
        assert!(!peers.iter().any(is_displaced));
    }
    assert!(strangers.waiting().is_empty());
}

#[test]
fn bounds_follow_the_open_files() {
    for (files, connections, strangers) in [
        (1024, 768, 192),
        (256, 128, 32),
        (16, 8, 2),
        (1 << 20, CONNECTIONS_MAX, 256),
        (usize::MAX, CONNECTIONS_MAX, 256),
    ] {
        let bounds = Bounds {
            connections,
            strangers,
        };
        assert_eq!(Bounds::within(files), bounds, "{files}");
    }
}
