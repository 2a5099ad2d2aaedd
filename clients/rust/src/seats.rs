//! What a bot process holds, whatever becomes of its connection.
use std::{
    any::Any,
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{Bot, Match, MatchResult, Rules, wire};

/// Makes the bot of one match.
pub(crate) type NewBot = Arc<dyn Fn() -> Box<dyn Bot> + Send + Sync>;

pub(crate) fn boxed<B: Bot>(new_bot: impl Fn() -> B + Send + Sync + 'static) -> NewBot {
    Arc::new(move || Box::new(new_bot()))
}

/// One match of a bot. Its bot is made and told of the match by whoever thinks for it
/// first, and does one thing at a time.
pub(crate) struct Seat {
    pub(crate) game: Arc<Match>,
    new_bot: NewBot,
    bot: Mutex<Option<Box<dyn Bot>>>,
}

impl Seat {
    /// What the bot says; or what it panicked with.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&mut dyn Bot) -> T) -> Result<T, String> {
        let mut place = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
        let bot = self.made(&mut place)?;
        caught(|| question(bot))
    }

    fn made<'a>(
        &self,
        place: &'a mut MutexGuard<'_, Option<Box<dyn Bot>>>,
    ) -> Result<&'a mut dyn Bot, String> {
        if place.is_none() {
            let bot = place.insert(caught(|| (self.new_bot)())?);
            self.log_panic("match_start", caught(|| bot.match_start(&self.game)));
        }
        Ok(place.as_mut().expect("it was made above").as_mut())
    }

    pub(crate) fn end(&self, result: &MatchResult) {
        self.log_panic("match_end", self.ask(|bot| bot.match_end(result)));
    }

    fn log_panic(&self, method: &str, done: Result<(), String>) {
        if let Err(why) = done {
            tracing::error!("{method} panicked at table {}: {why}", self.game.table);
        }
    }
}

/// Where a bot's code leaves its own state half changed, that is the bot's to bear.
fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|reason| message_of(&*reason))
}

fn message_of(reason: &(dyn Any + Send)) -> String {
    let text = reason.downcast_ref::<&str>().copied();
    let text = text.or_else(|| reason.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked").to_owned()
}

/// Seats that have ended: the service says no more of them a second time.
const MOST_REMEMBERED: usize = 512;

/// The seats of one lane.
pub(crate) struct Seats {
    new_bot: NewBot,
    held: HashMap<(String, usize), Arc<Seat>>,
    rules: HashMap<String, Arc<Rules>>,
    /// Seats that are over, by handle and place, oldest first.
    ended: VecDeque<(u32, (String, usize))>,
}

impl Seats {
    pub(crate) fn new(new_bot: NewBot) -> Self {
        Seats { new_bot, held: HashMap::new(), rules: HashMap::new(), ended: VecDeque::new() }
    }

    /// The same seat again where it is assigned again; `None` where its rules were never
    /// told, and for one that is over: the service cannot know that it was heard.
    pub(crate) fn assign(&mut self, mut assigned: wire::SeatAssigned) -> Option<Arc<Seat>> {
        if let Some(rules) = assigned.rules.take() {
            self.rules.insert(assigned.rules_hash.clone(), Arc::new(rules.into()));
        }
        let key = (assigned.table.clone(), assigned.seat as usize);
        if self.ended.iter().any(|(handle, ended)| *handle == assigned.handle && *ended == key) {
            return None;
        }
        if let Some(held) = self.held.get(&key) {
            return Some(Arc::clone(held));
        }
        let Some(rules) = self.rules.get(&assigned.rules_hash) else {
            tracing::warn!("table {} has rules that were never told", assigned.table);
            return None;
        };
        tracing::debug!("seat {} at table {}", assigned.seat, assigned.table);
        let seat = Arc::new(Seat {
            game: Arc::new(Match::from_wire(assigned, Arc::clone(rules))),
            new_bot: Arc::clone(&self.new_bot),
            bot: Mutex::default(),
        });
        self.held.insert(key, Arc::clone(&seat));
        Some(seat)
    }

    pub(crate) fn end(&mut self, handle: u32, game: &Match) {
        let key = (game.table.clone(), game.seat);
        self.held.remove(&key);
        self.ended.push_back((handle, key));
        if self.ended.len() > MOST_REMEMBERED {
            self.ended.pop_front();
        }
    }

    /// The service knows nothing of an earlier session, so its matches are gone.
    pub(crate) fn forget(&mut self) {
        self.held.clear();
        self.ended.clear();
    }
}
