//! Webhooks have their own secret, which is private, persists, and can be replaced while
//! receivers still use the old one.

use std::fs;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

use super::{SignedMessage, WebhookSecretError, WebhookSecrets, standard_key};
use askback_wire::server_process::{hex, hmac_sha256};

/// A directory for one test.
struct Directory(TempDir);

impl Directory {
    fn new() -> Directory {
        Directory(tempfile::tempdir().unwrap())
    }

    fn secrets(&self) -> WebhookSecrets {
        WebhookSecrets::open(None, self.0.path()).unwrap()
    }
}

const BODY: &str = r#"{"type":"inquiry_resolved"}"#;

fn signed_with(secrets: &[&str], at: Timestamp) -> String {
    let message = format!("{}.{BODY}", at.as_second());
    let signatures = secrets.iter().map(|secret| {
        let signature = hex(&hmac_sha256(secret.as_bytes(), message.as_bytes()));
        format!(",v1={signature}")
    });
    let signatures: String = signatures.collect();
    format!("t={}{signatures}", at.as_second())
}

#[test]
fn secret_is_created_once_and_private() {
    let directory = Directory::new();
    let made = directory.secrets().current().unwrap();
    assert!(made.starts_with("whsec_") && made.len() == 6 + 64, "{made}");
    assert_eq!(directory.secrets().current().unwrap(), made);
    assert_ne!(Directory::new().secrets().current().unwrap(), made);
    assert!(!format!("{:?}", directory.secrets()).contains(&made));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let path = directory.0.path().join(WebhookSecrets::FILE);
        let permissions = fs::metadata(&path).unwrap().permissions();
        assert_eq!(permissions.mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let error = WebhookSecrets::open(None, directory.0.path()).unwrap_err();
        assert!(
            matches!(error, WebhookSecretError::NotPrivate(_)),
            "{error}"
        );
    }
}

fn signature(secrets: &WebhookSecrets, at: Timestamp) -> Result<String, WebhookSecretError> {
    let headers = secrets.sign(&message(at))?;
    let [(name, signature), ..] = headers;
    assert_eq!(name, "askback-signature");
    Ok(signature)
}

fn message(at: Timestamp) -> SignedMessage {
    SignedMessage {
        id: "inq_1-7".to_owned(),
        at,
        body: BODY.to_owned(),
    }
}

/// The example of the specification of Standard Webhooks.
#[test]
fn libraries_for_standard_webhooks_accept_the_headers() {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let secrets = WebhookSecrets::open(Some(secret), Path::new("/nowhere")).unwrap();
    let headers = secrets.sign(&SignedMessage {
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek".to_owned(),
        at: Timestamp::from_second(1_614_265_330).unwrap(),
        body: r#"{"test": 2432232314}"#.to_owned(),
    });
    let [_, standard @ ..] = headers.unwrap();
    assert_eq!(
        standard.map(|(name, value)| format!("{name}: {value}")),
        [
            "webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp: 1614265330",
            "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ]
    );
}

/// A secret that somebody has chosen need not be base64.
#[test]
fn a_secret_that_is_no_base64_is_the_key_itself() {
    assert_eq!(standard_key("whsec_AAEC"), [0, 1, 2]);
    for chosen in ["the-one-of-the-operator", "ünïcode", "AAECA"] {
        assert_eq!(standard_key(&format!("whsec_{chosen}")), chosen.as_bytes());
        assert_eq!(standard_key(chosen), chosen.as_bytes());
    }
}

/// During the overlap both signatures are sent, the new one first; afterwards only the new one. A
/// running process uses the new secret without a restart.
#[test]
fn replaced_secret_signs_until_the_overlap_ends() {
    let directory = Directory::new();
    let running = directory.secrets();
    let first = running.current().unwrap();
    let second = directory
        .secrets()
        .rotate(SignedDuration::from_hours(1))
        .unwrap();
    assert_ne!(first, second);
    let now = Timestamp::now();
    assert_eq!(
        signature(&running, now).unwrap(),
        signed_with(&[&second, &first], now)
    );
    let later = now + SignedDuration::from_hours(2);
    assert_eq!(
        signature(&running, later).unwrap(),
        signed_with(&[&second], later)
    );
    let third = running.rotate(SignedDuration::ZERO).unwrap();
    let now = Timestamp::now();
    assert_eq!(
        signature(&running, now).unwrap(),
        signed_with(&[&third], now),
        "without an overlap every older secret ends at once"
    );
}

#[test]
fn number_of_signatures_is_limited() {
    let directory = Directory::new();
    let secrets = directory.secrets();
    for _ in 0..10 {
        secrets.rotate(SignedDuration::from_hours(1)).unwrap();
    }
    let signature = signature(&secrets, Timestamp::now()).unwrap();
    assert_eq!(signature.matches(",v1=").count(), 4, "{signature}");
}

/// Two processes that open the directory at the same time get the same secret.
#[test]
fn concurrent_processes_share_one_secret() {
    let directory = Directory::new();
    let found: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| directory.secrets().current().unwrap()))
            .collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert!(found.iter().all(|secret| *secret == found[0]));
}

#[test]
fn configured_secrets_are_used_unchanged() {
    let directory = Directory::new();
    let (new, old) = (
        "a-new-secret-of-the-operator",
        "the-old-secret-of-the-operator",
    );
    let both = format!("{new}, {old}");
    let secrets = WebhookSecrets::open(Some(&both), directory.0.path()).unwrap();
    let now = Timestamp::now();
    assert_eq!(secrets.current().unwrap(), new);
    assert_eq!(
        signature(&secrets, now).unwrap(),
        signed_with(&[new, old], now)
    );
    let error = secrets.rotate(SignedDuration::ZERO).unwrap_err();
    assert!(matches!(error, WebhookSecretError::Configured));
    for weak in [
        "",
        "short",
        "with spaces but long enough for it",
        "a-new-secret-of-the-operator,",
    ] {
        let error = WebhookSecrets::open(Some(weak), directory.0.path()).unwrap_err();
        assert!(matches!(error, WebhookSecretError::Weak), "{weak}");
    }
    assert!(!directory.0.path().join(WebhookSecrets::FILE).exists());
}

/// A damaged file is reported and not replaced: receivers would refuse signatures by a new secret.
#[test]
fn damaged_file_is_reported() {
    let directory = Directory::new();
    let secrets = directory.secrets();
    let path = directory.0.path().join(WebhookSecrets::FILE);
    fs::write(&path, "{").unwrap();
    let error = signature(&secrets, Timestamp::now()).unwrap_err();
    assert!(matches!(error, WebhookSecretError::Damaged(_)), "{error}");
    let error = WebhookSecrets::open(None, directory.0.path()).unwrap_err();
    assert!(error.to_string().contains("webhook-secret.json"), "{error}");
    fs::remove_file(&path).unwrap();
    assert!(signature(&secrets, Timestamp::now()).is_err());
}
