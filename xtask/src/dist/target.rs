//! The platforms that packages exist for, with the names that each ecosystem has for them.

use anyhow::Context as _;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) triple: &'static str,
    /// As Node.js, npm and Gemini CLI call the operating system and the processor.
    pub(super) os: &'static str,
    pub(super) cpu: &'static str,
    pub(super) libc: Libc,
    pub(super) deb_arch: &'static str,
    pub(super) rpm_arch: &'static str,
    pub(super) wheel_tag: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Libc {
    /// Built against this version or an older one: see [`GLIBC`].
    Glibc,
    /// Linked statically.
    Musl,
    /// The one of macOS.
    System,
}

/// The oldest glibc that a binary runs with.
pub(super) const GLIBC: &str = "2.17";

const TARGETS: [Target; 6] = [
    Target {
        triple: "x86_64-unknown-linux-gnu",
        os: "linux",
        cpu: "x64",
        libc: Libc::Glibc,
        deb_arch: "amd64",
        rpm_arch: "x86_64",
        wheel_tag: "manylinux_2_17_x86_64.manylinux2014_x86_64",
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        os: "linux",
        cpu: "arm64",
        libc: Libc::Glibc,
        deb_arch: "arm64",
        rpm_arch: "aarch64",
        wheel_tag: "manylinux_2_17_aarch64.manylinux2014_aarch64",
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        os: "linux",
        cpu: "x64",
        libc: Libc::Musl,
        deb_arch: "amd64",
        rpm_arch: "x86_64",
        wheel_tag: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        os: "linux",
        cpu: "arm64",
        libc: Libc::Musl,
        deb_arch: "arm64",
        rpm_arch: "aarch64",
        wheel_tag: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    },
    Target {
        triple: "x86_64-apple-darwin",
        os: "darwin",
        cpu: "x64",
        libc: Libc::System,
        deb_arch: "",
        rpm_arch: "",
        wheel_tag: "macosx_11_0_x86_64",
    },
    Target {
        triple: "aarch64-apple-darwin",
        os: "darwin",
        cpu: "arm64",
        libc: Libc::System,
        deb_arch: "",
        rpm_arch: "",
        wheel_tag: "macosx_11_0_arm64",
    },
];

impl Target {
    pub(super) fn named(triple: &str) -> anyhow::Result<&'static Target> {
        let known = || TARGETS.each_ref().map(|target| target.triple).join(", ");
        let mut targets = TARGETS.iter();
        let target = targets.find(|target| target.triple == triple);
        target.with_context(|| format!("there are no packages for {triple}, only for {}", known()))
    }

    pub(super) fn triples() -> impl Iterator<Item = &'static str> {
        TARGETS.iter().map(|target| target.triple)
    }

    pub(super) fn is_linux(&self) -> bool {
        self.os == "linux"
    }

    pub(super) fn npm_package(&self) -> String {
        format!("@askback/cli-{}-{}", self.os, self.cpu)
    }
}
