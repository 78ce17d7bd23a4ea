// Cases of kernels: lanediff-case/2.

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "differential/testcase/testing.h"
#include "isa/resource.h"

namespace lanediff {
namespace {

constexpr std::string_view kKernel = R"({ "format": "lanediff-case/2",
  "id": "a/b", "product": "atlas-a2", "memory": { "GM": { "size": 64 } },
  "program": [ { "op": "Resource", "name": "Block", "arguments": { "block": 3 },
      "source": { "file": "add.cpp", "line": 24, "call": 2, "block": 3,
                  "execution": 7 } },
    { "op": "Resource", "name": "InitSocState" },
    { "op": "Resource", "name": "InitBuffer", "arguments": { "tpipe": 0,
        "buffer": 5, "src": "VECIN", "num": 2, "len": 256 } },
    { "op": "Carried", "name": "Adds", "pipe": "V",
      "parameters": { "count": 16, "scalar": "1.5",
        "repeatTime": { "value": 256, "low": 0, "high": 255 } },
      "operands": {
        "dst": { "position": "VECOUT", "at": 0, "bytes": 32, "dtype": "half",
                 "align": 2 },
        "src": { "position": "VECIN", "at": 32, "bytes": 32 } },
      "reads": [ { "memory": "UB", "at": 32, "bytes": 32 },
                 { "memory": "UB", "at": 64, "bytes": 4, "iteration": 2,
                   "operand": "src" } ],
      "writes": [ { "memory": "UB", "at": 0, "hex": "00ff", "iteration": 1 } ]
    } ],
  "expect": { "outcome": "executed", "findings": ["KRN-BOUNDS"],
              "memory": "any" } })";

TEST(KernelCase, IsReadAsItStands) {
  const Case c = CaseFrom(kKernel);
  const auto* const source = SourceOf(c, 0);
  ASSERT_NE(source, nullptr);
  EXPECT_EQ(*source, (StepSource{"add.cpp", 24, 2, 3, 7}));
  EXPECT_EQ(SourceOf(c, 1), nullptr);
  const auto& buffer = std::get<isa::Resource>(c.program[2]);
  EXPECT_EQ(buffer.name, isa::ResourceName::kInitBuffer);
  EXPECT_EQ(buffer.Integer("buffer"), 5);
  EXPECT_EQ(buffer.Text("src"), "VECIN");
  EXPECT_EQ(buffer.Integer("at"), std::nullopt);
  EXPECT_EQ(buffer.Text("dst"), "");
  const auto& carried = std::get<isa::Carried>(c.program[3]);
  EXPECT_EQ(carried.name, "Adds");
  EXPECT_EQ(carried.pipe, isa::Pipe::kV);
  ASSERT_EQ(carried.parameters.size(), 3u);
  EXPECT_EQ(carried.parameters[1].value,
            (std::variant<std::int64_t, std::string>("1.5")));
  EXPECT_EQ(carried.parameters[2].range, (isa::ParameterRange{0, 255}));
  ASSERT_EQ(carried.operands.size(), 2u);
  EXPECT_EQ(carried.operands[0].align, 2);
  EXPECT_EQ(carried.operands[1].name, isa::OperandName::kSrc);
  EXPECT_EQ(carried.reads[1], (isa::CarriedRead{isa::Memory::kUb, 64, 4, 2,
                                                isa::OperandName::kSrc}));
  EXPECT_EQ(carried.writes[0],
            (isa::CarriedWrite{isa::Memory::kUb, 0, {0x00, 0xff}, 1}));
  EXPECT_TRUE(MemoriesOf(c)[isa::Memory::kUb]);
}

TEST(KernelCase, IsWrittenSoThatTheSameIsRead) {
  const Case c = CaseFrom(kKernel);
  const std::string text = WriteCase(c);
  ExpectContains(text, "\"lanediff-case/2\"");
  EXPECT_EQ(text.find("\"arguments\": {}"), std::string::npos);
  const Case again = CaseFrom(text);
  EXPECT_EQ(again, c);
  EXPECT_EQ(WriteCase(again), text);
}

