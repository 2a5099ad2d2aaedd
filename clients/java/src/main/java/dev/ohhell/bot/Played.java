package dev.ohhell.bot;

/** A card on the table and the seat that played it. */
public record Played(int seat, Card card) {}
