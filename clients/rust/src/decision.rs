//! Asks a bot, and makes its answer a frame. Legality is for the table.
use crate::{Ask, Bot, CallRule, Card, View, wire};
use wire::{Answer, ClientFrame, answer::Action, client_frame::Body};

const NOTE_BYTES: usize = 256;

/// The answer of a bot; or why there is none.
pub(crate) fn decide(bot: &mut dyn Bot, view: &View, to: Answer) -> Result<ClientFrame, String> {
    let mut answer = to;
    answer.action = Some(match view.ask {
        Ask::Bid => Action::Bid(bot.bid(view)),
        Ask::Play if view.legal_cards.is_empty() => Action::Card(0),
        Ask::Play => {
            let card: Card = bot.play(view);
            if card.is_joker() && view.call == CallRule::Required {
                answer.call = bot.call_joker(view, card).into();
            }
            Action::Card(card.code())
        }
        Ask::Trump => Action::Trump(bot.choose_trump(view).into()),
        Ask::BidCards => {
            let laid = bot.lay(view);
            Action::BidCards(wire::BidCards {
                cards: laid.cards.into_iter().map(Card::code).collect(),
                claim: laid.claim.into(),
            })
        }
        unknown => {
            return Err(format!(
                "a question of a kind that this library does not know: {unknown:?}"
            ));
        }
    });
    Ok(frame(answer))
}

/// An answer to a prompt that says nothing yet.
pub(crate) fn answer_to(prompt: &wire::View) -> Answer {
    Answer { handle: prompt.handle, seq: prompt.seq, attempt: prompt.attempt, ..Answer::default() }
}

/// It has no action: the table sees at once that the bot has none.
pub(crate) fn no_answer(to: Answer, why: &str) -> ClientFrame {
    frame(Answer { note: cut(why).to_owned(), ..to })
}

fn frame(answer: Answer) -> ClientFrame {
    ClientFrame { body: Some(Body::Answer(answer)) }
}

/// What the wire allows, whole characters only.
fn cut(note: &str) -> &str {
    let ends = note.char_indices().map(|(start, letter)| start + letter.len_utf8());
    &note[..ends.take_while(|&end| end <= NOTE_BYTES).last().unwrap_or(0)]
}

#[cfg(test)]
mod notes {
    use super::cut;

    #[test]
    fn a_note_is_cut_to_what_the_wire_allows() {
        assert_eq!(cut(&format!("a{}", "ä".repeat(200))), format!("a{}", "ä".repeat(127)));
        assert_eq!(cut("short"), "short");
    }
}
