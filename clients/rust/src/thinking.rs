//! Threads that run the bots, apart from the streams, so that heartbeats are answered
//! meanwhile.
use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::mpsc;

use crate::{
    Error, MatchResult, OnError, View,
    decision::{answer_to, decide, no_answer},
    outbox::Outbox,
    seats::Seat,
    wire::{self, ClientFrame},
};

/// Answers of one received message leave together, unless thinking takes this long.
const HOLD_BACK: Duration = Duration::from_millis(1);

/// What became of a prompt that is answered no more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It expired; the table waits to hear the end of the thinking.
    Expired,
    /// Nobody waits for anything.
    Void,
}

/// What those who think need to know of a stream.
pub(crate) struct Link {
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) faults: mpsc::Sender<Error>,
    pub(crate) on_error: OnError,
}

impl Link {
    /// Ends the run, if that is what was asked for.
    fn blame(&self, view: &View) {
        if self.on_error == OnError::Stop {
            let fault = Error::Fault(format!("stopped at the bot's first error: {view}"));
            // One is enough.
            let _ = self.faults.try_send(fault);
        }
    }
}

/// Something for a seat to work at.
pub(crate) struct Job {
    pub(crate) seat: Arc<Seat>,
    pub(crate) link: Arc<Link>,
    pub(crate) work: Work,
}

pub(crate) enum Work {
    Answer(Box<wire::View>, Arc<OnceLock<Fate>>),
    End(MatchResult),
}

impl Job {
    /// The answer, if there is to be one.
    fn done(self) -> Option<ClientFrame> {
        let (prompt, fate) = match self.work {
            Work::Answer(prompt, fate) => (*prompt, fate),
            Work::End(result) => {
                self.seat.end(&result);
                return None;
            }
        };
        if self.link.outbox.is_complete() {
            return None;
        }
        match fate.get() {
            Some(Fate::Void) => return None,
            Some(Fate::Expired) => return Some(no_answer(answer_to(&prompt), "it came too late")),
            None => {}
        }
        let answer = answer(&self.seat, &self.link, prompt);
        (fate.get() != Some(&Fate::Void)).then_some(answer)
    }
}

fn answer(seat: &Seat, link: &Link, prompt: wire::View) -> ClientFrame {
    let to = answer_to(&prompt);
    let view = View::new(prompt, Arc::clone(&seat.game));
    match seat.ask(|bot| decide(bot, &view, to.clone())).and_then(|answer| answer) {
        Ok(answer) => answer,
        Err(why) => {
            // The bot has no answer: say so at once, for silence would cost its clock.
            tracing::error!("the bot failed: {view}: {why}");
            link.blame(&view);
            no_answer(to, &why)
        }
    }
}

/// Where jobs wait. With one thread, no two bots ever run at the same time.
pub(crate) struct Thinkers {
    shared: Arc<Shared>,
}

struct Shared {
    /// `None` when there will be no more.
    queue: Mutex<Option<VecDeque<Job>>>,
    some: Condvar,
    is_alone: bool,
}

impl Thinkers {
    pub(crate) fn new(threads: usize) -> io::Result<Self> {
        let threads = threads.max(1);
        let shared = Arc::new(Shared {
            queue: Mutex::new(Some(VecDeque::new())),
            some: Condvar::new(),
            is_alone: threads == 1,
        });
        let thinkers = Thinkers { shared };
        for _ in 0..threads {
            let shared = Arc::clone(&thinkers.shared);
            thread::Builder::new().name("ohhell-bot".into()).spawn(move || shared.work())?;
        }
        Ok(thinkers)
    }

    pub(crate) fn add(&self, jobs: Vec<Job>) {
        if jobs.is_empty() {
            return;
        }
        if let Some(queue) = self.shared.queue().as_mut() {
            queue.extend(jobs);
        }
        self.shared.some.notify_all();
    }
}

/// The threads end when they have done what they are at.
impl Drop for Thinkers {
    fn drop(&mut self) {
        *self.shared.queue() = None;
        self.shared.some.notify_all();
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Option<VecDeque<Job>>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be done, for one of several threads one thing only; `None` at the end.
    fn take(&self) -> Option<VecDeque<Job>> {
        let waiting = self
            .some
            .wait_while(self.queue(), |queue| queue.as_ref().is_some_and(VecDeque::is_empty));
        let mut queue = waiting.unwrap_or_else(PoisonError::into_inner);
        let queue = queue.as_mut()?;
        let share = if self.is_alone { queue.len() } else { 1 };
        Some(queue.drain(..share).collect())
    }

    fn work(&self) {
        while let Some(mut jobs) = self.take() {
            let mut since = Instant::now();
            let mut ready = Vec::new();
            while let Some(job) = jobs.pop_front() {
                let link = Arc::clone(&job.link);
                ready.extend(job.done());
                let is_last = jobs.front().is_none_or(|next| !Arc::ptr_eq(&next.link, &link));
                if is_last || since.elapsed() > HOLD_BACK {
                    link.outbox.add(ready.drain(..));
                    since = Instant::now();
                }
            }
        }
    }
}
