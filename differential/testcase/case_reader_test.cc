#include "differential/testcase/case_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "differential/testcase/json.h"
#include "differential/testcase/testing.h"

namespace lanediff {
namespace {

std::string Document(const std::string& program, const std::string& rest = "") {
  return R"({ "format": "lanediff-case/1", "id": "t", "product": "atlas-a2",
              "memory": {}, "program": [)" +
         program + "]" + rest + " }";
}

std::string Sum(const std::string& number, const std::string& more = "") {
  return R"({ "op": "RepeatReduceSum", "dtype": "int8",
    "dst": { "position": "UB", "at": )" +
         number + R"(, "bytes": 0 },
    "src": { "position": "CO2", "at": 0, "bytes": )" +
         number +
         R"(, "dtype": "bfloat16" },
    "repeat": )" +
         number + R"(, "elemsInOneRepeat": 1, "dstBlkStride": 2,
    "srcBlkStride": 3, "dstRepStride": 4, "srcRepStride": 5)" +
         more + " }";
}

constexpr std::string_view kGm = R"("memory": { "GM": { "size": 1 } })";

/// `Sum` reads CO2, which is GM on atlas-a2.
Case ReadSum(const std::string& number, const std::string& more = "") {
  const std::string text = Document(Sum(number, more));
  return CaseFrom(Replaced(text, "\"memory\": {}", kGm));
}

TEST(CaseReader, ReadsEveryFieldOfASumOfAny64BitNumber) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{-1}, Limits::max(), Limits::min()}) {
    using enum isa::Param;
    isa::Call expected = isa::CallOf("RepeatReduceSum");
    expected.dtype = isa::DType::kInt8;
    expected.dst() = {isa::Position::kUb, n, 0, std::nullopt};
    expected.src(0) = {isa::Position::kCo2, 0, n, isa::DType::kBfloat16};
    expected[kRepeatTimes] = n;
    expected[kMask] = 1;
    expected[kDstBlkStride] = 2;
    expected[kSrc0BlkStride] = 3;
    expected[kDstRepStride] = 4;
    expected[kSrc0RepStride] = 5;
    EXPECT_EQ(ReadSum(std::to_string(n)).program[0], isa::Step(expected)) << n;
  }
}

TEST(CaseReader, IsSetMaskIsTrueWhereItIsLeftOut) {
  const auto is_set = [](const std::string& more) {
    return std::get<isa::Call>(ReadSum("0", more).program[0]).is_set_mask;
  };
  EXPECT_TRUE(is_set(""));
  EXPECT_TRUE(is_set(R"(, "isSetMask": true)"));
  EXPECT_FALSE(is_set(R"(, "isSetMask": false)"));
}

