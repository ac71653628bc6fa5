//! Questions as a webhook whose body the operator writes: for Teams, Discord, Mattermost and whatever else
//! takes JSON over HTTP. It notifies with a link; nothing comes back.

mod body;

use std::collections::BTreeMap;
use std::path::PathBuf;

use askback_core::outcome::Surface;
use askback_wire::server_process::hex;
use jiff::Timestamp;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Method};
use serde::Deserialize;
use serde_json::{Value, json};

pub use body::Escape;

use crate::card::{Card, CardState, ContentLevel};
use crate::contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, Rendered, SendError,
};
use crate::provider::base_url::{BaseUrl, BaseUrlError};
use crate::provider::hmac_sha256::hmac_sha256;
use crate::provider::http::{REQUEST_TIMEOUT, client, request_error, successful_body};
use crate::provider::placeholder::{fill, listed, unknown_placeholder};
use crate::provider::secret::{Secret, TokenSource};
use crate::provider::secret_setting::{read_secret, secret_source};

/// Bodies that ship with askback: name, document, how texts are escaped, and how long a text may be.
const SHIPPED: [(&str, &str, Escape, usize); 3] = [
    (
        "teams",
        include_str!("../../templates/teams.json"),
        Escape::None,
        6000,
    ),
    (
        "discord",
        include_str!("../../templates/discord.json"),
        Escape::Markdown,
        1500,
    ),
    (
        "mattermost",
        include_str!("../../templates/mattermost.json"),
        Escape::Markdown,
        3000,
    ),
];
/// A title is one line everywhere. Discord takes 2,000, of which escaping may take half.
const TITLE_UNITS_MAX: usize = 200;
/// For receivers that nothing is known about.
const TEXT_UNITS_MAX: usize = 2000;
/// What the body may contain besides `{to}` and `{secret:NAME}`.
const FIELDS: [&str; 7] = ["title", "text", "choices", "link", "open", "id", "event"];
const SIGNATURE_HEADER: &str = "askback-signature";

/// The settings of a channel of the kind `webhook`. The address of a recipient is a name, which the body
/// has as `{to}`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebhookConfig {
    /// The environment variable with the URL, which is often a secret by itself.
    pub url_env: Option<String>,
    /// The file with the URL, with mode 600.
    pub url_file: Option<PathBuf>,
    /// The URL itself.
    pub url: Option<Secret>,
    /// `POST` (by default) or `PUT`.
    pub method: Option<String>,
    /// A body that ships with askback: `teams`, `discord` or `mattermost`.
    pub template: Option<String>,
    /// A body of one's own: JSON with the placeholders `{title}`, `{text}`, `{choices}`, `{link}`, `{open}`,
    /// `{id}`, `{event}`, `{to}` and `{secret:NAME}` in its texts.
    pub body: Option<Secret>,
    /// How texts of the question are escaped in a body of one's own: `none` or `markdown`.
    pub escape: Escape,
    /// The most UTF-16 code units of `{text}`.
    pub text_max: Option<usize>,
    /// Further headers, with `{secret:NAME}` in their values.
    pub headers: BTreeMap<String, Secret>,
    /// Secrets by name.
    pub secrets: BTreeMap<String, SecretConfig>,
    /// Signs bodies, as `askback-signature`: the environment variable with the key.
    pub signing_key_env: Option<String>,
    /// The file with the key, with mode 600.
    pub signing_key_file: Option<PathBuf>,
    /// The key itself.
    pub signing_key: Option<Secret>,
    /// Whether the end of a question is sent too, with the event `resolved`.
    pub resolved: bool,
}

/// Where one secret is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SecretConfig {
    /// The environment variable.
    pub env: Option<String>,
    /// The file, with mode 600.
    pub file: Option<PathBuf>,
    /// The secret itself.
    pub value: Option<Secret>,
}

/// Why a channel of the kind `webhook` cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum WebhookConfigError {
    /// No address.
    #[error("set url, url_env or url_file")]
    NoUrl,
    /// The address is refused.
    #[error("url {0}")]
    Url(#[from] BaseUrlError),
    /// Neither or both of `template` and `body`.
    #[error("set either template (teams, discord, mattermost) or body")]
    NoBody,
    /// No such template ships.
    #[error("there is no template {0:?}: use teams, discord, mattermost, or write a body")]
    Template(String),
    /// The body is not JSON.
    #[error("body is not JSON: {0}. Placeholders go inside of strings, such as \"{{title}}\"")]
    Body(serde_json::Error),
    /// Another method.
    #[error("method must be POST or PUT")]
    Method,
    /// A header that HTTP does not have.
    #[error("headers: {0:?} is not the name of a header")]
    Header(String),
    /// A placeholder for a secret that is not there.
    #[error("{{secret:{0}}} is used, but secrets.{0} is not set")]
    Secret(String),
    /// A placeholder that does not exist.
    #[error("{place} has {{{unknown}}}, but the placeholders there are {known}")]
    Placeholder {
        /// The setting.
        place: &'static str,
        /// The name between the braces.
        unknown: String,
        /// Those that exist.
        known: String,
    },
    /// The HTTP client cannot be made.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] reqwest::Error),
}

