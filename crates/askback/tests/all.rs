//! The tests of the real binary: what it prints, and how it ends.

#[cfg(test)]
mod suite {
    mod answer_command;
    mod answering;
    mod ask;
    mod ask_durable;
    mod binary;
    mod chat;
    mod check;
    mod conversations;
    mod counts;
    mod crashes;
    mod data_directory;
    mod deadlines;
    mod deletions;
    mod demo;
    mod doctor;
    mod elsewhere;
    mod failing_reads;
    mod form;
    mod form_drafts;
    mod frames;
    mod gate;
    mod hand_over;
    mod help;
    mod in_process;
    mod inbox;
    mod inbox_order;
    mod install;
    mod keys;
    mod links;
    mod marks;
    mod mcp;
    mod mcp_client;
    mod mcp_lost;
    mod nobody;
    mod patience;
    mod providers;
    mod pty;
    mod races;
    mod raw;
    mod render;
    mod request_bounds;
    mod request_keys;
    mod restore;
    mod retention;
    mod same;
    mod schema;
    mod security;
    mod server;
    mod sessions;
    mod sizes;
    mod small;
    mod stalled;
    mod stopping;
    mod stranger;
    mod terminal;
    mod text_browsers;
    mod timers;
    mod undo;
    mod web;
    #[expect(
        clippy::disallowed_methods,
        reason = "an example for other programs reads the clock by itself"
    )]
    mod webhook_check;
    mod webhook_examples;
    mod webhooks;
}
