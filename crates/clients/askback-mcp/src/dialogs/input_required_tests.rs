//! Goal: a state that cannot be used says why, and what to do.

use super::*;

fn sealed(ttl: Duration) -> (RequestStateCodec, String) {
    let codec = RequestStateCodec::try_new([7; 32]).unwrap();
    let state = json!({"question_id": "inq_1", "reply_key": "key"});
    let options = SealOptions::new().associated_data(b"call").ttl(ttl);
    let sealed = codec.seal_json_with(&state, &options).unwrap();
    (codec, sealed)
}

#[test]
fn state_names_its_question_for_its_call_only() {
    let (codec, sealed) = sealed(STATE_TTL);
    let opened = unseal(&codec, &sealed, "call").unwrap();
    assert_eq!(opened, (InquiryId::new("inq_1"), "key".to_owned()));
    let refused = unseal(&codec, &sealed, "another call").unwrap_err();
    assert_eq!(refused.code.0, -32602);
    assert!(refused.message.contains("not valid"), "{refused:?}");
}

#[test]
fn expired_state_says_that_the_question_is_open() {
    let (codec, sealed) = sealed(Duration::ZERO);
    // Until the clock has gone on by a millisecond.
    let refused = loop {
        if let Err(refused) = unseal(&codec, &sealed, "call") {
            break refused;
        }
    };
    assert_eq!(refused.code.0, -32602);
    for part in ["has expired", "still open", "without requestState"] {
        assert!(refused.message.contains(part), "{refused:?}");
    }
}
