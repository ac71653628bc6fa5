//! The integration tests of the simulation.

mod suite {
    mod seeds;
    mod store_conformance;
    mod two_nodes;
}
