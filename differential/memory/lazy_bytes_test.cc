#include "differential/memory/lazy_bytes.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/expected_result.h"
#include "differential/compare/memory_compare.h"
#include "differential/compare/testing.h"
#include "differential/memory/filled_memory.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/element.h"
#include "oracle/testing.h"

namespace lanediff::diff {
namespace {

using isa::Memory;

constexpr std::size_t kGiB = std::size_t{1} << 30;

/// A case whose GM has 1 GiB, and `gm` behind its size.
std::string TextOf(const std::string& gm, const std::string& step) {
  return R"({"format": "lanediff-case/1", "id": "t", "product": "atlas-a2",
    "memory": {"UB": {}, "GM": {"size": 1073741824)" +
         gm + "}}, \"program\": [" + step + "]}";
}

std::string BarrierText(const std::string& gm) {
  return TextOf(gm, R"({"op": "PipeBarrier", "pipe": "V"})");
}

/// Copies 32 bytes of GM from `at` on.
std::string CopyText(const std::string& gm, std::size_t at) {
  return TextOf(gm, R"({"op": "DataCopy", "dtype": "half",
      "dst": {"position": "VECIN", "at": 0, "bytes": 32},
      "src": {"position": "GM", "at": )" +
                        std::to_string(at) + R"(, "bytes": 32}, "count": 16})");
}

/// Copies 4,095 DataBlocks that lie all over GM.
std::string ScatteredText(const std::string& gm) {
  return TextOf(gm, R"({"op": "DataCopy", "dtype": "half",
      "dst": {"position": "VECIN", "at": 0, "bytes": 131040},
      "src": {"position": "GM", "at": 0, "bytes": 1073741824},
      "params": {"blockCount": 4095, "blockLen": 1, "srcGap": 8000,
                 "dstGap": 0}})");
}

std::string Regions(const std::string& regions) {
  return R"(, "regions": [)" + regions + "]";
}

/// Half a GiB of halves from 0 on, one step of 2^-13 for 4 elements, and then a
/// quarter of a GiB of 7.
const std::string kSeries = Regions(R"(
  {"at": 6, "dtype": "half", "values": [
    {"from": 0, "step": 0.000030517578125, "count": 268435456},
    {"value": 7, "count": 134217728}, 1, 2, 3]})");

TEST(LazyBytes, HoldTheCaseWhereTheyAreAccessed) {
  const Case c = CaseFrom(BarrierText(R"(, "fill": "a5")" + kSeries));
  MemorySet memory(c);
  const LazyBytes* const lazy = memory.Lazy(Memory::kGm);
  ASSERT_NE(lazy, nullptr);
  const auto open = [&] {
    std::size_t bytes = 0;
    lazy->ForEachOpen([&](std::size_t, std::size_t n) { bytes += n; });
    return bytes;
  };
  const std::size_t before = open();
  const std::span gm = memory[Memory::kGm];
  ASSERT_EQ(gm.size(), kGiB);
  const auto half = [&](std::size_t at) { return gm[at] | gm[at + 1] << 8; };
  EXPECT_EQ(gm[0], 0xa5);
  EXPECT_EQ(gm[5], 0xa5);
  EXPECT_EQ(half(6), 0);
  EXPECT_EQ(half(6 + 2 * 4 * 8192), 0x3c00) << "1 after 2^15 steps";
  EXPECT_EQ(half(6 + (kGiB >> 1) - 2), 0x7000) << "8192 less a step, rounded";
  EXPECT_EQ(half(6 + (kGiB >> 1)), 0x4700);
  EXPECT_EQ(half(6 + (kGiB >> 1) + (kGiB >> 2) - 2), 0x4700);
  EXPECT_EQ(half(6 + (kGiB >> 1) + (kGiB >> 2) + 4), 0x4200);
  EXPECT_EQ(gm[kGiB - 1], 0xa5);
  EXPECT_LE(open() - before, 7 * LazyBytes::kBlockBytes);

  EXPECT_TRUE(lazy->IsPristine(0, kGiB / 2));
  gm[kGiB - 1] = 0;
  gm[kGiB / 4] ^= 1;
  EXPECT_FALSE(lazy->IsPristine(kGiB - 1, 1));
  EXPECT_TRUE(lazy->IsPristine(kGiB - 256, 255));
  EXPECT_FALSE(lazy->IsPristine(0, kGiB / 2));
  EXPECT_TRUE(lazy->IsPristine(kGiB / 4 + 1, 1000));
}

TEST(LazyBytes, CopiesAreCompared) {
  const Case c = CaseFrom(BarrierText(R"(, "fill": "a5")" + kSeries));
  MemorySet a(c);
  a[Memory::kGm][kGiB - 5] = 1;
  MemorySet b(a);
  EXPECT_TRUE(a == b);
  EXPECT_EQ(b[Memory::kGm][kGiB - 5], 1);
  b[Memory::kGm][12345] ^= 0xff;
  EXPECT_FALSE(a == b);
  const auto changed = ChangedRanges(a, b)[0];
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].at, 12345);
  const auto difference = CompareMemory(a, b, {});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->at, 12345);
  EXPECT_EQ(difference->differing_bytes, 1);
  CopyAll(a, b);
  EXPECT_TRUE(a == b);
}

