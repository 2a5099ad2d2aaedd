package dev.ohhell.bot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What one seat may know now, and what it is asked. Lists "by seat" have an item for every seat.
 * What stands in the message has its name; the rest follows from it.
 */
public final class View {
  /** Stands for a bid that was not made or is not open to the seat, and for no seat. */
  public static final int ABSENT = -1;

  private final dev.ohhell.v1.View message;
  private final Match match;
  private final List<Card> hand;
  private final List<Card> legalCards;
  private final List<Card> plays;
  private final List<Integer> bids;
  private Draws rng;

  /** A bot's tests make a view this way. */
  public View(dev.ohhell.v1.View message, Match match) {
    this.message = message;
    this.match = match;
    hand = Card.listOf(message.getHandValueList());
    legalCards = Card.listOf(message.getLegalCardsValueList());
    plays = Card.listOf(message.getPlaysValueList());
    bids = openBids(message);
  }

  private static List<Integer> openBids(dev.ohhell.v1.View message) {
    List<Integer> bids = new ArrayList<>(message.getBidsList());
    for (int seat = 0; seat < bids.size(); seat++) {
      if (seat >= message.getBidStatesCount()
          || message.getBidStatesValue(seat) != BidState.OPEN.ordinal()) {
        bids.set(seat, ABSENT);
      }
    }
    return List.copyOf(bids);
  }

  private static <T> List<T> listOf(List<Integer> numbers, IntFunction<T> item) {
    return numbers.stream().map(item::apply).toList();
  }

  /** What came from the service. */
  public dev.ohhell.v1.View message() {
    return message;
  }

  /** What does not change during the match. */
  public Match match() {
    return match;
  }

  public int handle() {
    return message.getHandle();
  }

  public int seq() {
    return message.getSeq();
  }

  public int seat() {
    return match.seat();
  }

  public Ask ask() {
    return Ask.of(message.getAskValue());
  }

  public int attempt() {
    return message.getAttempt();
  }

  public int limitMs() {
    return message.getLimitMs();
  }

  public int bankMs() {
    return message.getBankMs();
  }

  public Phase phase() {
    return Phase.of(message.getPhaseValue());
  }

  public int deal() {
    return message.getDeal();
  }

  public DealKind dealKind() {
    return DealKind.of(message.getDealKindValue());
  }

  public int dealer() {
    return message.getDealer();
  }

  /** Cards that each seat was dealt. */
  public int size() {
    return message.getSize();
  }

  /** A suit, {@link Suit#NO_TRUMP}, or {@link Suit#NONE} while it is not known. */
  public Suit trump() {
    return Suit.of(message.getTrumpValue());
  }

  /** {@link Card#NONE} where no card is turned up. */
  public Card upcard() {
    return Card.of(message.getUpcardValue());
  }

  public boolean forehead() {
    return message.getForehead();
  }

  public boolean extra() {
    return message.getExtra();
  }

  public List<Card> hand() {
    return hand;
  }

  public List<Integer> legalBids() {
    return message.getLegalBidsList();
  }

  public List<Card> legalCards() {
    return legalCards;
  }

  public List<Suit> legalSuits() {
    return listOf(message.getLegalSuitsValueList(), Suit::of);
  }

  /** Seats that may act now. */
  public List<Integer> toAct() {
    return message.getToActList();
  }

  /** What the own bid may be replaced with. */
  public List<Integer> amendBids() {
    return message.getAmendBidsList();
  }

  /** By seat; {@link #ABSENT} where not made, or not open. */
  public List<Integer> bids() {
    return bids;
  }

  /** By seat. */
  public List<BidState> bidStates() {
    return listOf(message.getBidStatesValueList(), BidState::of);
  }

  /** By seat. */
  public List<Integer> tricks() {
    return message.getTricksList();
  }

  /** By seat. */
  public List<Integer> scores() {
    return message.getScoresList();
  }

  /** Every card of this deal that was played, in order. */
  public List<Card> plays() {
    return plays;
  }

  /** The seat that led to each trick. */
  public List<Integer> leaders() {
    return message.getLeadersList();
  }

  /** What jokers among {@link #plays} were called, in order. */
  public List<JokerCall> jokerCalls() {
    return listOf(message.getJokerCallsValueList(), JokerCall::of);
  }

  /** What a joker played now needs. */
  public CallRule call() {
    return CallRule.of(message.getCallValue());
  }

  public List<Card> shownCards() {
    return Card.listOf(message.getShownCardsValueList());
  }

  /** How many of {@link #shownCards} are of each seat. */
  public List<Integer> shownCounts() {
    return message.getShownCountsList();
  }

  public List<ShownWhy> shownWhy() {
    return listOf(message.getShownWhyValueList(), ShownWhy::of);
  }

