//! A node with a fixed address that reaches PostgreSQL through a proxy, so that it can be killed, stopped
//! and cut off while its clients go on.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use askback_client::Client;
use askback_store::conformance::{FaultProxy, PostgresServer};
use askback_wire::token::Token;
use serde_json::Value;

use super::server_process::{Directory, Server, TOKEN};
use super::timeout::TEST_TIMEOUT;

/// Debian's package faketime.
const FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

pub(crate) struct FaultyNode {
    directory: Directory,
    address: String,
    provider: String,
    store: String,
    env: Vec<(&'static str, &'static str)>,
    pub(crate) proxy: FaultProxy,
    /// Stays valid when the node is started again.
    pub(crate) client: Client,
    server: Option<Server>,
}

impl FaultyNode {
    /// Prepares a node with the shortest lease. It has yet to be started.
    pub(crate) fn new(postgres: &PostgresServer, database: &str, script: &Value) -> FaultyNode {
        let directory = Directory::new();
        let path = directory.path().join("script.json");
        std::fs::write(&path, script.to_string()).expect("the script can be written");
        let proxy = FaultProxy::start(postgres).expect("the proxy starts");
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = free.local_addr().expect("it has an address").to_string();
        drop(free);
        let client = Client::new(&format!("http://{address}"), Some(Token::new(TOKEN)));
        FaultyNode {
            address,
            provider: format!("scripted:{}", path.display()),
            store: format!("{}?lease=2s", proxy.url(database)),
            env: Vec::new(),
            proxy,
            client: client.expect("the address is valid"),
            server: None,
            directory,
        }
    }

    /// Sets the clock of the node a minute forward. False if that is not possible here.
    pub(crate) fn set_clock_forward(&mut self) -> bool {
        if !Path::new(FAKETIME).exists() {
            return false;
        }
        self.env = vec![
            ("LD_PRELOAD", FAKETIME),
            ("FAKETIME", "+60s"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
            ("DONT_FAKE_MONOTONIC", "1"),
            ("FAKETIME_DISABLE_SHM", "1"),
        ];
        true
    }

    /// Starts the node, again and again while it cannot start because the database does.
    pub(crate) fn start(&mut self) {
        let args = ["--provider", &self.provider, "--store", &self.store];
        let started = tokio::time::Instant::now();
        let server = loop {
            match Server::try_start_at(&self.directory, &self.address, &args, &self.env) {
                Ok(server) => break server,
                Err(log) => assert!(started.elapsed() < TEST_TIMEOUT, "no node: {log}"),
            }
        };
        self.server = Some(server);
    }

    pub(crate) fn server(&self) -> &Server {
        self.server.as_ref().expect("it was started")
    }

    pub(crate) fn kill(&mut self) {
        self.server.take().expect("it was started").kill();
    }

    pub(crate) fn terminate(&mut self) {
        self.server.take().expect("it was started").terminate();
    }
}
