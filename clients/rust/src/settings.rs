//! Where a bot process goes, and how: flags over variables over defaults.
use std::{fs, path::PathBuf, str::FromStr, time::Duration};

use ring::rand::{SecureRandom, SystemRandom};
use tracing::Level;

use crate::Error;

/// What follows when a bot's own code panics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The table is told at once that there is no answer; the other tables go on.
    #[default]
    Concede,
    /// The process ends with exit status 1.
    Stop,
}

/// Settings of a bot process.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the service listens, HOST:PORT.
    pub address: String,
    /// The bot's token.
    pub token: Option<String>,
    /// Whether to encrypt, and to check the service's certificate.
    pub tls: bool,
    /// Certificates to trust, PEM; without it those of the system.
    pub ca_file: Option<PathBuf>,
    /// Tells this process from others of the bot.
    pub instance: String,
    /// The lane that this process plays.
    pub lane: u8,
    /// Prompts open at once, 1..4096.
    pub workers: u32,
    /// Threads to think in; 0 and 1 are the same.
    pub threads: usize,
    /// How long to try to reach the service.
    pub patience: Duration,
    /// How much to log.
    pub log: Level,
    /// What follows when the bot's own code panics.
    pub on_error: OnError,
    /// Where to wait for calls instead of making one, HOST:PORT.
    pub serve: Option<String>,
    /// A chain, PEM, shown to the service, or with `serve` to whoever calls.
    pub certificate: Option<PathBuf>,
    /// The key of that certificate, PEM.
    pub key: Option<PathBuf>,
    /// Whether other machines may call.
    pub expose: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            address: "127.0.0.1:50051".into(),
            token: None,
            tls: false,
            ca_file: None,
            instance: random_name(),
            lane: 0,
            workers: 1,
            threads: 0,
            patience: Duration::from_secs(600),
            log: Level::INFO,
            on_error: OnError::Concede,
            serve: None,
            certificate: None,
            key: None,
            expose: false,
        }
    }
}

fn random_name() -> String {
    let mut bytes = [0; 8];
    SystemRandom::new().fill(&mut bytes).expect("the system has random bytes");
    format!("{:016x}", u64::from_be_bytes(bytes))
}

const PREFIX: &str = "OHHELL_BOT_";

/// What is wrong with a text, in words that follow the setting's name.
type Wrong = String;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Address,
    Token,
    TokenFile,
    TokenFd,
    Tls,
    CaFile,
    Instance,
    Lane,
    Workers,
    Threads,
    Patience,
    Log,
    OnError,
    Serve,
    Certificate,
    Secret,
    Expose,
}

/// One thing that may be set: flag --some-thing, variable OHHELL_BOT_SOME_THING.
struct Setting {
    key: Key,
    name: &'static str,
    help: &'static str,
}

const KNOWN: [Setting; 17] = [
    Setting { key: Key::Address, name: "address", help: "where the service listens, HOST:PORT" },
    Setting { key: Key::Token, name: "token", help: "the bot's token" },
    Setting { key: Key::TokenFile, name: "token_file", help: "file that holds the bot's token" },
    Setting {
        key: Key::TokenFd,
        name: "token_fd",
        help: "descriptor from which to read the token once",
    },
    Setting {
        key: Key::Tls,
        name: "tls",
        help: "on: encrypt, and check the service's certificate",
    },
    Setting { key: Key::CaFile, name: "ca_file", help: "certificates to trust, PEM; turns TLS on" },
    Setting {
        key: Key::Instance,
        name: "instance",
        help: "name of this process among those of the bot",
    },
    Setting { key: Key::Lane, name: "lane", help: "lane this process plays" },
    Setting { key: Key::Workers, name: "workers", help: "prompts to have open at once" },
    Setting {
        key: Key::Threads,
        name: "threads",
        help: "threads to think in; 0 and 1 are the same",
    },
    Setting { key: Key::Patience, name: "patience_s", help: "seconds to try to reach the service" },
    Setting { key: Key::Log, name: "log", help: "how much to log: error, warning, info, debug" },
    Setting {
        key: Key::OnError,
        name: "on_error",
        help: "when the bot's own code panics: concede, stop",
    },
    Setting { key: Key::Serve, name: "serve", help: "wait at HOST:PORT for the service to call" },
    Setting {
        key: Key::Certificate,
        name: "certificate",
        help: "chain to show to the other end, PEM; encrypts",
    },
    Setting { key: Key::Secret, name: "key", help: "the key of that certificate, PEM" },
    Setting { key: Key::Expose, name: "expose", help: "on: other machines may call, unencrypted" },
];

