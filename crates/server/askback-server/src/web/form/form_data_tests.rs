//! Forms are parsed as browsers encode them. Malformed input is never an error.

use super::FormData;

#[test]
fn parses_what_browsers_send() {
    let data = FormData::parse(b"q1=a+b&q1=%C3%BC%26%3D&q2=&=lost&once=0a&action=send&revision=2");
    assert_eq!(data.all("q1").collect::<Vec<_>>(), ["a b", "ü&="]);
    assert!(data.has("q2") && !data.has("q3"));
    assert_eq!(data.first("q2"), "");
    assert_eq!(
        (data.action(), data.revision(), data.nonce()),
        ("send", Some(2), Some("0a"))
    );
}

#[test]
fn malformed_input_parses_without_error() {
    for bytes in [
        &b""[..],
        b"&&&",
        b"=",
        b"%",
        b"q1=%f",
        b"q1=%zz&\xff=\xfe",
        b"a=b=c",
    ] {
        let data = FormData::parse(bytes);
        assert_eq!(data.action(), "", "{bytes:?}");
    }
    assert_eq!(FormData::parse(b"a=b=c").first("a"), "b=c");
    let long = format!("once={}", "x".repeat(65));
    assert_eq!(FormData::parse(long.as_bytes()).nonce(), None);
}
