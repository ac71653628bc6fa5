//! A proof is valid for one token, one address and one nonce.

use super::{ProofParams, ServerRole, is_proof, proof};

const ADDRESS: &str = "http://127.0.0.1:7777";

#[test]
fn proof_is_valid_for_one_token_address_and_nonce() {
    let made = proof("token", ADDRESS, "00ff");
    assert!(is_proof(&made, "token", ADDRESS, "00ff"));
    assert!(!is_proof(&made, "tokem", ADDRESS, "00ff"));
    assert!(!is_proof(&made, "token", "http://127.0.0.1:7778", "00ff"));
    assert!(!is_proof(&made, "token", ADDRESS, "00fe"));
    for broken in ["", "00", &made[1..], &made[..62], "ß", "+f"] {
        assert!(!is_proof(broken, "token", ADDRESS, "00ff"), "{broken}");
    }
}

#[test]
fn nonce_has_only_hexadecimal_digits() {
    let valid = |nonce: &str| {
        let nonce = nonce.to_owned();
        ProofParams { nonce }.is_valid()
    };
    assert!(valid("0123456789abcdef"));
    assert!(!valid("0123456789abcde"));
    assert!(!valid("0123456789abcde\n"));
    assert!(!valid(&"a".repeat(65)));
}

/// A server of a newer version is not asked to hand over.
#[test]
fn unknown_role_hands_over_to_nobody() {
    let role: ServerRole = serde_json::from_str("\"of_a_later_version\"").unwrap();
    assert_eq!(role, ServerRole::Dedicated);
    assert!(ServerRole::EmbeddedWithoutModel < ServerRole::EmbeddedScripted);
    assert!(ServerRole::EmbeddedScripted < ServerRole::Embedded);
    assert!(ServerRole::Embedded < ServerRole::Dedicated);
}
