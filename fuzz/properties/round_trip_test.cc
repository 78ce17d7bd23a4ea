#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "differential/compare/check.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/random.h"
#include "generators/random/generate.h"
#include "isa/memory_map.h"

/// What is written of a case and read again is the same case.
namespace lanediff::properties {
namespace {

/// Longer than what either format writes as a run, and shorter.
constexpr std::int64_t kLongestRun = 20;
/// The text of more takes long and shows nothing new.
constexpr std::size_t kMostRegionBytes = 4096;

/// Makes the elements from `first` on equal, `length` of them at most: random
/// data has no runs, and both formats treat them apart.
void MakeRun(Region& region, std::size_t first, std::size_t length) {
  const std::size_t element =
      region.dtype ? static_cast<std::size_t>(isa::SizeBytes(*region.dtype))
                   : 1;
  const std::size_t begin = first * element;
  const std::size_t end =
      std::min(begin + length * element, region.bytes.size());
  for (std::size_t i = begin + element; i < end; ++i) {
    region.bytes[i] = region.bytes[i - element];
  }
}

std::size_t RegionBytes(const Case& c) {
  std::size_t bytes = 0;
  for (const auto& image : c.memory) {
    if (!image) continue;
    for (const Region& region : image->regions) {
      bytes += region.bytes.size();
    }
  }
  return bytes;
}

/// A program of any kind, legal or not, that is soon written out.
Case DrawCase() {
  make::Random random(DrawWord("seed"));
  Case c = GeneratedCase("program", random);
  RC_PRE(RegionBytes(c) <= kMostRegionBytes);
  const auto first = Draw<std::size_t>("run at element", 0, 100);
  const auto length = Draw<std::size_t>("run length", 1, kLongestRun);
  for (auto& image : c.memory) {
    if (!image) continue;
    for (Region& region : image->regions) {
      MakeRun(region, first, length);
    }
  }
  return c;
}

Verdict FuzzInputKeepsCase() {
  const Case c = DrawCase();
  const auto encoded = EncodeFuzzInput(c);
  if (!encoded) return {.broken = encoded.error(), .witness = c};
  Case decoded = DecodeFuzzInput(*encoded);
  decoded.id = c.id;  // of all that is not encoded only the id is set
  if (decoded == c) return {};
  return {.broken = "another case comes back", .witness = c};
}

Verdict CaseFileKeepsCase() {
  Case c = DrawCase();
  c.note = "\"quoted\" \\ \n 说明";
  c.expect =
      diff::ToExpectation((*diff::FindTarget("oracle").value()).Run(c).value());
  const std::string text = WriteCase(c);
  const auto read = ReadCase(text);
  if (!read) return {.broken = "it can't be read back", .witness = c};
  if (*read != c) return {.broken = "another case comes back", .witness = c};
  if (WriteCase(*read) == text) return {};
  return {.broken = "a second file differs from the first", .witness = c};
}

TEST(RoundTripLaws, FuzzInputKeepsCase) {
  CheckLaw("case", "fuzz-input-keeps-case", FuzzInputKeepsCase);
}
TEST(RoundTripLaws, CaseFileKeepsCase) {
  CheckLaw("case", "case-file-keeps-case", CaseFileKeepsCase);
}

}  // namespace
}  // namespace lanediff::properties
