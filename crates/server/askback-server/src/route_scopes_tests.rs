//! Every route is in the list, and the list has no others.

use std::collections::BTreeSet;

use super::{DOCUMENTED, documented};
use crate::routes;

/// A new route fails this test until somebody has decided who may use it.
#[test]
fn every_route_with_a_token_is_classified() {
    let routes: Vec<_> = routes::all().filter(|route| !route.is_public()).collect();
    let unclassified: Vec<_> = routes
        .iter()
        .map(|route| route.operation_id.as_str())
        .filter(|operation| documented(operation).is_none())
        .collect();
    assert_eq!(unclassified, [""; 0], "add them to DOCUMENTED");
    let known: BTreeSet<&str> = routes
        .iter()
        .map(|route| route.operation_id.as_str())
        .collect();
    let gone: Vec<_> = DOCUMENTED
        .iter()
        .map(|(operation, _)| *operation)
        .filter(|operation| !known.contains(operation))
        .collect();
    assert_eq!(gone, [""; 0], "remove them from DOCUMENTED");
    assert_eq!(known.len(), DOCUMENTED.len(), "one stands twice");
}
