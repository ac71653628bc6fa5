//! Any header values give a valid actor and surface, and never the surface `system`.

use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};

use super::{ActorHeaders, encode_actor};
use crate::limits;

fn read(actor: &[u8], surface: &[u8]) -> Actor {
    let headers = ActorHeaders {
        actor: Some(actor),
        surface: Some(surface),
    };
    headers.actor()
}

fn actor(name: &str, surface: Surface) -> Actor {
    Actor::new(Text::clean(name, Lines::One), surface)
}

#[test]
fn names_come_through_in_any_script() {
    for name in ["Zoë", "山田太郎", "O'Brien, 50% there"] {
        let coded = encode_actor(&Text::clean(name, Lines::One).unwrap());
        assert_eq!(read(coded.as_bytes(), b"web"), actor(name, Surface::Web));
    }
}

#[test]
fn missing_headers_are_plain_http() {
    let expected = Actor::new(None, Surface::Http);
    assert_eq!(ActorHeaders::default().actor(), expected);
}

#[test]
fn hostile_headers_are_cleaned_and_bounded() {
    assert_eq!(
        read(b"a%1B%5B31mb%0Ac\xFF", b"system"),
        actor("a\u{241B}b c\u{FFFD}", Surface::Http)
    );
    assert_eq!(read(b"%20%E2%80%8B", b"toaster").name, None);
    let long = read(&vec![b'x'; 100_000], b" terminal ");
    assert_eq!(long.name.unwrap().chars(), limits::ACTOR_CHARS_MAX);
    assert_eq!(long.surface, Surface::Terminal);
}
