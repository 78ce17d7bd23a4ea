#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/coverage/observer.h"
#include "generators/random.h"

namespace lanediff::make {

/// Makes cases that reach what earlier ones did not: keeps each that reached a
/// new bin of the functional coverage, and makes the next from nothing, from a
/// kept one with a few changes, or from two of them. The same seed and the same
/// lessons give the same cases.
class Guide {
 public:
  /// `slug` as in file names: "min", …, "program". All cases are of edition
  /// 2024 if that is `edition`; else of the newest, but for changes at random.
  Guide(std::string_view slug, std::uint64_t seed,
        isa::Edition edition = isa::kNewestEdition);

  Case Next();

  /// To be called with what each case reached.
  void Learn(const Case& c, const coverage::Observer& observer);

  const coverage::Reached& reached() const { return reached_; }

 private:
  Case Make();
  const Case& AnyKept();

  std::string slug_;
  Random random_;
  isa::Edition edition_;
  coverage::Reached reached_;
  std::vector<Case> kept_;
};

}  // namespace lanediff::make
