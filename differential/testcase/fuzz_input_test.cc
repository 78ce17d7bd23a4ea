#include "differential/testcase/fuzz_input.h"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>

#include "differential/testcase/case_writer.h"
#include "differential/testcase/testing.h"

namespace lanediff {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// What an encoding keeps of a case.
Case Bare(const Case& c) {
  Case bare;
  bare.product = c.product;
  bare.memory = c.memory;
  bare.program = c.program;
  return bare;
}

void ExpectTotal(const Bytes& bytes) {
  const Case c = DecodeFuzzInput(bytes);
  EXPECT_EQ(CaseFrom(WriteCase(c)), c) << WriteCase(c);
  const auto encoded = EncodeFuzzInput(c);
  ASSERT_TRUE(encoded) << encoded.error();
  EXPECT_EQ(Bare(DecodeFuzzInput(*encoded)), Bare(c));
}

/// Cases that no kernel has.
std::vector<Case> OlderCases() {
  std::vector<Case> cases = Corpus();
  std::erase_if(cases,
                [](const Case& c) { return FormatOf(c) != kCaseFormat; });
  EXPECT_GT(cases.size(), 100u);
  return cases;
}

TEST(FuzzInput, IsInvertibleForTheCorpus) {
  for (const Case& c : OlderCases()) {
    const auto bytes = EncodeFuzzInput(c);
    ASSERT_TRUE(bytes) << c.id << bytes.error();
    const Case back = DecodeFuzzInput(*bytes);
    EXPECT_EQ(Bare(back), Bare(c)) << c.id;
    EXPECT_EQ(EncodeFuzzInput(back).value(), *bytes) << c.id;
    EXPECT_EQ(back.id, "fuzz/" + ContentHash(*bytes));
  }
}

TEST(FuzzInput, RandomBytesAreACase) {
  std::uint64_t word = 20240601;
  const auto next = [&] {
    word = word * 6364136223846793005 + 1442695040888963407;
    return word >> 33;
  };
  for (int i = 0; i < 1000; ++i) {
    Bytes bytes(next() % 300);
    // Small numbers and all numbers by turns; memories mostly small ones.
    for (auto& b : bytes) {
      b = static_cast<std::uint8_t>(i % 2 == 0 ? next() : next() % 9);
    }
    if (bytes.size() > 2 && i % 8 != 0) bytes[2] &= 0x3e;  // mostly without GM
    ExpectTotal(bytes);
  }
}

TEST(FuzzInput, TruncatedAndChangedBytesAreACase) {
  ExpectTotal({});
  std::size_t i = 0;
  for (const Case& c : OlderCases()) {
    if (++i % 20 != 0) continue;
    const Bytes bytes = EncodeFuzzInput(c).value();
    const std::size_t stride = 1 + bytes.size() / 40;
    for (std::size_t at = 0; at < bytes.size(); at += stride) {
      ExpectTotal({bytes.begin(), bytes.begin() + static_cast<long>(at)});
      Bytes changed = bytes;
      changed[at] ^= 0xff;
      ExpectTotal(changed);
    }
  }
}

TEST(FuzzInput, HugeCountsMakeNoHugeCase) {
  // GM, 4 MiB; one region of half whose run claims 2^62 elements.
  Bytes bytes = {1, 3, 1, 0, 0, 1, 0, 9};
  bytes.insert(bytes.end(), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                             0x7f, 1, 2, 0, 0, 2, 5});
  const Case c = DecodeFuzzInput(bytes);
  ASSERT_TRUE(c.memory[0]);
  ASSERT_EQ(c.memory[0]->regions.size(), 1u);
  EXPECT_EQ(c.memory[0]->regions[0].bytes.size(), 4u << 20);
}

