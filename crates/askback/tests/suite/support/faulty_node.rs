//! A node with a fixed address that can be killed, stopped, paused and cut off from PostgreSQL while its clients
//! go on.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use askback_client::Client;
use askback_store_testing::{FaultProxy, PostgresServer};
use askback_wire::token::Token;
use serde_json::Value;

use super::server_process::{Directory, Server, TOKEN};
use super::timeout::TEST_TIMEOUT;

/// Debian's package faketime.
const FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

pub(crate) struct FaultyNode {
    directory: Directory,
    address: String,
    args: Vec<String>,
    env: Vec<(&'static str, &'static str)>,
    proxy: Option<FaultProxy>,
    /// Stays valid when the node is started again.
    pub(crate) client: Client,
    server: Option<Server>,
}

impl FaultyNode {
    /// Prepares a node with a database of its own. It has yet to be started.
    pub(crate) fn on_sqlite(script: &Value) -> FaultyNode {
        let directory = Directory::new();
        let path = directory.path().join("script.json");
        std::fs::write(&path, script.to_string()).expect("the script can be written");
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = free.local_addr().expect("it has an address").to_string();
        drop(free);
        let client = Client::new(&format!("http://{address}"), Some(Token::new(TOKEN)));
        FaultyNode {
            address,
            args: vec![
                "--provider".to_owned(),
                format!("scripted:{}", path.display()),
            ],
            env: Vec::new(),
            proxy: None,
            client: client.expect("the address is valid"),
            server: None,
            directory,
        }
    }

    /// Prepares a node with the shortest lease, which reaches PostgreSQL through a proxy.
    pub(crate) fn on_postgres(
        postgres: &PostgresServer,
        database: &str,
        script: &Value,
    ) -> FaultyNode {
        let mut node = FaultyNode::on_sqlite(script);
        let proxy = FaultProxy::start(postgres).expect("the proxy starts");
        let store = format!("{}?lease=2s", proxy.url(database));
        node.add_args(&["--store", &store]);
        node.proxy = Some(proxy);
        node
    }

    pub(crate) fn add_args(&mut self, args: &[&str]) {
        self.args.extend(args.iter().map(|arg| (*arg).to_owned()));
    }

    /// Writes a configuration file for the node.
    pub(crate) fn configure(&mut self, config: &str) {
        let path = self.directory.path().join("askback.toml");
        std::fs::write(&path, config).expect("it can be written");
        self.add_args(&["--config", path.to_str().expect("the path is text")]);
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
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
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

    /// Its connections to PostgreSQL.
    pub(crate) fn proxy(&self) -> &FaultProxy {
        self.proxy.as_ref().expect("it is on PostgreSQL")
    }

    /// The file of its own database.
    pub(crate) fn database(&self) -> PathBuf {
        self.directory.path().join("data/askback.db")
    }

    pub(crate) fn kill(&mut self) {
        self.server.take().expect("it was started").kill();
    }

    pub(crate) fn terminate(&mut self) {
        self.server.take().expect("it was started").terminate();
    }

    pub(crate) fn pause(&self) {
        self.server().pause();
    }

    pub(crate) fn resume(&self) {
        self.server().resume();
    }
}
