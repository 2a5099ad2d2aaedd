//! What is to be sent on one stream.
use std::{
    collections::VecDeque,
    marker::PhantomData,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use tokio_stream::Stream;

use crate::{line::Message, wire::ClientFrame};

/// Frames that may be in one message.
pub(crate) const MAX_FRAMES: usize = 128;

/// Anybody may add; one reader takes all that is there, up to a message.
#[derive(Default)]
pub(crate) struct Outbox(Mutex<Held>);

#[derive(Default)]
struct Held {
    frames: VecDeque<ClientFrame>,
    is_complete: bool,
    reader: Option<Waker>,
}

impl Outbox {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, frames: impl IntoIterator<Item = ClientFrame>) {
        let mut held = self.held();
        if !held.is_complete {
            held.frames.extend(frames);
            if !held.frames.is_empty()
                && let Some(reader) = held.reader.take()
            {
                reader.wake();
            }
        }
    }

    /// This is followed by nothing.
    pub(crate) fn add_last(&self, frame: ClientFrame) {
        self.add([frame]);
        self.complete();
    }

    /// Nobody can hear anything any more.
    pub(crate) fn close(&self) {
        self.held().frames.clear();
        self.complete();
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.held().is_complete
    }

    fn complete(&self) {
        let mut held = self.held();
        held.is_complete = true;
        if let Some(reader) = held.reader.take() {
            reader.wake();
        }
    }
}

/// The messages of one direction of a call: `M` is made of the frames that are there when
/// the transport asks for more.
pub(crate) struct Outgoing<M>(Arc<Outbox>, PhantomData<fn() -> M>);

impl<M> Outgoing<M> {
    pub(crate) fn new(outbox: Arc<Outbox>) -> Self {
        Outgoing(outbox, PhantomData)
    }

    fn poll_frames(&self, context: &mut Context<'_>) -> Poll<Option<Vec<ClientFrame>>> {
        let mut held = self.0.held();
        if held.frames.is_empty() {
            if held.is_complete {
                return Poll::Ready(None);
            }
            held.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        let count = held.frames.len().min(MAX_FRAMES);
        Poll::Ready(Some(held.frames.drain(..count).collect()))
    }
}

impl<M: Message> Stream for Outgoing<M> {
    type Item = M;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<M>> {
        self.poll_frames(context).map(|frames| frames.map(M::of))
    }
}
