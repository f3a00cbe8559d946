//! TLS to servers: whose certificates are believed, by the mode that the address asks for.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::DatabaseError;
use super::address::Tls;
use super::sources::Target;

/// Makes what turns connections into TLS ones; none where none is wanted.
pub(super) fn connector(target: &Target) -> Result<Option<MakeRustlsConnect>, DatabaseError> {
    if target.tls == Tls::Disable || target.is_socket() {
        return Ok(None);
    }
    let provider = Arc::new(ring::default_provider());
    let config = believing(target, provider).map_err(|words| DatabaseError::Open {
        what: format!("no TLS to {}: {words}", target.place()),
        hint: "Give the file of the authority as ?sslrootcert=FILE, or another sslmode.".to_owned(),
    })?;
    Ok(Some(MakeRustlsConnect::new(config)))
}

fn believing(target: &Target, provider: Arc<CryptoProvider>) -> Result<ClientConfig, String> {
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().map_err(|e| e.to_string())?;
    // as the server's own clients do, an authority that was named is always asked
    let checks = matches!(target.tls, Tls::VerifyAuthority | Tls::VerifyFull);
    let config = match &target.authority {
        Some(file) if checks || target.tls == Tls::Require => {
            let inner = of_file(file, &provider)?;
            if target.tls == Tls::VerifyFull {
                builder.with_webpki_verifier(inner)
            } else {
                let verifier = Arc::new(AnyName(inner));
                builder.dangerous().with_custom_certificate_verifier(verifier)
            }
        }
        None if checks => builder.with_platform_verifier().map_err(|e| e.to_string())?,
        Some(_) | None => {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(Anyone(provider)))
        }
    };
    Ok(config.with_no_client_auth())
}

fn of_file(
    file: &std::path::Path,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|e| unreadable(&e))? {
        let certificate = certificate.map_err(|e| unreadable(&e))?;
        roots.add(certificate).map_err(|e| unreadable(&e))?;
    }
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|e| unreadable(&e))
}

/// Believes any server: the connection is kept from listeners, not from impostors. This is what
/// `prefer` and `require` mean to the server's own clients; a notice says so.
#[derive(Debug)]
struct Anyone(Arc<CryptoProvider>);

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Believes a good certificate of any name.
#[derive(Debug)]
struct AnyName(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        end: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.0.verify_server_cert(end, between, name, ocsp, now) {
            // the name is looked at last, when all else was found good
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, cert, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, cert, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
