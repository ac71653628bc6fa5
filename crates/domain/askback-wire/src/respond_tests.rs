//! Requests act on the named inquiry, and `Debug` never shows an answer.

use askback_core::conversation::command::Target;
use askback_core::id::InquiryId;
use serde_json::json;

use super::{AnswerParams, CancelWorkParams, DeclinePendingParams, RespondParams};
use crate::message::MessageParams;

#[test]
fn named_inquiry_is_the_target() {
    let params: RespondParams =
        serde_json::from_value(json!({"answers": {}, "inquiry_id": "inq_1", "revision": 2}))
            .unwrap();
    let named = Target::Inquiry {
        id: InquiryId::new("inq_1"),
        revision: Some(2),
    };
    assert_eq!(params.target(), named);
    let cancel: CancelWorkParams = serde_json::from_value(json!({"inquiry_id": "inq_1"})).unwrap();
    assert_eq!(cancel.target(), Some(InquiryId::new("inq_1").into()));
}

#[test]
fn without_an_id_the_pending_inquiry_is_the_target() {
    assert_eq!(RespondParams::default().target(), Target::Pending);
    let decline: DeclinePendingParams = serde_json::from_value(json!({})).unwrap();
    assert_eq!(decline.target(), Target::Pending);
    assert_eq!(CancelWorkParams::default().target(), None);
}

#[test]
fn printed_params_hold_no_answer() {
    let secret = "hunter2";
    let printed = [
        format!(
            "{:?}",
            RespondParams {
                answers: json!({"q1": secret}),
                notes: Some(json!({"q1": secret})),
                ..RespondParams::default()
            }
        ),
        format!(
            "{:?}",
            AnswerParams {
                answers: json!({"q1": secret}),
                ..AnswerParams::default()
            }
        ),
        format!(
            "{:?}",
            MessageParams {
                text: secret.to_owned(),
                message_id: None
            }
        ),
    ];
    for printed in printed {
        assert!(!printed.contains(secret), "{printed}");
    }
}
