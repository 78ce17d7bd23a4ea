#include "isa/min.h"

#include "fuzz/properties/elementwise_laws.h"

/// Laws of Min. No law defines the smaller of two values.
namespace lanediff::properties {
namespace {

using isa::Min;

[[maybe_unused]] const bool kGiven = GiveLaws<Min>(
    {{"Commutes", Commutes<Min>},
     {"IsIdempotent", IsIdempotent<Min>},
     {"Associates", Associates<Min>},
     {"RunningMinimumHasNoOrder", RunningExtremeHasNoOrder<Min>}});

}  // namespace
}  // namespace lanediff::properties
