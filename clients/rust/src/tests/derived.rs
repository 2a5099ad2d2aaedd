//! What views say beyond their prompts, the same in every language.
use std::{collections::HashMap, fs, sync::Arc, vec};

use serde_json::{Value, json};

use super::{
    Lowest,
    scripts::{Script, folder, frames, script},
};
use crate::{
    JokerCall, View,
    seats::{Seat, Seats, boxed},
    trick::Played,
    wire::{ServerFrame, server_frame::Body},
};

fn said(view: &View) -> Value {
    let pair = |played: Played| json!([played.seat, played.card.code()]);
    let wins = |card| {
        [JokerCall::NoCall, JokerCall::High, JokerCall::Low].map(|call| view.wins(card, call))
    };
    let mut rng = view.rng();
    json!({
        "trick": view.trick().into_iter().map(pair).collect::<Vec<_>>(),
        "led_suit": view.led_suit().map_or(0, i32::from),
        "position": view.position(),
        "plays_last": view.plays_last(),
        "winner_so_far": view.winner_so_far().map(pair),
        "my_bid": view.my_bid(),
        "my_tricks": view.my_tricks(),
        "needed": view.needed(),
        "tricks_left": view.tricks_left(),
        "unseen": view.unseen().into_iter().map(|card| card.code()).collect::<Vec<_>>(),
        "strength": view.hand.iter().map(|&card| view.game.rules.strength(card))
            .collect::<Vec<_>>(),
        "wins": view.hand.iter().map(|&card| wins(card)).collect::<Vec<_>>(),
        "words": [rng.word(), rng.word()],
    })
}

fn views(script: &Script) -> Vec<(u32, View)> {
    let mut seats = Seats::new(boxed(|| Lowest));
    let mut handles: HashMap<u32, Arc<Seat>> = HashMap::new();
    let mut views = Vec::new();
    for said in script.steps.iter().filter_map(|step| step.get("service")) {
        for frame in frames::<ServerFrame>("ServerFrame", said) {
            match frame.body {
                Some(Body::Seat(assigned)) => {
                    handles.insert(assigned.handle, seats.assign(assigned).unwrap());
                }
                Some(Body::Prompt(prompt)) => {
                    let game = Arc::clone(&handles[&prompt.handle].game);
                    views.push((prompt.handle, View::new(prompt, game)));
                }
                _ => {}
            }
        }
    }
    views
}

#[test]
fn views_say_what_they_say_in_every_language() {
    let kept = fs::read_to_string(folder().join("derived.jsonl")).unwrap();
    let mut prompts: HashMap<String, vec::IntoIter<(u32, View)>> = HashMap::new();
    for (number, line) in kept.lines().enumerate() {
        let kept: Value = serde_json::from_str(line).unwrap();
        let name = kept["script"].as_str().unwrap().to_owned();
        let rest = prompts.entry(name.clone());
        let (handle, view) =
            rest.or_insert_with(|| views(&script(&name)).into_iter()).next().unwrap();
        let mut says = said(&view);
        says["script"] = name.into();
        says["seq"] = view.seq.into();
        says["handle"] = handle.into();
        assert_eq!(says, kept, "line {}: {view}", number + 1);
    }
    assert!(!prompts.is_empty(), "nothing was compared");
    for (name, rest) in prompts {
        assert_eq!(rest.count(), 0, "{name} has more prompts");
    }
}
