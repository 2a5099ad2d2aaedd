//! The scripts of tests/conformance/frames, whose README.md is the format.
use std::{collections::HashMap, fs, path::PathBuf, sync::LazyLock};

use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde::Deserialize;
use serde_json::Value;
use tonic::{Code, codegen::Bytes};

use super::{
    Fails, Lowest,
    service::{Arena, Caller, Run, dial, soon},
};
use crate::{
    Bot, Card, Error, OnError, Settings, View,
    wire::{ClientFrame, client_frame::Body},
};

#[derive(Deserialize)]
pub(super) struct Script {
    bot: String,
    #[serde(default)]
    settings: Given,
    dialled: bool,
    pub(super) steps: Vec<HashMap<String, Value>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Given {
    instance: String,
    lane: u8,
    workers: Option<u32>,
    token: Option<String>,
    on_error: Option<String>,
}

pub(super) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/frames")
}

pub(super) fn script(name: &str) -> Script {
    let path = folder().join(format!("{name}.json"));
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

impl Script {
    fn settings(&self) -> Settings {
        let given = &self.settings;
        let is_stop = given.on_error.as_deref() == Some("stop");
        Settings {
            instance: given.instance.clone(),
            lane: given.lane,
            workers: given.workers.unwrap_or(1),
            token: given.token.clone(),
            on_error: if is_stop { OnError::Stop } else { OnError::Concede },
            ..Settings::default()
        }
    }

    fn new_bot(&self) -> impl Fn() -> Either + Send + Sync + 'static {
        let fails = self.bot == "fails";
        move || if fails { Either::Fails(Fails) } else { Either::Lowest(Lowest) }
    }
}

/// The bots of the scripts.
enum Either {
    Lowest(Lowest),
    Fails(Fails),
}

impl Bot for Either {
    fn bid(&mut self, view: &View) -> u32 {
        match self {
            Either::Lowest(bot) => bot.bid(view),
            Either::Fails(bot) => bot.bid(view),
        }
    }

    fn play(&mut self, view: &View) -> Card {
        match self {
            Either::Lowest(bot) => bot.play(view),
            Either::Fails(bot) => bot.play(view),
        }
    }
}

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let descriptors = include_bytes!("../generated/ohhell/v1/descriptors.binpb");
    DescriptorPool::decode(&descriptors[..]).unwrap()
});

/// The frames of a step: messages in the JSON form of protobuf.
pub(super) fn frames<M: Message + Default>(kind: &str, step: &Value) -> Vec<M> {
    let kind = POOL.get_message_by_name(&format!("ohhell.v1.{kind}")).unwrap();
    let of = |frame: &Value| {
        let message = DynamicMessage::deserialize(kind.clone(), frame).unwrap();
        message.transcode_to().unwrap()
    };
    step.as_array().unwrap().iter().map(of).collect()
}

enum Service {
    Called(Arena),
    Calling { address: String, lane: u8 },
}

impl Service {
    async fn next(&mut self, wanted: Option<&str>) -> Caller {
        match self {
            Service::Called(arena) => {
                let stream = arena.stream().await;
                assert_eq!(stream.authorization.as_deref(), wanted);
                stream
            }
            Service::Calling { address, lane } => dial(address, *lane).await,
        }
    }
}

async fn dialled_in(name: &str) {
    let script = script(name);
    let arena = Arena::start().await;
    let settings = Settings { address: arena.address.clone(), ..script.settings() };
    let run = Run::connect(script.new_bot(), settings);
    follow(&script, Service::Called(arena), run).await;
}

async fn dialled(name: &str) {
    let script = script(name);
    let settings = script.settings();
    let lane = settings.lane;
    let (run, address) = Run::listen(script.new_bot(), settings).await;
    follow(&script, Service::Calling { address, lane }, run).await;
}

