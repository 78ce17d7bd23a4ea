#include "fuzz/guidance.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "differential/targets/external/host_process.h"
#include "differential/targets/external/target_coverage.h"
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

namespace fs = std::filesystem;
using diff::kMostTargetCounters;
using diff::TargetCoverage;

/// Behind or before the bins.
[[gnu::section("__libfuzzer_extra_counters"), gnu::used]]
volatile std::uint8_t target_counters[kMostTargetCounters];

TargetCoverage* watched = nullptr;
std::array<std::uint64_t, kMostTargetCounters> visits;
bool counters_written = false;  ///< the file names all places that were visited

/// The lanediff that hosts plugins; empty where there is none. This program
/// can't: libFuzzer would take their counters for its own, and does not know
/// all kinds.
std::string HostProgram() {
  if (const char* const named = std::getenv("LANEDIFF_PLUGIN_HOST")) {
    return named;
  }
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place :
       {here / "lanediff", here / "../../release/bin/lanediff"}) {
    if (access(place.c_str(), X_OK) == 0) return place.string();
  }
  return "";
}

/// Calls `take` with each place that was passed.
template <class Take>
void ForEachPassed(const TargetCoverage& all, Take take) {
  constexpr std::size_t kWord = 8;
  const std::size_t used = all.used();
  for (std::size_t first = 0; first < used; first += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, all.counts.data() + first, kWord);
    for (std::size_t i = first; word != 0 && i < first + kWord; ++i) {
      if (all.counts[i] != 0) take(i);
    }
  }
}

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

void WatchOwnCoverage(const std::string& target) {
  if (!target.starts_with("plugin:")) return;
  std::string host = HostProgram();
  if (host.empty()) return;
  diff::SetPluginHost(std::move(host));
  watched = diff::WatchTargetCoverage();
}

void ClearOwnCoverage() {
  if (watched == nullptr) return;
  std::fill_n(watched->counts.begin(), watched->used(), 0);
}

std::vector<std::size_t> NoteOwnCoverage() {
  std::vector<std::size_t> fresh;
  if (watched == nullptr) return fresh;
  ForEachPassed(*watched, [&](std::size_t i) {
    target_counters[i] = watched->counts[i];
    if (visits[i]++ == 0) fresh.push_back(i);
  });
  counters_written &= fresh.empty();
  return fresh;
}

std::uint64_t VisitsOf(std::size_t place) { return visits[place]; }

std::vector<std::int64_t> OwnConstants() {
  std::vector<std::int64_t> all;
  if (watched == nullptr) return all;
  for (const auto& constant : watched->constants) {
    if (const std::int64_t value = constant; value != 0) all.push_back(value);
  }
  return all;
}

void WriteOwnCoverage() {
  if (watched == nullptr || counters_written) return;
  std::string text = fmt::format("{}\n", watched->counters.load());
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (visits[i] > 0) fmt::format_to(std::back_inserter(text), "{}\n", i);
  }
  WriteRecord(RecordPath(".counters"), text);
  counters_written = true;
}

}  // namespace lanediff::fuzz
