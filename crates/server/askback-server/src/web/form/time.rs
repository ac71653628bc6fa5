//! Times on the pages: in the browser's zone where scripts run, otherwise in the server's, which is named.

use askback_locale::Locale;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{Markup, html};

/// Writes every `<time>` in the zone of the browser. It calls no API, so links get it too.
const SCRIPT: &str = "form/local-time.js";

/// Stands in a message for the element that replaces it. No text that people write contains it.
const PLACE: char = '\u{e000}';

pub(super) fn script() -> Markup {
    crate::web::html::script(SCRIPT)
}

/// A time as an element, with its day and zone.
pub(super) fn element(locale: Locale, at: Timestamp) -> Markup {
    let zoned = at.to_zoned(TimeZone::system());
    let day = locale.date_long(zoned.date());
    html! { time datetime=(at) { (day) ", " (zoned.strftime("%H:%M %Z")) } }
}

/// A message whose only argument, `time`, is an element.
pub(super) fn with_time(locale: Locale, id: &str, at: Timestamp) -> Markup {
    let place = PLACE.to_string();
    let text = locale.text(id, &[("time", place.as_str().into())]);
    let mut parts = text.split(PLACE);
    html! {
        (parts.next().unwrap_or_default())
        @for part in parts { (element(locale, at)) (part) }
    }
}
