//! The container image as an OCI layout: the program, certificates and a data directory, without a shell.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::packages::{Binary, pretty};
use super::target::Libc;
use super::tree::{Owner, Tree, gzip, sha256};
use super::{Package, Release};

const USER: u64 = 65_532;
const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";

impl Release {
    /// The files of the layout, with one image for each Linux platform.
    pub(super) fn image(&self, binaries: &[Binary]) -> anyhow::Result<Vec<Package>> {
        let mut files = vec![Package::for_all(
            "oci/oci-layout",
            "{\"imageLayoutVersion\":\"1.0.0\"}",
        )];
        let mut manifests = Vec::new();
        for binary in binaries.iter().filter(|it| it.target.is_linux()) {
            let layer = self.layer(binary)?;
            let packed = gzip(&layer)?;
            let config = pretty(&self.config(binary, &sha256(&layer)?)).into_bytes();
            let manifest = json!({
                "schemaVersion": 2,
                "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": descriptor("config.v1+json", &config)?,
                "layers": [descriptor("layer.v1.tar+gzip", &packed)?],
            });
            let manifest = pretty(&manifest).into_bytes();
            let mut entry = descriptor("manifest.v1+json", &manifest)?;
            entry["platform"] = json!({"os": "linux", "architecture": binary.target.deb_arch});
            manifests.push(entry);
            for bytes in [packed, config, manifest] {
                files.push(Package {
                    name: format!("oci/blobs/sha256/{}", sha256(&bytes)?),
                    target: binary.target.triple.to_owned(),
                    bytes,
                });
            }
        }
        // One entry in the layout: an index of the platforms, with the version as its name.
        let index = pretty(&index_of(&manifests)).into_bytes();
        let mut entry = descriptor("index.v1+json", &index)?;
        entry["annotations"] = json!({"org.opencontainers.image.ref.name": self.version});
        files.push(Package {
            name: format!("oci/blobs/sha256/{}", sha256(&index)?),
            target: "all".to_owned(),
            bytes: index,
        });
        files.push(Package::for_all(
            "oci/index.json",
            pretty(&index_of(&[entry])),
        ));
        Ok(files)
    }

    fn layer(&self, binary: &Binary) -> anyhow::Result<Vec<u8>> {
        let certificates = fs::read_to_string(Path::new("/").join(CERTIFICATES))
            .with_context(|| format!("/{CERTIFICATES}"))?;
        let mut tree = Tree::default()
            .program("usr/bin/askback", &binary.bytes)
            .text("etc/askback-image", "")
            .text("etc/passwd", format!("askback:x:{USER}:{USER}::/data:/\n"))
            .text("etc/group", format!("askback:x:{USER}:\n"))
            .text(CERTIFICATES, certificates);
        if binary.target.libc == Libc::Glibc {
            tree = tree.merge("", &shared_libraries(binary)?);
        }
        let mut layer = tree.tar(self.seconds)?;
        layer.directory(
            "data/",
            Owner {
                id: USER,
                mode: 0o700,
            },
        )?;
        layer.directory(
            "tmp/",
            Owner {
                id: 0,
                mode: 0o1777,
            },
        )?;
        layer.finish()
    }

    fn config(&self, binary: &Binary, layer: &str) -> Value {
        json!({
            "architecture": binary.target.deb_arch,
            "os": "linux",
            "config": {
                "User": format!("{USER}:{USER}"),
                "Env": ["ASKBACK_DATA=/data", "ASKBACK_LISTEN=0.0.0.0:7777", "HOME=/data"],
                "Entrypoint": ["/usr/bin/askback"],
                "Cmd": ["serve", "--log", "json"],
                "Volumes": {"/data": {}},
                "ExposedPorts": {"7777/tcp": {}},
                "StopSignal": "SIGTERM",
                "Labels": {
                    "io.modelcontextprotocol.server.name": self.mcp_name(),
                    "org.opencontainers.image.source": self.repository,
                    "org.opencontainers.image.version": self.version,
                    "org.opencontainers.image.revision": self.commit,
                    "org.opencontainers.image.licenses": self.licence,
                },
            },
            "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{layer}")]},
        })
    }
}

fn index_of(manifests: &[Value]) -> Value {
    json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": manifests,
    })
}

fn descriptor(kind: &str, bytes: &[u8]) -> anyhow::Result<Value> {
    Ok(json!({
        "mediaType": format!("application/vnd.oci.image.{kind}"),
        "digest": format!("sha256:{}", sha256(bytes)?),
        "size": bytes.len(),
    }))
}

/// The libraries of this machine that the binary needs. A release has static binaries and needs none.
fn shared_libraries(binary: &Binary) -> anyhow::Result<Tree> {
    let directory = tempfile::tempdir()?;
    Tree::default()
        .program("askback", &binary.bytes)
        .write(directory.path())?;
    let listed = Command::new("ldd")
        .arg(directory.path().join("askback"))
        .output();
    let listed = String::from_utf8(listed.context("ldd does not start")?.stdout)?;
    let mut tree = Tree::default();
    for path in listed
        .split_whitespace()
        .filter(|word| word.starts_with('/'))
    {
        tree = tree.program(path.trim_start_matches('/'), &fs::read(path)?);
    }
    Ok(tree)
}
