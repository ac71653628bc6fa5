//! Private, local and reserved addresses are distinguished from public ones, in every notation.

use std::net::IpAddr;

use super::{is_public, network};

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn private_local_and_reserved_addresses_are_not_public() {
    for reserved in [
        "0.0.0.0",
        "10.255.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.168.1.1",
        "198.19.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b::10.1.2.3",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
        "2001:0:4136:e378::1",
        "2001:db8::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "100::1",
        "5f00::1",
    ] {
        assert!(!is_public(address(reserved)), "{reserved}");
    }
}

/// The neighbours of each block are public: a mask that is one bit off would show here.
#[test]
fn public_addresses_are_public() {
    for public in [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.17",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "223.255.255.255",
        "::ffff:1.1.1.1",
        "64:ff9b::1.1.1.1",
        "2002:101:101::1",
        "2606:4700::1111",
        "2a00::1",
    ] {
        assert!(is_public(address(public)), "{public}");
    }
}

/// As those who ask for an address have it.
fn canonical(text: &str) -> IpAddr {
    address(text).to_canonical()
}

#[test]
fn networks_contain_what_their_prefix_says() {
    let block = |base: &str, prefix| network(address(base), prefix);
    let private = block("10.1.0.0", Some(16)).unwrap();
    assert!(private.contains(&canonical("10.1.255.255")));
    assert!(private.contains(&canonical("::ffff:10.1.0.1")));
    assert!(!private.contains(&canonical("10.2.0.0")));
    assert!(!private.contains(&canonical("::1")));
    let one = block("127.0.0.1", None).unwrap();
    assert!(one.contains(&canonical("127.0.0.1")) && !one.contains(&canonical("127.0.0.2")));
    let mapped = block("::ffff:10.0.0.0", Some(104)).unwrap();
    assert!(mapped.contains(&canonical("10.9.9.9")) && !mapped.contains(&canonical("11.0.0.0")));
    let all = block("::", Some(0)).unwrap();
    assert!(all.contains(&canonical("fe80::1")));
    assert!(block("10.0.0.0", Some(33)).is_none());
    assert!(block("::1", Some(129)).is_none());
    assert!(
        block("::ffff:10.0.0.0", Some(8)).is_none(),
        "neither one nor the other"
    );
}
