//! Behind nginx with passwords: the proxy says who somebody is, and nobody else can. Skipped where nginx is not installed.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use askback_channels::base64url;
use askback_wire::recipient::RecipientParams;

use super::support::raw_http::request;
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;
use super::token_scopes::confirm;

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

fn nginx(directory: &Path, port: u16, upstream: &str) -> Option<Nginx> {
    fs::write(directory.join("passwords"), PASSWORDS).expect("written");
    let path = directory.display();
    let config = format!(
        "daemon off; master_process off; pid {path}/nginx.pid; error_log {path}/nginx.log;
         events {{}}
         http {{
           access_log off; client_body_temp_path {path}/body; proxy_temp_path {path}/proxy;
           fastcgi_temp_path {path}/fastcgi; uwsgi_temp_path {path}/uwsgi; scgi_temp_path {path}/scgi;
           server {{
             listen 127.0.0.1:{port};
             location / {{
               auth_basic askback; auth_basic_user_file {path}/passwords;
               proxy_set_header Host $http_host;
               proxy_set_header X-Forwarded-User $remote_user;
               proxy_set_header Authorization '';
               proxy_pass {upstream};
             }}
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

/// The status and the body of a reply through the proxy.
fn get(nginx: &Nginx, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    use std::io::{Read as _, Write as _};
    let stream = std::net::TcpStream::connect(&nginx.address);
    let mut stream = stream.expect("it listens");
    let own = [("Host", nginx.address.as_str())];
    let bytes = request(&format!("GET {path}"), &[&own, headers].concat());
    stream.write_all(&bytes).expect("it is sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    let status = reply.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.expect("a status"), reply)
}

/// Who has the password is the person, and sees what is for them; a header of the client counts for nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nginx_with_passwords_vouches_for_people() {
    let directory = Directory::new();
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = port.expect("a port").port();
    let proxy = [
        "--identity-header",
        "X-Forwarded-User",
        "--trusted-proxy",
        "127.0.0.1",
    ];
    let server = Server::start_with(&directory, &proxy);
    for (alias, name) in [("anna", "Anna"), ("ben", "Ben")] {
        let params = RecipientParams {
            name: Some(name.to_owned()),
            ..RecipientParams::default()
        };
        server
            .client
            .put_recipient(alias, &params)
            .await
            .expect("added");
        let asked = server
            .client
            .ask(&confirm(&format!("For {name}?"), Some(alias)))
            .await;
        asked.expect("it is asked");
    }
    let Some(nginx) = nginx(directory.path(), port, &server.address) else {
        println!("skipped: nginx is not installed");
        return;
    };
    let password = |text: &str| {
        let encoded = base64url::encode(text.as_bytes());
        format!("Basic {}", encoded.replace('-', "+").replace('_', "/"))
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
}