impl Setting {
    fn variable(&self) -> String {
        PREFIX.to_owned() + &self.name.to_uppercase()
    }

    fn flag(&self) -> String {
        "--".to_owned() + &self.name.replace('_', "-")
    }

    fn is_token(&self) -> bool {
        matches!(self.key, Key::Token | Key::TokenFile | Key::TokenFd)
    }

    /// A token in a flag could be read by every user of the machine.
    fn is_flag(&self) -> bool {
        self.key != Key::Token
    }

    fn put(&self, to: &mut Settings, text: &str) -> Result<(), Wrong> {
        match self.key {
            Key::Address => to.address = address(text, 1)?,
            Key::Token => to.token = Some(word(text)?),
            Key::TokenFile => to.token = Some(word(&read(text, text)?)?),
            Key::TokenFd => {
                let descriptor: u16 = between(text, 0, u16::MAX)?;
                to.token = Some(word(&read(&format!("/dev/fd/{descriptor}"), text)?)?);
            }
            Key::Tls => to.tls = one_of(text, &ON_OR_OFF)?,
            Key::CaFile => (to.tls, to.ca_file) = (true, Some(file(text)?)),
            Key::Instance => to.instance = word(text)?,
            Key::Lane => to.lane = between(text, 0, u8::MAX)?,
            Key::Workers => to.workers = between(text, 1, 4096)?,
            Key::Threads => to.threads = between(text, 0, 256)?,
            Key::Patience => to.patience = Duration::from_secs(between(text, 1, 86_400)?),
            Key::Log => to.log = one_of(text, &LEVELS)?,
            Key::OnError => to.on_error = one_of(text, &REACTIONS)?,
            Key::Serve => to.serve = Some(address(text, 0)?),
            Key::Certificate => (to.tls, to.certificate) = (true, Some(file(text)?)),
            Key::Secret => to.key = Some(file(text)?),
            Key::Expose => to.expose = one_of(text, &ON_OR_OFF)?,
        }
        Ok(())
    }
}

const ON_OR_OFF: [(&str, bool); 2] = [("on", true), ("off", false)];

const REACTIONS: [(&str, OnError); 2] = [("concede", OnError::Concede), ("stop", OnError::Stop)];

const LEVELS: [(&str, Level); 4] = [
    ("error", Level::ERROR),
    ("warning", Level::WARN),
    ("info", Level::INFO),
    ("debug", Level::DEBUG),
];

fn word(text: &str) -> Result<String, Wrong> {
    let word = text.trim();
    if word.is_empty() { Err("it is empty".into()) } else { Ok(word.into()) }
}

fn read(path: &str, called: &str) -> Result<String, Wrong> {
    fs::read_to_string(path).map_err(|error| format!("cannot read from {called}: {error}"))
}

fn file(path: &str) -> Result<PathBuf, Wrong> {
    let file = PathBuf::from(path);
    if file.is_file() { Ok(file) } else { Err(format!("there is no file {path}")) }
}

fn address(text: &str, least_port: u16) -> Result<String, Wrong> {
    let parts = text.trim().rsplit_once(':');
    let is_right = |(host, port): (&str, &str)| {
        !host.is_empty() && port.parse().is_ok_and(|port: u16| port >= least_port)
    };
    if parts.is_some_and(is_right) {
        Ok(text.trim().into())
    } else {
        Err(format!("{text:?} is not HOST:PORT"))
    }
}

