#include "differential/compare/open_elements.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/testing.h"
#include "differential/compare/unspecified.h"
#include "differential/testcase/record_join.h"

namespace lanediff::diff {
namespace {

/// What is declared while a test runs.
class Declared {
 public:
  explicit Declared(UlpBounds bounds) { TheUlpBounds() = std::move(bounds); }
  ~Declared() { TheUlpBounds().clear(); }
};

std::string Operand(const char* name, const char* position, int at, int bytes) {
  return fmt::format(R"("{}": {{"position": "{}", "at": {}, "bytes": {}}})",
                     name, position, at, bytes);
}
std::string Call(const char* op, int dst, int src, const char* rest = "") {
  return fmt::format(R"({{"op": "{}", "dtype": "half", {}, {}, "count": 4{}}})",
                     op, Operand("dst", "VECOUT", dst, 8),
                     Operand("src", "VECIN", src, 8), rest);
}

/// Four halves at 0.
Case CaseOf(const std::string& steps,
            std::string_view halves = R"(1, 0, 2, "inf")") {
  return CaseFrom(fmt::format(
      R"({{"format": "lanediff-case/1", "id": "t", "product": "atlas-a2",
          "memory": {{"UB": {{"fill": "ff", "regions": [
            {{"at": 0, "dtype": "half", "values": [{}]}}]}},
            "GM": {{"size": 64}}}},
          "program": [{}]}})",
      halves, steps));
}

/// The emulator, of which the half at `at` of UB becomes `add` more.
AlteredTarget Moved(std::size_t at, int add) {
  return AlteredTarget([at, add](const AlteredTarget::Step& step) {
    if (step.index != 0) return;
    const int value = step.Ub(at) + 256 * step.Ub(at + 1) + add;
    step.Ub(at) = static_cast<std::uint8_t>(value);
    step.Ub(at + 1) = static_cast<std::uint8_t>(value >> 8);
  });
}

TEST(OpenElements, AreComparedByTheirDistance) {
  const Case c = CaseOf(Call("Exp", 1024, 0));
  for (const int add : {0, 1, 3, -2}) {
    const Comparison open = CheckCase(c, Moved(1024, add), Oracle());
    EXPECT_TRUE(open.findings.empty()) << open.findings[0].message;
    ASSERT_EQ(open.open.size(), 1U);
    EXPECT_EQ(open.open[0].op, "Exp");
    EXPECT_EQ(open.open[0].elements, 2U) << "e and its square";
    EXPECT_NEAR(static_cast<double>(open.open[0].most_ulp), std::abs(add), 1);
    EXPECT_FALSE(open.open[0].allowed);
  }
  const Declared two({{"Exp", 2}});
  EXPECT_TRUE(CheckCase(c, Moved(1024, 1), Oracle()).findings.empty());
  const Comparison far = CheckCase(c, Moved(1024, 9), Oracle());
  ASSERT_EQ(far.findings.size(), 1U);
  EXPECT_EQ(far.findings[0].kind, FindingKind::kMemory);
  EXPECT_EQ(far.open[0].allowed, 2U);
}

TEST(OpenElements, KeepSignsSpecialValuesAndOtherBytes) {
  const Case c = CaseOf(Call("Exp", 1024, 0));
  const auto findings = [&](std::size_t at, int add) {
    return CheckCase(c, Moved(at, add), Oracle()).findings.size();
  };
  EXPECT_EQ(findings(1024, 0x8000), 1U) << "the other sign";
  EXPECT_EQ(findings(1024, 0x7c00 - 0x4170), 1U) << "infinite";
  EXPECT_EQ(findings(1026, 1), 1U) << "e to the power of 0";
  EXPECT_EQ(findings(1030, -1), 1U) << "the largest half";
  EXPECT_EQ(findings(1032, 1), 1U) << "beside it";
}

