//! Goal: a directory with any name is the same project, however the client sends it.

use http::HeaderValue;

use super::*;

fn project(value: &[u8]) -> Option<String> {
    let mut headers = HeaderMap::new();
    headers.insert(PROJECT_HEADER, HeaderValue::from_bytes(value).unwrap());
    project_in_header(&headers).map(String::from)
}

const HARD: [&str; 5] = [
    "/home/me/web shop",
    "/srv/c++ & c#",
    "/srv/100%41",
    "/srv/żółw/日本",
    "/srv/a'b\"c?d=e;f",
];

#[test]
fn any_directory_arrives_as_it_is() {
    for directory in HARD {
        assert_eq!(project(directory.as_bytes()).as_deref(), Some(directory));
    }
}

#[test]
fn any_directory_arrives_encoded() {
    for directory in HARD {
        let value = project_header_value(directory);
        assert!(value.bytes().all(|byte| byte.is_ascii_graphic()), "{value}");
        assert_eq!(project(value.as_bytes()).as_deref(), Some(directory));
    }
}

#[test]
fn latin_1_is_read_and_nothing_is_no_project() {
    assert_eq!(project(b"/srv/caf\xe9").as_deref(), Some("/srv/caf\u{e9}"));
    assert_eq!(project(b""), None);
    assert_eq!(project(b"UTF-8''"), None);
    assert_eq!(project_in_header(&HeaderMap::new()), None);
}
