//! E-mail: the question with links. A mail cannot be edited, and its sender proves nothing, so nothing is read
//! back: answers are given on the pages behind the links.

mod content;

use std::path::PathBuf;
use std::time::Duration;

use askback_core::outcome::Surface;
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MessageBuilder, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::card::Card;
use crate::contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, Rendered, SendError,
};
use crate::provider::base_url::is_loopback;
use crate::provider::http::ConfigError;
use crate::provider::secret::{Secret, TokenSource, read_secret, secret_source};

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// For one command of SMTP.
const SMTP_TIMEOUT: Duration = Duration::from_secs(10);
/// SMTP: the credentials are refused.
const AUTHENTICATION_FAILED: u16 = 535;

/// The settings of a channel of the kind `email`. The address of a recipient is a mail address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmailConfig {
    /// The host of the mail server.
    pub host: String,
    /// Its port. By default that of `security`.
    pub port: Option<u16>,
    /// `tls` (by default, port 465), `starttls` (port 587), or `none` for a server on this machine.
    pub security: Option<String>,
    /// The sender: `askback <askback@example.com>`.
    pub from: String,
    /// The name of the account.
    pub username: Option<String>,
    /// The environment variable with its password.
    pub password_env: Option<String>,
    /// The file with it, with mode 600.
    pub password_file: Option<PathBuf>,
    /// The password itself.
    pub password: Option<Secret>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Security {
    Tls,
    StartTls,
    None,
}

/// A mail server.
pub struct Email {
    host: String,
    port: Option<u16>,
    security: Security,
    from: Mailbox,
    account: Option<(String, TokenSource)>,
}

impl Email {
    /// Checks the settings. The password is read when it is used.
    pub fn new(config: &EmailConfig) -> Result<Email, ConfigError> {
        let invalid = |what| Err(ConfigError::Setting(what));
        let host = config.host.trim().to_owned();
        if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c == '/') {
            return invalid("host must name the mail server, such as smtp.example.com");
        }
        let security = match config.security.as_deref() {
            None | Some("tls") => Security::Tls,
            Some("starttls") => Security::StartTls,
            Some("none") => Security::None,
            Some(_) => return invalid("security must be tls, starttls or none"),
        };
        // Passwords and questions would travel in the clear.
        if security == Security::None && !is_loopback(&host) {
            return invalid("security = \"none\" is taken only for a mail server on this machine");
        }
        let (env, file) = (&config.password_env, &config.password_file);
        let password = secret_source(env.as_deref(), file.as_deref(), config.password.as_ref());
        let account = match (&config.username, password) {
            (None, _) => None,
            (Some(name), Some(password)) => Some((name.clone(), password)),
            (Some(_), None) => {
                return invalid("username needs password_env, password_file or password");
            }
        };
        let Ok(from) = config.from.parse() else {
            return invalid("from must be a mail address, such as askback <askback@example.com>");
        };
        Ok(Email {
            host,
            port: config.port,
            security,
            from,
            account,
        })
    }

    /// With the password as it is now.
    fn transport(&self) -> Result<Transport, SendError> {
        // TLS needs a crypto provider for the process. Fails if there is one already, which is fine.
        drop(rustls::crypto::ring::default_provider().install_default());
        let unusable = |_| SendError::unauthorized("cannot set up TLS: check host");
        let mut builder = match self.security {
            Security::Tls => Transport::relay(&self.host).map_err(unusable)?,
            Security::StartTls => Transport::starttls_relay(&self.host).map_err(unusable)?,
            Security::None => Transport::builder_dangerous(&self.host),
        };
        builder = builder.timeout(Some(SMTP_TIMEOUT));
        if let Some(port) = self.port {
            builder = builder.port(port);
        }
        if let Some((name, password)) = &self.account {
            let password = read_secret(password)?;
            builder = builder.credentials(Credentials::new(name.clone(), password));
        }
        Ok(builder.build())
    }

    async fn deliver(
        &self,
        to: &Address,
        builder: MessageBuilder,
        mail: &Value,
    ) -> Result<(), SendError> {
        let text = |field: &str| mail[field].as_str().unwrap_or_default().to_owned();
        let to: Mailbox = to.0.parse().map_err(|_| {
            SendError::permanent("the identity of the recipient is no mail address")
        })?;
        let builder = builder
            .from(self.from.clone())
            .to(to)
            .subject(text("subject"))
            .header(AutoSubmitted);
        let built = if mail["html"].is_string() {
            builder.multipart(MultiPart::alternative_plain_html(
                text("text"),
                text("html"),
            ))
        } else {
            builder.body(text("text"))
        };
        let message = built.map_err(|error| {
            SendError::permanent(format!("the mail cannot be written: {error}"))
        })?;
        let sent = self.transport()?.send(message).await;
        sent.map(drop).map_err(|error| smtp_error(&error))
    }

    /// The same for every attempt to send the same mail, so that a repeated one is recognised.
    fn message_id(&self, to: &Address, mail: &Value) -> MessageId {
        let named = json!([mail["inquiry"], mail["revision"], to.0]);
        let domain = self.from.email.domain();
        MessageId(format!("<{}@{domain}>", Rendered::notice(named).hash()))
    }
}

impl Channel for Email {
    fn surface(&self) -> Surface {
        Surface::Email
    }

    fn needs_links(&self) -> bool {
        true
    }

    fn render(&self, card: &Card) -> Rendered {
        content::mail(card)
    }

    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        Box::pin(async move {
            let id = self.message_id(to, &message.body);
            let builder = Message::builder().message_id(Some(id.0.clone()));
            self.deliver(to, builder, &message.body).await?;
            Ok(id)
        })
    }

    /// A mail cannot be edited. The page behind its link says how the question ended.
    fn edit<'a>(
        &'a self,
        _to: &'a Address,
        _id: &'a MessageId,
        _message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn send_thread_text<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        text: &'a str,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let builder = Message::builder()
                .message_id(None)
                .in_reply_to(id.0.clone())
                .references(id.0.clone());
            // A link answers in the name of its reader, and subjects are logged on the way.
            let subject = text.split("http").next().unwrap_or_default();
            let subject = content::subject(subject.trim_end_matches([' ', ':']));
            let mail = json!({ "subject": subject, "text": format!("{text}\n") });
            self.deliver(to, builder, &mail).await
        })
    }

    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(async move {
            match self.transport()?.test_connection().await {
                Ok(true) => Ok(format!("mail through {}", self.host)),
                Ok(false) => Err(SendError::temporary("the mail server is not ready")),
                Err(error) => Err(smtp_error(&error)),
            }
        })
    }
}

/// Tells vacation replies and lists that no person wrote this.
#[derive(Debug, Clone, Copy)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(AutoSubmitted)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// What went wrong. The words of the server are left out: they quote addresses.
fn smtp_error(error: &lettre::transport::smtp::Error) -> SendError {
    let code = error.status().map(u16::from);
    let text = match code {
        Some(code) => format!("the mail server responds with {code}"),
        None if error.is_timeout() => "no response of the mail server in time".to_owned(),
        None if error.is_tls() => "no TLS with the mail server: check host and security".to_owned(),
        None => "cannot reach the mail server".to_owned(),
    };
    match code {
        Some(AUTHENTICATION_FAILED) => SendError::unauthorized(text),
        Some(_) if error.is_permanent() => SendError::permanent(text),
        Some(_) | None => SendError::temporary(text),
    }
}

#[cfg(test)]
#[path = "email_tests.rs"]
mod tests;