  public List<Card> bidCards() {
    return Card.listOf(message.getBidCardsValueList());
  }

  public Claim claim() {
    return Claim.of(message.getClaimValue());
  }

  /** {@link #ABSENT} where nobody has it. */
  public int premiumSeat() {
    return message.hasPremiumSeat() ? message.getPremiumSeat() : ABSENT;
  }

  public Claim premiumKind() {
    return Claim.of(message.getPremiumKindValue());
  }

  /** Chance that depends on {@code match().botSeed()} and {@link #seq} alone. */
  public Draws rng() {
    if (rng == null) {
      rng = new Draws(match.botSeed(), seq());
    }
    return rng;
  }

  /** {@link #ABSENT} where the seat has no open bid. */
  public int myBid() {
    return bids.get(seat());
  }

  /** The tricks that this seat has taken in this deal. */
  public int myTricks() {
    return message.getTricks(seat());
  }

  /**
   * The tricks still missing to the own bid, below zero beyond it; zero where the seat has no open
   * bid.
   */
  public int needed() {
    return myBid() == ABSENT ? 0 : myBid() - myTricks();
  }

  /** The tricks not taken yet in this deal, the one on the table included. */
  public int tricksLeft() {
    return size() - tricks().stream().mapToInt(Integer::intValue).sum();
  }

  /** The unfinished trick in order of play; empty for the leader. */
  public List<Played> trick() {
    List<Card> cards = trickCards();
    List<Played> trick = new ArrayList<>();
    for (int i = 0; i < cards.size(); i++) {
      int leader = message.getLeaders(plays.size() / match.seats());
      trick.add(new Played((leader + i) % match.seats(), cards.get(i)));
    }
    return trick;
  }

  List<Card> trickCards() {
    return plays.subList(plays.size() / match.seats() * match.seats(), plays.size());
  }

  /** The suit to be followed in the unfinished trick; {@link Suit#NONE} where there is none. */
  public Suit ledSuit() {
    return match.rules().ledSuit(trickCards());
  }

  /** How many seats play to this trick, or bid in this deal, before this one. */
  public int position() {
    return ask() == Ask.PLAY
        ? trickCards().size()
        : Math.floorMod(seat() - dealer() - 1, match.seats());
  }

  /** Whether this seat's card completes the trick. */
  public boolean playsLast() {
    return trickCards().size() == match.seats() - 1;
  }

  /**
   * The cards whose place is not known, by code: in other hands, or not dealt. That is the pack
   * without the own hand and bid cards, everything played, the upcard, and what others show.
   */
  public List<Card> unseen() {
    Map<Card, Integer> seen = new HashMap<>();
    for (List<Card> cards : List.of(hand, plays, bidCards(), shownCards(), List.of(upcard()))) {
      cards.forEach(card -> seen.merge(card, 1, Integer::sum));
    }
    return match.rules().pack().stream()
        .filter(card -> seen.merge(card, -1, Integer::sum) < 0)
        .toList();
  }

  /** The card that wins the unfinished trick as it lies; empty for the leader. */
  public Optional<Played> winnerSoFar() {
    return new Trick(this).winner().map(winner -> trick().get(winner.place()));
  }

  /** As {@link #wins(Card, JokerCall)}, without a call. */
  public boolean wins(Card card) {
    return wins(card, JokerCall.NONE);
  }

  /**
   * Whether a card played now would be the winning one so far. The call counts only for a joker
   * that needs one; a fixed value is known anyway.
   */
  public boolean wins(Card card, JokerCall call) {
    return new Trick(this).wins(card, call);
  }

  /**
   * Sorted by the rank order of the table, suits aside, then by code. Jesters come first, jokers
   * and wizards last.
   */
  public List<Card> lowestFirst(List<Card> cards) {
    return cards.stream()
        .sorted(
            Comparator.<Card>comparingInt(match.rules()::strength)
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /** One paragraph for a log: enough to know the position again. */
  @Override
  public String toString() {
    String position =
        "table %s seat %d; decision %s attempt %d: %s; deal %d of %d cards, dealer %d, trump %s,"
            + " upcard %s; hand %s; bids %s tricks %s";
    String asked =
        switch (ask()) {
          case BID -> "; legal " + legalBids();
          case PLAY ->
              "; trick %s; legal %s".formatted(Card.textOf(trickCards()), Card.textOf(legalCards));
          case TRUMP -> "; legal " + legalSuits();
          default -> "";
        };
    return position.formatted(
            match.table(),
            seat(),
            Integer.toUnsignedString(seq()),
            attempt(),
            ask(),
            deal(),
            size(),
            dealer(),
            trump(),
            upcard(),
            Card.textOf(hand),
            bids,
            tricks())
        + asked;
  }
}
