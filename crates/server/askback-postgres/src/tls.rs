//! TLS for connections to PostgreSQL, with the certificates of the system or a given one.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as RustlsStream;

use askback_store::store::StoreError;

/// What is wrong with the certificate of the server, and what to do. `None` if that is not the problem.
pub(super) fn certificate_problem(error: &io::Error) -> Option<String> {
    let error = error.get_ref()?.downcast_ref::<rustls::Error>()?;
    let rustls::Error::InvalidCertificate(problem) = error else {
        return None;
    };
    let is_for_another_host = matches!(
        problem,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }
    );
    let has_expired = matches!(
        problem,
        CertificateError::Expired | CertificateError::ExpiredContext { .. }
    );
    let what_to_do = if *problem == CertificateError::UnknownIssuer {
        "it is not signed by a trusted authority; name the certificate of its authority with \
         sslrootcert= in the URL"
    } else if is_for_another_host {
        "it is for another host; connect to a name that is in the certificate"
    } else if has_expired {
        "it has expired; renew it"
    } else {
        "it is not valid"
    };
    Some(format!(
        "the certificate of the server is refused: {what_to_do} ({problem})"
    ))
}

/// Makes TLS connections to PostgreSQL.
#[derive(Clone)]
pub(super) struct Tls {
    connector: TlsConnector,
}

impl Tls {
    /// Trusts the certificates of the file, or those of the system.
    pub(super) fn new(root_certificate: Option<&Path>) -> Result<Tls, StoreError> {
        let unusable = |why: String| StoreError::Unavailable(format!("TLS to PostgreSQL: {why}"));
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| unusable(error.to_string()))?;
        let config = match root_certificate {
            Some(path) => builder.with_root_certificates(
                read_roots(path)
                    .map_err(|why| unusable(format!("cannot use {}: {why}", path.display())))?,
            ),
            None => builder
                .with_platform_verifier()
                .map_err(|error| unusable(error.to_string()))?,
        };
        Ok(Tls {
            connector: TlsConnector::from(Arc::new(config.with_no_client_auth())),
        })
    }
}

fn read_roots(path: &Path) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| error.to_string())?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("it has no certificate".to_owned());
    }
    Ok(roots)
}

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type TlsConnect = TlsToHost;
    type Error = io::Error;

    /// Also called for connections without TLS, and for sockets, which have no name.
    fn make_tls_connect(&mut self, domain: &str) -> Result<TlsToHost, io::Error> {
        Ok(TlsToHost {
            connector: self.connector.clone(),
            host: ServerName::try_from(domain.to_owned()).ok(),
        })
    }
}

/// Starts TLS with one host.
pub(super) struct TlsToHost {
    connector: TlsConnector,
    host: Option<ServerName<'static>>,
}

impl<S> TlsConnect<S> for TlsToHost
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let unnamed = || io::Error::other("the host has no name that a certificate could have");
            let host = self.host.ok_or_else(unnamed)?;
            let stream = self.connector.connect(host, stream).await?;
            Ok(Encrypted(stream))
        })
    }
}

/// A stream in TLS.
pub(super) struct Encrypted<S>(RustlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
