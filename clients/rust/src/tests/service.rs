//! The service's end of calls, as a test says, both ways round.
use std::{
    convert::Infallible,
    future::Future,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use prost::{
    Message,
    bytes::{Buf, BufMut},
};
use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::timeout,
};
use tokio_stream::{Stream, StreamExt, wrappers::UnboundedReceiverStream};
use tonic::{
    Code, Request, Response, Status, Streaming,
    body::Body,
    client,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    codegen::{BoxFuture, Service, http},
    server::{Grpc, NamedService, StreamingService},
    transport::{Channel, Endpoint, Server, server::TcpIncoming},
};

use crate::{
    Bot, Error, Settings, connect, listen,
    serving::LANE_KEY,
    wire::{ClientFrame, ConnectRequest, ConnectResponse, PlayResponse, ServerFrame},
};

/// Frames that the service takes in one message.
const MAX_FRAMES: usize = 128;
const PATIENCE: Duration = Duration::from_secs(20);

/// What comes in time; a test fails without it.
pub(super) async fn soon<T>(future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future).await.expect("nothing came")
}

/// What the service says is written as bytes, so that it can be newer than the library;
/// what fails ends the call.
type Said = Result<Vec<u8>, Status>;

struct Raw<From>(PhantomData<fn() -> From>);

impl<From> Default for Raw<From> {
    fn default() -> Self {
        Raw(PhantomData)
    }
}

impl<From: Message + Default + 'static> Codec for Raw<From> {
    type Encode = Said;
    type Decode = From;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Raw::default()
    }

    fn decoder(&mut self) -> Self {
        Raw::default()
    }
}

impl<From> Encoder for Raw<From> {
    type Item = Said;
    type Error = Status;

    fn encode(&mut self, said: Said, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put_slice(&said?);
        Ok(())
    }
}

impl<From: Message + Default> Decoder for Raw<From> {
    type Item = From;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<From>, Status> {
        let bytes = from.copy_to_bytes(from.remaining());
        From::decode(bytes).map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}

trait Frames {
    fn frames(self) -> Vec<ClientFrame>;
}

impl Frames for ConnectRequest {
    fn frames(self) -> Vec<ClientFrame> {
        self.frames
    }
}

impl Frames for PlayResponse {
    fn frames(self) -> Vec<ClientFrame> {
        self.frames
    }
}

/// One call. `heard` ends when the bot has closed its side.
pub(super) struct Caller {
    pub(super) heard: mpsc::UnboundedReceiver<ClientFrame>,
    pub(super) authorization: Option<String>,
    pub(super) is_dialled: bool,
    /// `None` closes the service's side.
    said: mpsc::UnboundedSender<Option<Said>>,
}

type Outgoing = Pin<Box<dyn Stream<Item = Said> + Send>>;

impl Caller {
    fn new<M>(incoming: Streaming<M>, authorization: Option<String>, ways: Ways) -> Caller
    where
        M: Frames + Send + 'static,
    {
        let (hears, heard) = mpsc::unbounded_channel();
        let Ways { said, is_dialled } = ways;
        let last_word = said.clone();
        tokio::spawn(async move {
            let mut incoming = incoming;
            while let Ok(Some(message)) = incoming.message().await {
                let frames = message.frames();
                assert!(frames.len() <= MAX_FRAMES, "a message has {} frames", frames.len());
                for frame in frames {
                    // A test that has ended hears nothing.
                    let _ = hears.send(frame);
                }
            }
            let _ = last_word.send(None);
        });
        Caller { heard, authorization, is_dialled, said }
    }

    pub(super) fn tell(&self, bytes: Vec<u8>) {
        let _ = self.said.send(Some(Ok(bytes)));
    }

    pub(super) fn say(&self, frames: Vec<ServerFrame>) {
        self.tell(ConnectResponse { frames }.encode_to_vec());
    }

    pub(super) fn close(&self, code: Code) {
        let end = (code != Code::Ok).then(|| Err(Status::new(code, "the script says so")));
        let _ = self.said.send(end);
    }

    pub(super) async fn hear(&mut self) -> ClientFrame {
        soon(self.heard.recv()).await.expect("the bot ended the stream")
    }
}

struct Ways {
    said: mpsc::UnboundedSender<Option<Said>>,
    is_dialled: bool,
}

fn ways(is_dialled: bool) -> (Ways, Outgoing) {
    let (said, says) = mpsc::unbounded_channel();
    let outgoing = UnboundedReceiverStream::new(says).map_while(|said| said);
    (Ways { said, is_dialled }, Box::pin(outgoing))
}

/// A service to which bots connect.
pub(super) struct Arena {
    pub(super) address: String,
    streams: mpsc::UnboundedReceiver<Caller>,
}

impl Arena {
    pub(super) async fn start() -> Arena {
        Arena::start_with(Server::builder()).await
    }

