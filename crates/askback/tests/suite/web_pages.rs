//! Pages and static files: who sees them, their security headers, and paths that must not resolve.

use serde_json::json;

use super::support::raw_http::{bearer, body, browser_cookie, header, raw, request};
use super::support::server_process::{Directory, Server, TOKEN};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types askback-worker";

fn start(directory: &Directory, args: &[&str]) -> Server {
    let script = directory.path().join("script.json");
    let steps = json!({"steps": [{"say": "-"}]}).to_string();
    std::fs::write(&script, steps).expect("the script can be written");
    let provider = format!("scripted:{}", script.display());
    Server::start_with(directory, &[args, &["--provider", &provider]].concat())
}

fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let all = [&[("Host", "localhost")], headers].concat();
    raw(server, &request(&format!("GET {path}"), &all))
}

/// Every page and file has the content security policy, and no page violates it.
#[test]
fn every_page_and_file_has_the_content_security_policy() {
    let directory = Directory::new();
    let server = start(&directory, &[]);
    let cookie = browser_cookie(&server);
    for (path, cookie, expected) in [
        ("/", cookie.as_str(), 303),
        ("/new", &cookie, 200),
        ("/inbox", &cookie, 200),
        ("/answered", &cookie, 200),
        ("/c/cnv_1", &cookie, 200),
        ("/", "", 401),
        ("/inbox", "", 401),
        ("/c/cnv_1", "", 401),
        ("/web/app.js", "", 200),
        ("/strings/en.json", "", 200),
    ] {
        let (status, reply) = get(&server, path, &[("Cookie", cookie)]);
        assert_eq!(status, expected, "{path}: {reply}");
        assert_eq!(
            header(&reply, "content-security-policy"),
            [POLICY],
            "{path}"
        );
        assert_eq!(header(&reply, "x-content-type-options"), ["nosniff"]);
        // The form of the sign-in page is sent with its origin.
        let referrer = if expected == 401 {
            "same-origin"
        } else {
            "no-referrer"
        };
        assert_eq!(header(&reply, "referrer-policy"), [referrer], "{path}");
        assert_eq!(
            header(&reply, "cross-origin-resource-policy"),
            ["same-origin"]
        );
        if path.starts_with("/web/") || path.starts_with("/strings/") {
            continue;
        }
        let page = body(&reply);
        for inline in [
            "<style",
            " style=",
            " onclick",
            " onload",
            "javascript:",
            "<script>",
        ] {
            assert!(!page.contains(inline), "{path}: {inline} in {page}");
        }
    }
}

/// Without authentication, a browser sees the sign-in page, not the app or any data.
#[test]
fn unauthenticated_browser_sees_the_sign_in_page() {
    let directory = Directory::new();
    let server = start(&directory, &[]);
    let (status, reply) = get(&server, "/", &[]);
    assert_eq!(status, 401);
    assert!(header(&reply, "content-type")[0].starts_with("text/html"));
    assert!(
        reply.contains("open the link that askback printed"),
        "{reply}"
    );
    assert!(
        !reply.contains("<script") && !reply.contains(TOKEN),
        "{reply}"
    );
    let (status, reply) = get(&server, "/?token=wrong-wrong-wrong", &[]);
    assert_eq!(status, 401);
    assert_eq!(header(&reply, "set-cookie"), [""; 0]);
}

/// The token in the address is exchanged for a cookie, and the address is clean afterwards.
#[test]
fn printed_address_signs_in_and_drops_the_token() {
    let directory = Directory::new();
    let server = start(&directory, &[]);
    let (status, reply) = get(&server, &format!("/?token={TOKEN}&tab=1"), &[]);
    assert_eq!(status, 303);
    assert_eq!(header(&reply, "location"), ["/?tab=1"]);
    assert_eq!(header(&reply, "referrer-policy"), ["no-referrer"]);
    assert_eq!(header(&reply, "cache-control"), ["no-store"]);
    let cookie = header(&reply, "set-cookie")[0];
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let (status, reply) = get(&server, "/inbox", &[("Cookie", &browser_cookie(&server))]);
    assert_eq!(status, 200);
    assert!(reply.contains("/web/app.js"), "{reply}");
}

