#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "differential/targets/capabilities.h"
#include "differential/testcase/case.h"
#include "generators/random.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size);

/// What libFuzzer calls (entry.cc), of programs whose inputs are cases
/// (differential/testcase/fuzz_input.h), and what such a program provides.
namespace lanediff::fuzz {

/// Called once; `program` is the name that it was started by.
void Begin(const char* program);

/// Runs an input of our version; false where it is not worth keeping.
bool RunOne(std::span<const std::uint8_t> bytes);

/// Puts another input in the place of the `size` bytes, of at most `max_size`;
/// returns its size.
std::size_t MutateInput(std::uint8_t* data, std::size_t size,
                        std::size_t max_size, make::Random& random);

/// The case that `bytes` mean, of `Edition()`.
Case CaseOf(std::span<const std::uint8_t> bytes);

/// Writes `c`, as of `Edition()`, to the front of `data` and returns its size;
/// where it has no space in `max_size`, the `size` bytes there are changed
/// instead.
std::size_t PutOrMutate(Case c, std::uint8_t* data, std::size_t size,
                        std::size_t max_size);

/// The first case of some that `make()` returns which is within `can`; beyond
/// it only where no case of a few tries was. A change to a case that is within
/// mostly is, too: what isn't has another product or type.
template <class Make>
Case MakeWithin(const diff::Capabilities& can, const Make& make) {
  constexpr int kTries = 16;
  Case c = make();
  for (int i = 1; i < kTries && diff::BeyondCapabilities(c, can); ++i) {
    c = make();
  }
  return c;
}

}  // namespace lanediff::fuzz
