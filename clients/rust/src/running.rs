//! Connects, plays, connects again, until the service is gone.
use std::{
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};

use ring::rand::{SecureRandom, SystemRandom};
use tokio::{sync::watch, time::sleep};
use tonic::{
    Code, Request,
    metadata::{Ascii, MetadataValue},
    transport::{Channel, ClientTlsConfig, Endpoint},
};

use crate::{
    Bot, Error, Settings,
    encryption::{Pair, advice, authorities_in},
    line::Line,
    outbox::{Outbox, Outgoing},
    seats::{NewBot, Seats, boxed},
    stream::{End, Lost, Session, Stream},
    thinking::Thinkers,
    wire::arena_service_client::ArenaServiceClient,
};

const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Bytes of one message.
pub(crate) const MAX_MESSAGE: usize = 1 << 20;

/// Plays over one stream after the other, which look like one to the bots, until `stop` is
/// done (no error), or with any of [`Error`].
pub async fn connect<B: Bot>(
    new_bot: impl Fn() -> B + Send + Sync + 'static,
    settings: &Settings,
    stop: impl Future<Output = ()>,
) -> Result<(), Error> {
    let (tell, told) = watch::channel(false);
    let connection = Connection::new(boxed(new_bot), settings)?;
    until(connection.keep(told), stop, tell).await
}

/// Says once that it is time to stop.
pub(crate) async fn until<T>(
    work: impl Future<Output = T>,
    stop: impl Future<Output = ()>,
    tell: watch::Sender<bool>,
) -> T {
    tokio::pin!(work);
    tokio::select! {
        done = &mut work => return done,
        () = stop => {}
    }
    tell.send_replace(true);
    work.await
}

pub(crate) fn thinkers(settings: &Settings) -> Result<Thinkers, Error> {
    Thinkers::new(settings.threads).map_err(|error| {
        Error::Settings(format!("cannot start {} threads: {error}", settings.threads))
    })
}

struct Connection<'a> {
    settings: &'a Settings,
    endpoint: Endpoint,
    token: Option<MetadataValue<Ascii>>,
    session: Session,
    thinkers: Thinkers,
}

impl<'a> Connection<'a> {
    fn new(new_bot: NewBot, settings: &'a Settings) -> Result<Self, Error> {
        let token = settings.token.as_ref().map(|token| {
            format!("Bearer {token}")
                .parse()
                .map_err(|_| Error::Settings("the token has characters that no token has".into()))
        });
        Ok(Connection {
            settings,
            endpoint: endpoint(settings)?,
            token: token.transpose()?,
            session: Session { id: String::new(), seats: Seats::new(new_bot) },
            thinkers: thinkers(settings)?,
        })
    }

    async fn keep(mut self, mut stop: watch::Receiver<bool>) -> Result<(), Error> {
        let Settings { address, instance, patience, .. } = self.settings;
        let (mut wait, mut lost_at, mut why) = (FIRST_WAIT, Instant::now(), String::new());
        loop {
            let (is_welcome, ended) = self.one_stream(&mut stop).await;
            if *stop.borrow() {
                return Ok(());
            }
            let now = match ended {
                Err(Lost::Fault(fault)) => return Err(fault),
                Ok(end @ End::Superseded) => {
                    return Err(Error::Refused(format!("{end} ({instance})")));
                }
                Err(lost) if is_useless_to_retry(&lost) => {
                    return Err(Error::Refused(format!("{address}: {lost}")));
                }
                Err(lost) if is_welcome => lost.to_string(),
                Err(lost) => format!("{lost}{}", advice(self.settings, &lost)),
                Ok(end) => end.to_string(),
            };
            if is_welcome {
                (wait, lost_at) = (FIRST_WAIT, Instant::now());
            }
            if is_welcome || now != why {
                tracing::warn!("{now}: trying again");
                why = now;
            }
            if lost_at.elapsed() > *patience {
                return Err(Error::GivenUp(format!(
                    "{address} was out of reach for {} s: {why}",
                    patience.as_secs()
                )));
            }
            tokio::select! {
                _ = stop.wait_for(|is_told| *is_told) => return Ok(()),
                () = sleep(wait.mul_f64(0.8 + 0.4 * chance())) => {}
            }
            wait = LONGEST_WAIT.min(2 * wait);
        }
    }

    /// Whether it was ever welcomed, and why it is no more.
    async fn one_stream(&mut self, stop: &mut watch::Receiver<bool>) -> (bool, Result<End, Lost>) {
        let outbox = Arc::new(Outbox::default());
        let mut request = Request::new(Outgoing::new(Arc::clone(&outbox)));
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        let channel: Channel = self.endpoint.connect_lazy();
        let mut client = ArenaServiceClient::new(channel).max_decoding_message_size(MAX_MESSAGE);
        let line = Line::calling(async move { client.connect(request).await });
        let Connection { session, thinkers, settings, .. } = self;
        let mut stream = Stream::new(line, outbox, session, thinkers, settings);
        let ended = stream.play(stop).await;
        (stream.is_welcome, ended)
    }
}

/// Not a part of any game: many bots must not come back at once. 0 <= x < 1.
fn chance() -> f64 {
    let mut byte = [0];
    // Without chance, at the usual time.
    let _ = SystemRandom::new().fill(&mut byte);
    f64::from(byte[0]) / 256.0
}

fn is_useless_to_retry(lost: &Lost) -> bool {
    let Lost::Call(status) = lost else {
        return false;
    };
    matches!(
        status.code(),
        Code::Unauthenticated
            | Code::PermissionDenied
            | Code::InvalidArgument
            | Code::FailedPrecondition
            | Code::Unimplemented
    )
}

fn endpoint(settings: &Settings) -> Result<Endpoint, Error> {
    let scheme = if settings.tls { "https" } else { "http" };
    let address = &settings.address;
    let wrong = |error: tonic::transport::Error| {
        Error::Settings(format!("cannot connect to {address:?}: {error}"))
    };
    let endpoint = Endpoint::from_shared(format!("{scheme}://{address}"))
        .map_err(wrong)?
        .http2_keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10))
        .keep_alive_while_idle(true);
    if !settings.tls {
        return Ok(endpoint);
    }
    let config = match &settings.ca_file {
        Some(file) => ClientTlsConfig::new().ca_certificate(authorities_in(file)?),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    match Pair::of(settings) {
        None => endpoint.tls_config(config).map_err(wrong),
        Some(pair) => {
            let config = config.identity(pair.identity()?);
            endpoint.tls_config(config).map_err(|error| pair.wrong(&error))
        }
    }
}
