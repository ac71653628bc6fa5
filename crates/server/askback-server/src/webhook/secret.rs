//! The secret that signs webhooks. It gives no access: it can only check or forge deliveries.
//!
//! It is stored in a file of the data directory that only its owner can read. The server reads the file for each
//! delivery, so `askback webhook-secret rotate` needs no running server and no restart.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use askback_channels::base64url;
use askback_store::private_file;
use askback_wire::server_process::{hex, hmac_sha256};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::data_dir::{DataDirError, create_directory, write_private};
use crate::random_secret::random_hex;

const PREFIX: &str = "whsec_";
/// The least number of characters of a configured secret.
const CHARS_MIN: usize = 24;
/// Old secrets that still sign. Limits the size of the header.
const PREVIOUS_MAX: usize = 3;

/// Why a webhook secret cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WebhookSecretError {
    /// The configured secret is too easy to guess.
    #[error("a webhook secret needs at least {CHARS_MIN} characters, without spaces")]
    Weak,
    /// The file has another format.
    #[error("{} does not contain a webhook secret: remove it to get a new one", .0.display())]
    Damaged(PathBuf),
    /// Other users can read the file.
    #[error("other users can read {}: make it private (mode 600), then rotate the secret", .0.display())]
    NotPrivate(PathBuf),
    /// A configured secret cannot be rotated here.
    #[error("the webhook secret comes from the configuration: change it there")]
    Configured,
    /// The system has no randomness.
    #[error("cannot get random numbers from the system: {0}")]
    NoRandomness(getrandom::Error),
    /// The file cannot be read or written.
    #[error(transparent)]
    Unusable(#[from] DataDirError),
}

/// The content of the file.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SecretFile {
    secret: String,
    created_at: Timestamp,
    #[serde(default)]
    previous: Vec<PreviousSecret>,
}

/// A replaced secret that still signs until a time.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct PreviousSecret {
    secret: String,
    until: Timestamp,
}

/// Where the secrets come from.
#[derive(Clone)]
enum SecretSource {
    /// The newest first.
    Configured(Vec<String>),
    /// The data directory with the file.
    Directory(PathBuf),
}

/// The secrets that sign webhooks. `Debug` does not show them.
#[derive(Clone)]
pub struct WebhookSecrets(SecretSource);

askback_core::debug_only!(WebhookSecrets);

impl WebhookSecrets {
    /// The file in the data directory.
    pub const FILE: &'static str = "webhook-secret.json";

    /// Configured secrets (separated by commas, the newest first), or those of a data directory, where one is
    /// created if there is none.
    pub fn open(
        configured: Option<&str>,
        directory: &Path,
    ) -> Result<WebhookSecrets, WebhookSecretError> {
        if let Some(configured) = configured {
            let secrets = configured.split(',').map(|secret| secret.trim().to_owned());
            let secrets: Vec<String> = secrets.collect();
            let strong = |secret: &String| {
                secret.chars().count() >= CHARS_MIN && !secret.contains(char::is_whitespace)
            };
            if !secrets.iter().all(strong) {
                return Err(WebhookSecretError::Weak);
            }
            return Ok(WebhookSecrets(SecretSource::Configured(secrets)));
        }
        let _lock = lock(directory)?;
        if read(directory)?.is_none() {
            write(directory, &SecretFile::new(Timestamp::now())?)?;
        }
        Ok(WebhookSecrets(SecretSource::Directory(
            directory.to_owned(),
        )))
    }

    /// The newest secret.
    pub fn current(&self) -> Result<String, WebhookSecretError> {
        let mut secrets = self.active(Timestamp::now())?;
        Ok(secrets.swap_remove(0))
    }

    /// Replaces the secret and returns the new one. The old one keeps signing for `overlap`, so that receivers
    /// have time to change.
    pub fn rotate(&self, overlap: SignedDuration) -> Result<String, WebhookSecretError> {
        let SecretSource::Directory(directory) = &self.0 else {
            return Err(WebhookSecretError::Configured);
        };
        let _lock = lock(directory)?;
        let now = Timestamp::now();
        let mut fresh = SecretFile::new(now)?;
        if let Some(old) = read(directory)? {
            let until = now + overlap;
            let replaced = PreviousSecret {
                secret: old.secret,
                until,
            };
            let others = old.previous.into_iter().map(|previous| PreviousSecret {
                until: previous.until.min(until),
                ..previous
            });
            let live = std::iter::once(replaced)
                .chain(others)
                .filter(|previous| previous.until > now);
            fresh.previous = live.take(PREVIOUS_MAX).collect();
        }
        write(directory, &fresh)?;
        Ok(fresh.secret)
    }