fn between<N>(text: &str, low: N, high: N) -> Result<N, Wrong>
where
    N: FromStr + PartialOrd + std::fmt::Display,
{
    match text.parse() {
        Ok(number) if low <= number && number <= high => Ok(number),
        _ => Err(format!("{text:?} is not a whole number {low}..{high}")),
    }
}

fn one_of<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, Wrong> {
    let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
        format!("{text:?} is none of {}", names.join(", "))
    })
}

/// A setting, what it is called where it was given, and its text.
type Given = (&'static Setting, String, String);

impl Settings {
    /// Reads flags over variables over `base`; nothing that is unknown, malformed or
    /// contradictory is passed over.
    pub fn read(
        arguments: impl IntoIterator<Item = String>,
        environment: impl IntoIterator<Item = (String, String)>,
        base: Settings,
    ) -> Result<Settings, Error> {
        let mut settings = base;
        for given in [of_variables(environment)?, of_flags(arguments)?] {
            let tokens: Vec<&str> = given
                .iter()
                .filter(|(setting, ..)| setting.is_token())
                .map(|(_, called, _)| called.as_str())
                .collect();
            if tokens.len() > 1 {
                let names = tokens.join(" and ");
                return Err(Error::Settings(format!("give the token once, not as {names}")));
            }
            for (setting, called, text) in given {
                setting
                    .put(&mut settings, &text)
                    .map_err(|wrong| Error::Settings(format!("{called}: {wrong}")))?;
            }
        }
        settings.check_encryption()?;
        Ok(settings)
    }

    fn check_encryption(&self) -> Result<(), Error> {
        let wrong = |why: &str| Err(Error::Settings(why.into()));
        let is_encrypted = self.certificate.is_some();
        if is_encrypted != self.key.is_some() {
            return wrong("--certificate and --key: give both, or neither");
        }
        match &self.serve {
            Some(serve) if !is_encrypted && !self.expose && !is_loopback(serve) => wrong(&format!(
                "--serve {serve}: other machines could call the bot, and nothing is encrypted; \
                 give --certificate and --key, or add --expose on"
            )),
            _ => Ok(()),
        }
    }
}

fn of_variables(
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<Vec<Given>, Error> {
    let mut variables: Vec<_> = environment.into_iter().collect();
    variables.retain(|(name, _)| name.starts_with(PREFIX));
    variables.sort();
    let given = variables.into_iter().map(|(variable, text)| {
        match KNOWN.iter().find(|setting| setting.variable() == variable) {
            Some(setting) => Ok((setting, variable, text)),
            None => Err(Error::Settings(format!(
                "{variable} is not a setting of a bot; did you mean {}?",
                nearest(&variable)
            ))),
        }
    });
    given.collect()
}

fn of_flags(arguments: impl IntoIterator<Item = String>) -> Result<Vec<Given>, Error> {
    let mut words = arguments.into_iter();
    let mut given = Vec::new();
    while let Some(word) = words.next() {
        let (flag, text) = match word.split_once('=') {
            Some((flag, text)) => (flag.to_owned(), Some(text.to_owned())),
            None => (word, None),
        };
        let setting = KNOWN
            .iter()
            .find(|setting| setting.is_flag() && setting.flag() == flag)
            .ok_or_else(|| Error::Settings(format!("unknown argument {flag:?}{}", usage())))?;
        let text = text
            .or_else(|| words.next())
            .ok_or_else(|| Error::Settings(format!("{flag} needs a value{}", usage())))?;
        given.push((setting, flag, text));
    }
    Ok(given)
}

fn usage() -> String {
    let flags = KNOWN.iter().filter(|setting| setting.is_flag());
    flags.map(|setting| format!("\n  {:<14} {}", setting.flag(), setting.help)).collect()
}

fn is_loopback(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

/// The known variable with the fewest letters to change.
fn nearest(variable: &str) -> String {
    let known = KNOWN.iter().map(Setting::variable);
    known.min_by_key(|name| distance(variable, name)).unwrap_or_default()
}

fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.bytes().enumerate() {
            let change = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
