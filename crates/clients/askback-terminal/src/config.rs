//! The configuration of a terminal.

use std::time::Duration;

use crate::bidi::Bidi;
use crate::notification::{NotificationStyle, Notifications};
use crate::theme::{Background, ColorDepth};
use crate::viewport::Reflow;

/// How long the first frame waits for responses where glyphs may take two columns. Elsewhere a response changes only
/// colours, so the frame is shown at once and corrected when responses arrive.
pub const WIDE_GLYPH_WAIT: Duration = Duration::from_millis(2);

/// After this time a terminal counts as one that does not respond to queries.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_millis(100);

/// What the environment and the settings say about the terminal before it is queried.
#[derive(Debug, Clone)]
pub struct TerminalConfig {
    /// How many colours to use.
    pub depth: ColorDepth,
    /// The background, if the environment says it.
    pub background: Option<Background>,
    /// What the terminal does with rows when it gets narrower.
    pub reflow: Reflow,
    /// What may be queried.
    pub probe_scope: ProbeScope,
    /// How long the first frame waits for responses: zero or [`WIDE_GLYPH_WAIT`].
    pub first_frame_wait: Duration,
    /// Replies to queries that come later are ignored.
    pub response_timeout: Duration,
    /// The command that opens the user's editor.
    pub editor: Option<String>,
    /// Whether the terminal reports clicks.
    pub mouse: Mouse,
    /// Who reorders right-to-left text.
    pub bidi: Bidi,
    /// When the user is notified.
    pub notifications: Notifications,
    /// How the terminal is told to notify.
    pub notification_style: NotificationStyle,
    /// How long a frame must be visible before a key acts on it. Zero turns off all checks for
    /// typeahead and pastes.
    pub typeahead_window: Duration,
    /// Lets a test cause a panic.
    pub first_key: FirstKey,
}

/// Whether clicks are reported. While they are, the mouse cannot select text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mouse {
    /// Clicks are not reported.
    #[default]
    Off,
    /// Clicks are reported.
    On,
}

/// What the terminal may be queried for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeScope {
    /// The background and the width of the glyphs.
    All,
    /// Only the background: the glyphs are configured.
    Background,
    /// Nothing, for a terminal that would print the query.
    None,
}

/// What the first key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstKey {
    /// Does what it is bound to.
    #[default]
    Normal,
    /// Panics, so that a test can check that the terminal is restored.
    Panic,
}
