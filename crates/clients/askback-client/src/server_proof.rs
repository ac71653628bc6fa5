//! A server from a data directory must prove on every connection that it knows the token, before it gets a
//! request: another program may listen on the port of a dead server.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt::{Read, Write};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tower::{BoxError, Layer, Service};

use askback_wire::server_process::{PROOF_PATH, ProofResponse, hex, is_proof};
use askback_wire::token::Token;

/// Long enough for a busy server.
const PROOF_TIMEOUT: Duration = Duration::from_secs(5);
/// A proof is far smaller.
const REPLY_BYTES_MAX: usize = 4096;

/// What the server must prove.
#[derive(Debug)]
struct ExpectedServer {
    /// As the server writes it.
    address: String,
    token: Token,
}

/// Wraps a connector so that it returns only connections to the expected server.
#[derive(Debug, Clone)]
pub(crate) struct ServerProofLayer(Arc<ExpectedServer>);

impl ServerProofLayer {
    pub(crate) fn new(address: &str, token: &Token) -> ServerProofLayer {
        ServerProofLayer(Arc::new(ExpectedServer {
            address: address.to_owned(),
            token: token.clone(),
        }))
    }
}

impl<S> Layer<S> for ServerProofLayer {
    type Service = ServerProofService<S>;

    fn layer(&self, connect: S) -> ServerProofService<S> {
        ServerProofService {
            expected: Arc::clone(&self.0),
            connect,
        }
    }
}

/// Connects and checks the proof.
#[derive(Debug, Clone)]
pub(crate) struct ServerProofService<S> {
    expected: Arc<ExpectedServer>,
    connect: S,
}

impl<S, D> Service<D> for ServerProofService<S>
where
    S: Service<D, Error = BoxError>,
    S::Response: Read + Write + Unpin + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.connect.poll_ready(cx)
    }

    fn call(&mut self, destination: D) -> Self::Future {
        let connecting = self.connect.call(destination);
        let expected = Arc::clone(&self.expected);
        Box::pin(async move {
            let mut connection = TokioIo::new(connecting.await?);
            let proving = expected.prove(&mut connection);
            tokio::time::timeout(PROOF_TIMEOUT, proving)
                .await
                .map_err(|_| wrong_server("it gives no proof"))??;
            Ok(connection.into_inner())
        })
    }
}

impl ExpectedServer {
    /// Requests the proof over a new connection, which can be used for requests afterwards.
    async fn prove(
        &self,
        connection: &mut (impl AsyncRead + AsyncWrite + Unpin),
    ) -> io::Result<()> {
        let mut random = [0_u8; 32];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let nonce = hex(&random);
        let host = self.address.split_once("://").map_or("", |(_, host)| host);
        let request = format!(
            "GET {PROOF_PATH}?nonce={nonce} HTTP/1.1\r\nhost: {host}\r\naccept: application/json\r\n\r\n"
        );
        connection.write_all(request.as_bytes()).await?;
        let body = response(connection).await?;
        let given: ProofResponse =
            serde_json::from_slice(&body).map_err(|_| wrong_server("it gives no proof"))?;
        if !is_proof(&given.proof, self.token.reveal(), &self.address, &nonce) {
            return Err(wrong_server("its proof is wrong"));
        }
        Ok(())
    }
}

/// Reads exactly one response, so that nothing of it stays in the connection.
async fn response(connection: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= REPLY_BYTES_MAX {
            return Err(wrong_server("its response is too long"));
        }
        head.push(connection.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    let field = |name: &str| {
        let mut fields = head.lines().filter_map(|line| line.split_once(':'));
        let found = fields.find(|(field, _)| field.trim() == name);
        found.map(|(_, value)| value.trim().to_owned())
    };
    if status.split(' ').nth(1) != Some("200") || field("connection").as_deref() == Some("close") {
        return Err(wrong_server("it does not give a proof"));
    }
    let length = field("content-length").and_then(|length| length.parse().ok());
    let length: usize = length.ok_or_else(|| wrong_server("its response has no length"))?;
    if length > REPLY_BYTES_MAX {
        return Err(wrong_server("its response is too long"));
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    Ok(body)
}

fn wrong_server(why: &str) -> io::Error {
    io::Error::other(format!(
        "the program at this address is not the server of the data directory: {why}"
    ))
}
