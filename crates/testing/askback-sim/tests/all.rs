//! The integration tests of the simulation.

#[cfg(test)]
mod suite {
    mod channel_changes;
    mod channel_outages;
    mod channel_records;
    mod channel_refusals;
    mod left_messages;
    mod new_links;
    mod seeds;
    mod store_conformance;
    mod support {
        pub(crate) mod channel_world;
        pub(crate) mod fake_channel;
        pub(crate) mod shared_reports;
    }
    mod two_nodes;
}
