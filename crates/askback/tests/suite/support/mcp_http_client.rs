//! A scripted MCP client over streamable HTTP, one connection for each request.
//!
//! The server writes each event as one chunk, so that lines that begin with `data: {` are messages.

use std::cell::Cell;
use std::io::{BufReader, Write as _};
use std::net::{Shutdown, TcpStream};

use serde_json::{Value, json};

use super::mcp_client::Era;
use super::server_process::TOKEN;
use super::timeout::Lines;

/// An agent that is connected over HTTP.
pub(crate) struct HttpAgent {
    /// `http://127.0.0.1:PORT`.
    pub(crate) address: String,
    pub(crate) era: Era,
    pub(crate) token: String,
    pub(crate) name: &'static str,
    /// With the question mark.
    query: String,
    capabilities: Value,
    pub(crate) session: Option<String>,
    project_header: Option<String>,
    /// Whom it asks.
    pub(crate) recipient: Option<&'static str>,
    next: Cell<i64>,
}

impl HttpAgent {
    /// An agent that works in a project of its own.
    pub(crate) fn start(address: &str, era: Era) -> HttpAgent {
        HttpAgent::with(address, era, "test-agent", "?project=/srv/webshop")
    }

    /// The same for a client that can do more.
    pub(crate) fn with_capabilities(
        address: &str,
        (name, era): (&'static str, Era),
        capabilities: Value,
    ) -> HttpAgent {
        let mut agent = HttpAgent {
            address: address.to_owned(),
            era,
            token: TOKEN.to_owned(),
            name,
            query: "?project=/srv/webshop".to_owned(),
            capabilities,
            session: None,
            project_header: None,
            recipient: None,
            next: Cell::new(1),
        };
        agent.connect();
        agent
    }

    pub(crate) fn with(address: &str, era: Era, name: &'static str, query: &str) -> HttpAgent {
        HttpAgent::with_token(address, era, (name, query), TOKEN)
    }

    /// An agent that names its project in a header.
    pub(crate) fn in_project(address: &str, era: Era, header: &str) -> HttpAgent {
        let mut agent = HttpAgent {
            address: address.to_owned(),
            era,
            token: TOKEN.to_owned(),
            name: "test-agent",
            query: String::new(),
            capabilities: json!({}),
            session: None,
            project_header: Some(header.to_owned()),
            recipient: None,
            next: Cell::new(1),
        };
        agent.connect();
        agent
    }

    pub(crate) fn with_token(
        address: &str,
        era: Era,
        (name, query): (&'static str, &str),
        token: &str,
    ) -> HttpAgent {
        let mut agent = HttpAgent {
            address: address.to_owned(),
            era,
            token: token.to_owned(),
            name,
            query: query.to_owned(),
            capabilities: json!({}),
            session: None,
            project_header: None,
            recipient: None,
            next: Cell::new(1),
        };
        agent.connect();
        agent
    }

    fn connect(&mut self) {
        if self.era == Era::New {
            let found = self.request("server/discover", json!({})).response();
            let about = &found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
            assert_eq!(about["name"], "askback", "{found}");
            return;
        }
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": self.capabilities,
            "clientInfo": {"name": self.name, "version": "1"},
        });
        let response = self.request("initialize", params);
        self.session = response.header("mcp-session-id").map(str::to_owned);
        assert!(self.session.is_some(), "{:?}", response.head);
        let begun = response.response();
        assert_eq!(begun["result"]["serverInfo"]["name"], "askback", "{begun}");
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(&done, &[]).status(), 202);
    }

    /// Sends a request of the agent's era.
    pub(crate) fn request(&self, method: &str, mut params: Value) -> HttpResponse {
        let id = self.next.replace(self.next.get() + 1);
        let mut headers = Vec::new();
        if self.era == Era::New {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            params["_meta"]["io.modelcontextprotocol/clientInfo"] =
                json!({"name": self.name, "version": "1"});
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                self.capabilities.clone();
            headers.push(("MCP-Protocol-Version", "2026-07-28".to_owned()));
            headers.push(("Mcp-Method", method.to_owned()));
            let named = [&params["name"], &params["taskId"]];
            if let Some(name) = named.iter().find_map(|name| name.as_str()) {
                headers.push(("Mcp-Name", name.to_owned()));
            }
        }
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let mut response = self.post(&message, &headers);
        response.id = id;
        response
    }

    /// Posts a message and reads the head of the response.
    pub(crate) fn post(&self, message: &Value, headers: &[(&str, &str)]) -> HttpResponse {
        let body = message.to_string();
        let length = body.len().to_string();
        let mut all = vec![
            ("Content-Type", "application/json"),
            ("Content-Length", length.as_str()),
            ("Accept", "application/json, text/event-stream"),
        ];
        all.extend(headers);
        self.send("POST", &all, &body)
    }

    /// Sends a request with the token and the session.
    pub(crate) fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> HttpResponse {
        let host = self.address.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).expect("the server listens");
        let bearer = format!("Bearer {}", self.token);
        let mut all = vec![
            ("Host", host),
            ("Connection", "close"),
            ("Authorization", &bearer),
        ];
        if let Some(session) = &self.session {
            all.push(("Mcp-Session-Id", session));
        }
        if let Some(project) = &self.project_header {
            all.push(("Askback-Project", project));
        }
        if let Some(recipient) = self.recipient {
            all.push(("Askback-Recipient", recipient));
        }
        all.extend(headers);
        let mut request = format!("{method} /mcp{} HTTP/1.1\r\n", self.query);
        for (name, value) in all {
            request.extend([name, ": ", value, "\r\n"]);
        }
        request.push_str("\r\n");
        request.push_str(body);
        stream.write_all(request.as_bytes()).expect("it is read");
        let reader = stream.try_clone().expect("it can be read");
        let lines = Lines::of(BufReader::new(reader));
        let head = std::iter::from_fn(|| lines.next().filter(|line| !line.is_empty())).collect();
        HttpResponse {
            stream,
            lines,
            head,
            id: 0,
        }
    }

    /// Begins a tool call.
    pub(crate) fn begin(&self, tool: &str, arguments: &Value) -> HttpResponse {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool and gives its result.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Value {
        self.begin(tool, arguments).result()
    }

    /// Gives a call up, as a client of its era does whose time-out has passed.
    pub(crate) fn give_up(&self, call: HttpResponse) {
        if self.era == Era::Old {
            let cancel = json!({
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {"requestId": call.id, "reason": "timed out"},
            });
            assert_eq!(self.post(&cancel, &[]).status(), 202);
        }
        call.disconnect();
    }
}

