//! One call between a bot and the service, whoever made it.
use std::{future::Future, pin::Pin};

use tonic::{Response, Status, Streaming};

use crate::wire::{
    ClientFrame, ConnectRequest, ConnectResponse, PlayRequest, PlayResponse, ServerFrame,
};

/// What the bot says, as the direction of the call has it.
pub(crate) trait Message {
    fn of(frames: Vec<ClientFrame>) -> Self;
}

impl Message for ConnectRequest {
    fn of(frames: Vec<ClientFrame>) -> Self {
        ConnectRequest { frames }
    }
}

impl Message for Result<PlayResponse, Status> {
    fn of(frames: Vec<ClientFrame>) -> Self {
        Ok(PlayResponse { frames })
    }
}

type Opening = Pin<Box<dyn Future<Output = Result<Streaming<ConnectResponse>, Status>> + Send>>;

/// The end at which a bot listens.
pub(crate) enum Line {
    /// The service has not said anything yet to a call that the bot made.
    Calling(Opening),
    /// It has.
    DialledIn(Streaming<ConnectResponse>),
    /// The service made the call.
    Dialled(Streaming<PlayRequest>),
}

impl Line {
    pub(crate) fn calling<F>(call: F) -> Self
    where
        F: Future<Output = Result<Response<Streaming<ConnectResponse>>, Status>> + Send + 'static,
    {
        Line::Calling(Box::pin(async { call.await.map(Response::into_inner) }))
    }

    /// The frames of the next message; `None` where the other end is done. Nothing is lost
    /// where the future is dropped.
    pub(crate) async fn read(&mut self) -> Result<Option<Vec<ServerFrame>>, Status> {
        if let Line::Calling(opening) = self {
            *self = Line::DialledIn(opening.await?);
        }
        Ok(match self {
            Line::DialledIn(call) => call.message().await?.map(|message| message.frames),
            Line::Dialled(call) => call.message().await?.map(|message| message.frames),
            Line::Calling(_) => unreachable!("it was answered above"),
        })
    }
}
