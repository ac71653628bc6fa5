//! The form without JavaScript shows a draft from another surface, and says which day “today” is.

use askback_wire::draft::DraftParams;
use askback_wire::link::NewLinkParams;
use serde_json::{Value, json};

use super::no_script_form::{Browser, ask, committed, start};
use super::support::server_process::{Directory, Server};

async fn begin(server: &Server, input: Value, entry: Value) -> String {
    let (asked, path) = ask(server, input).await;
    let draft = json!({"page": {"question": 0}, "entries": [entry]});
    let params = DraftParams {
        draft: serde_json::from_value(draft).expect("a draft"),
        revision: None,
        replaces: None,
    };
    let kept = server.client.put_draft(&asked.id, &params).await;
    kept.expect("the draft is kept");
    path
}

/// Without JavaScript every kind shows its draft, and a cleared entry is no answer.
#[tokio::test]
async fn draft_of_another_surface_is_in_the_fields() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let choices = json!(["Red", "Green"]);
    let cases = [
        (
            json!({"question": "Colours?", "input_type": "multiselect", "options": choices, "allow_other": true}),
            json!({"picked": ["Green"], "own": "mau<ve", "own_ticked": true, "note": "because"}),
            vec![
                "value=\"Green\" checked",
                "mau&lt;ve</textarea>",
                "value=\"\" checked",
                "<details open>",
                "because</textarea>",
            ],
        ),
        (
            json!({"question": "Name?", "input_type": "text"}),
            json!({"typed": "Zoë\nKi"}),
            vec![">\nZoë\nKi</textarea>"],
        ),
        (
            json!({"question": "When?", "input_type": "date"}),
            json!({"typed": "27 ma"}),
            vec!["value=\"27 ma\""],
        ),
        (
            json!({"question": "From when?", "input_type": "date_range"}),
            json!({"typed": "1 april", "typed_end": "2 ap"}),
            vec![
                "name=\"q1-start\" dir=\"auto\" autocomplete=\"off\" value=\"1 april\"",
                "name=\"q1-end\" dir=\"auto\" autocomplete=\"off\" value=\"2 ap\"",
            ],
        ),
    ];
    for (input, entry, shown) in cases {
        let path = begin(&server, input.clone(), entry).await;
        let (status, page) = browser.get(&path);
        assert_eq!(status, 200);
        for part in shown {
            assert!(page.contains(part), "{input}: {part} is missing in {page}");
        }
    }
    let one = json!({"question": "Colour?", "input_type": "select", "options": choices, "allow_other": true});
    let path = begin(&server, one, json!({"picked": ["Red"], "own": "mauve"})).await;
    let (_, page) = browser.get(&path);
    assert!(page.contains("value=\"Red\" aria-pressed=\"true\"") && !page.contains("mauve"));
}

/// A link lets its holder answer, not read the drafts of others.
#[tokio::test]
async fn link_shows_no_draft() {
    let directory = Directory::new();
    let server = start(&directory);
    let text = json!({"question": "Name?", "input_type": "text"});
    let path = begin(&server, text, json!({"typed": "half a secret"})).await;
    let id = askback_core::id::InquiryId::new(path.trim_start_matches("/q/"));
    let link = server.client.link(&id, &NewLinkParams::default()).await;
    let link = link.expect("a link is made").url;
    let guest = Browser {
        cookie: String::new(),
        ..Browser::new(&server)
    };
    let (status, page) = guest.get(link.strip_prefix(&server.address).expect("our own address"));
    assert_eq!(status, 200);
    assert!(page.contains("Name?") && !page.contains("half a secret"));
}

/// An answer to another revision than the present one is not lost: the form shows it again, says that
/// it was not sent, and can be sent.
#[tokio::test]
async fn answer_to_a_stale_revision_is_kept_in_the_form() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let question = json!({"question": "Name?", "input_type": "text"});
    let (asked, path) = ask(&server, question).await;
    let (_, page) = browser.get(&path);
    let revision = |number| format!("name=\"revision\" value=\"{number}\"");
    let stale = page.replace(&revision(asked.revision), &revision(99));
    assert_ne!(stale, page);
    let (status, again) = browser.post(&path, &stale, &[("q1", "Zoë & Kim")]);
    assert_eq!(status, 409, "{again}");
    for shown in ["Zoë &amp; Kim", "role=\"alert\"", "was not sent", "<form"] {
        assert!(again.contains(shown), "{shown}: {again}");
    }
    let (status, reply) = browser.post(&path, &again, &[("q1", "Zoë & Kim")]);
    assert_eq!(status, 303, "{reply}");
}

/// “Today” is the server's day, and the page says which one that is.
#[tokio::test]
async fn today_is_named() {
    let directory = Directory::new();
    let server = start(&directory);
    let browser = Browser::new(&server);
    let (asked, path) = ask(&server, json!({"question": "When?", "input_type": "date"})).await;
    // A day that ends meanwhile would make this wrong; the second look is at the new one then.
    for _ in 0..2 {
        let before = jiff::Zoned::now().date();
        let (_, page) = browser.get(&path);
        let named = format!("“Today” means {} here.", long(before));
        if page.contains(&named) {
            let (status, _) = browser.post(&path, &page, &[("q1", "today")]);
            assert_eq!(status, 303);
            let inquiry = committed(&server, &asked).await;
            let outcome = serde_json::to_value(&inquiry.outcome).expect("it is JSON");
            assert_eq!(outcome["answers"][0]["date"], json!(before.to_string()));
            return;
        }
        assert_ne!(
            before,
            jiff::Zoned::now().date(),
            "{named} is not in {page}"
        );
    }
    panic!("two midnights in a row");
}

fn long(date: jiff::civil::Date) -> String {
    askback_locale::Locale::choose(&["en"]).date_long(date)
}