async fn follow(script: &Script, mut service: Service, mut run: Run) {
    let mut stream: Option<Caller> = None;
    for (number, step) in script.steps.iter().enumerate() {
        let (kind, value) = step.iter().find(|(kind, _)| *kind != "about").unwrap();
        if kind == "stream" {
            stream = Some(service.next(value["authorization"].as_str()).await);
            continue;
        }
        let stream = stream.as_mut().unwrap();
        match kind.as_str() {
            "bot" => {
                let wanted: Vec<ClientFrame> = frames("ClientFrame", value);
                let mut heard = Vec::new();
                for _ in &wanted {
                    heard.push(stream.hear().await);
                }
                assert_eq!(comparable(heard), comparable(wanted), "step {number}");
            }
            "service" => stream.say(frames("ServerFrame", value)),
            "raw" => stream.tell(from_base64(value.as_str().unwrap())),
            "close" => stream.close(code(value.as_str().unwrap())),
            "stop" => run.stop(),
            "ends" => return conclude(stream, run, value.as_str().unwrap()).await,
            unknown => panic!("step {number}: {unknown}"),
        }
    }
}

async fn conclude(stream: &mut Caller, run: Run, wanted: &str) {
    if wanted == "stopped" {
        if stream.is_dialled {
            stream.close(Code::Ok);
        }
        assert_eq!(soon(stream.heard.recv()).await, None, "after the goodbye");
    }
    let ending = match run.ended().await {
        Ok(()) => "stopped",
        Err(Error::Fault(_)) => "fault",
        Err(Error::Refused(_)) => "refused",
        Err(error) => panic!("{error}"),
    };
    assert_eq!(ending, wanted);
}

/// Leaves out what each library says in its own words, in an order of its own.
fn comparable(mut frames: Vec<ClientFrame>) -> Vec<ClientFrame> {
    for frame in &mut frames {
        match &mut frame.body {
            Some(Body::Hello(hello)) => hello.software.clear(),
            Some(Body::Answer(answer)) => answer.note.clear(),
            _ => {}
        }
    }
    frames.sort_by_key(Message::encode_to_vec);
    frames
}

/// As a field of bytes has it in JSON.
fn from_base64(text: &str) -> Vec<u8> {
    let wrapped = serde_json::json!([{ "commitment": text }]);
    let read: Vec<crate::wire::NonceCommit> = frames("NonceCommit", &wrapped);
    Bytes::from(read[0].commitment.clone()).to_vec()
}

fn code(name: &str) -> Code {
    let words = name.split('_').map(|word| word[..1].to_owned() + &word[1..].to_lowercase());
    let wanted = if name == "OK" { "Ok".into() } else { words.collect::<String>() };
    let codes = (0..17).map(Code::from_i32);
    codes.into_iter().find(|code| format!("{code:?}") == wanted).expect("a status of gRPC")
}

macro_rules! scripts {
    (both_ways: $($both:ident)* ; only_dialling_in: $($one:ident)* ;) => {
        const BOTH_WAYS: &[&str] = &[$(stringify!($both)),*];
        const ONLY_DIALLING_IN: &[&str] = &[$(stringify!($one)),*];

        mod a_bot_that_calls_follows_the_script {
            $(scripts!(@test $both dialled_in);)*
            $(scripts!(@test $one dialled_in);)*
        }

        mod a_bot_that_is_called_follows_the_script {
            $(scripts!(@test $both dialled);)*
        }
    };
    (@test $name:ident $way:ident) => {
        #[tokio::test]
        async fn $name() {
            super::$way(&stringify!($name).replace('_', "-")).await;
        }
    };
}

scripts! {
    both_ways:
        asked_twice bid_cards bid_zero bot_fails closed drain ended_again forgotten
        full_messages heartbeats hello hidden_card joker_calls left_aside many_tables match_bid_cards
        match_forehead match_jokers_called match_odd_deals match_ordinary
        match_secret_bids match_spanish_pack match_twin_cards match_wizards never_welcomed
        newer_service rank_order resumed same_table_two_seats seat_ends second_attempt
        special_cards stopped_with_open_seats trump_choice withdrawn;
    only_dialling_in:
        bot_fails_and_stops no_arena not_let_in not_permitted not_understood superseded
        too_old;
}

#[test]
fn every_script_is_run() {
    let mut here: Vec<(String, bool)> = Vec::new();
    for (names, dialled) in [(BOTH_WAYS, true), (ONLY_DIALLING_IN, false)] {
        here.extend(names.iter().map(|name| (name.replace('_', "-"), dialled)));
    }
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let names = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let names = names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let mut there: Vec<_> = names.map(|name| (name.clone(), script(&name).dialled)).collect();
    here.sort();
    there.sort();
    assert_eq!(here, there);
}
