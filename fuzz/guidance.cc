#include "fuzz/guidance.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "differential/testcase/case.h"
#include "fuzz/stats.h"
#include "generators/coverage/observer.h"

namespace lanediff::fuzz {
namespace {

using make::coverage::kMostBins;

/// libFuzzer clears this section before each input and reads it afterwards.
/// Nothing here reads it: without `volatile` and `used` the writes would be
/// dropped.
[[gnu::section("__libfuzzer_extra_counters"), gnu::used]]
volatile std::uint8_t counters[kMostBins];

make::coverage::Reached reached;
bool written = false;  ///< what is in the file is what is in `reached`

}  // namespace

std::optional<isa::Edition> Edition() {
  static const auto edition = EditionOfVariable("LANEDIFF_FUZZ_EDITION");
  return edition;
}

void NoteBins(const std::vector<make::coverage::Bin>& bins) {
  for (make::coverage::Bin bin : bins) counters[bin] = 1;
  if (reached.Add(bins) > 0) written = false;
}

void WriteBins() {
  if (written) return;
  const auto& model = make::coverage::Model::Get(GuidingEdition());
  std::string names;
  for (std::size_t bin = 0; bin < model.bins(); ++bin) {
    if (!reached.Has(static_cast<make::coverage::Bin>(bin))) continue;
    names += model.Name(static_cast<make::coverage::Bin>(bin)) + "\n";
  }
  WriteRecord(RecordPath(".bins"), names);
  written = true;
}

}  // namespace lanediff::fuzz
