//! A push service and a browser that has subscribed there: it checks every header, verifies who sends, and
//! decrypts with code of its own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askback_channels::base64url::{decode, encode};
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::{Value, json};

use super::timeout::TEST_TIMEOUT;

/// A message as the service worker would get it, and how it came.
#[derive(Debug, Clone)]
pub(crate) struct PushedMessage {
    pub(crate) body: Value,
    pub(crate) path: String,
    pub(crate) urgency: String,
    pub(crate) topic: String,
    /// The public key of the server that signed for it.
    pub(crate) key: String,
}

/// The browser and its push service.
pub(crate) struct PushService {
    pub(crate) base_url: String,
    secret: SecretKey,
    auth: [u8; 16],
    messages: Arc<Mutex<Vec<PushedMessage>>>,
    statuses: Arc<Mutex<Vec<u16>>>,
}

impl PushService {
    pub(crate) fn start() -> PushService {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let secret = SecretKey::from_slice(&[7; 32]).expect("it is a key");
        let service = PushService {
            base_url: format!("http://{address}"),
            secret,
            auth: [9; 16],
            messages: Arc::default(),
            statuses: Arc::default(),
        };
        let receiver = Receiver {
            secret: service.secret.clone(),
            auth: service.auth,
            origin: service.base_url.clone(),
            messages: Arc::clone(&service.messages),
            statuses: Arc::clone(&service.statuses),
        };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                receiver.serve(stream);
            }
        });
        service
    }

    /// What the browser gives to the page.
    pub(crate) fn subscription(&self, name: &str) -> Value {
        let public = self.secret.public_key().to_sec1_point(false);
        json!({
            "endpoint": format!("{}/{name}", self.base_url),
            "keys": { "p256dh": encode(public.as_bytes()), "auth": encode(&self.auth) },
        })
    }

    /// The next requests are refused with these statuses.
    pub(crate) fn refuse(&self, statuses: &[u16]) {
        let mut planned = self.statuses.lock().expect("no test panicked");
        planned.extend(statuses);
    }

    pub(crate) fn is_done_refusing(&self) -> bool {
        self.statuses.lock().expect("no test panicked").is_empty()
    }

    pub(crate) fn messages(&self) -> Vec<PushedMessage> {
        self.messages.lock().expect("no test panicked").clone()
    }

    /// The first message that fulfils a condition.
    pub(crate) async fn message(
        &self,
        what: &str,
        holds: impl Fn(&PushedMessage) -> bool,
    ) -> PushedMessage {
        let found = async {
            loop {
                if let Some(found) = self.messages().into_iter().find(&holds) {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let waited = tokio::time::timeout(TEST_TIMEOUT, found).await;
        waited.unwrap_or_else(|_| panic!("{what}: {:#?}", self.messages()))
    }
}

struct Receiver {
    secret: SecretKey,
    auth: [u8; 16],
    origin: String,
    messages: Arc<Mutex<Vec<PushedMessage>>>,
    statuses: Arc<Mutex<Vec<u16>>>,
}

impl Receiver {
    /// One request; the connection is closed after it.
    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream);
        let Some((path, headers, body)) = read_request(&mut reader) else {
            return;
        };
        let planned = {
            let mut statuses = self.statuses.lock().expect("no test panicked");
            (!statuses.is_empty()).then(|| statuses.remove(0))
        };
        let status = planned.unwrap_or(201);
        if status == 201 {
            let message = self.received(path, &headers, &body);
            let mut messages = self.messages.lock().expect("no test panicked");
            messages.push(message);
        }
        let more = if status == 429 {
            "retry-after: 1\r\n"
        } else {
            ""
        };
        let reply =
            format!("HTTP/1.1 {status} -\r\ncontent-length: 0\r\nconnection: close\r\n{more}\r\n");
        drop(reader.get_mut().write_all(reply.as_bytes()));
    }

    fn received(&self, path: String, headers: &[(String, String)], body: &[u8]) -> PushedMessage {
        let header = |name: &str| {
            let found = headers.iter().find(|(known, _)| known == name);
            found.map_or_else(|| panic!("no {name}"), |(_, value)| value.clone())
        };
        assert_eq!(header("content-encoding"), "aes128gcm");
        assert!(header("ttl").parse::<u32>().is_ok_and(|ttl| ttl > 0));
        let topic = header("topic");
        assert!(topic.len() <= 32, "{topic}");
        let key = self.verified(&header("authorization"));
        let text = self.decrypted(body);
        assert!(text.len() <= 3072, "{}", text.len());
        PushedMessage {
            body: serde_json::from_slice(&text).expect("the text is JSON"),
            path,
            urgency: header("urgency"),
            topic,
            key,
        }
    }

    /// The key that signed the token, which is for this origin and at most a day.
    fn verified(&self, authorization: &str) -> String {
        let parts = authorization.strip_prefix("vapid t=");
        let (token, key) = parts
            .and_then(|parts| parts.split_once(", k="))
            .expect("VAPID");
        let (signed, signature) = token.rsplit_once('.').expect("a token");
        let public = decode(key).expect("a key");
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public)
            .verify(signed.as_bytes(), &decode(signature).expect("a signature"))
            .expect("it is signed");
        let (header, claims) = signed.split_once('.').expect("two parts");
        let json = |part: &str| -> Value {
            serde_json::from_slice(&decode(part).expect("base64")).expect("JSON")
        };
        assert_eq!(json(header), json!({ "typ": "JWT", "alg": "ES256" }));
        let claims = json(claims);
        assert_eq!(claims["aud"], self.origin.as_str());
        let left = claims["exp"].as_i64().expect("a time") - jiff::Timestamp::now().as_second();
        assert!((1..=86_400).contains(&left), "{left}");
        assert!(
            claims["sub"]
                .as_str()
                .is_some_and(|sub| sub.starts_with("mailto:"))
        );
        key.to_owned()
    }

    /// RFC 8291.
    fn decrypted(&self, body: &[u8]) -> Vec<u8> {
        let (salt, rest) = body.split_at(16);
        assert_eq!(
            &rest[..5],
            &[0, 0, 16, 0, 65],
            "one record, an uncompressed key"
        );
        let (server, record) = rest[5..].split_at(65);
        let peer = PublicKey::from_sec1_bytes(server).expect("a point");
        let shared = p256::ecdh::diffie_hellman(self.secret.to_nonzero_scalar(), peer.as_affine());
        let own = self.secret.public_key().to_sec1_point(false);
        let keys = [b"WebPush: info\0", own.as_bytes(), server].concat();
        let secret = derived(&self.auth, shared.raw_secret_bytes(), &keys, 32);
        let key = derived(salt, &secret, b"Content-Encoding: aes128gcm\0", 16);
        let nonce = derived(salt, &secret, b"Content-Encoding: nonce\0", 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("a key"));
        let nonce = Nonce::try_assume_unique_for_key(&nonce).expect("a nonce");
        let mut record = record.to_vec();
        let text = key.open_in_place(nonce, Aad::empty(), &mut record);
        let text = text.expect("it is for this browser");
        text.strip_suffix(&[2]).expect("the last record").to_vec()
    }
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derived(salt: &[u8], secret: &[u8], info: &[u8], length: usize) -> Vec<u8> {
    let extracted = Salt::new(HKDF_SHA256, salt).extract(secret);
    let mut key = vec![0; length];
    let info = [info];
    let expanded = extracted
        .expand(&info, Length(length))
        .expect("it is short");
    expanded.fill(&mut key).expect("it is short");
    key
}

/// The path, the headers in lower case, and the body.
type Request = (String, Vec<(String, String)>, Vec<u8>);

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        lines.push(line.to_owned());
    }
    let path = lines.first()?.split(' ').nth(1)?.to_owned();
    let headers = lines[1..].iter().filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
    let headers: Vec<(String, String)> = headers.collect();
    let length = headers.iter().find(|(name, _)| name == "content-length")?;
    let mut body = vec![0; length.1.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some((path, headers, body))
}