/// A webhook whose body the operator writes.
pub struct WebhookTemplate {
    client: Client,
    url: TokenSource,
    method: Method,
    body: Value,
    escape: Escape,
    text_max: usize,
    headers: Vec<(HeaderName, String)>,
    /// By their placeholder: `secret:NAME`.
    secrets: BTreeMap<String, TokenSource>,
    signing_key: Option<TokenSource>,
    sends_resolved: bool,
}

impl WebhookTemplate {
    /// Checks the settings. Secrets are read when they are used.
    pub fn new(config: &WebhookConfig) -> Result<WebhookTemplate, WebhookConfigError> {
        let (env, file) = (config.url_env.as_deref(), config.url_file.as_deref());
        let url = secret_source(env, file, config.url.as_ref());
        let url = url.ok_or(WebhookConfigError::NoUrl)?;
        if let Ok(known) = url.read() {
            BaseUrl::parse_with_query(&known)?;
        }
        let (body, escape, text_max) = template_body(config)?;
        let method = match config.method.as_deref() {
            None | Some("POST") => Method::POST,
            Some("PUT") => Method::PUT,
            Some(_) => return Err(WebhookConfigError::Method),
        };
        let mut headers = Vec::new();
        for (name, value) in &config.headers {
            let parsed = HeaderName::from_bytes(name.as_bytes());
            let parsed = parsed.map_err(|_| WebhookConfigError::Header(name.clone()))?;
            headers.push((parsed, value.0.clone()));
        }
        let secrets = named_secrets(config)?;
        let signing_key = secret_source(
            config.signing_key_env.as_deref(),
            config.signing_key_file.as_deref(),
            config.signing_key.as_ref(),
        );
        Ok(WebhookTemplate {
            client: client(None, REQUEST_TIMEOUT)?,
            url,
            method,
            body,
            escape,
            text_max: config.text_max.unwrap_or(text_max),
            headers,
            secrets,
            signing_key,
            sends_resolved: config.resolved,
        })
    }

    async fn post(&self, to: &Address, message: &Value) -> Result<(), SendError> {
        let refused = |error: String| SendError::unauthorized(error);
        let url = read_secret(&self.url)?;
        let url =
            BaseUrl::parse_with_query(&url).map_err(|error| refused(format!("url {error}")))?;
        let mut secrets = Vec::new();
        for (name, source) in &self.secrets {
            secrets.push((name.as_str(), read_secret(source)?));
        }
        let secret_values = secrets
            .iter()
            .map(|(name, secret)| (*name, secret.as_str()));
        let field = |name: &'static str| (name, message[name].as_str().unwrap_or_default());
        let mut values: Vec<(&str, &str)> = FIELDS.map(field).to_vec();
        values.push(("to", &to.0));
        values.extend(secret_values.clone());
        let body = body::fill_body(&self.body, &values).to_string();
        let mut request = self.client.request(self.method.clone(), url.as_str());
        request = request.header("content-type", "application/json");
        let secret_values: Vec<(&str, &str)> = secret_values.collect();
        for (name, template) in &self.headers {
            let value = HeaderValue::from_str(&fill(template, &secret_values));
            let mut value = value.map_err(|_| refused(format!("headers: {name} is not valid")))?;
            value.set_sensitive(true);
            request = request.header(name, value);
        }
        if let Some(key) = &self.signing_key {
            let signature = signature(&read_secret(key)?, Timestamp::now(), &body);
            request = request.header(SIGNATURE_HEADER, signature);
        }
        let response = request.body(body).send().await.map_err(request_error)?;
        successful_body(response).await.map(drop)
    }
}

impl Channel for WebhookTemplate {
    fn surface(&self) -> Surface {
        Surface::Webhook
    }

    fn can_reply(&self) -> bool {
        false
    }

    fn needs_links(&self) -> bool {
        self.body.to_string().contains("{link}")
    }

