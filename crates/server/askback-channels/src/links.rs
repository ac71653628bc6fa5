//! URLs in messages: links of a person to a question, and buttons that are URLs.

pub(crate) mod link_lifetime;
pub(crate) mod personal_links;
pub(crate) mod press_link;
pub(crate) mod url_buttons;
pub(crate) mod url_presses;
