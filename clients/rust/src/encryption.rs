//! The files that encryption needs.
use std::{error::Error as _, fs, path::Path};

use tonic::{
    Code,
    transport::{self, Certificate, Identity},
};

use crate::{Error, Settings, stream::Lost};

/// The files of a certificate, to be shown to the other end, and of its key.
pub(crate) struct Pair<'a> {
    certificate: &'a Path,
    key: &'a Path,
}

impl<'a> Pair<'a> {
    pub(crate) fn of(settings: &'a Settings) -> Option<Self> {
        let (certificate, key) = (settings.certificate.as_ref()?, settings.key.as_ref()?);
        Some(Pair { certificate, key })
    }

    /// Whether the two fit is told by whoever takes it.
    pub(crate) fn identity(&self) -> Result<Identity, Error> {
        let read = |file| fs::read(file).map_err(|error| self.unfit(error.to_string()));
        Ok(Identity::from_pem(read(self.certificate)?, read(self.key)?))
    }

    /// What is to be said where it was not taken.
    pub(crate) fn wrong(&self, error: &transport::Error) -> Error {
        self.unfit(error.source().map_or_else(|| error.to_string(), ToString::to_string))
    }

    fn unfit(&self, why: String) -> Error {
        let (certificate, key) = (self.certificate.display(), self.key.display());
        Error::Settings(format!("{certificate} and {key} are no certificate with its key ({why})"))
    }
}

/// Certificates to trust.
pub(crate) fn authorities_in(file: &Path) -> Result<Certificate, Error> {
    let name = file.display();
    let pem = fs::read_to_string(file)
        .map_err(|error| Error::Settings(format!("cannot read {name}: {error}")))?;
    if !pem.contains("-----BEGIN CERTIFICATE-----") {
        return Err(Error::Settings(format!("{name} holds no certificate")));
    }
    Ok(Certificate::from_pem(pem))
}

/// Which certificate may be missing. A service that misses one, or does not accept it, takes
/// the connection and, without a word, hangs up after the handshake.
pub(crate) fn advice(settings: &Settings, lost: &Lost) -> String {
    let Lost::Call(status) = lost else {
        return String::new();
    };
    // What cannot be reached is unavailable instead.
    let hung_up = matches!(status.code(), Code::Unknown | Code::Cancelled);
    match &settings.certificate {
        _ if !settings.tls || !hung_up => String::new(),
        None => "; if the service wants its callers to show a certificate, give --certificate and \
                 --key"
            .into(),
        Some(shown) => format!(
            "; if the service wants a certificate of its callers, it does not accept {}",
            shown.display()
        ),
    }
}
