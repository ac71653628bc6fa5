//! Containers are what other programs read, and the same files give the same bytes.

use std::process::Stdio;

use tempfile::{TempDir, tempdir};

use super::packages::base64_url;
use super::tree::{ar, gzip};
use super::*;

fn tree() -> Tree {
    Tree::default()
        .program("bin/askback", b"#!/bin/sh\nexit 3\n")
        .text("README.md", "Grüße\n")
}

fn unpacked(scratch: &TempDir, program: &str, args: &[&str]) -> Option<i32> {
    let ran = Command::new(program)
        .args(args)
        .current_dir(scratch.path())
        .stderr(Stdio::null())
        .status();
    assert!(ran.is_ok_and(|status| status.success()), "{program}");
    let readme = fs::read_to_string(scratch.path().join("README.md"));
    assert_eq!(readme.expect("unpacked"), "Grüße\n");
    let status = Command::new(scratch.path().join("bin/askback")).status();
    status.expect("it starts").code()
}

#[test]
fn tar_keeps_contents_and_modes() {
    let scratch = tempdir().expect("made");
    fs::write(
        scratch.path().join("a.tar.gz"),
        tree().tar_gz(1_700_000_000).expect("packed"),
    )
    .expect("written");
    assert_eq!(unpacked(&scratch, "tar", &["-xzf", "a.tar.gz"]), Some(3));
}

#[test]
fn zip_can_be_read() {
    let scratch = tempdir().expect("made");
    let packed = tree().zip().expect("packed");
    fs::write(scratch.path().join("a.zip"), &packed).expect("written");
    // It forgets modes, as Python always does.
    let code = "import os, zipfile; z = zipfile.ZipFile('a.zip'); assert z.testzip() is None; z.extractall('.'); \
                [os.chmod(i.filename, i.external_attr >> 16) for i in z.infolist()]";
    assert_eq!(unpacked(&scratch, "python3", &["-c", code]), Some(3));
}

#[test]
fn same_files_give_the_same_bytes() {
    let (one, other) = (tree(), tree());
    assert_eq!(
        one.tar_gz(7).expect("packed"),
        other.tar_gz(7).expect("packed")
    );
    assert_eq!(one.zip().expect("packed"), other.zip().expect("packed"));
    assert_ne!(
        one.tar_gz(7).expect("packed"),
        other.tar_gz(8).expect("packed")
    );
}

#[test]
fn members_of_ar_start_at_even_offsets() {
    let archive = ar(&[("a", b"odd".to_vec()), ("b", b"even".to_vec())], 7);
    let expected = "!<arch>\n\
        a               7           0     0     100644  3         `\nodd\n\
        b               7           0     0     100644  4         `\neven";
    assert_eq!(String::from_utf8_lossy(&archive), expected);
}

#[test]
fn hashes_are_those_of_the_record_of_a_wheel() {
    let empty = sha256(b"").expect("a hash");
    assert_eq!(
        empty,
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    assert_eq!(
        base64_url(&empty),
        "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
    );
}

/// The compressed stream of a zip entry is cut out of the output of gzip, which has no name and no time.
#[test]
fn gzip_has_a_header_of_ten_bytes() {
    let packed = gzip(b"text").expect("packed");
    assert_eq!(packed[..8], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
}

#[test]
fn arguments_name_binaries() {
    let parsed = parse(&["--binary", "x86_64-unknown-linux-gnu=a/b", "--twice"]).expect("valid");
    let expected = Arguments {
        binaries: vec![("x86_64-unknown-linux-gnu".to_owned(), "a/b".into())],
        build: None,
        check: false,
        twice: true,
    };
    assert_eq!(parsed, expected);
    let parsed = parse(&["--build", "aarch64-apple-darwin"]).expect("valid");
    assert_eq!(parsed.build.as_deref(), Some("aarch64-apple-darwin"));
    assert!(parse(&["--build"]).is_err());
    assert!(parse(&["--binary", "no-path"]).is_err());
    assert!(Target::named("sparc-unknown-linux-gnu").is_err());
}

#[test]
fn names_in_registries_are_those_that_the_registries_take() {
    let release = Release {
        root: PathBuf::new(),
        version: "1.2.3".to_owned(),
        description: String::new(),
        licence: String::new(),
        repository: "https://github.com/Some-One/askback".to_owned(),
        commit: String::new(),
        seconds: 0,
        date_rfc2822: String::new(),
        readme: String::new(),
        completions: Tree::default(),
        manual: Tree::default(),
    };
    let packages = release.server(&[]).expect("it is made");
    assert_eq!(packages["name"], "io.github.Some-One/askback");
    let image = &packages["packages"][3];
    assert_eq!(image["identifier"], "ghcr.io/some-one/askback:1.2.3");
}