    /// The secrets that sign now, the newest first. At least one.
    fn active(&self, now: Timestamp) -> Result<Vec<String>, WebhookSecretError> {
        let directory = match &self.0 {
            SecretSource::Configured(secrets) => return Ok(secrets.clone()),
            SecretSource::Directory(directory) => directory,
        };
        let file = read(directory)?
            .ok_or_else(|| WebhookSecretError::Damaged(directory.join(WebhookSecrets::FILE)))?;
        let previous = file.previous.into_iter();
        let previous = previous.filter(|previous| previous.until > now);
        let mut secrets = vec![file.secret];
        secrets.extend(previous.map(|previous| previous.secret));
        Ok(secrets)
    }

    /// `askback-signature: t=<seconds>,v1=<hex>`, and the three headers of Standard Webhooks. Each signature is there
    /// once for each secret that signs.
    pub(super) fn sign(
        &self,
        message: &SignedMessage,
    ) -> Result<SignatureHeaders, WebhookSecretError> {
        let SignedMessage { id, at, body } = message;
        let seconds = at.as_second();
        let (mut own, mut standard) = (format!("t={seconds}"), Vec::new());
        for secret in self.active(*at)? {
            let signed = hmac_sha256(secret.as_bytes(), format!("{seconds}.{body}").as_bytes());
            own.push_str(",v1=");
            own.push_str(&hex(&signed));
            let message = format!("{id}.{seconds}.{body}");
            let signed = hmac_sha256(&standard_key(&secret), message.as_bytes());
            standard.push(format!("v1,{}", BASE64_STANDARD.encode(signed)));
        }
        Ok([
            ("askback-signature", own),
            ("webhook-id", id.clone()),
            ("webhook-timestamp", seconds.to_string()),
            ("webhook-signature", standard.join(" ")),
        ])
    }
}

/// What a signature covers.
#[derive(Debug, Clone)]
pub(super) struct SignedMessage {
    /// The same for each attempt of a delivery.
    pub(super) id: String,
    pub(super) at: Timestamp,
    pub(super) body: String,
}

/// Names and values.
pub(super) type SignatureHeaders = [(&'static str, String); 4];

/// Libraries for Standard Webhooks read a secret as base64. One that is not, because somebody has chosen it, is used as
/// it is.
fn standard_key(secret: &str) -> Vec<u8> {
    let text = secret.strip_prefix(PREFIX).unwrap_or(secret);
    let decoded = if text.contains(['-', '_']) {
        None
    } else {
        base64url::decode(&text.replace('+', "-").replace('/', "_"))
    };
    decoded.unwrap_or_else(|| text.as_bytes().to_vec())
}

impl SecretFile {
    fn new(now: Timestamp) -> Result<SecretFile, WebhookSecretError> {
        let random = random_hex::<32>().map_err(WebhookSecretError::NoRandomness)?;
        Ok(SecretFile {
            secret: format!("{PREFIX}{random}"),
            created_at: now,
            previous: Vec::new(),
        })
    }
}

/// Keeps two processes from changing the secret at the same time.
fn lock(directory: &Path) -> Result<File, DataDirError> {
    let path = directory.join("webhook-secret.lock");
    let locked = || -> io::Result<File> {
        create_directory(directory)?;
        let file = private_file::open_or_create(&path)?;
        file.lock()?;
        Ok(file)
    };
    locked().map_err(|source| DataDirError::Unusable {
        path: path.clone(),
        source,
    })
}

fn read(directory: &Path) -> Result<Option<SecretFile>, WebhookSecretError> {
    let path = directory.join(WebhookSecrets::FILE);
    let json = match fs::read_to_string(&path) {
        Ok(json) => json,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(DataDirError::Unusable { path, source }.into()),
    };
    if !is_private(&path) {
        return Err(WebhookSecretError::NotPrivate(path));
    }
    match serde_json::from_str(&json) {
        Ok(file) => Ok(Some(file)),
        Err(_) => Err(WebhookSecretError::Damaged(path)),
    }
}

fn write(directory: &Path, file: &SecretFile) -> Result<(), WebhookSecretError> {
    let json = serde_json::to_string_pretty(file)
        .map_err(|_| WebhookSecretError::Damaged(directory.join(WebhookSecrets::FILE)))?;
    Ok(write_private(directory, WebhookSecrets::FILE, &json)?)
}

fn is_private(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| private_file::shared_mode(&metadata).is_none())
}

#[cfg(test)]
#[path = "secret_tests.rs"]
mod tests;
