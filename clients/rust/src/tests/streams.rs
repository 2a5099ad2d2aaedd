//! What a stream does besides what the scripts say: threads, withdrawals, lanes.
use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
};
use tonic::Code;

use super::{
    Fails, Lowest,
    service::{Arena, Caller, Run, call, dial, soon},
};
use crate::{
    Bot, Card, Error, Match, MatchResult, Settings, View, listen,
    wire::{
        self, Answer, Ask, EndReason, Rules, ServerFrame, answer::Action, client_frame,
        server_frame::Body,
    },
};

/// Thinks about the first table until its gate is opened.
#[derive(Clone)]
struct Gated {
    gate: Arc<(Mutex<bool>, Condvar)>,
    called: mpsc::UnboundedSender<String>,
}

impl Gated {
    fn new() -> (Gated, mpsc::UnboundedReceiver<String>) {
        let (called, calls) = mpsc::unbounded_channel();
        (Gated { gate: Arc::default(), called }, calls)
    }

    fn open(&self) {
        *self.gate.0.lock().unwrap() = true;
        self.gate.1.notify_all();
    }

    fn tell(&self, call: String) {
        // A test that has ended hears nothing.
        let _ = self.called.send(call);
    }
}

impl Bot for Gated {
    fn bid(&mut self, view: &View) -> u32 {
        self.tell(view.game.table.clone());
        if view.game.table == "t1" {
            let (gate, opened) = &*self.gate;
            let _open = opened.wait_while(gate.lock().unwrap(), |is_open| !*is_open).unwrap();
        }
        1
    }

    fn play(&mut self, view: &View) -> Card {
        view.legal_cards[0]
    }

    fn match_start(&mut self, game: &Match) {
        self.tell(format!("start {}", game.table));
    }

    fn match_end(&mut self, result: &MatchResult) {
        self.tell(format!("end {}", result.game.table));
    }
}

/// A service with one bot that has connected.
struct Met {
    arena: Arena,
    stream: Caller,
    _run: Run,
}

async fn meet<B: Bot>(new_bot: impl Fn() -> B + Send + Sync + 'static, threads: usize) -> Met {
    let mut arena = Arena::start().await;
    let address = arena.address.clone();
    let settings = Settings { address, threads, workers: 4, ..Settings::default() };
    let run = Run::connect(new_bot, settings);
    let mut stream = arena.stream().await;
    stream.hear().await;
    stream.say(vec![welcome(false)]);
    Met { arena, stream, _run: run }
}

fn frame(body: Body) -> ServerFrame {
    ServerFrame { body: Some(body) }
}

fn welcome(resumed: bool) -> ServerFrame {
    let session_id = "s1".into();
    frame(Body::Welcome(wire::Welcome { session_id, resumed, ..Default::default() }))
}

fn assigned(handle: u32, table: &str) -> ServerFrame {
    frame(Body::Seat(wire::SeatAssigned {
        handle,
        table: table.into(),
        rules_hash: "h".into(),
        rules: Some(Rules { players: 3, ..Default::default() }),
        ..Default::default()
    }))
}

fn asked(handle: u32, seq: u32) -> ServerFrame {
    frame(Body::Prompt(wire::View {
        handle,
        seq,
        ask: Ask::Bid.into(),
        attempt: 1,
        legal_bids: vec![0, 1],
        ..Default::default()
    }))
}

fn withdrawn(handle: u32, seq: u32, reason: &str) -> ServerFrame {
    frame(Body::Withdrawn(wire::Withdrawn { handle, seq, reason: reason.into() }))
}

fn beat(nonce: u32) -> ServerFrame {
    frame(Body::Heartbeat(wire::Heartbeat { nonce, ..Default::default() }))
}

async fn pong(stream: &mut Caller, nonce: u32) {
    let heard = stream.hear().await.body;
    assert_eq!(heard, Some(client_frame::Body::Pong(wire::Pong { nonce })));
}

