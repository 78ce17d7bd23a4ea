#include "fuzz/entry.h"

#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "differential/testcase/fuzz_input.h"
#include "fuzz/guidance.h"
#include "fuzz/stats.h"
#include "generators/random/mutate.h"

namespace lanediff::fuzz {
namespace {

/// False where `bytes` are of another version than ours: the same bytes would
/// mean another case.
bool IsOurs(std::span<const std::uint8_t> bytes) {
  return bytes.empty() || IsFuzzInputVersion(bytes.front());
}

/// Writes `c` to the front of `out` and returns its size; 0 if it has no space
/// there.
std::size_t Put(Case c, std::span<std::uint8_t> out) {
  c.edition = Edition().value_or(c.edition);
  const auto encoded = EncodeFuzzInput(c);
  if (!encoded || encoded->size() > out.size()) return 0;
  std::ranges::copy(*encoded, out.begin());
  return encoded->size();
}

}  // namespace

Case CaseOf(std::span<const std::uint8_t> bytes) {
  Case c = DecodeFuzzInput(bytes);
  c.edition = Edition().value_or(c.edition);
  return c;
}

std::size_t PutOrMutate(Case c, std::uint8_t* data, std::size_t size,
                        std::size_t max_size) {
  const std::size_t written = Put(std::move(c), {data, max_size});
  return written > 0 ? written : LLVMFuzzerMutate(data, size, max_size);
}

}  // namespace lanediff::fuzz

/// Freed memory is given out again soon: a case needs megabytes, and with the
/// usual quarantine each would get fresh pages from the operating system.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=16:malloc_context_size=8";
}

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  using namespace lanediff::fuzz;
  // An orphan would occupy a processor for hours.
  if (!RecordPath("").empty()) prctl(PR_SET_PDEATHSIG, SIGTERM);
  Edition();
  Begin((*arguments)[0]);
  return 0;
}

extern "C" [[gnu::nodebug]] int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                                       std::size_t size) {
  using namespace lanediff::fuzz;
  const bool worth_keeping = IsOurs({data, size}) && RunOne({data, size});
  if (MustCrash()) __builtin_trap();
  // libFuzzer does not keep what is answered with -1.
  return worth_keeping ? 0 : -1;
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
  const Case child = make::Cross(random, fuzz::CaseOf({data1, size1}),
                                 fuzz::CaseOf({data2, size2}));
  return fuzz::Put(child, {out, max_out_size});
}
