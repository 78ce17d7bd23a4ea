// Holds lint against the byte-by-byte model of hazards: bytes become a program,
// mostly one whose steps are synchronized, rightly or nearly so, and both must
// report the same. A difference is kept, and fuzzing goes on.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "fuzz/entry.h"
#include "fuzz/guidance.h"
#include "fuzz/stats.h"
#include "fuzz/subject.h"
#include "generators/random/mutate.h"
#include "generators/random/programs.h"
#include "oracle/hazards.h"
#include "sanitizer/compare.h"
#include "sanitizer/lint.h"

std::string_view lanediff::fuzz::Module() { return "lint"; }

namespace lanediff::fuzz {
namespace {

/// Of each memory: the model looks at every byte by itself.
constexpr std::int64_t kMostMemoryBytes = std::int64_t{256} << 10;
/// Of all accesses: it compares those of each byte with each other.
constexpr std::int64_t kMostAccessBytes = std::int64_t{128} << 10;

bool IsSmall(const Case& c) {
  const auto named = MemoriesOf(c);
  for (std::size_t m = 0; m < named.size(); ++m) {
    if (named[m] && SizeOf(c, static_cast<isa::Memory>(m)) > kMostMemoryBytes) {
      return false;
    }
  }
  return true;
}

/// Keeps a difference; false where the model has no answer.
bool Compare(const Case& c, std::size_t size) {
  oracle::HazardQuestion question = lint::QuestionOf(c);
  question.most_bytes = kMostAccessBytes;
  const auto answer = oracle::FindHazards(question);
  const bool of_kernel = std::ranges::any_of(c.program, isa::IsOfKernel);
  if (!answer && !of_kernel) return false;
  const lint::Verdict found = lint::Lint(c);
  // Queues have no model: that lint ends is all that is looked at.
  if (!answer) return true;
  const auto difference =
      lint::DifferenceOf(c, lint::LiteralVerdict(c, *answer), found);
  if (difference) KeepRaw(c, size, *difference);
  Stats& stats = GlobalStats();
  stats.legal += found.rejected ? 0 : 1;
  stats.operations += found.operations;
  return true;
}

/// What hazards depend on beside the steps.
void ChangeFacts(make::Random& random, LintFacts& facts) {
  switch (random.Between(0, 2)) {
    case 0:
      facts.sync = LintFacts::Sync{.automatic = random.Percent(50)};
      if (random.Percent(10)) facts.sync.reset();
      return;
    case 1:
      facts.start_unknown = !facts.start_unknown;
      return;
    default:
      facts.propagate = !facts.propagate;
  }
}

}  // namespace

void Begin(const char*) {}

bool RunOne(std::span<const std::uint8_t> bytes) {
  const Case c = CaseOf(bytes);
  if (!IsSmall(c) || !Compare(c, bytes.size())) return false;
  NoteCaseDone();
  return true;
}

std::size_t MutateInput(std::uint8_t* data, std::size_t size,
                        std::size_t max_size, make::Random& random) {
  Case c;
  if (random.Percent(2)) {
    size = LLVMFuzzerMutate(data, size, max_size);
    if (!Edition()) return size;
    c = CaseOf({data, size});
  } else if (random.Percent(45)) {
    c = make::SynchronizedProgram(random, {.most_operations = 16});
  } else if (random.Percent(15)) {
    c = make::KernelProgram(random);
  } else {
    c = CaseOf({data, size});
    for (std::int64_t n = random.Between(1, 3); n > 0; --n) {
      make::Mutate(random, c);
    }
    if (random.Percent(20)) ChangeFacts(random, c.lint);
  }
  return PutOrMutate(c, data, size, max_size);
}

}  // namespace lanediff::fuzz
