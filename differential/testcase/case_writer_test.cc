#include "differential/testcase/case_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "differential/testcase/element.h"
#include "differential/testcase/testing.h"

namespace lanediff {
namespace {

using isa::Memory;

/// Writes, reads and writes again: equal case, equal bytes.
void ExpectRoundTrip(const Case& c, const std::string& what) {
  const std::string text = WriteCase(c);
  const Case back = CaseFrom(text);
  EXPECT_EQ(back, c) << what << "\n" << text;
  EXPECT_EQ(WriteCase(back), text) << what;
}

Case WithUb(std::vector<Region> regions) {
  Case c;
  c.id = "t";
  c.program.emplace_back(isa::PipeBarrier{});
  c.memory[Memory::kUb] =
      MemoryImage{.fill = 0, .size = 196608, .regions = std::move(regions)};
  return c;
}

Region Elements(isa::DType type, const std::vector<std::uint64_t>& bits) {
  Region region{.at = 64, .dtype = type, .bytes = {}};
  for (std::uint64_t b : bits) AppendElement(type, b, region.bytes);
  return region;
}

/// The document of a case with these elements, once it has round-tripped.
std::string ValuesText(isa::DType type,
                       const std::vector<std::uint64_t>& bits) {
  const Case c = WithUb({Elements(type, bits)});
  ExpectRoundTrip(c, "values");
  return WriteCase(c);
}

TEST(WriteCase, WritesAllFieldsCanonically) {
  Case c = WithUb({Elements(isa::DType::kHalf, {0x3c00})});
  c.note = "n";
  c.program = {isa::SetVectorMask{.high = 1, .low = ~std::uint64_t{0}},
               isa::SetSaturation{.enabled = false}};
  c.expect = Expectation{.rejected = true,
                         .step = 1,
                         .rules = {isa::RuleId("RRS-REPEAT")},
                         .notes = std::vector<isa::RuleId>{},
                         .memory = std::nullopt};
  c.origin = Origin{.tool = "t",
                    .seed = -1,
                    .target = std::nullopt,
                    .signature = std::nullopt,
                    .date = std::nullopt};
  c.requirement = {isa::RuleId("RRS-TREE")};
  EXPECT_EQ(WriteCase(c), R"({
  "format": "lanediff-case/1",
  "id": "t",
  "note": "n",
  "product": "atlas-a2",
  "memory": { "UB": { "fill": "00", "regions": [{ "at": 64, "dtype": "half", "values": [1] }] } },
  "program": [
    { "op": "SetVectorMask", "high": "0x1", "low": "0xffffffffffffffff" },
    { "op": "SetSaturation", "enabled": false }
  ],
  "expect": { "outcome": "rejected", "step": 1, "rules": ["RRS-REPEAT"], "notes": [] },
  "origin": { "tool": "t", "seed": -1 },
  "requirement": ["RRS-TREE"]
}
)");
  ExpectRoundTrip(c, "all fields");
}

TEST(WriteCase, RoundTripsConstructedCases) {
  Case c = WithUb({});
  c.note = "\"\\\n\t\x01 \xe2\x82\xac";
  ExpectRoundTrip(c, "note");
  c.memory[0] = MemoryImage{.fill = 0xff, .size = 0, .regions = {}};
  c.memory[2] = MemoryImage{.fill = 1, .size = 17, .regions = {}};
  ExpectRoundTrip(c, "sizes");
  isa::Call call = isa::CallOf("RepeatReduceSum");
  call.dst() = {isa::Position::kUb, INT64_MIN, INT64_MAX, isa::DType::kDouble};
  call[isa::Param::kRepeatTimes] = INT64_MIN;
  call[isa::Param::kSrc0RepStride] = INT64_MAX;
  call.is_set_mask = false;
  c.program.emplace_back(call);
  ExpectRoundTrip(c, "call");
  c.expect = Expectation{};
  c.expect->memory.emplace();
  c.expect->memory->at(1) = {Elements(isa::DType::kFloat, {0x3dcccccd}),
                             {.at = 80, .dtype = std::nullopt, .bytes = {1}}};
  ExpectRoundTrip(c, "expect");
  c.expect->memory.reset();
  ExpectRoundTrip(c, "open memory");
  c.origin = Origin{};
  c.origin->seed = "18446744073709551615";
  c.origin->date = "2026-01-01";
  ExpectRoundTrip(c, "origin");
  c.memory[1]->regions = {{.at = 0, .dtype = std::nullopt, .bytes = {}},
                          Elements(isa::DType::kInt64, {})};
  ExpectRoundTrip(c, "empty regions");
}

TEST(WriteCase, RoundTripsEachFormOfEachCall) {
  for (isa::Call call : isa::CallKinds()) {
    do {
      Case c = WithUb({});
      c.memory[0] = MemoryImage{.fill = 0, .size = 64, .regions = {}};
      c.program = {call};
      ExpectRoundTrip(c, std::string(call.signature->op));
    } while (++call.form < call.signature->forms.size());
  }
}

TEST(WriteCase, WritesRunsAndRampsShortly) {
  using enum isa::DType;
  const std::vector<std::uint64_t> ones(100, 0x3c00);
  ExpectContains(ValuesText(kHalf, ones), "{ \"value\": 1, \"count\": 100 }");
  ExpectContains(ValuesText(kHalf, {0x3c00, 0x3c00, 0x3c00}), "[1, 1, 1]");
  ExpectContains(ValuesText(kHalf, {0x8000, 0x8000, 0x8000, 0x8000}),
                 "{ \"value\": \"-0\", \"count\": 4 }");
  ExpectContains(ValuesText(kInt8, {3, 1, 0xff, 0xfd}),
                 "{ \"from\": 3, \"step\": -2, \"count\": 4 }");
  ExpectContains(ValuesText(kInt8, {9, 3, 1, 0xff, 0xfd, 7, 7, 7, 7}),
                 "[9, { \"from\": 3, \"step\": -2, \"count\": 4 }, { "
                 "\"value\": 7, \"count\": 4 }");
  // A ramp must not step over minus zero, nor through what needs rounding.
  ExpectContains(ValuesText(kHalf, {0xc000, 0xbc00, 0x8000, 0x3c00}),
                 "[-2, -1, \"-0\", 1]");
  ExpectContains(ValuesText(kHalf, {0xc000, 0xbc00, 0x0000, 0x3c00}),
                 "\"from\": -2, \"step\": 1, \"count\": 4");
  ExpectContains(ValuesText(kUint64, {~0ull, ~0ull - 1}),
                 "\"18446744073709551615\", \"18446744073709551614\"");
}

TEST(WriteCase, RoundTripsElementsOfEveryType) {
  std::uint64_t word = 1;
  for (std::size_t t = 0; t < isa::kCount<isa::DType>; ++t) {
    const auto type = static_cast<isa::DType>(t);
    std::vector<std::uint64_t> bits = {0, 0, 0, 0, 0, 1, 2, 3, 4, 5};
    for (int i = 0; i < 300; ++i) {
      word = word * 6364136223846793005 + 1442695040888963407;
      bits.push_back(word >> (i % 3 == 0 ? 40 : 0));
    }
    ExpectRoundTrip(WithUb({Elements(type, bits)}),
                    std::string(isa::Name(type)));
  }
}

TEST(WriteCase, RoundTripsTheCorpus) {
  for (const Case& c : Corpus()) ExpectRoundTrip(c, c.id);
}

TEST(WriteOutcome, LeavesOutWhatIsNotThere) {
  EXPECT_EQ(WriteOutcome({}, ""), "{\n  \"outcome\": \"executed\"\n}\n");
  Outcome outcome{
      .rules = std::nullopt, .notes = {{}}, .memory = {{}}, .observed = "x"};
  EXPECT_EQ(WriteOutcome(outcome, ""),
            "{\n  \"outcome\": \"executed\",\n  \"notes\": [],\n  \"memory\": "
            "{},\n  \"target\": \"x\"\n}\n");
  outcome.status = Outcome::Status::kRejected;
  outcome.step = 2;
  outcome.rules = std::vector{isa::RuleId("RRS-REPEAT")};
  (*outcome.memory)[1] = {{.at = 3, .dtype = std::nullopt, .bytes = {0xab, 1}}};
  const std::string text = WriteOutcome(outcome, "");
  ExpectContains(text, "\"step\": 2");
  ExpectContains(text, "\"rules\": [\"RRS-REPEAT\"]");
  ExpectContains(text, "\"UB\": [{ \"at\": 3, \"hex\": \"ab01\" }]");
}

}  // namespace
}  // namespace lanediff
