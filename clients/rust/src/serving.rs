//! A bot that waits to be called: the same streams as one that calls, roles swapped.
use std::{
    collections::HashMap,
    future::Future,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    net::TcpListener,
    sync::{OwnedMutexGuard, mpsc, watch},
    time::timeout,
};
use tonic::{
    Request, Response, Status, Streaming, async_trait,
    metadata::MetadataMap,
    transport::{Server, ServerTlsConfig, server::TcpIncoming},
};

use crate::{
    Bot, Error, Settings,
    encryption::Pair,
    line::Line,
    outbox::{Outbox, Outgoing},
    running::{MAX_MESSAGE, thinkers, until},
    seats::{NewBot, Seats, boxed},
    stream::{GOODBYE_WITHIN, Lost, Session, Stream},
    thinking::Thinkers,
    wire::{
        PlayRequest, PlayResponse,
        bot_service_server::{BotService, BotServiceServer},
    },
};

/// Metadata of a call: the lane that it is for; without it, lane 0.
pub(crate) const LANE_KEY: &str = "ohhell-lane";

/// Waits at `settings.serve` to be called and takes one call a lane, until `stop` is done
/// (no error), or with [`Error::Settings`] or [`Error::Fault`]. `ready` is told where it
/// listens.
pub async fn listen<B: Bot>(
    new_bot: impl Fn() -> B + Send + Sync + 'static,
    settings: &Settings,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(&str),
) -> Result<(), Error> {
    let server = server(settings)?;
    let address = settings.serve.as_deref().unwrap_or("127.0.0.1:0");
    let taken = |error| Error::Settings(format!("cannot listen on {address}: {error}"));
    let listener = TcpListener::bind(address).await.map_err(taken)?;
    let own: SocketAddr = listener.local_addr().map_err(taken)?;
    let (tell, told) = watch::channel(false);
    let (fault, faults) = mpsc::channel(1);
    let lanes = Lanes {
        new_bot: boxed(new_bot),
        settings: settings.clone(),
        thinkers: Arc::new(thinkers(settings)?),
        stop: told.clone(),
        faults: fault,
        lanes: Mutex::default(),
    };
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    ready(&format!("{host}:{}", own.port()));
    until(serve(server, listener, lanes, told, faults), stop, tell).await
}

fn server(settings: &Settings) -> Result<Server, Error> {
    let server = Server::builder()
        // A caller that is gone without a word keeps its lane until a ping is missed.
        .http2_keepalive_interval(Some(Duration::from_secs(10)))
        .http2_keepalive_timeout(Some(Duration::from_secs(5)));
    let Some(pair) = Pair::of(settings) else {
        return Ok(server);
    };
    let config = ServerTlsConfig::new().identity(pair.identity()?);
    server.tls_config(config).map_err(|error| pair.wrong(&error))
}

async fn serve(
    mut server: Server,
    listener: TcpListener,
    lanes: Lanes,
    mut told: watch::Receiver<bool>,
    mut faults: mpsc::Receiver<Error>,
) -> Result<(), Error> {
    let mut leaving = told.clone();
    let server = server
        .add_service(BotServiceServer::new(lanes).max_decoding_message_size(MAX_MESSAGE))
        .serve_with_incoming_shutdown(TcpIncoming::from(listener), async move {
            // The sender lives as long as this.
            let _ = leaving.wait_for(|is_told| *is_told).await;
        });
    tokio::pin!(server);
    tokio::select! {
        Some(fault) = faults.recv() => return Err(fault),
        ended = &mut server => return ended.map_err(|error| Error::Settings(error.to_string())),
        _ = told.wait_for(|is_told| *is_told) => {}
    }
    // The goodbyes have their second. Who has not gone by then is left.
    let _ = timeout(2 * GOODBYE_WITHIN, server).await;
    Ok(())
}

/// Each outlives the calls for it; they share nothing but the process.
struct Lanes {
    new_bot: NewBot,
    settings: Settings,
    thinkers: Arc<Thinkers>,
    stop: watch::Receiver<bool>,
    faults: mpsc::Sender<Error>,
    lanes: Mutex<HashMap<u8, Arc<tokio::sync::Mutex<Session>>>>,
}

impl Lanes {
    fn take(&self, number: u8) -> Result<OwnedMutexGuard<Session>, Status> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let lane = lanes.entry(number).or_insert_with(|| {
            let seats = Seats::new(Arc::clone(&self.new_bot));
            Arc::new(tokio::sync::Mutex::new(Session { id: String::new(), seats }))
        });
        Arc::clone(lane).try_lock_owned().map_err(|_| {
            Status::resource_exhausted(format!(
                "lane {number} of this bot process is in another call"
            ))
        })
    }
}

#[async_trait]
impl BotService for Lanes {
    type PlayStream = Outgoing<Result<PlayResponse, Status>>;

    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let number = lane_of(request.metadata())?;
        let mut session = self.take(number)?;
        let outbox = Arc::new(Outbox::default());
        let answers = Outgoing::new(Arc::clone(&outbox));
        let settings = Settings { lane: number, ..self.settings.clone() };
        let (thinkers, faults) = (Arc::clone(&self.thinkers), self.faults.clone());
        let mut stop = self.stop.clone();
        tokio::spawn(async move {
            let line = Line::Dialled(request.into_inner());
            let mut stream = Stream::new(line, outbox, &mut session, &thinkers, &settings);
            match stream.play(&mut stop).await {
                Ok(end) => tracing::info!("lane {number}: {end}"),
                Err(Lost::Fault(fault)) => {
                    // One is enough.
                    let _ = faults.try_send(fault);
                }
                Err(lost) => tracing::info!("lane {number}: {lost}"),
            }
        });
        Ok(Response::new(answers))
    }
}

fn lane_of(metadata: &MetadataMap) -> Result<u8, Status> {
    let Some(value) = metadata.get(LANE_KEY) else {
        return Ok(0);
    };
    let number = value.to_str().ok().and_then(|text| text.parse().ok());
    number.ok_or_else(|| Status::invalid_argument(format!("{LANE_KEY} is a number 0..255")))
}
