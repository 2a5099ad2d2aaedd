//! One connection to the service, from Hello to its end: many tables on one line.
use std::{
    collections::HashMap,
    fmt,
    future::pending,
    sync::{Arc, OnceLock},
    time::Duration,
};

use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until},
};
use tonic::Status;

use crate::{
    Error, MatchResult, Settings,
    line::Line,
    outbox::Outbox,
    seats::{Seat, Seats},
    thinking::{Fate, Job, Link, Thinkers, Work},
    wire::{self, ClientFrame, NoticeKind, client_frame, server_frame::Body},
};

const REVISION: u32 = 1;
const SOFTWARE: &str = concat!("ohhell-bot/rust ", env!("CARGO_PKG_VERSION"));
/// Why a prompt is withdrawn that expired.
const DEFAULTED: &str = "DEFAULTED";

const WELCOME_WITHIN: Duration = Duration::from_secs(10);
pub(crate) const GOODBYE_WITHIN: Duration = Duration::from_secs(1);

/// Why a stream ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Closed,
    Drained,
    Superseded,
    Stopped,
}

impl fmt::Display for End {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            End::Closed => "the service closed the stream",
            End::Drained => "the service went down as announced",
            End::Superseded => "another process with the same instance name took over",
            End::Stopped => "stopped",
        })
    }
}

/// Why a stream failed.
pub(crate) enum Lost {
    Call(Status),
    NoWelcome,
    Fault(Error),
}

impl fmt::Display for Lost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Call(status) => write!(out, "{:?} {}", status.code(), status.message()),
            Lost::NoWelcome => out.write_str("no welcome came"),
            Lost::Fault(error) => error.fmt(out),
        }
    }
}

/// What outlives streams: the next one goes on with it.
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) seats: Seats,
}

pub(crate) struct Stream<'a> {
    line: Line,
    link: Arc<Link>,
    session: &'a mut Session,
    thinkers: &'a Thinkers,
    settings: &'a Settings,
    handles: HashMap<u32, Held>,
    faults: mpsc::Receiver<Error>,
    end: End,
    pub(crate) is_welcome: bool,
}

/// A seat on this stream, and the prompt that it was asked last.
struct Held {
    seat: Arc<Seat>,
    asked: (u32, Arc<OnceLock<Fate>>),
}

impl<'a> Stream<'a> {
    /// Says hello into the outbox, which is the other end of the line.
    pub(crate) fn new(
        line: Line,
        outbox: Arc<Outbox>,
        session: &'a mut Session,
        thinkers: &'a Thinkers,
        settings: &'a Settings,
    ) -> Self {
        let (told, faults) = mpsc::channel(1);
        outbox.add([frame(client_frame::Body::Hello(wire::Hello {
            revision: REVISION,
            min_revision: REVISION,
            software: SOFTWARE.into(),
            instance_id: settings.instance.clone(),
            lane: settings.lane.into(),
            resume_session_id: session.id.clone(),
            workers: settings.workers,
            ..wire::Hello::default()
        }))]);
        let link = Arc::new(Link { outbox, faults: told, on_error: settings.on_error });
        Stream {
            line,
            link,
            session,
            thinkers,
            settings,
            handles: HashMap::new(),
            faults,
            end: End::Closed,
            is_welcome: false,
        }
    }

    /// Until the stream ends; says goodbye where that is because of `stop`.
    pub(crate) async fn play(&mut self, stop: &mut watch::Receiver<bool>) -> Result<End, Lost> {
        let welcome_by = Instant::now() + WELCOME_WITHIN;
        let mut leave_by: Option<Instant> = None;
        loop {
            tokio::select! {
                biased;
                Some(fault) = self.faults.recv() => return Err(Lost::Fault(fault)),
                () = told(stop), if leave_by.is_none() => {
                    leave_by = Some(Instant::now() + GOODBYE_WITHIN);
                    let reason = End::Stopped.to_string();
                    let goodbye = client_frame::Body::Goodbye(wire::Goodbye { reason });
                    self.link.outbox.add_last(frame(goodbye));
                }
                () = at(leave_by) => return Ok(End::Stopped),
                () = sleep_until(welcome_by), if !self.is_welcome => return Err(Lost::NoWelcome),
                read = self.line.read() => match read {
                    Ok(Some(frames)) => self.receive(frames),
                    end => return self.ended(end.err(), leave_by.is_some()),
                },
            }
        }
    }

    fn ended(&mut self, failure: Option<Status>, is_leaving: bool) -> Result<End, Lost> {
        if let Ok(fault) = self.faults.try_recv() {
            return Err(Lost::Fault(fault));
        }
        match failure {
            _ if is_leaving => Ok(End::Stopped),
            // What was announced is no failure, whatever its status.
            Some(status) if self.end == End::Closed => Err(Lost::Call(status)),
            _ => Ok(self.end),
        }
    }

