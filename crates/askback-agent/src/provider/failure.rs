//! What a failed request means: whether trying again can help, and what to tell the user.

use askback_core::conversation::event::FailureKind;
use askback_engine::ports::LlmFailure;
use jiff::SignedDuration;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::peer::{Peer, failed, refused};

impl Peer {
    /// A reply with a status that is not success.
    pub(super) fn answered(
        &self,
        (status, headers): (StatusCode, &HeaderMap),
        model: &str,
        body: &[u8],
    ) -> LlmFailure {
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let told = Told::new(json.get("error").unwrap_or(&json));
        let mut failure = self.judge(status.as_u16(), model, &told);
        if failure.failure.kind == FailureKind::Overloaded {
            failure.retry_after = retry_after(headers);
        }
        failure
    }

    /// An error in the middle of a stream, or in a body whose status says that all is well.
    pub(super) fn told(&self, error: &Value) -> LlmFailure {
        let told = Told::new(error);
        let status = told.status().unwrap_or(500);
        self.judge(status, "", &told)
    }

    fn judge(&self, status: u16, model: &str, told: &Told<'_>) -> LlmFailure {
        let host = &self.host;
        let says = match self.quoted(told.message) {
            text if text.is_empty() => String::new(),
            text => format!(" It says: {text}"),
        };
        match status {
            401 if self.key.is_none() => self.no_key(),
            // What it says is not quoted: some servers repeat parts of the key.
            401 => refused(&format!(
                "{host} refused the API key. Check {}.",
                self.key_variables()
            )),
            403 => refused(&format!(
                "{host} does not allow this with the API key in use. Check {}.{says}",
                self.key_variables()
            )),
            404 => refused(&format!(
                "{host} does not know the model \"{model}\", or has nothing at this address. Check \
                 --model (ASKBACK_MODEL) and --base-url (ASKBACK_BASE_URL).{says}"
            )),
            _ if told.is_out_of_money() || status == 402 => refused(&format!(
                "The account at {host} has no credit or quota left.{says}"
            )),
            _ if told.is_too_long() || status == 413 => refused(&format!(
                "The conversation has become too long for the model. Begin a new one.{says}"
            )),
            408 => self.broken(),
            429 => failed(
                FailureKind::Overloaded,
                &format!("{host} limits the rate of requests.{says}"),
            ),
            500.. => failed(
                FailureKind::Overloaded,
                &format!("{host} is overloaded or has a fault (status {status}).{says}"),
            ),
            300..=399 => refused(&format!(
                "{host} sends requests elsewhere (status {status}), which is not followed. Check \
                 --base-url (ASKBACK_BASE_URL)."
            )),
            _ => refused(&format!(
                "{host} refused the request (status {status}).{says}"
            )),
        }
    }

    /// A request that got no reply, or one that stopped.
    pub(super) fn unreachable(&self, error: &reqwest::Error) -> LlmFailure {
        let host = &self.host;
        let sentence = if error.is_timeout() && !error.is_connect() {
            format!("{host} has sent nothing for {} seconds.", self.idle_secs)
        } else if error.is_connect() || error.is_request() {
            let why = innermost(error);
            format!(
                "{host} cannot be reached ({why}). Check the network and --base-url \
                 (ASKBACK_BASE_URL)."
            )
        } else {
            return self.broken();
        };
        failed(FailureKind::Network, &sentence)
    }
}

/// What a server says about an error, in one of the forms that servers have for it.
struct Told<'a> {
    message: &'a str,
    kind: &'a str,
    code: &'a Value,
}

impl<'a> Told<'a> {
    fn new(error: &'a Value) -> Told<'a> {
        let text = |field: &str| error.get(field).and_then(Value::as_str);
        let message = error
            .as_str()
            .or_else(|| text("message"))
            .or_else(|| text("detail"));
        Told {
            message: message.unwrap_or_default(),
            kind: text("type").unwrap_or_default(),
            code: &error["code"],
        }
    }

    /// The status that an error inside a stream would have had.
    fn status(&self) -> Option<u16> {
        if let Some(code) = self.code.as_u64() {
            return u16::try_from(code).ok();
        }
        match self.kind {
            "overloaded_error" => Some(529),
            "rate_limit_error" => Some(429),
            "invalid_request_error" | "request_too_large" => Some(400),
            "authentication_error" => Some(401),
            "permission_error" => Some(403),
            "not_found_error" => Some(404),
            "billing_error" => Some(402),
            _ => None,
        }
    }

    fn is_out_of_money(&self) -> bool {
        let quota = |text: &str| matches!(text, "insufficient_quota" | "billing_error");
        quota(self.kind) || self.code.as_str().is_some_and(quota)
    }

    fn is_too_long(&self) -> bool {
        let code = self.code.as_str().unwrap_or_default();
        code == "context_length_exceeded" || self.message.starts_with("prompt is too long")
    }
}

/// How long the server asks to wait: milliseconds, seconds, or until a date.
fn retry_after(headers: &HeaderMap) -> Option<SignedDuration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let number = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|number| *number >= 0.0)
    };
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return SignedDuration::try_from_secs_f64(ms / 1000.0).ok();
    }
    let wanted = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = number(wanted) {
        return SignedDuration::try_from_secs_f64(seconds).ok();
    }
    // Measured by the clock of the server, which is the one that set the date.
    let date = |text: &str| jiff::fmt::rfc2822::parse(text).ok();
    let wait = date(wanted)?.duration_since(&date(text(DATE.as_str())?)?);
    (!wait.is_negative()).then_some(wait)
}

/// The cause at the bottom of an error, which is the one that says something.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
