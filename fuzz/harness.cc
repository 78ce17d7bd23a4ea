// The body of every fuzz program: bytes become a case, the case runs on the
// target and on the oracle; a disagreement is kept, and fuzzing goes on.
//
// Environment, all optional:
//   LANEDIFF_FUZZ_FINDINGS  folder of raw findings (./findings)
//   LANEDIFF_FUZZ_TARGET    target under test (emulator)
//   LANEDIFF_PLUGIN_HOST    program lanediff, in which plugins run (one beside
//                           this program, or of the preset release)
//   LANEDIFF_FUZZ_STATS     file for the records of fuzz/stats.h; a program
//                           that was given one ends with whoever started it

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>

#include "case/fuzz_input.h"
#include "diff/capabilities.h"
#include "diff/legal_only.h"
#include "diff/pace.h"
#include "diff/target.h"
#include "diff/targets/find_target.h"
#include "fuzz/case_bytes.h"
#include "fuzz/favourites.h"
#include "fuzz/findings.h"
#include "fuzz/guidance.h"
#include "fuzz/own_coverage.h"
#include "fuzz/record.h"
#include "fuzz/stats.h"
#include "fuzz/subject.h"
#include "fuzz/within.h"
#include "make/coverage/observer.h"
#include "make/generate/generate.h"
#include "make/generate/mutate.h"
#include "make/generate/vary.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size);

namespace lanediff::fuzz {
namespace {

std::string Environment(const char* name, std::string otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::move(otherwise) : value;
}

const diff::Target& TargetOrDie(const std::string& name) {
  const auto target = diff::FindRunningTarget(name);
  if (!target) {
    fmt::print(stderr, "lanediff-fuzz: {}\n", target.error());
    std::_Exit(2);
  }
  return **target;
}

/// What is under test.
const diff::Target& Subject() {
  static const diff::Target& target = [] -> const diff::Target& {
    const std::string name = Environment("LANEDIFF_FUZZ_TARGET", "emulator");
    WatchOwnCoverage(name);
    const diff::Target& named = TargetOrDie(name);
    const bool legal_only = !Environment("LANEDIFF_LEGAL_ONLY", "").empty();
    return legal_only ? diff::LegalOnly(named) : named;
  }();
  return target;
}

const diff::Capabilities& Claimed() {
  static const diff::Capabilities claimed = Subject().capabilities();
  return claimed;
}

/// False, and nothing is run, where the target does not claim the case.
bool RunOne(std::span<const std::uint8_t> bytes) {
  static diff::PaceKeeper keeper(Subject(), TargetOrDie("oracle"));
  const auto start = diff::PaceKeeper::Clock::now();
  const Case c = DecodeFuzzInput(bytes);
  if (diff::BeyondCapabilities(c, Claimed())) {
    NoteBeyond();
    return false;
  }
  ClearOwnCoverage();
  make::coverage::Observer observer(c);
  const diff::Comparison result = keeper.Compare(c, std::ref(observer), start);
  NoteBins(observer.bins());
  AddFavourite(c, NoteOwnCoverage(), !result.rejected && !result.unsupported);
  if (!result.findings.empty()) {
    KeepRaw(c, bytes.size(), result.findings.front());
  }
  Stats& stats = GlobalStats();
  stats.pace = keeper.pace();
  if (!result.rejected && !result.unsupported) {
    ++stats.legal;
    stats.nodes += result.nodes;
    stats.operations +=
        result.nodes + static_cast<std::uint64_t>(result.written_elements);
    stats.long_repeats += result.most_iterations >= 64;
  }
  NoteCaseDone();
  return true;
}

/// A new case, or a change to a favourite or to what `bytes` mean.
Case Mutated(std::span<const std::uint8_t> bytes, make::Random& random) {
  Case c;
  if (const Case* const favourite = NextFavourite(random)) {
    c = *favourite;
    make::Vary(random, c, OwnConstants());
  } else if (random.Percent(55)) {
    c = make::Generate(Room(), random, make::Style::kByIntent, &Claimed()).c;
  } else {
    c = DecodeFuzzInput(bytes);
    for (std::int64_t n = random.Between(1, 3); n > 0; --n) {
      make::Mutate(random, c);
    }
  }
  return c;
}

/// Puts such a case, or a change to its bytes, in the input's place.
std::size_t MutateInput(std::uint8_t* data, std::size_t size,
                        std::size_t max_size, make::Random& random) {
  if (random.Percent(3)) {
    size = LLVMFuzzerMutate(data, size, max_size);
    if (!diff::BeyondCapabilities(DecodeFuzzInput({data, size}), Claimed())) {
      return size;
    }
  }
  const Case c =
      MakeWithin(Claimed(), [&] { return Mutated({data, size}, random); });
  const std::size_t encoded = Encode(c, {data, max_size});
  return encoded > 0 ? encoded : LLVMFuzzerMutate(data, size, max_size);
}

}  // namespace
}  // namespace lanediff::fuzz

/// Freed memory is given out again soon: a case needs megabytes, and with the
/// usual quarantine each would get fresh pages from the operating system.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=16:malloc_context_size=8";
}

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  using namespace lanediff::fuzz;
  SetRoom((*arguments)[0]);
  // An orphan would go on for hours on somebody else's processor.
  if (!RecordPath("").empty()) prctl(PR_SET_PDEATHSIG, SIGTERM);
  Subject();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace lanediff::fuzz;
  // libFuzzer does not keep what is answered with -1.
  return IsOurs({data, size}) && RunOne({data, size}) ? 0 : -1;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned int seed) {
  lanediff::make::Random random(seed);
  return lanediff::fuzz::MutateInput(data, size, max_size, random);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(
    const std::uint8_t* data1, std::size_t size1, const std::uint8_t* data2,
    std::size_t size2, std::uint8_t* out, std::size_t max_out_size,
    unsigned int seed) {
  using namespace lanediff;
  make::Random random(seed);
  // libFuzzer crosses as often as it mutates, which is too often: the parents'
  // steps seldom suit each other's memory.
  if (!random.Percent(25) && size1 <= max_out_size) {
    std::copy_n(data1, size1, out);
    return fuzz::MutateInput(out, size1, max_out_size, random);
  }
  return fuzz::Cross(random, {data1, size1}, {data2, size2},
                     {out, max_out_size});
}