TEST(CaseReader, ReadsStateSteps) {
  const auto c = ReadCase(Document(R"(
    { "op": "SetVectorMask", "high": "0xffffffffffffffff", "low": "0xA" },
    { "low": "0x0000000000000000001", "high": "0x0", "op": "SetVectorMask" },
    { "op": "SetSaturation", "enabled": false },
    { "op": "PipeBarrier", "pipe": "MTE3" })"));
  ASSERT_TRUE(c) << c.error().pointer << ": " << c.error().message;
  const auto first = std::get<isa::SetVectorMask>(c->program[0]);
  EXPECT_EQ(first.high, ~std::uint64_t{0});
  EXPECT_EQ(first.low, 10u);
  EXPECT_EQ(std::get<isa::SetVectorMask>(c->program[1]).low, 1u);
  EXPECT_FALSE(std::get<isa::SetSaturation>(c->program[2]).enabled);
  EXPECT_EQ(std::get<isa::PipeBarrier>(c->program[3]).pipe, isa::Pipe::kMte3);
}

constexpr char kBarrier[] = R"({ "op": "PipeBarrier", "pipe": "ALL" })";

TEST(CaseReader, RulesAreSortedAndUnique) {
  const auto c = ReadCase(
      Document(kBarrier,
               R"(, "requirement": ["RRS-TREE", "ARITH-NAN", "RRS-TREE"],
           "expect": { "outcome": "rejected", "step": 0,
             "rules": ["RRS-REPEAT", "RRS-ELEMS", "RRS-ELEMS"] })"));
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_EQ(c->requirement,
            (std::vector{isa::arith::kNan, isa::RuleId("RRS-TREE")}));
  EXPECT_EQ(c->expect->rules,
            (std::vector{isa::RuleId("RRS-ELEMS"), isa::RuleId("RRS-REPEAT")}));
  EXPECT_FALSE(c->expect->notes);
  EXPECT_FALSE(c->expect->memory) << "a rejected case may leave memory open";
}

TEST(CaseReader, AnExecutedCaseMayLeaveMemoryOpen) {
  const Case open = CaseFrom(Document(
      kBarrier, R"(, "expect": { "outcome": "executed", "memory": "any" })"));
  EXPECT_TRUE(open.expect->memory_open());
  const Case unchanged =
      CaseFrom(Document(kBarrier, R"(, "expect": { "outcome": "executed" })"));
  EXPECT_TRUE(unchanged.expect->memory);
  EXPECT_FALSE(unchanged.expect->memory_open());
  EXPECT_NE(unchanged, open);
}

TEST(CaseReader, SeedsAreNumbersOrText) {
  const auto seed = [](const std::string& text) {
    return CaseFrom(
               Document(kBarrier, R"(, "origin": { "seed": )" + text + " }"))
        .origin->seed.value();
  };
  EXPECT_EQ(std::get<std::int64_t>(seed("-7")), -7);
  EXPECT_EQ(std::get<std::string>(seed("\"18446744073709551615\"")),
            "18446744073709551615");
}

TEST(ReadFile, ReportsWhyAFileCannotBeRead) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(ReadFile(folder + "/lanediff-none.json").error(), "not found");
  EXPECT_EQ(ReadFile(folder).error(), "is no regular file");
  const std::string path =
      folder + "/lanediff-case-reader-" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << "{}";
  EXPECT_EQ(ReadFile(path).value(), "{}");
  EXPECT_EQ(ReadCaseFile(path).error(), "the field \"format\" is missing");
  std::ofstream(path) << R"({ "format": 1 })";
  EXPECT_EQ(ReadCaseFile(path).error(),
            "/format: found 1; a string is allowed");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_EQ(ReadFile(path).value().size(), kMaxCaseFileBytes + 1)
      << "no more than shows that it is too large";
  std::filesystem::remove(path);
}

TEST(Quote, CutsBetweenCharactersAndShowsControls) {
  EXPECT_EQ(Quote("a\nb\x7f"), "a?b?");
  EXPECT_EQ(Quote("abc", 3), "abc");
  EXPECT_EQ(Quote("abcd", 3), "abc…");
  EXPECT_EQ(Quote("a€b", 3), "a…") << "€ is three bytes";
  EXPECT_EQ(Quote("a€b", 4), "a€…");
}

TEST(ParseJson, KeepsNumbersAsTheyAreWritten) {
  const auto json = ParseJson(
      "[1.50e2, -0.0, -0, 18446744073709551615, 0.1000, "
      "18446744073709551616, -9223372036854775809, -7]");
  ASSERT_TRUE(json);
  const auto text = [&](std::size_t i) { return NumberText(json->at(i)); };
  EXPECT_EQ(text(0), "1.50e2");
  EXPECT_EQ(text(1), "-0.0");
  EXPECT_EQ(text(2), "-0");
  EXPECT_EQ(text(3), "18446744073709551615");
  EXPECT_EQ(text(4), "0.1000");
  EXPECT_EQ(text(5), "18446744073709551616");
  EXPECT_EQ(text(6), "-9223372036854775809");
  EXPECT_EQ(text(7), "-7");
  EXPECT_EQ(LayOut(*json),
            "[\n  1.50e2, -0.0, -0, 18446744073709551615, 0.1000, "
            "18446744073709551616, -9223372036854775809, -7\n]\n");
}

TEST(ParseJson, NamesThePlaceOfAnErrorInNestedLists) {
  EXPECT_EQ(ParseJson("[1, [2, {\"a\": [3, x").error().pointer, "/1/1/a/1");
  EXPECT_EQ(ParseJson("{\"a\": [{\"b\": 1}, {\"b\": 1, \"b\"").error().pointer,
            "/a/1/b");
}

TEST(PointerToken, ANameOfAnyLengthStaysInTheLine) {
  EXPECT_EQ(PointerToken("a/b~c\n"), "a~1b~0c?");
  const std::string token = PointerToken(std::string(70'000, 'a'));
  EXPECT_LT(token.size(), 100u);
  EXPECT_TRUE(token.starts_with("aaaa"));
}

using Lines = std::vector<std::size_t>;

TEST(StepLinesTest, AreWhereEachStepBegins) {
  EXPECT_EQ(
      StepLines("{\"id\": \"program\", \"memory\": {\"GM\":\n"
                "  {\"regions\": [{}, {}]}},\n"
                "\"program\": [{\"op\": \"A\", \"p\": {\"q\": [{}]}}, {},\n"
                "  {\"op\":\n \"B\"},\n {}], \"requirement\": [\n{}]}"),
      (Lines{3, 3, 4, 6}));
  EXPECT_EQ(StepLines("{\"program\": [{}],\n\"memory\": {\"GM\": {}}}"),
            Lines{1});
  // What stands in texts is no step.
  EXPECT_EQ(StepLines(R"({"note": "\"program\": [{ \\", "program": [
{"op": "}{]["},
{}]})"),
            (Lines{2, 3}));
  EXPECT_EQ(StepLines("{\"note\": \"\\\"\", \"program\": [\n{}]}"), Lines{2});
  EXPECT_EQ(StepLines(""), Lines{});
  EXPECT_EQ(StepLines("\"\\"), Lines{});
}

}  // namespace
}  // namespace lanediff
