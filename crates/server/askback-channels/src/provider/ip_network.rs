//! Which IP addresses are public. Webhooks and Web Push go only there by default: neither an agent nor a browser
//! may make the server call services that trust their own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Private, local and reserved IPv4 networks (IANA special-purpose registry).
const RESERVED_V4: &[(Ipv4Addr, u8)] = &[
    (Ipv4Addr::UNSPECIFIED, 8),            // this host
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // carrier-grade NAT
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // the metadata service of one cloud has a public address
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local, metadata services
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved, broadcast
];

/// Reserved networks within `2000::/3`, the only block of public IPv6 addresses.
const RESERVED_V6: &[(Ipv6Addr, u8)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, Teredo
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// The block of public IPv6 addresses.
const GLOBAL_V6: (Ipv6Addr, u8) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// NAT64: an IPv4 address in the last 32 bits.
const NAT64: (Ipv6Addr, u8) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
/// 6to4: an IPv4 address after the first 16 bits.
const SIX_TO_FOUR: (Ipv6Addr, u8) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);

/// A block of addresses: `10.0.0.0/8`, or one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpNetwork {
    base: IpAddr,
    prefix: u8,
}

impl IpNetwork {
    /// `None` if the prefix is too long. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn new(base: IpAddr, prefix: Option<u8>) -> Option<IpNetwork> {
        let (canonical, bits) = (base.to_canonical(), bits(base));
        let prefix = prefix.unwrap_or(bits);
        if prefix > bits {
            return None;
        }
        let shortened = bits - self::bits(canonical);
        Some(IpNetwork {
            base: canonical,
            prefix: prefix.checked_sub(shortened)?,
        })
    }

    /// IPv4-mapped IPv6 addresses count as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.base, address.to_canonical()) {
            (IpAddr::V4(base), IpAddr::V4(address)) => in_v4(address, (base, self.prefix)),
            (IpAddr::V6(base), IpAddr::V6(address)) => in_v6(address, (base, self.prefix)),
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

fn bits(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

fn in_v4(address: Ipv4Addr, (base, prefix): (Ipv4Addr, u8)) -> bool {
    let differing = address.to_bits() ^ base.to_bits();
    differing.leading_zeros() >= u32::from(prefix)
}

fn in_v6(address: Ipv6Addr, (base, prefix): (Ipv6Addr, u8)) -> bool {
    let differing = address.to_bits() ^ base.to_bits();
    differing.leading_zeros() >= u32::from(prefix)
}

/// IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4) are judged by that one.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) if in_v6(v6, NAT64) => is_public_v4(embedded_v4(v6, 0)),
        IpAddr::V6(v6) if in_v6(v6, SIX_TO_FOUR) => is_public_v4(embedded_v4(v6, 80)),
        IpAddr::V6(v6) => {
            in_v6(v6, GLOBAL_V6) && !RESERVED_V6.iter().any(|reserved| in_v6(v6, *reserved))
        }
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !RESERVED_V4.iter().any(|reserved| in_v4(address, *reserved))
}

/// The IPv4 address that ends this many bits from the end.
fn embedded_v4(address: Ipv6Addr, from_end: u32) -> Ipv4Addr {
    let low = (address.to_bits() >> from_end) & u128::from(u32::MAX);
    Ipv4Addr::from_bits(u32::try_from(low).unwrap_or_default())
}

#[cfg(test)]
#[path = "ip_network_tests.rs"]
mod tests;