    pub(super) async fn start_with(mut server: Server) -> Arena {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (taken, streams) = mpsc::unbounded_channel();
        let server = server.add_service(Taking(taken));
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        Arena { address, streams }
    }

    pub(super) async fn stream(&mut self) -> Caller {
        soon(self.streams.recv()).await.expect("the service runs")
    }
}

#[derive(Clone)]
struct Taking(mpsc::UnboundedSender<Caller>);

impl NamedService for Taking {
    const NAME: &'static str = "ohhell.v1.ArenaService";
}

impl Service<http::Request<Body>> for Taking {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let taking = self.clone();
        Box::pin(async move {
            Ok(Grpc::new(Raw::<ConnectRequest>::default()).streaming(taking, request).await)
        })
    }
}

impl StreamingService<ConnectRequest> for Taking {
    type Response = Said;
    type ResponseStream = Pin<Box<dyn Stream<Item = Result<Said, Status>> + Send>>;
    type Future = BoxFuture<Response<Self::ResponseStream>, Status>;

    fn call(&mut self, request: Request<Streaming<ConnectRequest>>) -> Self::Future {
        let token = request.metadata().get("authorization");
        let token = token.map(|token| token.to_str().expect("a token is text").to_owned());
        let (ways, outgoing) = ways(false);
        let _ = self.0.send(Caller::new(request.into_inner(), token, ways));
        let outgoing: Self::ResponseStream = Box::pin(outgoing.map(|said| said.map(Ok)));
        Box::pin(async { Ok(Response::new(outgoing)) })
    }
}

/// Calls a bot that waits for it.
pub(super) async fn call(address: &str, lane: &str) -> Result<Caller, Status> {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    call_over(endpoint.connect_lazy(), lane).await
}

pub(super) async fn call_over(channel: Channel, lane: &str) -> Result<Caller, Status> {
    let mut caller = client::Grpc::new(channel);
    caller.ready().await.expect("the bot listens");
    let (ways, outgoing) = ways(true);
    let mut request = Request::new(outgoing);
    request.metadata_mut().insert(LANE_KEY, lane.parse().unwrap());
    let path = http::uri::PathAndQuery::from_static("/ohhell.v1.BotService/Play");
    let answer = caller.streaming(request, path, Raw::<PlayResponse>::default()).await?;
    Ok(Caller::new(answer.into_inner(), None, ways))
}

/// Calls again and again while the lane is taken.
pub(super) async fn dial(address: &str, lane: u8) -> Caller {
    soon(async {
        loop {
            match call(address, &lane.to_string()).await {
                Err(status) if status.code() == Code::ResourceExhausted => {}
                answered => return answered.expect("the bot takes the call"),
            }
        }
    })
    .await
}

/// A bot at work.
pub(super) struct Run {
    stop: Option<oneshot::Sender<()>>,
    over: JoinHandle<Result<(), Error>>,
}

impl Run {
    pub(super) fn connect<B: Bot>(
        new_bot: impl Fn() -> B + Send + Sync + 'static,
        settings: Settings,
    ) -> Run {
        let (stop, told) = oneshot::channel();
        let over = tokio::spawn(async move { connect(new_bot, &settings, until_told(told)).await });
        Run { stop: Some(stop), over }
    }

    /// Gives the address, too.
    pub(super) async fn listen<B: Bot>(
        new_bot: impl Fn() -> B + Send + Sync + 'static,
        mut settings: Settings,
    ) -> (Run, String) {
        settings.serve = Some("127.0.0.1:0".into());
        let (ready, address) = oneshot::channel();
        let (stop, told) = oneshot::channel();
        let over = tokio::spawn(async move {
            let tell = |address: &str| ready.send(address.into()).unwrap();
            listen(new_bot, &settings, until_told(told), tell).await
        });
        (Run { stop: Some(stop), over }, soon(address).await.unwrap())
    }

    pub(super) fn stop(&mut self) {
        self.stop = None;
    }

    pub(super) async fn ended(self) -> Result<(), Error> {
        soon(self.over).await.expect("a run does not panic")
    }
}

async fn until_told(told: oneshot::Receiver<()>) {
    // It is told by being let go.
    let _ = told.await;
}
