//! What may end a run.
use std::{fmt, process::ExitCode};

/// Why a bot process ended that was not told to. Each says everything in its own message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A flag or variable is wrong.
    Settings(String),
    /// The bot's own code failed, and it was asked to stop then.
    Fault(String),
    /// The service does not want this bot: trying again is useless.
    Refused(String),
    /// The service was out of reach for too long.
    GivenUp(String),
}

pub(crate) const INTERRUPTED: u8 = 130;

impl Error {
    pub(crate) fn exit_status(&self) -> u8 {
        match self {
            Error::Fault(_) => 1,
            Error::Settings(_) | Error::Refused(_) => 2,
            Error::GivenUp(_) => 3,
        }
    }
}

impl From<&Error> for ExitCode {
    fn from(error: &Error) -> ExitCode {
        error.exit_status().into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Settings(message)
            | Error::Fault(message)
            | Error::Refused(message)
            | Error::GivenUp(message) => out.write_str(message),
        }
    }
}

impl std::error::Error for Error {}
