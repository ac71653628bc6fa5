//! Ids: a prefix that says what they name, digits that sort, and the same seed giving the same ids.

use super::*;

#[test]
fn id_is_its_prefix_and_the_number_in_base_32() {
    assert_eq!(
        InquiryId::from(0).as_str(),
        "inq_00000000000000000000000000"
    );
    assert_eq!(
        ConversationId::from(31).as_str(),
        "cnv_0000000000000000000000000z"
    );
    assert_eq!(CallId::from(32).as_str(), "call_00000000000000000000000010");
    assert_eq!(
        MessageId::from(u128::MAX).as_str(),
        "msg_7zzzzzzzzzzzzzzzzzzzzzzzzz"
    );
}

#[test]
fn digits_leave_out_letters_that_look_like_digits() {
    let last: String = (0..32u128)
        .filter_map(|number| InquiryId::from(number).as_str().chars().last())
        .collect();
    assert_eq!(last, "0123456789abcdefghjkmnpqrstvwxyz");
}

#[test]
fn later_ids_sort_behind_earlier_ones() {
    let seeds = [0, 1, 31, 32, 1 << 64, (1 << 64) + 1, u128::MAX];
    let ids: Vec<InquiryId> = seeds.into_iter().map(InquiryId::from).collect();
    let mut sorted = ids.clone();
    sorted.sort();
    assert_eq!(sorted, ids);
}

#[test]
fn source_counts_ids_off_its_seed_whatever_they_name() {
    let mut source = IdSource::new(7);
    let drawn: (InquiryId, CallId, InquiryId) = (source.draw(), source.draw(), source.draw());
    let expect = (InquiryId::from(7), CallId::from(8), InquiryId::from(9));
    assert_eq!(drawn, expect);
}

#[test]
fn source_goes_on_past_the_last_number() {
    let mut source = IdSource::new(u128::MAX);
    let drawn: (InquiryId, InquiryId) = (source.draw(), source.draw());
    assert_eq!(drawn, (InquiryId::from(u128::MAX), InquiryId::from(0)));
}

#[test]
fn id_from_outside_is_taken_as_it_is() {
    let id = InquiryId::new("whatever");
    assert_eq!(id.as_str(), "whatever");
    assert_eq!(id.to_string(), "whatever");
    assert_eq!(
        serde_json::to_string(&id).expect("an id serialises"),
        r#""whatever""#
    );
    assert_eq!(
        serde_json::from_str::<InquiryId>(r#""whatever""#).expect("an id"),
        id
    );
}

#[test]
fn every_kind_of_id_says_what_it_names() {
    let prefixes = [
        ConversationId::PREFIX,
        InquiryId::PREFIX,
        CallId::PREFIX,
        MessageId::PREFIX,
    ];
    assert_eq!(prefixes, ["cnv_", "inq_", "call_", "msg_"]);
}