/// A response whose head was read.
pub(crate) struct HttpResponse {
    stream: TcpStream,
    lines: Lines,
    pub(crate) head: Vec<String>,
    pub(crate) id: i64,
}

impl HttpResponse {
    pub(crate) fn status(&self) -> u16 {
        let line = self.head.first().map_or("", String::as_str);
        let status = line.split(' ').nth(1);
        status.and_then(|status| status.parse().ok()).unwrap_or(0)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let headers = self.head.iter().filter_map(|line| line.split_once(": "));
        let mut headers = headers.filter(|(known, _)| known.eq_ignore_ascii_case(name));
        headers.next().map(|(_, value)| value)
    }

    /// The next line of the body; none at its end.
    pub(crate) fn line(&self) -> Option<String> {
        self.lines.next()
    }

    /// The next message; none if the response ends before one.
    pub(crate) fn message(&self) -> Option<Value> {
        loop {
            let line = self.line()?;
            let json = line.strip_prefix("data: ").unwrap_or(&line);
            if json.starts_with('{') {
                return Some(serde_json::from_str(json).expect("a message is JSON"));
            }
        }
    }

    /// The response to the request; what comes before it is passed over.
    pub(crate) fn response(&self) -> Value {
        loop {
            let message = self.message().expect("there is a response");
            if message["id"] == self.id {
                return message;
            }
        }
    }

    /// The result of a call.
    pub(crate) fn result(&self) -> Value {
        let response = self.response();
        assert!(response["result"].is_object(), "{response}");
        response["result"].clone()
    }

    /// Closes the connection, as a client does that is killed.
    pub(crate) fn disconnect(self) {
        drop(self.stream.shutdown(Shutdown::Both));
    }
}