    fn render(&self, card: &Card) -> Rendered {
        let event = match card.state {
            CardState::Open { .. } => "asked",
            CardState::Held { .. } => "held",
            CardState::HandedOn { .. } => "handed_on",
            CardState::Ended { .. } => "resolved",
        };
        let escaped = |text: &str| self.escape.apply(text);
        let title = crate::clip_graphemes(&card.title(), TITLE_UNITS_MAX);
        Rendered::notice(json!({
            "event": event,
            "id": card.inquiry.as_str(),
            "title": escaped(&title),
            "text": escaped(&card.whole_text(self.text_max)),
            "choices": escaped(&choices(card)),
            "link": card.link,
            "open": card.reader.locale.text("channel-open", &[]),
        }))
    }

    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        Box::pin(async move {
            self.post(to, &message.body).await?;
            let id = message.body["id"].as_str().unwrap_or_default();
            Ok(MessageId(id.to_owned()))
        })
    }

    /// What was posted cannot be changed. The end is posted if the settings say so.
    fn edit<'a>(
        &'a self,
        to: &'a Address,
        _id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            if self.sends_resolved && message.body["event"] == "resolved" {
                self.post(to, &message.body).await?;
            }
            Ok(())
        })
    }

    /// Whether the settings can be used. Nothing is sent, since everything that is sent is shown.
    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(async move {
            let sources = self.secrets.values().chain(&self.signing_key);
            for source in sources {
                read_secret(source)?;
            }
            let url = read_secret(&self.url)?;
            let url = BaseUrl::parse_with_query(&url)
                .map_err(|error| SendError::unauthorized(format!("url {error}")))?;
            Ok(format!("webhook to {}", url.host()))
        })
    }
}

/// The body, how its texts are escaped, and how long they may be.
fn template_body(config: &WebhookConfig) -> Result<(Value, Escape, usize), WebhookConfigError> {
    let (body, escape, text_max) = match (&config.template, &config.body) {
        (Some(name), None) => {
            let shipped = SHIPPED.iter().find(|(shipped, ..)| shipped == name);
            let no_such = || WebhookConfigError::Template(name.clone());
            let (_, body, escape, text_max) = shipped.ok_or_else(no_such)?;
            (*body, *escape, *text_max)
        }
        (None, Some(body)) => (body.0.as_str(), config.escape, TEXT_UNITS_MAX),
        (None, None) | (Some(_), Some(_)) => return Err(WebhookConfigError::NoBody),
    };
    let body = serde_json::from_str(body).map_err(WebhookConfigError::Body)?;
    Ok((body, escape, text_max))
}

/// The secrets by their placeholders. Every placeholder must have one.
fn named_secrets(
    config: &WebhookConfig,
) -> Result<BTreeMap<String, TokenSource>, WebhookConfigError> {
    let mut secrets = BTreeMap::new();
    for (name, secret) in &config.secrets {
        let (env, file) = (secret.env.as_deref(), secret.file.as_deref());
        let source = secret_source(env, file, secret.value.as_ref());
        let source = source.ok_or_else(|| WebhookConfigError::Secret(name.clone()))?;
        secrets.insert(format!("secret:{name}"), source);
    }
    let templates = config.headers.values().chain(&config.body);
    let used = templates.flat_map(|template| {
        let parts = template.0.split("{secret:").skip(1);
        parts.filter_map(|part| part.split_once('}').map(|(name, _)| name))
    });
    for name in used {
        if !secrets.contains_key(&format!("secret:{name}")) {
            return Err(WebhookConfigError::Secret(name.to_owned()));
        }
    }
    check_placeholders(config, &secrets)?;
    Ok(secrets)
}

/// Refuses placeholders that would be sent as they are. Headers take only secrets.
fn check_placeholders(
    config: &WebhookConfig,
    secrets: &BTreeMap<String, TokenSource>,
) -> Result<(), WebhookConfigError> {
    let secrets: Vec<&str> = secrets.keys().map(String::as_str).collect();
    let in_body = [FIELDS.as_slice(), &["to"], &secrets].concat();
    let body = config.body.iter().map(|body| ("body", body, &in_body));
    let headers = config.headers.values();
    let headers = headers.map(|header| ("headers", header, &secrets));
    for (place, template, known) in body.chain(headers) {
        if let Some(unknown) = unknown_placeholder(&template.0, known) {
            return Err(WebhookConfigError::Placeholder {
                place,
                unknown: unknown.to_owned(),
                known: if known.is_empty() {
                    "{secret:NAME}, each with a secrets.NAME".to_owned()
                } else {
                    listed(known)
                },
            });
        }
    }
    Ok(())
}

/// The choices of a single question, one per line.
fn choices(card: &Card) -> String {
    let ([question], ContentLevel::Full) = (card.questions.questions(), card.content) else {
        return String::new();
    };
    let numbered = (1..).zip(question.choices());
    let lines: Vec<String> = numbered
        .map(|(number, choice)| format!("{number}. {}", card.label(choice)))
        .collect();
    lines.join("\n")
}

/// As the webhooks of askback are signed: HMAC-SHA256 of `timestamp.body`.
fn signature(key: &str, at: Timestamp, body: &str) -> String {
    let seconds = at.as_second();
    let message = format!("{seconds}.{body}");
    let signed = hmac_sha256(key.as_bytes(), message.as_bytes());
    format!("t={seconds},v1={}", hex(&signed))
}

#[cfg(test)]
#[path = "webhook_template_tests.rs"]
mod tests;
