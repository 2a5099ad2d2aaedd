#include "wire.h"

#include <algorithm>
#include <utility>

namespace ohhell {
namespace {

template <class To, class Wire>
std::vector<To> list_of(const Wire& wire) {
    std::vector<To> list;
    list.reserve(static_cast<std::size_t>(wire.size()));
    for (const auto value : wire) list.push_back(static_cast<To>(value));
    return list;
}

/// Card takes its code as an int, explicitly.
std::vector<Card> cards_of(const google::protobuf::RepeatedField<int>& wire) {
    return list_of<Card>(wire);
}

int number(std::uint32_t wire) { return static_cast<int>(wire); }

std::optional<int> number_if(bool there, std::uint32_t wire) {
    return there ? std::optional{number(wire)} : std::nullopt;
}

}  // namespace

std::shared_ptr<const Rules> rules_of(const v1::Rules& wire) {
    auto rules = std::make_shared<Rules>();
    rules->preset = wire.preset();
    rules->players = number(wire.players());
    rules->hash = wire.hash();
    rules->parameters = wire.parameters();
    rules->pack = cards_of(wire.pack());
    rules->spanish_ranks = std::any_of(rules->pack.begin(), rules->pack.end(),
                                       [](Card card) { return card.is_spanish_court(); });
    rules->plan_sizes = list_of<int>(wire.plan_sizes());
    rules->plan_kinds = list_of<DealKind>(wire.plan_kinds());
    rules->plan_open_ended = wire.plan_open_ended();
    if (wire.has_scoring()) {
        const auto& s = wire.scoring();
        rules->scoring = Scoring{.a = s.a(),
                                 .b = s.b(),
                                 .q = s.q(),
                                 .z0 = s.z0(),
                                 .zc = s.zc(),
                                 .m0 = s.m0(),
                                 .mt = s.mt(),
                                 .md = s.md(),
                                 .mq = s.mq()};
    }
    rules->bid_mode = wire.bid_mode();
    rules->hook = wire.hook();
    rules->hook_min_cards = number(wire.hook_min_cards());
    rules->no_bid_at_score = number_if(wire.has_no_bid_at_score(), wire.no_bid_at_score());
    rules->forehead = wire.forehead();
    rules->first_leader = wire.first_leader();
    rules->must_trump = wire.must_trump();
    rules->must_overtrump = wire.must_overtrump();
    rules->must_head = wire.must_head();
    rules->joker_mode = wire.joker_mode();
    rules->joker_opposite_scope = wire.joker_opposite_scope();
    rules->duplicate_winner = wire.duplicate_winner();
    rules->trump_method = wire.trump_method();
    rules->trump_sequence = list_of<Suit>(wire.trump_sequence());
    rules->end = wire.end();
    rules->target_score = number_if(wire.has_target_score(), wire.target_score());
    rules->overshoot = wire.overshoot();
    rules->tie_policy = wire.tie_policy();
    rules->max_deals = number_if(wire.has_max_deals(), wire.max_deals());
    return rules;
}

std::shared_ptr<const Match> match_of(const v1::SeatAssigned& wire,
                                      std::shared_ptr<const Rules> rules) {
    auto match = std::make_shared<Match>();
    match->seat = number(wire.seat());
    match->rules = std::move(rules);
    match->bot_seed = wire.bot_seed();
    match->table = wire.table();
    match->players = {wire.players().begin(), wire.players().end()};
    match->first_dealer = number(wire.first_dealer());
    match->clock = {.per_decision_ms = number(wire.clock().per_decision_ms()),
                    .bank_ms = number(wire.clock().bank_ms()),
                    .increment_ms = number(wire.clock().increment_ms()),
                    .grace_ms = number(wire.clock().grace_ms())};
    match->amendments = wire.amendments();
    return match;
}

View view_of(const v1::View& wire, std::shared_ptr<const Match> match) {
    View view;
    view.match = std::move(match);
    view.handle = wire.handle();
    view.seq = wire.seq();
    view.seat = number(wire.seat());
    view.ask = static_cast<Ask>(wire.ask());
    view.attempt = number(wire.attempt());
    view.limit_ms = number(wire.limit_ms());
    view.bank_ms = number(wire.bank_ms());
    view.phase = static_cast<Phase>(wire.phase());
    view.deal = number(wire.deal());
    view.deal_kind = static_cast<DealKind>(wire.deal_kind());
    view.dealer = number(wire.dealer());
    view.size = number(wire.size());
    view.trump = static_cast<Suit>(wire.trump());
    view.upcard = Card{wire.upcard()};
    view.forehead = wire.forehead();
    view.extra = wire.extra();
    view.hand = cards_of(wire.hand());
    view.legal_bids = list_of<int>(wire.legal_bids());
    view.legal_cards = cards_of(wire.legal_cards());
    view.legal_suits = list_of<Suit>(wire.legal_suits());
    view.to_act = list_of<int>(wire.to_act());
    view.amend_bids = list_of<int>(wire.amend_bids());
    view.bid_states = list_of<BidState>(wire.bid_states());
    for (int seat = 0; seat < wire.bids_size(); ++seat) {
        const bool open =
            seat < wire.bid_states_size() && wire.bid_states(seat) == v1::BID_STATE_OPEN;
        view.bids.push_back(number_if(open, wire.bids(seat)));
    }
    view.tricks = list_of<int>(wire.tricks());
    view.scores = list_of<int>(wire.scores());
    view.plays = cards_of(wire.plays());
    view.leaders = list_of<int>(wire.leaders());
    view.joker_calls = list_of<JokerCall>(wire.joker_calls());
    view.call = static_cast<CallRule>(wire.call());
    view.shown_cards = cards_of(wire.shown_cards());
    view.shown_counts = list_of<int>(wire.shown_counts());
    view.shown_why = list_of<ShownWhy>(wire.shown_why());
    view.bid_cards = cards_of(wire.bid_cards());
    view.claim = static_cast<Claim>(wire.claim());
    view.premium_seat = number_if(wire.has_premium_seat(), wire.premium_seat());
    view.premium_kind = static_cast<Claim>(wire.premium_kind());
    return view;
}

Result result_of(const v1::SeatEnded& wire, std::shared_ptr<const Match> match) {
    return {.match = std::move(match),
            .reason = static_cast<EndReason>(wire.reason()),
            .scores = list_of<int>(wire.scores()),
            .winners = list_of<int>(wire.winners())};
}

}  // namespace ohhell