TEST(LazyBytes, TheOtherBackgroundIsTheComplement) {
  const Case c = CaseFrom(BarrierText(R"(, "fill": "a5")" + kSeries));
  const MemorySizes sizes = SizesOf(c);
  FilledMemory plain(c, sizes, Background::kFill);
  FilledMemory inverted(c, sizes, Background::kInvertedFill);
  for (const std::size_t at : {std::size_t{0}, std::size_t{100'000}, kGiB / 2,
                               kGiB / 2 + 4096, kGiB - 1}) {
    EXPECT_EQ(plain.set()[Memory::kGm][at] ^ inverted.set()[Memory::kGm][at],
              0xff);
  }
  const Touched none(sizes);
  EXPECT_TRUE(plain.IsCleanOutside(none));
  EXPECT_TRUE(inverted.IsCleanOutside(none));
}

TEST(LazyBytes, StrayAccessesAreSeenWhereverTheyAre) {
  // Where the value is what stands there, the other background differs.
  for (const std::string fill : {"00", "a5", "5a"}) {
    const Case c =
        CaseFrom(CopyText(R"(, "fill": ")" + fill + '"' + kSeries, 4096));
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{4200}, kGiB / 3, kGiB - 1}) {
      SCOPED_TRACE(fill + " " + std::to_string(at));
      const AlteredTarget writes([=](const AlteredTarget::Step& step) {
        step.memories[Memory::kGm][at] = 0xa5;
      });
      const AlteredTarget reads([=](const AlteredTarget::Step& step) {
        step.Ub(0) += step.memories[Memory::kGm][at];
      });
      const Comparison written = CompareCase(c, writes, Oracle());
      ASSERT_FALSE(written.findings.empty());
      EXPECT_EQ(written.findings[0].difference->memory, Memory::kGm);
      EXPECT_EQ(written.findings[0].difference->at,
                static_cast<std::int64_t>(at));
      EXPECT_FALSE(CompareCase(c, reads, Oracle()).findings.empty());
    }
  }
}

TEST(LazyBytes, AnOutcomeHasWhatWasReallyThere) {
  const Case c = CaseFrom(CopyText(kSeries, 65536));
  const Series& ramp = *c.memory[0]->regions[0].series;
  for (const char* target : {"emulator", "emulator:plain", "oracle"}) {
    const Outcome outcome = (**FindTarget(target)).Run(c).value();
    const MemorySet after = Overwritten(c, *outcome.memory);
    for (std::size_t i = 0; i < 16; ++i) {
      EXPECT_EQ(
          LoadElement(isa::DType::kHalf, after[Memory::kUb].subspan(2 * i)),
          ramp.At((65536 - 6) / 2 + static_cast<std::int64_t>(i)))
          << target;
    }
  }
}

TEST(LazyBytes, AreReadAndWrittenAsSeries) {
  const Case c = CaseFrom(CopyText(kSeries, 4096));
  const auto& regions = c.memory[0]->regions;
  ASSERT_EQ(regions.size(), 3u);
  EXPECT_TRUE(regions[0].series && regions[1].series && !regions[2].series);
  EXPECT_EQ(regions[2].bytes.size(), 6u);
  EXPECT_EQ(CaseFrom(WriteCase(c)), c);
  // All digits, more than a double has.
  const Case digits = CaseFrom(
      CopyText(Regions(R"({"at": 0, "dtype": "float", "values": [{"from":
        1.00000000000000000000000000000000000001, "step": 1e-30,
        "count": 9000000}]})"),
               0));
  EXPECT_EQ(CaseFrom(WriteCase(digits)), digits);
}

TEST(Listed, HasOfSeriesWhatTheProgramTouches) {
  const Case c = CaseFrom(CopyText(kSeries, 65536));
  const Case listed = Listed(c);
  std::int64_t bytes = 0;
  for (const Region& region : listed.memory[0]->regions) {
    EXPECT_FALSE(region.series);
    bytes += region.size();
  }
  EXPECT_LT(bytes, 1000);
  EXPECT_EQ(Oracle().Run(listed).value(), Oracle().Run(c).value());
  EXPECT_EQ(Listed(listed), listed);
}

/// The most memory that a process had which did `work`, in bytes.
template <class Work>
std::int64_t PeakBytes(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  struct rusage usage{};
  wait4(child, &status, 0, &usage);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return usage.ru_maxrss * 1024;
}

#ifdef LANEDIFF_SANITIZED
// AddressSanitizer keeps up to 256 MiB of what was freed.
constexpr std::int64_t kMostBytes = 512 << 20;
#else
constexpr std::int64_t kMostBytes = 256 << 20;
#endif

TEST(LazyBytes, ACaseCostsWhatItDoesAndNotWhatItHas) {
  const std::int64_t least = PeakBytes([] {});
  const std::string ramps[] = {"", R"(, "fill": "a5")", kSeries,
                               Regions(R"({"at": 0, "dtype": "int8",
                  "values": [{"from": 0, "step": 0, "count": 1073741824}]})"),
                               Regions(R"({"at": 0, "dtype": "half",
          "values": [{"from": 0.1, "step": 1e-9, "count": 536870912}]})")};
  for (const std::string& gm : ramps) {
    for (const std::string& text :
         {BarrierText(gm), CopyText(gm, kGiB - 64), ScatteredText(gm)}) {
      const std::int64_t peak = PeakBytes([&] {
        const auto c = ReadCase(text);
        if (!c || !CheckCase(*c, Emulator(), Oracle()).findings.empty()) {
          _exit(1);
        }
      });
      EXPECT_LT(peak - least, kMostBytes) << text;
    }
  }
}

}  // namespace
}  // namespace lanediff::diff
