//! Which IP addresses are public. Webhooks and Web Push go only there by default: neither an agent nor a browser
//! may make the server call services that trust their own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Private, local and reserved IPv4 networks (IANA special-purpose registry).
const RESERVED_V4: &[Ipv4Net] = &[
    v4([0, 0, 0, 0], 8),        // this host
    v4([10, 0, 0, 0], 8),       // private
    v4([100, 64, 0, 0], 10),    // carrier-grade NAT
    v4([127, 0, 0, 0], 8),      // loopback
    v4([168, 63, 129, 16], 32), // the metadata service of one cloud has a public address
    v4([169, 254, 0, 0], 16),   // link-local, metadata services
    v4([172, 16, 0, 0], 12),    // private
    v4([192, 0, 0, 0], 24),     // protocol assignments
    v4([192, 0, 2, 0], 24),     // documentation
    v4([192, 88, 99, 0], 24),   // 6to4 relays
    v4([192, 168, 0, 0], 16),   // private
    v4([198, 18, 0, 0], 15),    // benchmarks
    v4([198, 51, 100, 0], 24),  // documentation
    v4([203, 0, 113, 0], 24),   // documentation
    v4([224, 0, 0, 0], 4),      // multicast
    v4([240, 0, 0, 0], 4),      // reserved, broadcast
];

/// Reserved networks within `2000::/3`, the only block of public IPv6 addresses.
const RESERVED_V6: &[Ipv6Net] = &[
    v6([0x2001, 0], 23),     // protocol assignments, Teredo
    v6([0x2001, 0xdb8], 32), // documentation
    v6([0x3fff, 0], 20),     // documentation
];

/// The block of public IPv6 addresses.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0], 3);
/// NAT64: an IPv4 address in the last 32 bits.
const NAT64: Ipv6Net = v6([0x64, 0xff9b], 96);
/// 6to4: an IPv4 address after the first 16 bits.
const SIX_TO_FOUR: Ipv6Net = v6([0x2002, 0], 16);

const fn v4([a, b, c, d]: [u8; 4], prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6([a, b]: [u16; 2], prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), prefix)
}

/// A block of addresses, or one. `None` if the prefix is too long. IPv4-mapped IPv6 addresses count as IPv4.
pub fn network(base: IpAddr, prefix: Option<u8>) -> Option<IpNet> {
    let canonical = IpNet::from(base.to_canonical());
    let bits = IpNet::from(base).max_prefix_len();
    let shortened = bits - canonical.max_prefix_len();
    let prefix = prefix.unwrap_or(bits).checked_sub(shortened)?;
    IpNet::new(canonical.addr(), prefix).ok()
}

/// IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4) are judged by that one.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) if NAT64.contains(&v6) => is_public_v4(embedded_v4(v6, 0)),
        IpAddr::V6(v6) if SIX_TO_FOUR.contains(&v6) => is_public_v4(embedded_v4(v6, 80)),
        IpAddr::V6(v6) => {
            GLOBAL_V6.contains(&v6) && !RESERVED_V6.iter().any(|reserved| reserved.contains(&v6))
        }
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !RESERVED_V4
        .iter()
        .any(|reserved| reserved.contains(&address))
}

/// The IPv4 address that ends this many bits from the end.
fn embedded_v4(address: Ipv6Addr, from_end: u32) -> Ipv4Addr {
    let low = (address.to_bits() >> from_end) & u128::from(u32::MAX);
    Ipv4Addr::from_bits(u32::try_from(low).unwrap_or_default())
}

#[cfg(test)]
#[path = "ip_network_tests.rs"]
mod tests;
