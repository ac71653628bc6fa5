//! URLs in messages: links of a person to a question, and buttons that are URLs.

pub(crate) mod new_link;
pub(crate) mod personal_link;
pub(crate) mod press_link;
pub(crate) mod url_buttons;