TEST(KernelCase, WhatTheOlderFormatCanHoldIsWrittenInIt) {
  const Case c = CaseFrom(R"({ "format": "lanediff-case/2", "id": "a",
    "product": "atlas-a2", "memory": {},
    "program": [ { "op": "PipeBarrier", "pipe": "V" } ] })");
  EXPECT_EQ(FormatOf(c), kCaseFormat);
  Case with_source = c;
  with_source.sources = {StepSource{.file = "a.cpp", .line = 1}};
  EXPECT_EQ(FormatOf(with_source), kKernelCaseFormat);
  EXPECT_EQ(ReadCase(WriteCase(with_source)), with_source);
}

/// Sources of a program that was changed belong to no program.
TEST(KernelCase, SourcesOfAnotherProgramAreLeftOut) {
  Case c = CaseFrom(kKernel);
  c.program.pop_back();
  EXPECT_EQ(SourceOf(c, 0), nullptr);
  EXPECT_EQ(WriteCase(c).find("\"source\""), std::string::npos);
}

TEST(KernelCase, WhatIsMalformedIsNamed) {
  const std::vector<Refusal> rows = {
      {"case/2", "case/1", "/program/0/op", "found \"Resource\""},
      {"case/2", "case/3", "/format", "lanediff-case/1 or lanediff-case/2"},
      {"\"Block\"", "\"Blok\"", "/program/0/name", "InitSocState"},
      {"\"block\": 3 }", "\"blok\": 3 }", "/program/0/arguments",
       "\"block\" is missing"},
      {"\"block\": 3 }", "\"block\": 3, \"x\": 1 }", "/program/0/arguments/x",
       "unknown field"},
      {"\"block\": 3 }", "\"block\": \"3\" }", "/program/0/arguments/block",
       "a number is allowed"},
      {"\"arguments\": { \"block\": 3 },", "", "/program/0",
       "\"arguments\" is missing"},
      {"\"src\": \"VECIN\"", "\"src\": \"VEC\"", "/program/2/arguments/src",
       "VECCALC"},
      {"\"line\": 24", "\"line\": 0", "/program/0/source/line", "1 to"},
      {"\"add.cpp\"", "\"\"", "/program/0/source/file", "empty"},
      {"\"call\": 2", "\"column\": 2", "/program/0/source/column",
       "unknown field"},
      {"\"Adds\"", "\"\"", "/program/3/name", "empty"},
      {"\"V\"", "\"ALL\"", "/program/3/pipe", "one pipe"},
      {"\"count\": 16", "\"count\": 1.5", "/program/3/parameters/count",
       "an integer of 64 bits"},
      {"\"count\": 16", "\"count\": null", "/program/3/parameters/count",
       "a number"},
      {"\"low\": 0, ", "", "/program/3/parameters/repeatTime",
       "\"low\" is missing"},
      {"\"dst\": {", "\"out\": {", "/program/3/operands/out", "src0"},
      {"\"align\": 2", "\"align\": 0", "/program/3/operands/dst/align",
       "1 to 512"},
      {"\"align\": 2", "\"align\": 513", "/program/3/operands/dst/align",
       "1 to 512"},
      {"\"execution\": 7", "\"execution\": 0", "/program/0/source/execution",
       "1 to"},
      {"[\"KRN-BOUNDS\"]", "[1]", "/expect/findings/0", "a string"},
      {"\"findings\"", "\"found\"", "/expect/found", "unknown field"},
      {"\"iteration\": 2", "\"iteration\": -1", "/program/3/reads/1/iteration",
       "0 to"},
      {"\"bytes\": 32 },\n                 {",
       "\"bytes\": 32, \"iteration\": 3 }, {", "/program/3/reads/1/iteration",
       "3 to", true},
      {"\"00ff\"", "\"0ff\"", "/program/3/writes/0/hex", "hex digits"},
      {"\"hex\": \"00ff\"", "\"bytes\": 2", "/program/3/writes/0",
       "\"hex\" is missing"},
  };
  ExpectNoCases(kKernel, rows);
  EXPECT_TRUE(SchemaTakes(std::string(kKernel)));
}

