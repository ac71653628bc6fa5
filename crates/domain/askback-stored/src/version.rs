//! The version of the stored form.

use serde::{Deserialize, Deserializer, Serialize};

/// The version that is written. A form without a version has the first one.
pub const VERSION: u64 = 1;

/// A version that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Version(u64);

impl Default for Version {
    fn default() -> Version {
        Version(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
        match u64::deserialize(deserializer)? {
            VERSION => Ok(Version(VERSION)),
            _ => Err(serde::de::Error::custom("unknown version")),
        }
    }
}

/// The version of a text that this version cannot read.
pub(crate) fn unknown_version(json: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct OnlyVersion {
        v: u64,
    }
    let found: OnlyVersion = serde_json::from_str(json).ok()?;
    (found.v != VERSION).then_some(found.v)
}
