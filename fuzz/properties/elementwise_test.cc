#include "fuzz/properties/elementwise_laws.h"

/// Laws that every call of Min's family keeps; what single ones keep beyond
/// these stands in files of their own.
namespace lanediff::properties {
namespace {

bool GiveLawsOfAll() {
  isa::ForEachIntrinsic([]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      GiveLaws<Call>(
          {{"BitwiseMaskIsContiguous", BitwiseMaskIsContiguous<Call>},
           {"ComplementaryMasksAreWhole", ComplementaryMasksAreWhole<Call>},
           {"RepeatIsSingleRepeats", RepeatIsSingleRepeats<Call>},
           {"CountIsMasks", CountIsMasks<Call>},
           {"RegisterMaskIsBitwiseMask", RegisterMaskIsBitwiseMask<Call>},
           {"EmulatorAgreesWithOracle", EmulatorAgreesWithOracle<Call>}});
    }
  });
  return true;
}

[[maybe_unused]] const bool kGiven = GiveLawsOfAll();

}  // namespace
}  // namespace lanediff::properties
