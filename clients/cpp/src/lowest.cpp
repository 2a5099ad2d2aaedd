// Plays without chance or judgement: the lowest legal bid, the lowest legal card.
#include <algorithm>

#include "ohhell/bot.h"
#include "ohhell/run.h"

namespace {

/// Leaves everything else to what the library does by itself.
class Lowest : public ohhell::Bot {
  public:
    int bid(const ohhell::View& view) override {
        return *std::min_element(view.legal_bids.begin(), view.legal_bids.end());
    }

    ohhell::Card play(const ohhell::View& view) override {
        return ohhell::lowest_first(view.legal_cards, view).front();
    }
};

}  // namespace

int main(int argc, char** argv) { ohhell::run<Lowest>(argc, argv); }