TEST(OpenElements, ReachTheLargestNumberFromBothSides) {
  // 59874, 65759 and 162755, of which the second and third are infinite.
  const Case c = CaseOf(Call("Exp", 1024, 0), "11, 11.09375, 12, 0");
  const auto findings = [&](std::size_t at, int add) {
    return CheckCase(c, Moved(at, add), Oracle()).findings.size();
  };
  EXPECT_EQ(findings(1024, 0x7c00 - 0x7b4f), 0U) << "infinite";
  EXPECT_EQ(findings(1026, -1), 0U) << "one below the largest";
  EXPECT_EQ(findings(1028, -1), 1U) << "of what is far beyond";
  const Declared two({{"Exp", 2}});
  EXPECT_EQ(findings(1024, 0x7c00 - 0x7b4f), 1U) << "too far";
  EXPECT_EQ(findings(1026, -2), 0U);
  EXPECT_EQ(findings(1026, -3), 1U);
}

TEST(OpenElements, MustBeWritten) {
  const Case c = CaseOf(Call("Sqrt", 1024, 0));
  const AlteredTarget idle([](const AlteredTarget::Step& step) {
    for (std::size_t at = 1024; at < 1032; ++at) step.Ub(at) = 0x3c;
  });
  EXPECT_FALSE(CheckCase(c, idle, Oracle()).findings.empty());
  // Another value under another background.
  const AlteredTarget unsteady([](const AlteredTarget::Step& step) {
    step.Ub(1028) = static_cast<std::uint8_t>(step.run & 1);
  });
  EXPECT_FALSE(CheckCase(c, unsteady, Oracle()).findings.empty());
}

std::vector<ByteRange> OpenAfter(const std::string& steps) {
  const Case c = CaseOf(steps);
  return RangesOf(UndeterminedAfter(c, c.program.size()).open);
}

TEST(OpenElements, AreFollowedThroughAProgram) {
  using All = std::vector<ByteRange>;
  constexpr auto kUb = isa::Memory::kUb;
  const std::string exp = Call("Exp", 1024, 0);
  const All two = {{kUb, 1024, 2}, {kUb, 1028, 2}};
  EXPECT_EQ(OpenAfter(exp), two);
  const std::string copy = fmt::format(
      R"(, {{"op": "PipeBarrier", "pipe": "ALL"}},
         {{"op": "DataCopy", "dtype": "half", {}, {}, "count": 16}})",
      Operand("dst", "GM", 32, 32), Operand("src", "VECOUT", 1024, 32));
  EXPECT_EQ(OpenAfter(exp + copy), (All{{isa::Memory::kGm, 32, 2},
                                        {isa::Memory::kGm, 36, 2},
                                        {kUb, 1024, 2},
                                        {kUb, 1028, 2}}));
  const Case relu = CaseOf(exp + ", " + Call("Relu", 2048, 1024));
  const Undetermined after = UndeterminedAfter(relu, 2);
  EXPECT_EQ(RangesOf(after.open), two);
  EXPECT_EQ(after.unspecified, (All{{kUb, 2048, 2}, {kUb, 2052, 2}}));
  EXPECT_EQ(OpenAfter(exp + ", " + Call("Relu", 1024, 0)), All());
}

TEST(OpenElements, AreJoinedByTheLargestDistance) {
  OpenCounts sum = {{.op = "Exp", .elements = 2, .most_ulp = 3}};
  Join({{.op = "Exp", .elements = 5, .most_ulp = 1},
        {.op = "Div", .elements = 1, .most_ulp = 7}},
       sum);
  ASSERT_EQ(sum.size(), 2U);
  EXPECT_EQ(sum[0].op, "Div");
  EXPECT_EQ(sum[1].elements, 7U);
  EXPECT_EQ(sum[1].most_ulp, 3U);
  OpenCount whole = sum[1];
  JoinInto(sum[1], whole);
  EXPECT_EQ(whole.elements, 14U);
  EXPECT_EQ(whole.most_ulp, 3U) << "as records of shards are joined";
}

TEST(UlpBounds, AreWordsOfTheCommandLine) {
  UlpBounds bounds;
  EXPECT_TRUE(AddUlpBound("Exp=2", bounds));
  EXPECT_TRUE(AddUlpBound("Div=0", bounds));
  EXPECT_EQ(UlpText(bounds), "Div=0,Exp=2");
  for (const char* const word :
       {"", "Exp", "Exp=", "Exp=-1", "Exp=1x", "Add=1", "=1"}) {
    EXPECT_FALSE(AddUlpBound(word, bounds)) << word;
  }
}

}  // namespace
}  // namespace lanediff::diff
