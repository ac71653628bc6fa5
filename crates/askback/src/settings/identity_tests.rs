//! A header is believed only from named addresses.

use std::net::IpAddr;

use super::of_proxy;

fn parse(header: Option<&str>, proxies: &[&str]) -> Result<Option<usize>, String> {
    let header = header.map(str::to_owned);
    let proxies: Vec<String> = proxies.iter().map(|&proxy| proxy.to_owned()).collect();
    let parsed = of_proxy(header.as_ref(), proxies.iter());
    let parsed = parsed.map_err(|error| error.to_string())?;
    Ok(parsed.map(|identity| identity.proxies.len()))
}

#[test]
fn header_and_proxy_belong_together() {
    assert_eq!(parse(None, &[]), Ok(None));
    let header = Some("X-Forwarded-User");
    assert_eq!(
        parse(header, &["127.0.0.1", "10.0.0.0/8", "::1"]),
        Ok(Some(3))
    );
    for (header, proxies, reason) in [
        (header, &[][..], "everybody could send"),
        (None, &["127.0.0.1"][..], "no effect"),
        (header, &["proxy.internal"][..], "not an address"),
        (header, &["10.0.0.0/64"][..], "not an address"),
        (header, &["10.0.0.0/x"][..], "not an address"),
        (
            Some("X Forwarded"),
            &["127.0.0.1"][..],
            "not the name of a header",
        ),
    ] {
        let refused = parse(header, proxies).unwrap_err();
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn block_has_its_addresses() {
    let proxies = ["10.1.0.0/16".to_owned()];
    let header = "x-user".to_owned();
    let identity = of_proxy(Some(&header), proxies.iter()).unwrap().unwrap();
    let has = |address: &str| identity.proxies[0].contains(&address.parse::<IpAddr>().unwrap());
    assert!(has("10.1.2.3") && !has("10.2.0.1"));
}
