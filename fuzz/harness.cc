// The body of the fuzz programs of a target: bytes become a case, the case runs
// on the target and on the oracle; a disagreement is kept, and fuzzing goes on
// where findings are collected.
//
// Environment, all optional:
//   LANEDIFF_FUZZ_FINDINGS  folder of raw findings (none: one ends the program
//                           as a failed assertion)
//   LANEDIFF_FUZZ_TARGET    target under test (emulator)
//   LANEDIFF_FUZZ_EDITION   edition of the documents, 2024 or 2026, by which
//                           every input is judged (each by its own)
//   LANEDIFF_PLUGIN_HOST    program lanediff, in which plugins run (one beside
//                           this program, or of the preset release)
//   LANEDIFF_FUZZ_STATS     file for the records of fuzz/stats.h; a program
//                           that was given one ends with its parent process

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>

#include "differential/compare/compare.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/find_target.h"
#include "differential/targets/pace.h"
#include "differential/targets/target.h"
#include "differential/testcase/fuzz_input.h"
#include "fuzz/entry.h"
#include "fuzz/favourites.h"
#include "fuzz/guidance.h"
#include "fuzz/stats.h"
#include "fuzz/subject.h"
#include "generators/coverage/observer.h"
#include "generators/random/generate.h"
#include "generators/random/mutate.h"
#include "generators/random/programs.h"

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
    const auto product =
        isa::Parse<isa::Product>(Environment("LANEDIFF_PRODUCT", ""));
    return diff::Narrowed(named, product, legal_only);
  }();
  return target;
}

const diff::Capabilities& Claimed() {
  static const diff::Capabilities claimed = Subject().capabilities();
  return claimed;
}

/// A new case, or a change to a favourite or to what `bytes` mean.
Case Mutated(std::span<const std::uint8_t> bytes, make::Random& random) {
  Case c;
  if (const Case* const favourite = NextFavourite(random)) {
    c = *favourite;
    make::Vary(random, c, OwnConstants());
  } else if (Module() == "program" && random.Percent(10)) {
    c = make::KernelProgram(random);
  } else if (random.Percent(55)) {
    c = make::Generate(Module(), random, make::Style::kByIntent, &Claimed(),
                       GuidingEdition())
            .c;
  } else {
    c = CaseOf(bytes);
    for (std::int64_t n = random.Between(1, 3); n > 0; --n) {
      make::Mutate(random, c);
    }
  }
  return c;
}

}  // namespace

void Begin(const char* program) {
  SetModule(program);
  Subject();
}

/// False, and nothing is run, where the target does not claim the case.
bool RunOne(std::span<const std::uint8_t> bytes) {
  static diff::PaceMeter supervisor(Subject(), TargetOrDie("oracle"));
  const auto start = diff::PaceMeter::Clock::now();
  const Case c = CaseOf(bytes);
  if (diff::BeyondCapabilities(c, Claimed())) {
    NoteBeyond();
    return false;
  }
  ClearOwnCoverage();
  make::coverage::Observer observer(c, GuidingEdition());
  const diff::Comparison result =
      supervisor.Compare(c, std::ref(observer), start);
  NoteBins(observer.bins());
  AddFavourite(c, NoteOwnCoverage(), !result.rejected && !result.unsupported);
  if (!result.findings.empty()) {
    KeepRaw(c, bytes.size(), result.findings.front());
  }
  Stats& stats = GlobalStats();
  stats.pace = supervisor.pace();
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

/// Puts such a case, or a change to its bytes, in the input's place.
std::size_t MutateInput(std::uint8_t* data, std::size_t size,
                        std::size_t max_size, make::Random& random) {
  if (random.Percent(3)) {
    size = LLVMFuzzerMutate(data, size, max_size);
    const Case c = DecodeFuzzInput({data, size});
    if (!diff::BeyondCapabilities(c, Claimed())) {
      return Edition().value_or(c.edition) == c.edition
                 ? size
                 : PutOrMutate(c, data, size, max_size);
    }
  }
  const Case c =
      MakeWithin(Claimed(), [&] { return Mutated({data, size}, random); });
  return PutOrMutate(c, data, size, max_size);
}

}  // namespace lanediff::fuzz
