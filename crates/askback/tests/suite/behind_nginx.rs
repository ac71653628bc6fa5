//! Behind nginx with passwords, configured as docs/operations.md says: the proxy says who somebody is, and nobody else can. Skipped where nginx is not installed.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use askback_channels::base64url;
use askback_core::id::InquiryId;
use askback_wire::credential::ScopeName;
use askback_wire::link::NewLinkParams;
use askback_wire::recipient::RecipientParams;

use super::people::token;
use super::support::raw_http::request;
use super::support::server_process::{Directory, Server};
use super::support::team::confirm;
use super::support::timeout::within;

const OPERATIONS: &str = include_str!("../../../../docs/operations.md");

/// `anna` with the password `annas`, as `openssl passwd -apr1 -salt askback annas` writes it.
const PASSWORDS: &str = "anna:$apr1$askback$5zEklCnjAPDqnYEzXkkWt1\n";

/// Ends with the test.
struct Nginx {
    child: Child,
    address: String,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The locations of docs/operations.md.
fn recipe() -> String {
    let recipe = OPERATIONS.split_once("```nginx\n").expect("a recipe").1;
    recipe.split_once("```").expect("its end").0.to_owned()
}

fn nginx(directory: &Path, port: u16, upstream: &str) -> Option<Nginx> {
    fs::write(directory.join("passwords"), PASSWORDS).expect("written");
    let path = directory.display();
    let recipe = recipe()
        .replace("/etc/nginx/askback.htpasswd", &format!("{path}/passwords"))
        .replace("http://127.0.0.1:7777", upstream);
    let config = format!(
        "daemon off; master_process off; pid {path}/nginx.pid; error_log {path}/nginx.log;
         events {{}}
         http {{
           access_log off; client_body_temp_path {path}/body; proxy_temp_path {path}/proxy;
           fastcgi_temp_path {path}/fastcgi; uwsgi_temp_path {path}/uwsgi; scgi_temp_path {path}/scgi;
           server {{
             listen 127.0.0.1:{port};
             proxy_http_version 1.1; proxy_buffering off;
             {recipe}
           }}
         }}"
    );
    let file = directory.join("nginx.conf");
    fs::write(&file, config).expect("written");
    let program = ["/usr/sbin/nginx", "nginx"].into_iter();
    let mut started = program.filter_map(|program| {
        let mut command = Command::new(program);
        command
            .arg("-c")
            .arg(&file)
            .arg("-e")
            .arg(directory.join("nginx.log"));
        command.stdin(Stdio::null()).spawn().ok()
    });
    let child = started.next()?;
    let address = format!("127.0.0.1:{port}");
    Some(Nginx { child, address })
}

async fn listens(nginx: &Nginx) {
    while std::net::TcpStream::connect(&nginx.address).is_err() {
        tokio::task::yield_now().await;
    }
}

/// The status and the text of a reply through the proxy.
fn send(nginx: &Nginx, line: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
    use std::io::{Read as _, Write as _};
    let stream = std::net::TcpStream::connect(&nginx.address);
    let mut stream = stream.expect("it listens");
    let length = body.len().to_string();
    let own = [
        ("Host", nginx.address.as_str()),
        ("Content-Type", "application/json"),
        ("Content-Length", &length),
    ];
    let mut bytes = request(line, &[&own, headers].concat());
    bytes.extend(body.as_bytes());
    stream.write_all(&bytes).expect("it is sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    let status = reply.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.expect("a status"), reply)
}

fn get(nginx: &Nginx, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    send(nginx, &format!("GET {path}"), headers, "")
}

fn password(text: &str) -> String {
    let encoded = base64url::encode(text.as_bytes());
    format!("Basic {}", encoded.replace('-', "+").replace('_', "/"))
}

/// A server that trusts the proxy, with a question for each of two people; the second one's is returned.
async fn start(directory: &Directory) -> (Server, InquiryId) {
    let proxy = [
        "--identity-header",
        "X-Forwarded-User",
        "--trusted-proxy",
        "127.0.0.1",
    ];
    let server = Server::start_with(directory, &proxy);
    let mut last = None;
    for (alias, name) in [("ben", "Ben"), ("anna", "Anna")] {
        let params = RecipientParams {
            name: Some(name.to_owned()),
            ..RecipientParams::default()
        };
        let added = server.client.put_recipient(alias, &params).await;
        added.expect("added");
        let text = format!("For {name}?");
        let asked = server.client.ask(&confirm(&text, Some(alias))).await;
        last = Some(asked.expect("it is asked").id);
    }
    (server, last.expect("a question"))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener.expect("a port").port()
}

/// The paths of the recipe without a password: links, agents and probes get through with what they have of their own, and nobody
/// becomes a person there, whatever they send.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paths_without_a_password_sign_nobody_in() {
    let directory = Directory::new();
    let (server, asked) = start(&directory).await;
    let Some(nginx) = nginx(directory.path(), free_port(), &server.address) else {
        println!("skipped: nginx is not installed");
        return;
    };
    within("nginx listens", listens(&nginx)).await;
    let secret = token(&server.client, "prometheus", ScopeName::Metrics, None).await;
    let bearer = format!("Bearer {secret}");
    assert_eq!(get(&nginx, "/healthz", &[]).0, 200);
    assert_eq!(get(&nginx, "/readyz", &[]).0, 200);
    let authorized = [("Authorization", bearer.as_str())];
    assert_eq!(get(&nginx, "/metrics", &authorized).0, 200);
    let page = format!("/q/{asked}");
    let anna = password("anna:annas");
    for headers in [
        &[("X-Forwarded-User", "anna")][..],
        &[("Authorization", &anna)],
        &[("Authorization", &anna), ("X-Forwarded-User", "anna")],
    ] {
        for path in ["/mcp", "/metrics", &page] {
            let (status, reply) = get(&nginx, path, headers);
            assert_eq!(status, 401, "{path} {headers:?}: {reply}");
            assert!(!reply.contains("For Anna?"), "{reply}");
        }
    }
    let link = server.client.link(&asked, &NewLinkParams::default()).await;
    let link = link.expect("it is made").url;
    let path = format!("/q/{}", link.split_once("/q/").expect("a path").1);
    let (status, reply) = get(&nginx, &path, &[]);
    assert_eq!(status, 200, "{reply}");
    assert!(reply.contains("For Anna?"), "{reply}");
    // The page has its style, and the button of a message reaches its handler.
    assert_eq!(get(&nginx, "/web/css/base.css", &[]).0, 200);
    let (status, reply) = get(&nginx, "/press/ntfy/anna/x?key=y", &[]);
    assert!(reply.contains("<html lang="), "{status} {reply}");
}

/// Who has the password is the person, and sees what is for them; a header of the client counts for nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nginx_with_passwords_vouches_for_people() {
    let directory = Directory::new();
    let (server, asked) = start(&directory).await;
    let Some(nginx) = nginx(directory.path(), free_port(), &server.address) else {
        println!("skipped: nginx is not installed");
        return;
    };
    within("nginx listens", listens(&nginx)).await;
    assert_eq!(get(&nginx, "/me", &[]).0, 401);
    assert_eq!(
        get(&nginx, "/me", &[("Authorization", &password("anna:wrong"))]).0,
        401
    );
    let anna = password("anna:annas");
    let (status, me) = get(&nginx, "/me", &[("Authorization", &anna)]);
    assert_eq!(status, 200, "{me}");
    assert!(me.contains("\"person\":\"anna\""), "{me}");
    let claimed = [
        ("Authorization", anna.as_str()),
        ("X-Forwarded-User", "ben"),
    ];
    let (_, listed) = get(&nginx, "/inquiries", &claimed);
    assert!(
        listed.contains("For Anna?") && !listed.contains("For Ben?"),
        "{listed}"
    );
    let (status, page) = get(&nginx, "/inbox", &[("Authorization", &anna)]);
    assert_eq!(status, 200, "{page}");
    assert!(page.contains(" data-person=\"anna\""), "{page}");
    // A page of another site has the password of the browser, too.
    let line = format!("POST /inquiries/{asked}/answer");
    let own = format!("http://{}", nginx.address);
    let answer = r#"{"answers": {"go": true}}"#;
    for (origin, expected) in [("https://evil.example", 403), (own.as_str(), 200)] {
        let headers = [("Authorization", anna.as_str()), ("Origin", origin)];
        let (status, reply) = send(&nginx, &line, &headers, answer);
        assert_eq!(status, expected, "{reply}");
    }
    let answered = server.client.inquiry(&asked).await.expect("it is there");
    assert_eq!(answered.answered_by.as_deref(), Some("Anna"));
    assert_eq!(answered.identity.as_deref(), Some("proxy:anna"));
}
