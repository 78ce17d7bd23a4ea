#include "isa/min.h"

#include "fuzz/properties/elementwise_laws.h"

/// Laws of Min. None of them says which of two values is the smaller one.
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
