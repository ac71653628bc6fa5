//! Classifies a failed request: whether a retry can help, and what to tell the user.

use askback_core::conversation::event::FailureKind;
use askback_engine::ports::LlmFailure;
use jiff::SignedDuration;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::endpoint::{Endpoint, failed, refused};

impl Endpoint {
    /// The failure that an HTTP response without a success status means.
    pub(super) fn error_response(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
        model: &str,
        body: &[u8],
    ) -> LlmFailure {
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let error = ErrorBody::new(json.get("error").unwrap_or(&json));
        let mut failure = self.classify(status.as_u16(), model, &error);
        if failure.failure.kind == FailureKind::Overloaded {
            failure.retry_after = retry_after(headers);
        }
        failure
    }

    /// The failure that an error object means in a stream or body whose status is 200.
    pub(super) fn error_event(&self, error: &Value) -> LlmFailure {
        let error = ErrorBody::new(error);
        let status = error.status().unwrap_or(500);
        self.classify(status, "", &error)
    }

    fn classify(&self, status: u16, model: &str, error: &ErrorBody<'_>) -> LlmFailure {
        let host = &self.host;
        let says = match self.quote(error.message) {
            text if text.is_empty() => String::new(),
            text => format!(" It says: {text}"),
        };
        match status {
            401 if self.key.is_none() => self.missing_key(),
            // The message is not quoted: some servers repeat parts of the key.
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
            _ if error.is_out_of_credit() || status == 402 => refused(&format!(
                "The account at {host} has no credit or quota left.{says}"
            )),
            _ if error.is_context_overflow() || status == 413 => refused(&format!(
                "The conversation is too long for the model. Start a new one.{says}"
            )),
            408 => self.disconnected(),
            429 => failed(
                FailureKind::Overloaded,
                &format!("{host} limits the rate of requests.{says}"),
            ),
            500.. => failed(
                FailureKind::Overloaded,
                &format!("{host} is overloaded or has an internal error (status {status}).{says}"),
            ),
            300..=399 => refused(&format!(
                "{host} redirects requests (status {status}), and redirects are not followed. Check \
                 --base-url (ASKBACK_BASE_URL)."
            )),
            _ => refused(&format!(
                "{host} refused the request (status {status}).{says}"
            )),
        }
    }

    /// The failure of a request that got no response, or whose response stopped.
    pub(super) fn transport_error(&self, error: &reqwest::Error) -> LlmFailure {
        let host = &self.host;
        let message = if error.is_timeout() && !error.is_connect() {
            format!("{host} has sent nothing for {} seconds.", self.idle_secs)
        } else if error.is_connect() || error.is_request() {
            let cause = root_cause(error);
            format!(
                "Cannot reach {host} ({cause}). Check the network and --base-url (ASKBACK_BASE_URL)."
            )
        } else {
            return self.disconnected();
        };
        failed(FailureKind::Network, &message)
    }
}

/// An error object, in any of the forms that servers use.
struct ErrorBody<'a> {
    message: &'a str,
    kind: &'a str,
    code: &'a Value,
}

impl<'a> ErrorBody<'a> {
    fn new(error: &'a Value) -> ErrorBody<'a> {
        let text = |field: &str| error.get(field).and_then(Value::as_str);
        let message = error
            .as_str()
            .or_else(|| text("message"))
            .or_else(|| text("detail"));
        ErrorBody {
            message: message.unwrap_or_default(),
            kind: text("type").unwrap_or_default(),
            code: &error["code"],
        }
    }

    /// The status that this error would have had as a response of its own.
    fn status(&self) -> Option<u16> {
        if let Some(code) = self.code.as_u64() {
            return u16::try_from(code).ok();
        }
        let named = self.code.as_str().and_then(named_status);
        named.or_else(|| named_status(self.kind))
    }

    fn is_out_of_credit(&self) -> bool {
        let quota = |text: &str| matches!(text, "insufficient_quota" | "billing_error");
        quota(self.kind) || self.code.as_str().is_some_and(quota)
    }

    fn is_context_overflow(&self) -> bool {
        let code = self.code.as_str().unwrap_or_default();
        code == "context_length_exceeded" || self.message.starts_with("prompt is too long")
    }
}

/// The status of an error by its type, or by its code in the Responses API.
fn named_status(name: &str) -> Option<u16> {
    match name {
        "overloaded_error" => Some(529),
        "rate_limit_error" | "rate_limit_exceeded" => Some(429),
        "invalid_request_error" | "request_too_large" | "invalid_prompt" => Some(400),
        "authentication_error" => Some(401),
        "permission_error" => Some(403),
        "not_found_error" => Some(404),
        "billing_error" => Some(402),
        _ => None,
    }
}

/// How long the server asks to wait: in milliseconds, in seconds, or until a date.
fn retry_after(headers: &HeaderMap) -> Option<SignedDuration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let number = |text: &str| {
        let number = text.trim().parse::<f64>().ok();
        number.filter(|number| *number >= 0.0)
    };
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return SignedDuration::try_from_secs_f64(ms / 1000.0).ok();
    }
    let wanted = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = number(wanted) {
        return SignedDuration::try_from_secs_f64(seconds).ok();
    }
    // Relative to the server's own clock, which the date was computed with.
    let date = |text: &str| jiff::fmt::rfc2822::parse(text).ok();
    let wait = date(wanted)?.duration_since(&date(text(DATE.as_str())?)?);
    (!wait.is_negative()).then_some(wait)
}

/// The innermost source of an error, such as "connection refused", without the number that the system gives it.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text = cause.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let is_sentence = text.chars().nth(1).is_some_and(char::is_lowercase);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if is_sentence => first.to_lowercase().chain(letters).collect(),
        Some(_) | None => text.to_owned(),
    }
}