TEST(KernelCase, AStepWithRulesHasASourceToo) {
  std::string text(kKernel);
  text.replace(text.find("00ff"), 4, "00fF");
  constexpr std::string_view kProgram = "\"program\": [ ";
  text.insert(text.find(kProgram) + kProgram.size(), R"({ "op": "Abs",
      "dtype": "half", "count": 16,
      "dst": { "position": "VECOUT", "at": 0, "bytes": 32 },
      "src": { "position": "VECIN", "at": 0, "bytes": 32 },
      "source": { "file": "add.cpp", "line": 25 } },
    )");
  const Case c = CaseFrom(text);
  ASSERT_NE(SourceOf(c, 0), nullptr);
  EXPECT_EQ(*SourceOf(c, 0), (StepSource{.file = "add.cpp", .line = 25}));
  EXPECT_TRUE(SchemaTakes(text));
  ExpectNoCases(text, {{", \"line\": 25", "", "/program/0/source",
                        "\"line\" is missing"}});
}

TEST(KernelCase, IsAFuzzerInputOfItsOwnVersion) {
  const Case c = CaseFrom(kKernel);
  const auto bytes = EncodeFuzzInput(c);
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(bytes->front(), kFuzzInputWithKernelSteps);
  const Case back = DecodeFuzzInput(*bytes);
  EXPECT_EQ(back.program, c.program);
  EXPECT_EQ(back.memory, c.memory);
  EXPECT_EQ(back.lint, c.lint);
  EXPECT_EQ(*EncodeFuzzInput(back), *bytes);
}

TEST(KernelCase, StepsOfOlderInputsAreWhatTheyWere) {
  const std::vector<std::pair<std::uint8_t, std::size_t>> versions = {
      {kFuzzInputVersion, 20},
      {kFuzzInputWithLintFacts, 20},
      {kFuzzInputWithKernelSteps, 22},
      {kFuzzInputWithAllSteps, isa::StepKinds().size()}};
  for (const auto& [version, kinds] : versions) {
    for (std::size_t op = 0; op < 256; ++op) {
      std::vector<std::uint8_t> input(16);
      input[0] = version;
      input[version == kFuzzInputVersion ? 4 : 6] =
          static_cast<std::uint8_t>(op);
      const Case c = DecodeFuzzInput(input);
      EXPECT_EQ(isa::NumberOf(c.program.front()), op % kinds);
      for (const isa::Step& step : c.program) {
        EXPECT_LT(isa::NumberOf(step), kinds);
      }
    }
  }
}

/// Bytes that begin as an input with steps of kernels does.
std::vector<std::uint8_t> KernelBytes(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> input(8 + random() % 400);
  for (std::uint8_t& byte : input) {
    byte = static_cast<std::uint8_t>(random() % (random() % 3 == 0 ? 256 : 8));
  }
  input[0] = kFuzzInputWithKernelSteps;
  input[4] = 0;                                             // no memory
  input[6] = static_cast<std::uint8_t>(20 + random() % 2);  // of the first step
  return input;
}

TEST(KernelCase, AnyBytesAreACaseThatCanBeWrittenAndEncoded) {
  std::set<isa::ResourceName> resources;
  std::size_t calls = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Case c = DecodeFuzzInput(KernelBytes(seed));
    const auto encoded = EncodeFuzzInput(c);
    ASSERT_TRUE(encoded) << encoded.error();
    const Case again = DecodeFuzzInput(*encoded);
    ASSERT_EQ(again.program, c.program) << seed;
    ASSERT_EQ(WriteCase(CaseFrom(WriteCase(c))), WriteCase(c)) << seed;
    for (const isa::Step& step : c.program) {
      calls += std::holds_alternative<isa::Carried>(step) ? 1 : 0;
      const auto* const resource = std::get_if<isa::Resource>(&step);
      if (resource != nullptr) resources.insert(resource->name);
    }
  }
  EXPECT_GT(calls, 1000U);
  EXPECT_EQ(resources.size(), isa::kCount<isa::ResourceName>);
}

TEST(KernelCase, WhatHasNoBytesIsNamed) {
  Case c;
  isa::Carried call;
  call.name = "Adds";
  call.reads.resize(65);
  c.program = {call};
  EXPECT_EQ(EncodeFuzzInput(c).error(),
            "an unaudited call of more than 64 reads, writes or parameters");
  call.reads.clear();
  call.writes.push_back({});
  call.writes[0].count = 4097;
  c.program = {call};
  EXPECT_EQ(EncodeFuzzInput(c).error(),
            "an unaudited call that writes more than 4096 bytes");
  call.writes.clear();
  call.name = "Über";
  c.program = {call};
  EXPECT_EQ(EncodeFuzzInput(c).error(),
            "a name of characters that a fuzzer input does not have");
}

}  // namespace
}  // namespace lanediff
