//! What `lynx` and `w3m` need of the form, found by hand with every kind of question.

use askback_core::id::InquiryId;
use askback_wire::link::NewLinkParams;
use serde_json::json;

use super::no_script_form::{Browser, ask, start};
use super::support::raw_http::{raw, request};
use super::support::server_process::Directory;

/// Lynx selects the first radio button if none is selected, so the first one means no answer. Sent
/// like that, nothing was answered.
#[tokio::test]
async fn lynx_preselects_no_choice() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    // The choices of a single question are buttons.
    let go = json!({"question": "Go?", "options": ["Yes", "No"]});
    let input = json!({"questions": [go, {"question": "Where?", "options": ["Left", "Right"]}]});
    let (_, path) = ask(&server, input).await;
    let headers = [
        ("Host", "localhost"),
        ("Cookie", browser.cookie.as_str()),
        ("User-Agent", "Lynx/2.9.0dev.12 libwww-FM/2.14"),
    ];
    let (status, page) = raw(&server, &request(&format!("GET {path}"), &headers));
    assert_eq!(status, 200);
    let radios: Vec<&str> = page.split("type=\"radio\"").skip(1).collect();
    assert_eq!(radios.len(), 8, "{page}");
    assert!(radios[0].contains("value=\" \" checked") && radios[0].contains("not answered"));
    let (_, usual) = browser.get(&path);
    assert_eq!(usual.matches("type=\"radio\"").count(), 6, "{usual}");
    let (status, page) = browser.post(
        &path,
        &page,
        &[("q1", " "), ("q2", " "), ("action-send", "Send")],
    );
    assert_eq!(status, 422, "{page}");
    let answers = [("q1", "Yes"), ("q2", "Left"), ("action-send", "Send")];
    let (status, _) = browser.post(&path, &page, &answers);
    assert_eq!(status, 303);
}

/// w3m drops the link key from a form without an action. lynx shows a cached page unless the response says
/// `no-cache`, so that a sent form would seem unsent.
#[tokio::test]
async fn form_has_an_action_and_is_not_cached() {
    let directory = Directory::new();
    let server = start(&directory);
    let (asked, _) = ask(&server, json!({"question": "Go?", "input_type": "text"})).await;
    let id = InquiryId::new(asked.id.as_str());
    let link = server.client.link(&id, &NewLinkParams::default()).await;
    let link = link.expect("a link is made").url;
    let path = link.strip_prefix(&server.address).expect("our own address");
    let guest = Browser {
        cookie: String::new(),
        ..Browser::new(&server)
    };
    let (_, page) = guest.get(path);
    assert!(page.contains(&format!("action=\"{path}\"")), "{page}");
    assert!(page.to_lowercase().contains("cache-control: no-cache"));
}

/// Each of several chosen values is its own block element, so that it is on its own line without CSS.
#[tokio::test]
async fn chosen_values_are_on_separate_lines() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let input =
        json!({"question": "Which?", "input_type": "multiselect", "options": ["One", "Two"]});
    let (_, path) = ask(&server, input).await;
    let (_, page) = browser.get(&path);
    let (status, _) = browser.post(&path, &page, &[("q1", "One"), ("q1", "Two")]);
    assert_eq!(status, 303);
    let (_, page) = browser.get(&path);
    assert!(
        page.contains("<dd dir=\"auto\">One</dd><dd dir=\"auto\">Two</dd>"),
        "{page}"
    );
}
