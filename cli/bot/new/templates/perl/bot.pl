#!/usr/bin/env perl
# Bids as low as it may and plays its lowest card. One line in, one line out.
use strict;
use warnings;

$| = 1;    # every answer leaves at once

# By the rank order of the table, then by suit. Jesters (F) are below, jokers (X) and
# wizards (W) above all others.
sub weight {
    my ($card, $ranks) = @_;
    my ($first, $second) = split //, $card;
    return $second        if $first eq 'F';
    return 9000 + $second if $first eq 'X';
    return 9100 + $second if $first eq 'W';
    return 100 + 100 * index($ranks, $first) + index('CDHS', $second);
}

sub lowest_first {
    my ($ranks, @cards) = @_;
    return sort { weight($a, $ranks) <=> weight($b, $ranks) } @cards;
}

# The suit of which the hand has most cards, the first of equals.
sub longest {
    my ($hand, @suits) = @_;
    my %count = map { $_ => 0 } @suits;
    $count{ substr $_, 1 }++ for split ' ', $hand;
    my $best = shift @suits;
    for my $suit (@suits) {
        $best = $suit if $count{$suit} > $count{$best};
    }
    return $best;
}

sub choice {
    my (%question) = @_;
    my @legal = split ' ', $question{legal};
    return $legal[0] if $question{ask} eq 'bid';
    return longest($question{hand}, @legal) if $question{ask} eq 'trump';
    my @cards = lowest_first($question{ranks}, @legal);
    return $question{ask} eq 'play' ? $cards[0] : "@cards[0 .. 2]";
}

while (my $line = <STDIN>) {
    next unless $line =~ /"ask":/;    # it tells something, and wants no answer
    my %question = $line =~ /"(\w+)":"?([^",}]*)/g;
    # A joker that needs a call is called low unless "call" says otherwise.
    printf qq({"id":"%s","%s":"%s"}\n), $question{id}, $question{ask}, choice(%question);
}