TEST(FuzzInput, IsStable) {
  // Corpora of fuzzers are kept: these bytes must mean this case for ever.
  Case c = CaseFrom(R"({ "format": "lanediff-case/1", "id": "t",
    "product": "atlas-a2", "edition": "2024", "memory": { "UB": { "fill": "a5", "regions": [
      { "at": 1024, "dtype": "half", "values": [60000, 60000, -30000, 100] },
      { "at": 1040, "hex": "0707070707" } ] } },
    "program": [ { "op": "SetVectorMask", "high": "0x1", "low": "0xff" },
      { "op": "SetSaturation", "enabled": true },
      { "op": "PipeBarrier", "pipe": "MTE1" },
      { "op": "RepeatReduceSum", "dtype": "half",
        "dst": { "position": "VECOUT", "at": 0, "bytes": 32 },
        "src": { "position": "VECIN", "at": 1024, "bytes": 256,
                 "dtype": "float" },
        "repeat": -1, "elemsInOneRepeat": 4, "dstBlkStride": 0,
        "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8 } ] })");
  Bytes golden = {
      0x01, 0x03, 0x02,        // version, atlas-a2, UB
      0xa5, 0x00, 0x02,        // fill, usual size, two regions
      0x80, 0x08, 0x09, 0x08,  // gap 1024, half, four as they are
      0x53, 0x7b, 0x53, 0x7b, 0x53, 0xf7, 0x40,
      0x56, 0x00, 0x08, 0x00, 0x0b, 0x07, 0x00,  // gap 8, hex, run of five
      0x03,                                      // four steps
      0x00, 0x01, 0xff, 0x01,                    // SetVectorMask
      0x01, 0x01,                                // SetSaturation
      0x02, 0x01,                                // PipeBarrier
      0x03, 0x08,                                // RepeatReduceSum, half
      0x03, 0x00, 0x00, 0x40,                    // dst
      0x01, 0x0b, 0x80, 0x10, 0x80, 0x04,        // src
      0x01, 0x08, 0x00, 0x02, 0x02, 0x10, 0x01,  // numbers, isSetMask
  };
  EXPECT_EQ(EncodeFuzzInput(c).value(), golden);
  EXPECT_EQ(Bare(DecodeFuzzInput(golden)), Bare(c));
  c.edition = isa::Edition::k2026;
  golden[0] = 0x03;
  EXPECT_EQ(EncodeFuzzInput(c).value(), golden);
  EXPECT_EQ(Bare(DecodeFuzzInput(golden)), Bare(c));
}

TEST(FuzzInput, HoldsTheLintFacts) {
  const Case c = CaseFrom(R"({ "format": "lanediff-case/1", "id": "t",
    "product": "atlas-a2", "memory": { "UB": { "initialised": false } },
    "sync": { "auto": true }, "start": { "mask": "unknown" },
    "init": "propagate",
    "program": [ { "op": "SetFlag", "event": "MTE2_V", "id": -1 },
      { "op": "SetValue", "dtype": "half",
        "dst": { "position": "VECOUT", "at": 0, "bytes": 32 },
        "index": 3, "value": "-0" } ] })");
  const auto bytes = EncodeFuzzInput(c).value();
  EXPECT_EQ(bytes[0], kFuzzInputVersion + 1);
  EXPECT_EQ(bytes[1], 0x0f);
  EXPECT_EQ(bytes[2], 0x02);
  EXPECT_EQ(Bare(DecodeFuzzInput(bytes)), Bare(c));
}

TEST(FuzzInput, HasEachCallInTheVersionThatHasItsNumber) {
  for (const isa::Edition edition :
       {isa::Edition::k2024, isa::Edition::k2026}) {
    for (isa::Call call : isa::CallKinds()) {
      SCOPED_TRACE(call.signature->op);
      if (!call.signature->forms.empty()) {
        call.form = static_cast<std::uint8_t>(call.signature->forms.size() - 1);
      }
      Case c;
      c.edition = edition;
      c.program = {call};
      const Bytes bytes = EncodeFuzzInput(c).value();
      EXPECT_EQ(DecodeFuzzInput(bytes).program, c.program);
      EXPECT_EQ(DecodeFuzzInput(bytes).edition, edition);
      const bool is_later = call.signature->number > 21;
      EXPECT_EQ(bytes[0],
                edition == isa::Edition::k2024
                    ? (is_later ? 7 : kFuzzInputVersion2024)
                    : (is_later ? kFuzzInputWithAllSteps : kFuzzInputVersion));
    }
  }
}

TEST(FuzzInput, ReportsWhatHasNoEncoding) {
  Case c;
  c.program.assign(65, isa::PipeBarrier{});
  EXPECT_NE(EncodeFuzzInput(c).error().find("65 steps"), std::string::npos);
  c.program.resize(64);
  EXPECT_TRUE(EncodeFuzzInput(c));
  c.memory[0] = MemoryImage{.fill = 0, .size = (4 << 20) + 1, .regions = {}};
  EXPECT_NE(EncodeFuzzInput(c).error().find("GM has 4194305 bytes"),
            std::string::npos);
}

TEST(ContentHasher, IsFnv1aOfAllPieces) {
  EXPECT_EQ(TextHash(""), "cbf29ce484222325");
  EXPECT_EQ(TextHash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(ContentHash(Bytes{'a'}), TextHash("a"));
  ContentHasher hasher;
  hasher.Add("foo");
  hasher.Add(std::array<std::uint8_t, 3>{'b', 'a', 'r'});
  EXPECT_EQ(hasher.Number(), 0x85944171f73967e8);
  EXPECT_EQ(hasher.Text(), TextHash("foobar"));
}

}  // namespace
}  // namespace lanediff
