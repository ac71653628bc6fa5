use askback_wire::server_process::hmac_sha256;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::rand::SystemRandom;

use super::{BrowserKeys, encrypt, expand, seal};
use crate::provider::base64url::{decode, encode};

fn bytes(text: &str) -> Vec<u8> {
    decode(text).expect("it is base64")
}

/// RFC 8291, appendix A, from the shared secret on: ring cannot import the private keys of the example.
#[test]
fn the_example_of_the_rfc_gives_its_body() {
    let (public, auth) = (
        bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        ),
        bytes("BTBZMqHH6r4Tts7J_aSIgg"),
    );
    let browser = BrowserKeys {
        public: &public,
        auth: &auth,
    };
    let server = bytes(
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
    );
    let secret = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
    let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into();
    let body = seal(
        &secret,
        &browser,
        &server,
        salt.expect("it has 16 bytes"),
        b"When I grow up, I want to be a watermelon",
    );
    let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc\
                    InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
    assert_eq!(
        encode(&body.expect("it is encrypted")),
        expected.replace([' ', '\n'], "")
    );
}

#[test]
fn the_browser_reads_what_was_encrypted_for_it() {
    let random = SystemRandom::new();
    let private = EphemeralPrivateKey::generate(&ECDH_P256, &random).expect("a key");
    let public = private.compute_public_key().expect("a key");
    let browser = BrowserKeys {
        public: public.as_ref(),
        auth: &[7; 16],
    };
    let body = encrypt(&browser, b"Which database?").expect("it is encrypted");
    let (salt, server) = (&body[..16], &body[21..86]);
    assert_eq!(&body[16..21], &[0, 0, 16, 0, 65]);
    let peer = UnparsedPublicKey::new(&ECDH_P256, server);
    let secret = agree_ephemeral(private, &peer, <[u8]>::to_vec).expect("they agree");
    let info = [b"WebPush: info\0", public.as_ref(), server].concat();
    let shared = expand(&hmac_sha256(&[7; 16], &secret), &info);
    let both = hmac_sha256(salt, &shared);
    let key = expand(&both, b"Content-Encoding: aes128gcm\0");
    let nonce = expand(&both, b"Content-Encoding: nonce\0");
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).expect("a key"));
    let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).expect("a nonce");
    let mut record = body[86..].to_vec();
    let text = key.open_in_place(nonce, Aad::empty(), &mut record);
    assert_eq!(text.expect("it is decrypted"), b"Which database?\x02");
    let again = encrypt(&browser, b"Which database?").expect("it is encrypted");
    assert_ne!(body, again, "each message has its own key");
}

#[test]
fn a_key_that_is_no_point_of_the_curve_is_refused() {
    let browser = BrowserKeys {
        public: &[4; 65],
        auth: &[7; 16],
    };
    assert_eq!(encrypt(&browser, b"text"), None);
}
