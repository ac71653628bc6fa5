//! A server whose address was found and not named proves on every connection that it knows the token,
//! before it gets a request: the port of a server that died may belong to a stranger by now.

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

/// How long a proof may take; a server that is only busy has time enough.
const PROOF_MAX: Duration = Duration::from_secs(5);
/// Bytes of a reply that are read; a proof is far smaller.
const REPLY_BYTES_MAX: usize = 4096;

/// The server that must be at the other end.
#[derive(Debug)]
struct Expected {
    /// As the server itself writes it.
    address: String,
    token: Token,
}

/// Makes connections that are handed out only once the server has proved itself.
#[derive(Debug, Clone)]
pub(crate) struct ProveLayer(Arc<Expected>);

impl ProveLayer {
    pub(crate) fn new(address: &str, token: &Token) -> ProveLayer {
        ProveLayer(Arc::new(Expected {
            address: address.to_owned(),
            token: token.clone(),
        }))
    }
}

impl<S> Layer<S> for ProveLayer {
    type Service = Prove<S>;

    fn layer(&self, connect: S) -> Prove<S> {
        Prove {
            expected: Arc::clone(&self.0),
            connect,
        }
    }
}

/// Connects, and asks for the proof.
#[derive(Debug, Clone)]
pub(crate) struct Prove<S> {
    expected: Arc<Expected>,
    connect: S,
}

impl<S, D> Service<D> for Prove<S>
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
            tokio::time::timeout(PROOF_MAX, proving)
                .await
                .map_err(|_| stranger("it gives no proof"))??;
            Ok(connection.into_inner())
        })
    }
}

impl Expected {
    /// Asks for the proof over a fresh connection, which can be used for requests afterwards.
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
        let body = reply(connection).await?;
        let given: ProofResponse =
            serde_json::from_slice(&body).map_err(|_| stranger("it gives no proof"))?;
        if !is_proof(&given.proof, self.token.reveal(), &self.address, &nonce) {
            return Err(stranger("its proof is wrong"));
        }
        Ok(())
    }
}

/// The body of a reply that ends where it says, so that nothing of it is left on the connection.
async fn reply(connection: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= REPLY_BYTES_MAX {
            return Err(stranger("its reply is too long"));
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
        return Err(stranger("it does not give a proof"));
    }
    let length = field("content-length").and_then(|length| length.parse().ok());
    let length: usize = length.ok_or_else(|| stranger("its reply has no length"))?;
    if length > REPLY_BYTES_MAX {
        return Err(stranger("its reply is too long"));
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    Ok(body)
}

fn stranger(why: &str) -> io::Error {
    io::Error::other(format!(
        "whoever listens there is not the server of the data directory: {why}"
    ))
}