async fn answer(stream: &mut Caller) -> Answer {
    match stream.hear().await.body {
        Some(client_frame::Body::Answer(answer)) => answer,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn heartbeats_are_answered_while_a_bot_thinks() {
    let (bot, _calls) = Gated::new();
    let gate = bot.clone();
    let mut met = meet(move || bot.clone(), 0).await;
    met.stream.say(vec![assigned(1, "t1"), asked(1, 7), beat(3)]);
    pong(&mut met.stream, 3).await;
    gate.open();
    assert_eq!(answer(&mut met.stream).await.action, Some(Action::Bid(1)));
}

#[tokio::test]
async fn one_thread_never_runs_two_bots_at_the_same_time_and_several_do() {
    for threads in [1, 2] {
        let (bot, mut calls) = Gated::new();
        let gate = bot.clone();
        let mut met = meet(move || bot.clone(), threads).await;
        met.stream.say(vec![assigned(1, "t1"), assigned(2, "t2"), asked(1, 7)]);
        assert_eq!(soon(calls.recv()).await.unwrap(), "start t1");
        assert_eq!(soon(calls.recv()).await.unwrap(), "t1");
        met.stream.say(vec![asked(2, 7)]);
        if threads == 2 {
            assert_eq!(answer(&mut met.stream).await.handle, 2);
        }
        met.stream.say(vec![beat(1)]);
        pong(&mut met.stream, 1).await;
        assert_eq!(!calls.is_empty(), threads == 2, "{threads} threads");
        gate.open();
    }
}

#[tokio::test]
async fn what_was_withdrawn_while_thinking_is_not_answered() {
    let (bot, _calls) = Gated::new();
    let gate = bot.clone();
    let mut met = meet(move || bot.clone(), 0).await;
    met.stream.say(vec![assigned(1, "t1"), assigned(2, "t2"), asked(1, 7), asked(2, 3)]);
    let void = [withdrawn(1, 7, "AMENDED"), withdrawn(2, 3, "CANCELLED")];
    met.stream.say(void.into_iter().chain([asked(1, 8), beat(1)]).collect());
    pong(&mut met.stream, 1).await;
    gate.open();
    assert_eq!(answer(&mut met.stream).await.seq, 8);
}

#[tokio::test]
async fn what_expired_is_answered_nevertheless_for_the_table_waits_to_hear_it() {
    let (bot, mut calls) = Gated::new();
    let gate = bot.clone();
    let mut met = meet(move || bot.clone(), 0).await;
    met.stream.say(vec![assigned(1, "t1"), assigned(2, "t2"), asked(1, 7)]);
    soon(calls.recv()).await.unwrap();
    soon(calls.recv()).await.unwrap();
    let late = [withdrawn(1, 7, "DEFAULTED"), withdrawn(2, 3, "DEFAULTED"), beat(1)];
    met.stream.say([asked(2, 3)].into_iter().chain(late).collect());
    pong(&mut met.stream, 1).await;
    gate.open();
    let first = answer(&mut met.stream).await;
    assert_eq!((first.handle, first.action), (1, Some(Action::Bid(1))));
    // The second one had not been begun.
    let second = answer(&mut met.stream).await;
    assert_eq!((second.handle, second.action), (2, None));
}

#[tokio::test]
async fn a_bot_is_told_of_its_match_once_also_when_the_stream_is_lost() {
    let (bot, mut calls) = Gated::new();
    bot.open();
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let new_bot = move || {
        count.fetch_add(1, Ordering::Relaxed);
        bot.clone()
    };
    let mut met = meet(new_bot, 0).await;
    met.stream.say(vec![assigned(1, "t1"), asked(1, 7)]);
    answer(&mut met.stream).await;
    met.stream.close(Code::Unavailable);
    let mut again = met.arena.stream().await;
    again.hear().await;
    let reason = EndReason::Played.into();
    let ended = wire::SeatEnded { handle: 9, reason, ..Default::default() };
    again.say(vec![welcome(true), assigned(9, "t1"), asked(9, 8), frame(Body::Ended(ended))]);
    answer(&mut again).await;
    for wanted in ["start t1", "t1", "t1", "end t1"] {
        assert_eq!(soon(calls.recv()).await.unwrap(), wanted);
    }
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_service_that_knows_nothing_of_a_match_begins_another_one() {
    let (bot, mut calls) = Gated::new();
    bot.open();
    let mut met = meet(move || bot.clone(), 0).await;
    met.stream.say(vec![assigned(1, "t1"), asked(1, 7)]);
    answer(&mut met.stream).await;
    met.stream.close(Code::Unavailable);
    let mut again = met.arena.stream().await;
    again.hear().await;
    again.say(vec![welcome(false), assigned(1, "t1"), asked(1, 7)]);
    answer(&mut again).await;
    for wanted in ["start t1", "t1", "start t1", "t1"] {
        assert_eq!(soon(calls.recv()).await.unwrap(), wanted);
    }
}

#[tokio::test]
async fn a_failure_is_noted_for_the_bots_own_log() {
    let mut met = meet(|| Fails, 0).await;
    met.stream.say(vec![assigned(1, "t1"), asked(1, 7)]);
    assert_eq!(answer(&mut met.stream).await.note, "the script says so");
}

#[tokio::test]
async fn a_bot_that_cannot_be_made_has_no_answer() {
    let new_bot = || -> Lowest { panic!("there is no {}", "model") };
    let mut met = meet(new_bot, 0).await;
    met.stream.say(vec![assigned(1, "t1"), asked(1, 7)]);
    let answer = answer(&mut met.stream).await;
    assert_eq!((answer.action, answer.note.as_str()), (None, "there is no model"));
}

#[tokio::test]
async fn a_bot_gives_up_when_its_patience_is_over() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let settings = Settings { address, patience: Duration::ZERO, ..Settings::default() };
    let ended = Run::connect(|| Lowest, settings).ended().await;
    assert!(matches!(ended, Err(Error::GivenUp(_))), "{ended:?}");
}

#[tokio::test]
async fn a_bot_that_is_stopped_before_it_reached_anybody_ends() {
    let settings = Settings { address: "127.0.0.1:1".into(), ..Settings::default() };
    let mut run = Run::connect(|| Lowest, settings);
    run.stop();
    assert_eq!(run.ended().await, Ok(()));
}

#[tokio::test]
async fn a_lane_is_a_number_and_has_one_caller() {
    let (_run, address) = Run::listen(|| Lowest, Settings::default()).await;
    let mut first = dial(&address, 3).await;
    match first.hear().await.body {
        Some(client_frame::Body::Hello(hello)) => assert_eq!(hello.lane, 3),
        other => panic!("{other:?}"),
    }
    let refusals = [
        ("3", Code::ResourceExhausted),
        ("-1", Code::InvalidArgument),
        ("256", Code::InvalidArgument),
        ("x", Code::InvalidArgument),
        ("", Code::InvalidArgument),
    ];
    for (lane, wanted) in refusals {
        let refused = soon(call(&address, lane)).await.err();
        assert_eq!(refused.map(|status| status.code()), Some(wanted), "lane {lane:?}");
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let serve = Some(taken.local_addr().unwrap().to_string());
    let settings = Settings { serve, ..Settings::default() };
    let (_never, told) = oneshot::channel::<()>();
    let stop = async {
        let _ = told.await;
    };
    let ended = soon(listen(|| Lowest, &settings, stop, |_| {})).await;
    let Err(Error::Settings(message)) = ended else { panic!("{ended:?}") };
    assert!(message.contains("Address already in use"), "{message}");
}