    fn receive(&mut self, frames: Vec<wire::ServerFrame>) {
        let mut jobs = Vec::new();
        for frame in frames {
            match frame.body {
                Some(Body::Prompt(prompt)) => jobs.extend(self.asked(prompt)),
                Some(Body::Seat(assigned)) => self.assigned(assigned),
                Some(Body::Ended(ended)) => jobs.extend(self.over(ended)),
                Some(Body::Withdrawn(withdrawn)) => self.withdrawn(&withdrawn),
                Some(Body::Heartbeat(wire::Heartbeat { nonce, .. })) => {
                    self.say(client_frame::Body::Pong(wire::Pong { nonce }));
                }
                Some(Body::Welcome(welcome)) => self.welcome(welcome),
                Some(Body::Notice(notice)) => self.heed(&notice),
                Some(Body::Result(result)) if !result.accepted => self.refused(&result),
                // Entries and snapshots, which nobody asked for, and what later revisions add.
                _ => {}
            }
        }
        self.thinkers.add(jobs);
    }

    fn say(&self, body: client_frame::Body) {
        self.link.outbox.add([frame(body)]);
    }

    fn job(&self, seat: &Arc<Seat>, work: Work) -> Job {
        Job { seat: Arc::clone(seat), link: Arc::clone(&self.link), work }
    }

    fn asked(&mut self, prompt: wire::View) -> Option<Job> {
        let Some(held) = self.handles.get_mut(&prompt.handle) else {
            tracing::warn!("a prompt for the unknown handle {}", prompt.handle);
            return None;
        };
        let fate = Arc::default();
        held.asked = (prompt.seq, Arc::clone(&fate));
        let seat = Arc::clone(&held.seat);
        Some(self.job(&seat, Work::Answer(Box::new(prompt), fate)))
    }

    fn assigned(&mut self, assigned: wire::SeatAssigned) {
        let handle = assigned.handle;
        if let Some(seat) = self.session.seats.assign(assigned) {
            self.handles.insert(handle, Held { seat, asked: Default::default() });
        }
    }

    fn over(&mut self, ended: wire::SeatEnded) -> Option<Job> {
        let Held { seat, .. } = self.handles.remove(&ended.handle)?;
        self.session.seats.end(ended.handle, &seat.game);
        let result = MatchResult {
            game: Arc::clone(&seat.game),
            reason: ended.reason.into(),
            scores: ended.scores,
            winners: ended.winners.into_iter().map(|seat| seat as usize).collect(),
        };
        Some(self.job(&seat, Work::End(result)))
    }

    /// Thinking on is useless. A seat has one question at a time.
    fn withdrawn(&self, withdrawn: &wire::Withdrawn) {
        let Some(Held { asked: (seq, fate), .. }) = self.handles.get(&withdrawn.handle) else {
            return;
        };
        if *seq == withdrawn.seq {
            let is_late = withdrawn.reason == DEFAULTED;
            // The first word stands.
            let _ = fate.set(if is_late { Fate::Expired } else { Fate::Void });
        }
    }

    fn welcome(&mut self, welcome: wire::Welcome) {
        self.is_welcome = true;
        self.session.id = welcome.session_id;
        if !welcome.resumed {
            self.session.seats.forget();
        }
        tracing::info!(
            "connected to {} as {}, lane {}, workers {}, resumed: {}",
            welcome.software,
            welcome.bot,
            self.settings.lane,
            welcome.workers,
            welcome.resumed
        );
    }

    fn refused(&self, result: &wire::AnswerResult) {
        let held = self.handles.get(&result.handle);
        tracing::warn!(
            "table {} decision {} attempt {}: {} {}",
            held.map_or("?", |held| &held.seat.game.table),
            result.seq,
            result.attempt,
            result.reason,
            result.message
        );
    }

    fn heed(&mut self, notice: &wire::Notice) {
        match notice.kind() {
            NoticeKind::Draining => {
                self.end = End::Drained;
                tracing::info!("the service goes down in {} ms", notice.milliseconds);
            }
            NoticeKind::Superseded => self.end = End::Superseded,
            NoticeKind::Protocol => {
                tracing::warn!("bad frame: {} {}", notice.reason, notice.message);
            }
            _ => tracing::debug!("notice {notice:?}"),
        }
    }
}

/// Nothing is said any more.
impl Drop for Stream<'_> {
    fn drop(&mut self) {
        self.link.outbox.close();
    }
}

fn frame(body: client_frame::Body) -> ClientFrame {
    ClientFrame { body: Some(body) }
}

async fn told(stop: &mut watch::Receiver<bool>) {
    // Nobody can say it any more where nobody is left.
    if stop.wait_for(|is_told| *is_told).await.is_err() {
        pending::<()>().await;
    }
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}
