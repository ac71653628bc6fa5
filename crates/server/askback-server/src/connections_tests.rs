//! Unauthenticated connections displace each other, and no others.

use std::net::IpAddr;

use futures_util::FutureExt as _;

use super::{CONNECTIONS_MAX, ConnectionHandle, ConnectionLimits, UnauthenticatedConnections};

fn address(last: u8) -> IpAddr {
    IpAddr::from([10, 0, 0, last])
}

fn is_evicted(connection: &ConnectionHandle) -> bool {
    connection.evicted().now_or_never().is_some()
}

fn three() -> std::sync::Arc<UnauthenticatedConnections> {
    UnauthenticatedConnections::new(ConnectionLimits {
        connections: 12,
        unauthenticated: 3,
    })
}

/// On one address, the newest unauthenticated connection closes the oldest.
#[test]
fn oldest_unauthenticated_connection_is_closed() {
    let unauthenticated = three();
    let connections: Vec<_> = (0..5).map(|_| unauthenticated.add(address(1))).collect();
    let evicted: Vec<_> = connections.iter().map(is_evicted).collect();
    assert_eq!(evicted, [true, true, false, false, false]);
}

/// Authenticated connections stay open, however many unauthenticated ones come.
#[test]
fn authenticated_connection_stays() {
    let unauthenticated = three();
    let known = unauthenticated.add(address(1));
    known.mark_authenticated();
    let many: Vec<_> = (0..100).map(|_| unauthenticated.add(address(1))).collect();
    assert!(!is_evicted(&known));
    assert_eq!(
        many.iter()
            .filter(|connection| !is_evicted(connection))
            .count(),
        3
    );
}

/// An address with many connections does not displace one with few.
#[test]
fn address_with_most_connections_gives_way() {
    let unauthenticated = three();
    let single = unauthenticated.add(address(2));
    let many: Vec<_> = (0..20).map(|_| unauthenticated.add(address(1))).collect();
    assert!(!is_evicted(&single));
    assert!(is_evicted(&many[0]));
}

#[test]
fn connection_that_ends_makes_room() {
    let unauthenticated = three();
    for _ in 0..10 {
        let connections: Vec<_> = (0..3).map(|_| unauthenticated.add(address(1))).collect();
        assert!(!connections.iter().any(is_evicted));
    }
    assert!(unauthenticated.by_address.lock().is_empty());
}

#[test]
fn limits_follow_the_open_files() {
    for (files, connections, unauthenticated) in [
        (1024, 768, 192),
        (256, 128, 32),
        (16, 8, 2),
        (1 << 20, CONNECTIONS_MAX, 256),
        (usize::MAX, CONNECTIONS_MAX, 256),
    ] {
        let limits = ConnectionLimits {
            connections,
            unauthenticated,
        };
        assert_eq!(ConnectionLimits::for_open_files(files), limits, "{files}");
    }
}
