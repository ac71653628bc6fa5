//! `[keys]` accepts keys and lists of keys, and explains what is wrong with anything else.

use super::{Keymap, bind_all};

fn read(text: &str) -> Result<(), String> {
    let keys = text.parse().expect("it is TOML");
    bind_all(&mut Keymap::default(), &keys).map_err(|error| error.to_string())
}

#[test]
fn keys_and_lists_of_keys_are_taken() {
    let text = "skip = 'x'\nsend-all = ['ctrl+enter', 'ctrl+x']\ncopy-link = []\n\
                [chat]\neditor = 'ctrl+r'\n[inbox]\nskip = 'S'";
    assert_eq!(read(text), Ok(()));
}

#[test]
fn anything_else_is_refused_by_name() {
    let said = read("skip = 1").expect_err("no key");
    assert!(
        said.contains("[keys] `skip` must be the name of a key"),
        "{said}"
    );
    let said = read("[inbox]\nmark = [true]").expect_err("no key");
    assert!(said.contains("[keys.inbox] `mark` must be"), "{said}");
    let said = read("chat = 'x'").expect_err("no table");
    assert!(said.contains("[keys.chat]"), "{said}");
    let said = read("skip = 'o'").expect_err("taken");
    assert!(said.contains("`other` and `skip`"), "{said}");
}
