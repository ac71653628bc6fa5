//! A client that stops reading is disconnected, and resumes where it was.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use askback_channels::{ChannelsConfig, Dispatcher};
use askback_client::{Client, FeedItem};
use askback_server::{AgentLimits, Guard, ServeOptions, ServerControl, Unaddressed};
use askback_wire::inquiry::NewInquiryParams;
use askback_wire::server_process::ServerRole;
use askback_wire::sse::{SseFrame, SseParser};
use askback_wire::token::Token;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use super::support::in_process_server;
use super::support::server_process::{Directory, TOKEN, next_item};
use super::support::timeout::within;

/// Small enough to be full soon.
const BUFFER: u32 = 4096;
/// Events of which the buffers hold only some.
const QUESTIONS: usize = 200;

/// Listens with small buffers, which accepted connections inherit.
fn listen() -> TcpListener {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_send_buffer_size(BUFFER).expect("it can be set");
    socket
        .bind(SocketAddr::from(([127, 0, 0, 1], 0)))
        .expect("it binds");
    socket.listen(64).expect("it listens")
}

/// Requests the global feed and reads nothing.
async fn open_feed(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(BUFFER).expect("it can be set");
    let mut stream = socket.connect(address).await.expect("it listens");
    let head = format!(
        "GET /events?after=0 HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    stream
}

async fn ask(client: &Client, questions: usize) {
    for number in 0..questions {
        let params = NewInquiryParams {
            input: json!({"question": format!("{number} {}", "x".repeat(400)), "options": ["A"]}),
            ..NewInquiryParams::default()
        };
        client.ask(&params).await.expect("it is asked");
    }
}

/// Feeds that are open now.
async fn open_feeds(address: SocketAddr) -> String {
    metric(address, "askback_event_streams").await
}

/// The value of a metric without labels.
pub(super) async fn metric(address: SocketAddr, name: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let head = format!(
        "GET /metrics HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("figures");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.expect("it is among the metrics").to_owned()
}

/// The frames that had arrived before the connection was cut, without the chunks of HTTP.
async fn what_arrived(mut stream: TcpStream) -> Vec<SseFrame> {
    let mut bytes = Vec::new();
    // It ends, or it is reset: both are an end.
    drop(stream.read_to_end(&mut bytes).await);
    let text = String::from_utf8_lossy(&bytes);
    let (_, mut chunks) = text.split_once("\r\n\r\n").expect("a head came");
    let mut parser = SseParser::new();
    let mut frames = Vec::new();
    while let Some((length, rest)) = chunks.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("a length");
        let Some(chunk) = rest.get(..length) else {
            break;
        };
        frames.extend(parser.push(chunk.as_bytes()).expect("frames"));
        chunks = rest[length..].trim_start_matches("\r\n");
    }
    frames
}

/// The events of a feed after a sequence number, as (sequence, name), up to another one.
async fn events(client: &Client, after: u64, until: u64) -> Vec<(u64, String)> {
    let mut feed = client.events(Some(after));
    let mut seen = Vec::new();
    while seen.last().is_none_or(|(sequence, _)| *sequence < until) {
        if let FeedItem::Event(event) = next_item(&mut feed).await
            && let Some(sequence) = event.sequence()
        {
            seen.push((sequence, event.name().to_owned()));
        }
    }
    seen
}

/// The stalled reader resumes from its last id, without gaps or repeats.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_reader_is_cut_off_and_resumes() {
    let directory = Directory::new();
    let (engine, _store) = in_process_server::engine(&directory.path().join("stalled.db")).await;
    let guard = Guard {
        token: askback_server::Token::chosen(TOKEN).expect("a token"),
        hosts: Vec::new(),
        origins: Vec::new(),
        frame_origins: Vec::new(),
        unaddressed: Unaddressed::default(),
        agent_limits: AgentLimits::default(),
        identity: None,
        public_url: None,
        webhooks: Arc::default(),
    };
    let listener = listen();
    let address = listener.local_addr().expect("an address");
    let options = ServeOptions {
        write_timeout: Duration::from_millis(200),
    };
    let channels = Dispatcher::start(engine.clone(), ChannelsConfig::default()).await;
    let channels = channels.expect("the store works");
    let router = askback_server::router(askback_server::ServerParts {
        engine: engine.clone(),
        apps: Vec::new(),
        guard,
        control: ServerControl::new(&address.to_string(), ServerRole::Dedicated),
        mcp: None,
        channels,
        recipient_names: askback_server::RecipientNames::default(),
        has_model: true,
        local_agents: Default::default,
    });
    tokio::spawn(askback_server::serve(
        listener,
        router,
        options,
        std::future::pending(),
    ));
    let client = Client::new(&format!("http://{address}"), Some(Token::new(TOKEN))).unwrap();
    let stalled = open_feed(address).await;
    ask(&client, QUESTIONS).await;
    let cut_off = async { while open_feeds(address).await != "0" {} };
    within("the reader is cut off", cut_off).await;
    let frames = within("the connection ends", what_arrived(stalled)).await;
    let last = frames.iter().rev().find_map(|frame| frame.id.as_ref());
    let last: u64 = last.expect("some events came").parse().expect("a sequence");
    let newest = engine.store().newest_sequence().await.expect("a sequence");
    assert!(
        last < newest,
        "it did not get everything: {last} of {newest}"
    );
    let whole = events(&client, 0, newest).await;
    let split = whole.partition_point(|(sequence, _)| *sequence <= last);
    let before: Vec<&str> = frames.iter().map(|frame| frame.event.as_str()).collect();
    let expected: Vec<&str> = whole.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(
        before[..split],
        expected[..split],
        "what came before the cut"
    );
    assert_eq!(events(&client, last, newest).await, whole[split..]);
}