/// The page carries the reader's language and its direction.
#[test]
fn app_page_uses_the_browser_language() {
    let directory = Directory::new();
    let server = start(&directory, &[]);
    let cookie = browser_cookie(&server);
    let chosen = format!("{cookie}; askback_locale=ar");
    for (cookie, asked, opening) in [
        (&cookie, "", r#"<html lang="en" dir="ltr">"#),
        (&cookie, "xx, de;q=0.5", r#"<html lang="de" dir="ltr">"#),
        (
            &cookie,
            "en;q=0.2, ar;q=0.9",
            r#"<html lang="ar" dir="rtl">"#,
        ),
        (&cookie, "zh", r#"<html lang="zh-CN" dir="ltr">"#),
        (&chosen, "de", r#"<html lang="ar" dir="rtl">"#),
        (&cookie, "\"><script>", r#"<html lang="en" dir="ltr">"#),
    ] {
        let (_, reply) = get(
            &server,
            "/inbox",
            &[("Cookie", cookie), ("Accept-Language", asked)],
        );
        assert!(
            reply.contains(opening.trim_end_matches('>')),
            "{asked}: {reply}"
        );
    }
}

/// A file is sent once and confirmed after that; what changed has another tag.
#[test]
fn unchanged_file_is_confirmed_by_its_etag() {
    let directory = Directory::new();
    let server = start(&directory, &[]);
    let (status, reply) = get(&server, "/web/app.js", &[]);
    assert_eq!(status, 200);
    assert_eq!(
        header(&reply, "content-type"),
        ["text/javascript; charset=utf-8"]
    );
    assert_eq!(header(&reply, "cache-control"), ["no-cache"]);
    let tag = header(&reply, "etag")[0].to_owned();
    let weak = format!("\"x\", W/{tag}");
    for known in [tag.as_str(), &weak, "*"] {
        let (status, reply) = get(&server, "/web/app.js", &[("If-None-Match", known)]);
        assert_eq!((status, body(&reply)), (304, ""), "{known}");
    }
    let (status, _) = get(&server, "/web/app.js", &[("If-None-Match", "\"other\"")]);
    assert_eq!(status, 200);
}

/// Only the static files can be reached, however the path is written.
#[test]
fn no_path_escapes_the_static_files() {
    let directory = Directory::new();
    let server = start(&directory, &[]);
    for path in [
        "/web/",
        "/web/index.html",
        "/web/../Cargo.toml",
        "/web/%2e%2e/Cargo.toml",
        "/web/..%2fCargo.toml",
        "/web/..%5cCargo.toml",
        "/web/%2fetc%2fpasswd",
        "/web//etc/passwd",
        "/web/app.js%00.css",
        "/web/app.js/",
        "/web/.app.js",
        "/web/%ff",
        "/web/package.json",
        "/web/none.js",
    ] {
        let (status, reply) = get(&server, path, &[]);
        assert!(matches!(status, 400 | 404), "{path}: {reply}");
    }
}

/// A page of an allowed origin may call with the token; a cookie is not accepted there, and other origins
/// are refused.
#[test]
fn allowed_origin_needs_the_token() {
    let directory = Directory::new();
    let server = start(&directory, &["--allow-origin", "https://app.example/"]);
    let origin = ("Origin", "https://app.example");
    let (token, cookie) = (bearer(), browser_cookie(&server));
    let (status, reply) = get(&server, "/apps", &[origin, ("Authorization", &token)]);
    assert_eq!(status, 200);
    let allowed = header(&reply, "access-control-allow-origin");
    assert_eq!(allowed, ["https://app.example"]);
    assert_eq!(header(&reply, "access-control-allow-credentials"), [""; 0]);
    assert_eq!(header(&reply, "vary"), ["origin"]);
    let (status, reply) = get(&server, "/apps", &[origin, ("Cookie", &cookie)]);
    assert_eq!(status, 401, "a cookie opens nothing across sites");
    assert_eq!(header(&reply, "access-control-allow-origin").len(), 1);
    let (status, reply) = get(&server, "/web/app.js", &[origin]);
    assert_eq!(status, 200);
    assert_eq!(header(&reply, "access-control-allow-origin").len(), 1);
    for other in ["https://evil.example", "http://app.example", "null"] {
        let headers = [("Origin", other), ("Authorization", &token)];
        let (status, reply) = get(&server, "/apps", &headers);
        assert_eq!(status, 403, "{other}");
        assert_eq!(header(&reply, "access-control-allow-origin"), [""; 0]);
    }
}

/// A preflight request succeeds only for an allowed origin, and has no effect.
#[test]
fn preflight_succeeds_only_for_allowed_origins() {
    let directory = Directory::new();
    let server = start(&directory, &["--allow-origin", "https://app.example"]);
    let ask = |origin: &str| {
        let headers = [
            ("Host", "localhost"),
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            (
                "Access-Control-Request-Headers",
                "authorization,content-type",
            ),
        ];
        raw(&server, &request("OPTIONS /inquiries/x/answer", &headers))
    };
    let (status, reply) = ask("https://app.example");
    assert_eq!(status, 204, "{reply}");
    let allowed = header(&reply, "access-control-allow-headers")[0];
    assert!(allowed.contains("authorization") && allowed.contains("content-type"));
    assert!(header(&reply, "access-control-allow-methods")[0].contains("POST"));
    assert_eq!(header(&reply, "access-control-allow-credentials"), [""; 0]);
    assert_eq!(ask("https://evil.example").0, 403);
}

/// By default, no other origin may call.
#[test]
fn other_origins_are_refused_by_default() {
    let directory = Directory::new();
    let server = start(&directory, &[]);
    let token = bearer();
    let headers = [
        ("Origin", "https://app.example"),
        ("Authorization", token.as_str()),
    ];
    assert_eq!(get(&server, "/apps", &headers).0, 403);
    assert_eq!(get(&server, "/web/app.js", &headers[..1]).0, 403);
}

/// There are translations for each language, and for no other name.
#[test]
fn translations_are_served_for_known_languages() {
    let directory = Directory::new();
    let server = start(&directory, &[]);
    let (status, reply) = get(&server, "/strings/en.json", &[]);
    assert_eq!(status, 200);
    assert_eq!(header(&reply, "content-type"), ["application/json"]);
    let words: serde_json::Value = serde_json::from_str(body(&reply)).expect("it is JSON");
    assert!(words.as_object().is_some_and(|words| !words.is_empty()));
    let tag = header(&reply, "etag")[0];
    let again = get(&server, "/strings/en.json", &[("If-None-Match", tag)]);
    assert_eq!(again.0, 304);
    for name in ["xx.json", "en", "en.js", "../en.json", ".json"] {
        assert_eq!(
            get(&server, &format!("/strings/{name}"), &[]).0,
            404,
            "{name}"
        );
    }
}

/// Typed answers are parsed and refused in the user's language, by the same code for every surface.
#[tokio::test]
async fn typed_answers_are_parsed_by_locale() {
    use askback_wire::inquiry::NewInquiryParams;
    use askback_wire::respond::AnswerParams;
    let directory = Directory::new();
    let server = start(&directory, &[]);
    let ask = async |kind: &str| {
        let params = NewInquiryParams {
            input: json!({"question": "When?", "input_type": kind}),
            ..NewInquiryParams::default()
        };
        server.client.ask(&params).await.expect("it is asked")
    };
    let answer = |typed: serde_json::Value, locale: &str| AnswerParams {
        answers: json!({"q1": typed}),
        locale: Some(locale.to_owned()),
        today: "2027-03-27".parse().ok(),
        ..AnswerParams::default()
    };
    let asked = ask("date").await;
    let wrong = answer(json!({"typed": "soon"}), "en-XA");
    let refused = server.client.answer(&asked.id, &wrong).await;
    let refused = refused.expect_err("it is no day");
    let problem = refused.problem().expect("it is refused");
    assert_eq!(problem.status, 422);
    assert_eq!(problem.errors[0].code, "not_a_date");
    assert_eq!(
        problem.errors[0]
            .question
            .as_ref()
            .map(askback_core::question::QuestionId::as_str),
        Some("q1")
    );
    assert!(
        !problem.errors[0].message.contains("calendar"),
        "not in English"
    );
    assert_eq!(problem.detail, problem.errors[0].message);
    let right = answer(json!({"typed": "tomorrow"}), "en");
    let answered = server
        .client
        .answer(&asked.id, &right)
        .await
        .expect("it fits");
    let outcome = serde_json::to_value(&answered.outcome).expect("it is JSON");
    assert!(outcome.to_string().contains("2027-03-28"), "{outcome}");
    let asked = ask("number").await;
    let right = answer(json!({"typed": "1,5"}), "de");
    let answered = server
        .client
        .answer(&asked.id, &right)
        .await
        .expect("it fits");
    let outcome = serde_json::to_value(&answered.outcome).expect("it is JSON");
    assert!(outcome.to_string().contains("1.5"), "{outcome}");
}
