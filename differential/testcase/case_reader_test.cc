#include "differential/testcase/case_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

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
  std::string text = Document(Sum(number, more));
  text.replace(text.find("\"memory\": {}"), 12, kGm);
  const auto c = ReadCase(text);
  EXPECT_TRUE(c) << c.error().pointer << ": " << c.error().message;
  return c.value();
}

TEST(CaseReader, CarriesIllegalCallsOfAny64BitNumber) {
  for (const std::string number :
       {"0", "-1", "256", "9223372036854775807", "-9223372036854775808"}) {
    const auto call =
        std::get<isa::RepeatReduceSum>(ReadSum(number).program[0]);
    EXPECT_EQ(std::to_string(call.repeat), number);
    EXPECT_EQ(std::to_string(call.dst.at), number);
    EXPECT_EQ(std::to_string(call.src.bytes), number);
  }
}

TEST(CaseReader, ReadsEveryFieldOfASum) {
  const auto call = std::get<isa::RepeatReduceSum>(ReadSum("7").program[0]);
  isa::RepeatReduceSum expected;
  expected.dtype = isa::DType::kInt8;
  expected.dst = {isa::Position::kUb, 7, 0, std::nullopt};
  expected.src = {isa::Position::kCo2, 0, 7, isa::DType::kBfloat16};
  expected.repeat = 7;
  expected.elems_in_one_repeat = 1;
  expected.dst_blk_stride = 2;
  expected.src_blk_stride = 3;
  expected.dst_rep_stride = 4;
  expected.src_rep_stride = 5;
  EXPECT_EQ(call, expected);
}

TEST(CaseReader, IsSetMaskIsTrueWhereItIsLeftOut) {
  const auto is_set = [](const std::string& more) {
    return std::get<isa::RepeatReduceSum>(ReadSum("0", more).program[0])
        .is_set_mask;
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
  EXPECT_EQ(c->requirement, (std::vector{isa::arith::kNan, isa::rrs::kTree}));
  EXPECT_EQ(c->expect->rules,
            (std::vector{isa::rrs::kElems, isa::rrs::kRepeat}));
  EXPECT_FALSE(c->expect->notes);
  EXPECT_FALSE(c->expect->memory) << "a rejected case may leave memory open";
}

TEST(CaseReader, AnExecutedCaseAlwaysLooksAtMemory) {
  const auto c =
      ReadCase(Document(kBarrier, R"(, "expect": { "outcome": "executed" })"));
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_TRUE(c->expect->memory);
}

TEST(CaseReader, AnExecutedCaseMayLeaveMemoryOpen) {
  const auto open = ReadCase(Document(
      kBarrier, R"(, "expect": { "outcome": "executed", "memory": "any" })"));
  ASSERT_TRUE(open) << open.error().message;
  EXPECT_TRUE(open->expect->memory_open());
  const auto unchanged =
      ReadCase(Document(kBarrier, R"(, "expect": { "outcome": "executed" })"));
  EXPECT_FALSE(unchanged->expect->memory_open());
  EXPECT_NE(*unchanged, *open);
}

TEST(CaseReader, SeedsAreNumbersOrText) {
  const auto seed = [](const std::string& text) {
    const auto c =
        ReadCase(Document(kBarrier, R"(, "origin": { "seed": )" + text + " }"));
    EXPECT_TRUE(c) << c.error().message;
    return c->origin->seed.value();
  };
  EXPECT_EQ(std::get<std::int64_t>(seed("-7")), -7);
  EXPECT_EQ(std::get<std::string>(seed("\"18446744073709551615\"")),
            "18446744073709551615");
}

TEST(ReadFile, ReportsWhyAFileCannotBeRead) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(ReadFile(folder + "/lanediff-none.json").error(),
            "can't be read: No such file or directory");
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

}  // namespace
}  // namespace lanediff
