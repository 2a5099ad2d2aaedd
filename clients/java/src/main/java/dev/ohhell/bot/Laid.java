package dev.ohhell.bot;

import java.util.List;

/** A bid made with three cards, and what is promised with them. */
public record Laid(List<Card> cards, Claim claim) {
  static final int CARDS = 3;
}
