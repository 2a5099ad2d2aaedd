#pragma once

#include <memory>

#include "ohhell/match.h"
#include "ohhell/v1/frames.pb.h"
#include "ohhell/view.h"

/// What the messages of the wire are to a bot. Numbers of later revisions stay as they are.
namespace ohhell {

std::shared_ptr<const Rules> rules_of(const v1::Rules& wire);
std::shared_ptr<const Match> match_of(const v1::SeatAssigned& wire,
                                      std::shared_ptr<const Rules> rules);
View view_of(const v1::View& wire, std::shared_ptr<const Match> match);
Result result_of(const v1::SeatEnded& wire, std::shared_ptr<const Match> match);

}  // namespace ohhell
