//! Files in memory, and the containers that they are packed in: the same bytes for the same files.
//!
//! Hashes are the work of `sha256sum`, because a chore is compiled without optimisation.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use libdeflater::{CompressionLvl, Compressor};

/// The files of a package by their paths.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree(BTreeMap<String, TreeFile>);

#[derive(Debug, Clone)]
struct TreeFile {
    mode: u32,
    bytes: Vec<u8>,
}

/// The length of the header of [`gzip`], which has no name in it, and of the checksum and the length at its end.
const GZIP_HEADER: usize = 10;
const GZIP_TRAILER: usize = 8;

impl Tree {
    pub(super) fn text(mut self, path: impl Into<String>, text: impl Into<String>) -> Tree {
        self.add(path.into(), 0o644, text.into().into_bytes());
        self
    }

    pub(super) fn program(mut self, path: impl Into<String>, bytes: &[u8]) -> Tree {
        self.add(path.into(), 0o755, bytes.to_vec());
        self
    }

    pub(super) fn add(&mut self, path: String, mode: u32, bytes: Vec<u8>) {
        self.0.insert(path, TreeFile { mode, bytes });
    }

    /// Adds the files of another tree below a directory, which ends with a slash or is empty.
    pub(super) fn merge(mut self, directory: &str, other: &Tree) -> Tree {
        for (path, file) in &other.0 {
            self.0.insert(format!("{directory}{path}"), file.clone());
        }
        self
    }

    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0
            .iter()
            .map(|(path, file)| (path.as_str(), file.bytes.as_slice()))
    }

    /// The files of a directory that are there now.
    pub(super) fn read(directory: &Path) -> anyhow::Result<Tree> {
        let mut tree = Tree::default();
        for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() {
                tree = tree.merge(&format!("{name}/"), &Tree::read(&entry.path())?);
            } else {
                let mode = entry.path().metadata()?.permissions().mode() & 0o755;
                tree.add(name, mode | 0o644, fs::read(entry.path())?);
            }
        }
        Ok(tree)
    }

    pub(super) fn write(&self, directory: &Path) -> anyhow::Result<()> {
        for (path, file) in &self.0 {
            let path = directory.join(path);
            fs::create_dir_all(path.parent().unwrap_or(directory))?;
            fs::write(&path, &file.bytes).with_context(|| path.display().to_string())?;
            fs::set_permissions(&path, fs::Permissions::from_mode(file.mode))?;
        }
        Ok(())
    }

    /// A tar archive in which everything belongs to root.
    pub(super) fn tar(&self, seconds: u64) -> anyhow::Result<TarWriter> {
        let mut writer = TarWriter::new(seconds);
        let mut directories: Vec<String> = Vec::new();
        for path in self.0.keys() {
            for (slash, _) in path.match_indices('/') {
                directories.push(format!("{}/", &path[..slash]));
            }
        }
        directories.sort();
        directories.dedup();
        for directory in directories {
            writer.directory(&directory, Owner { id: 0, mode: 0o755 })?;
        }
        for (path, file) in &self.0 {
            writer.file(path, file.mode, &file.bytes)?;
        }
        Ok(writer)
    }

    pub(super) fn tar_gz(&self, seconds: u64) -> anyhow::Result<Vec<u8>> {
        gzip(&self.tar(seconds)?.finish()?)
    }

    /// A zip archive. All files have the same time, the first that the format knows.
    pub(super) fn zip(&self) -> anyhow::Result<Vec<u8>> {
        let (mut body, mut directory) = (Vec::new(), Vec::new());
        for (path, file) in &self.0 {
            let packed = gzip(&file.bytes)?;
            let (head, sums) = packed.split_at(packed.len() - GZIP_TRAILER);
            let deflated = &head[GZIP_HEADER..];
            // Version 2.0, UTF-8 names, deflate, 1980-01-01 00:00.
            let mut common = [20u16, 0x0800, 8, 0, 0x21].map(u16::to_le_bytes).concat();
            common.extend(&sums[..4]);
            common.extend(u32::try_from(deflated.len())?.to_le_bytes());
            common.extend(&sums[4..]);
            common.extend(u16::try_from(path.len())?.to_le_bytes());
            common.extend([0, 0]);
            let offset = u32::try_from(body.len())?;
            body.extend(b"PK\x03\x04");
            body.extend(&common);
            body.extend(path.as_bytes());
            body.extend(deflated);
            // Made on Unix, so that the mode counts.
            directory.extend(b"PK\x01\x02\x14\x03");
            directory.extend(&common);
            directory.extend([0; 6]);
            directory.extend(((0o100_000 | file.mode) << 16).to_le_bytes());
            directory.extend(offset.to_le_bytes());
            directory.extend(path.as_bytes());
        }
        let (start, size) = (u32::try_from(body.len())?, u32::try_from(directory.len())?);
        let count = u16::try_from(self.0.len())?.to_le_bytes();
        body.extend(&directory);
        body.extend(b"PK\x05\x06\0\0\0\0");
        body.extend([count, count].concat());
        body.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
        body.extend([0, 0]);
        Ok(body)
    }
}

/// Writes a tar archive entry by entry.
pub(super) struct TarWriter {
    builder: tar::Builder<Vec<u8>>,
    seconds: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Owner {
    pub(super) id: u64,
    pub(super) mode: u32,
}

impl TarWriter {
    fn new(seconds: u64) -> TarWriter {
        TarWriter {
            builder: tar::Builder::new(Vec::new()),
            seconds,
        }
    }

    pub(super) fn directory(&mut self, path: &str, owner: Owner) -> anyhow::Result<()> {
        let mut header = self.header(owner);
        header.set_entry_type(tar::EntryType::Directory);
        header.set_size(0);
        self.builder.append_data(&mut header, path, &[][..])?;
        Ok(())
    }

    fn file(&mut self, path: &str, mode: u32, bytes: &[u8]) -> anyhow::Result<()> {
        let mut header = self.header(Owner { id: 0, mode });
        header.set_size(bytes.len() as u64);
        self.builder.append_data(&mut header, path, bytes)?;
        Ok(())
    }

    fn header(&self, owner: Owner) -> tar::Header {
        let mut header = tar::Header::new_ustar();
        header.set_mode(owner.mode);
        header.set_uid(owner.id);
        header.set_gid(owner.id);
        header.set_mtime(self.seconds);
        header
    }

    pub(super) fn finish(self) -> anyhow::Result<Vec<u8>> {
        Ok(self.builder.into_inner()?)
    }
}

/// An `ar` archive, which a Debian package is.
pub(super) fn ar(members: &[(&str, Vec<u8>)], seconds: u64) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let size = bytes.len();
        let header = format!(
            "{name:<16}{seconds:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
            0, 0, 100_644
        );
        archive.extend(header.as_bytes());
        archive.extend(bytes);
        archive.extend((size % 2 == 1).then_some(b'\n'));
    }
    archive
}

/// What npm, `PyPI` and the other registries take. libdeflate makes it 3 % smaller than `gzip -9`, in the same time.
pub(super) fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut packed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut packed)?;
    packed.truncate(length);
    Ok(packed)
}

/// The hash in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> anyhow::Result<String> {
    let line = filter("sha256sum", &[], bytes)?;
    Ok(String::from_utf8_lossy(&line[..64]).into_owned())
}

/// What a program prints for this input.
pub(super) fn filter(program: &str, args: &[&str], input: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("{program} does not start"))?;
    let mut stdin = child.stdin.take().context("no standard input")?;
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output()
    })?;
    ensure!(output.status.success(), "{program} failed");
    Ok(output.stdout)
}
