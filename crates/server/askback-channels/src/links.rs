//! URLs in messages: links of a person to a question, and buttons that are URLs.

pub(crate) mod personal_links;
pub(crate) mod press_link;
