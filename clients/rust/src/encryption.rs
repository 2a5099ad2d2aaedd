//! The files that encryption needs.
use std::{error::Error as _, fs, path::Path};

use tonic::transport::{self, Certificate, Identity};

use crate::{Error, Settings};

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
