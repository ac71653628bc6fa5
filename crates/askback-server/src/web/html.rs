//! HTML written by hand: every text goes through one door, which makes it text.

use std::fmt;

use askback_locale::Locale;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::language;

/// A text in HTML, as content or within a quoted attribute: shown as it is, never markup.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
            let (plain, special) = rest.split_at(at);
            f.write_str(plain)?;
            f.write_str(match special.as_bytes()[0] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&quot;",
                _ => "&#39;",
            })?;
            rest = &special[1..];
        }
        f.write_str(rest)
    }
}

/// A whole page around what its main part holds.
pub(super) fn document(locale: Locale, title: &str, main: &str) -> String {
    let opening = language::opening(locale);
    let title = Escaped(title);
    format!(
        "<!doctype html>\n{opening}\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"/web/icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"/web/base.css\">\n\
         <link rel=\"stylesheet\" href=\"/web/form.css\">\n</head>\n<body>\n<main>\n\
         {main}</main>\n</body>\n</html>\n"
    )
}

/// A page that nobody keeps: what it says may be over in a moment.
pub(super) fn page(status: StatusCode, body: String) -> Response {
    let mut response = (status, Html(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-cache, no-store"),
    );
    headers.insert(
        header::VARY,
        HeaderValue::from_static("accept-language, cookie"),
    );
    response
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
