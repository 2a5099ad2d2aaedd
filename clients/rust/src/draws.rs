//! A bot's chance.
use ring::hmac;

/// Chance at one decision, a function of the seat's seed and of the decision alone: a
/// decision that is asked again, in whatever process or language, meets the same chance.
///
/// Its 32-bit words are HMAC-SHA256(bot_seed, "decision" | u32be seq | u64be counter) for
/// counter = 0, 1, ..., taken as eight big-endian words each, in order.
#[derive(Clone, Debug)]
pub struct Draws {
    key: hmac::Key,
    seq: u32,
    drawn: u64,
    block: [u8; 32],
}

const WORDS_IN_BLOCK: u64 = 8;

impl Draws {
    /// Starts the words of a decision.
    pub fn new(bot_seed: &[u8], seq: u32) -> Self {
        let key = hmac::Key::new(hmac::HMAC_SHA256, bot_seed);
        Draws { key, seq, drawn: 0, block: [0; 32] }
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        let place = (self.drawn % WORDS_IN_BLOCK) as usize * 4;
        if place == 0 {
            let mut message = hmac::Context::with_key(&self.key);
            message.update(b"decision");
            message.update(&self.seq.to_be_bytes());
            message.update(&(self.drawn / WORDS_IN_BLOCK).to_be_bytes());
            self.block.copy_from_slice(message.sign().as_ref());
        }
        self.drawn += 1;
        let bytes = &self.block[place..place + 4];
        bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte))
    }

    /// 0 <= n < `m`, all equally likely.
    ///
    /// # Panics
    /// If `m` is zero.
    pub fn below(&mut self, m: u32) -> u32 {
        assert!(m > 0, "cannot draw below 0");
        const ALL: u64 = 1 << 32;
        let limit = ALL - ALL % u64::from(m);
        loop {
            let word = self.word();
            if u64::from(word) < limit {
                return word % m;
            }
        }
    }

    /// 0 <= x < 1 with 53 random bits, out of two words.
    pub fn float(&mut self) -> f64 {
        let (high, low) = (u64::from(self.word() >> 5), u64::from(self.word() >> 6));
        (high << 26 | low) as f64 / (1_u64 << 53) as f64
    }

    /// Swaps from the last place down with one of the places up to it.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// One of the items; `None` where there are none.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len() as u32) as usize])
    }
}

#[cfg(test)]
mod known {
    use super::*;

    fn draws() -> Draws {
        Draws::new(&(0..16).collect::<Vec<u8>>(), 7)
    }

    #[test]
    fn draws_are_those_of_every_language() {
        let mut words = draws();
        let drawn: Vec<u32> = (0..9).map(|_| words.word()).collect();
        // The ninth word is of the second block.
        let wanted = [
            2181344209, 4293064234, 2120141822, 3655235384, 3415355339, 1921381793, 2666518093,
            686753985, 2169966577,
        ];
        assert_eq!(drawn, wanted);
        let mut dice = draws();
        let rolled: Vec<u32> = (0..10).map(|_| dice.below(6)).collect();
        assert_eq!(rolled, [1, 4, 2, 2, 5, 5, 1, 3, 1, 2]);
        assert_eq!(draws().float(), 0.5078837797012694);
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        draws().shuffle(&mut items);
        assert_eq!(items, [0, 7, 5, 3, 6, 2, 4, 1]);
    }

    #[test]
    fn a_choice_is_one_draw_below_the_number_of_items() {
        assert_eq!(draws().choice(&["a", "b", "c", "d", "e", "f"]), Some(&"b"));
        assert_eq!(draws().choice::<u8>(&[]), None);
    }

    #[test]
    #[should_panic(expected = "cannot draw below 0")]
    fn nothing_is_drawn_below_nothing() {
        draws().below(0);
    }
}
