//! Events come out whole, however the bytes were cut and the lines ended.

use super::*;

fn all(bytes: &[u8], cut: usize) -> Vec<String> {
    let mut frames = Frames::default();
    for piece in bytes.chunks(cut) {
        assert!(frames.feed(piece));
    }
    std::iter::from_fn(|| frames.next()).collect()
}

#[test]
fn events_do_not_depend_on_how_bytes_are_cut() {
    let stream = "\u{FEFF}data: {\"a\":\"ü\"}\r\n\r\n: ping\n\nevent: x\ndata: one\ndata:two\n\n\
                  data: three\r\rid: 4\n\ndata: unfinished\n";
    for cut in 1..stream.len() {
        let expected = ["{\"a\":\"ü\"}", "one\ntwo", "three"];
        assert_eq!(all(stream.as_bytes(), cut), expected, "cut into {cut}");
    }
}

#[test]
fn stream_without_end_is_cut_off() {
    let mut frames = Frames::default();
    let megabyte = vec![b'x'; 1 << 20];
    let taken = (0..64).take_while(|_| frames.feed(&megabyte)).count();
    assert_eq!(taken, 32);
}
