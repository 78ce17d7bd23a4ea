// What the reader takes and refuses as memory: sizes, regions and values.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "differential/testcase/testing.h"

namespace lanediff {
namespace {

using isa::Memory;

/// A case on `product` with `memory`.
std::expected<Case, CaseError> Read(const std::string& memory,
                                    const std::string& product = "atlas-a2") {
  return ReadCase(
      R"({ "format": "lanediff-case/1", "id": "t", "product": ")" + product +
      R"(", "memory": )" + memory +
      R"(, "program": [ { "op": "PipeBarrier", "pipe": "ALL" } ] })");
}

std::string Values(const std::string& dtype, const std::string& values) {
  return R"({ "UB": { "size": 64, "regions": [ { "at": 0, "dtype": ")" + dtype +
         R"(", "values": [)" + values + "] } ] } }";
}

struct Refused {
  std::string memory;
  std::string pointer;
  std::string message;
  std::string product = "atlas-a2";
};

void ExpectRefused(const std::vector<Refused>& rows) {
  for (const Refused& row : rows) {
    SCOPED_TRACE(row.memory.substr(0, 300));
    lanediff::ExpectRefused(Read(row.memory, row.product),
                            "/memory" + row.pointer, row.message);
  }
}

std::string Regions(const std::string& regions) {
  return R"({ "UB": { "size": 64, "regions": [)" + regions + "] } }";
}

TEST(CaseReaderMemory, RefusesSizesFillsAndRegions) {
  ExpectRefused({
      {R"({"UB": {"size": 196609}})", "/UB/size", "0 to 196608"},
      {R"({"UB": {"size": 262145}})", "/UB/size", "0 to 262144",
       "atlas-training"},
      {R"({"L1": {"size": 524289}})", "/L1/size", "0 to 524288"},
      {R"({"L0C": {"size": 131073}})", "/L0C/size", "0 to 131072"},
      {R"({"BT": {"size": 1025}})", "/BT/size", "0 to 1024"},
      {R"({"FB": {"size": 7169}})", "/FB/size", "0 to 7168"},
      {R"({"GM": {"size": 1073741825}})", "/GM/size", "0 to 1073741824"},
      {R"({"GM": {"size": -1}})", "/GM/size", "0 to"},
      {R"({"UB": {"fill": ""}})", "/UB/fill", "two hex digits"},
      {R"({"UB": {"fill": "a5a5"}})", "/UB/fill", "two hex digits"},
      {R"({"UB": {"fill": "a"}})", "/UB/fill", "hex digits"},
      {R"({"UB": {"fill": "0g"}})", "/UB/fill", "hex digits"},
      {Regions(R"({"at": 65, "hex": ""})"), "/UB/regions/0/at", "0 to 64"},
      {Regions(R"({"at": -1, "hex": "00"})"), "/UB/regions/0/at", "0 to 64"},
      {Regions(R"({"at": 9223372036854775807, "hex": "00"})"),
       "/UB/regions/0/at", "0 to 64"},
      {Regions(R"({"at": 63, "hex": "0000"})"), "/UB/regions/0/hex",
       "leave their memory"},
      {Regions(R"({"at": 0, "hex": "000"})"), "/UB/regions/0/hex", "even"},
      {Regions(R"({"at": 0, "hex": "0x"})"), "/UB/regions/0/hex", "even"},
      {Regions(R"({"at": 0, "hex": "a\nb c"})"), "/UB/regions/0/hex", "even"},
      {Regions(R"({"at": 63, "dtype": "half", "values": [1]})"),
       "/UB/regions/0/values/0", "leave their memory"},
      {Regions(R"({"at": 4, "hex": "0000"}, {"at": 3, "hex": "0000"})"),
       "/UB/regions", "regions [3, 5) and [4, 6) overlap"},
      {Regions(R"({"at": 4, "hex": "00"}, {"at": 4, "hex": "00"})"),
       "/UB/regions", "overlap"},
      {Regions(R"({"at": 0, "hex": "0000000000"}, {"at": 1, "hex": "00"},
                  {"at": 3, "hex": "00"})"),
       "/UB/regions", "overlap"},
  });
}

TEST(CaseReaderMemory, RefusesValuesThatTheirTypeCannotHold) {
  const std::string at = "/UB/regions/0/values/0";
  ExpectRefused({
      {Values("half", "65520"), at, "65520 overflows half; at most ±65504"},
      {Values("bfloat16", "3.4e38"), at, "overflows bfloat16"},
      {Values("float", "3.4028236e38"), at, "overflows float"},
      {Values("int8", "128"), at, "128 does not fit int8; -128 to 127"},
      {Values("int8", "-129"), at, "does not fit"},
      {Values("uint8", "256"), at, "0 to 255"},
      {Values("uint8", "-1"), at, "0 to 255"},
      {Values("int16", "32768"), at, "-32768 to 32767"},
      {Values("uint16", "65536"), at, "0 to 65535"},
      {Values("int32", "2147483648"), at, "does not fit int32"},
      {Values("uint32", "-1"), at, "does not fit uint32"},
      {Values("int64", "9223372036854775808"), at, "does not fit int64"},
      {Values("int64", "\"-9223372036854775809\""), at, "int64"},
      {Values("uint64", "18446744073709551616"), at, "uint64"},
      {Values("uint64", "\"18446744073709551616\""), at, "uint64"},
      {Values("int32", "1.5"), at, "integer"},
      {Values("int32", "1e3"), at, "integer"},
      {Values("int32", "\"5\""), at, "\"5\" is no value of int32"},
      {Values("half", "\"5\""), at, "no value of half"},
      {Values("int32", "\"nan\""), at, "no value of int32"},
      {Values("half", "\"Inf\""), at, "no value of half"},
      {Values("half", "\"0x10000\""), at, "1 to 4 significant hex digits"},
      {Values("int8", "\"0x100\""), at, "1 to 2 significant hex digits"},
      {Values("uint64", "\"0x10000000000000000\""), at, "1 to 16"},
      {Values("half", "\"0x\""), at, "hex digits"},
      {Values("half", "\"0x-1\""), at, "hex digits"},
      {Values("half", "\"a\\nb\""), at, "no value of half"},
      {Values("half", "\"0x\\n\""), at, "hex digits"},
      {Values("half", '"' + std::string(100'000, '7') + '"'), at, "no value"},
      {Values("half", "null"), at, "a number, a string, a run or a ramp"},
  });
}

TEST(CaseReaderMemory, RefusesRunsAndRamps) {
  const std::string at = "/UB/regions/0/values/0";
  ExpectRefused({
      {Values("half", R"({"value": 65520, "count": 1})"), at + "/value",
       "overflows"},
      {Values("half", R"({"value": 1, "count": -1})"), at + "/count",
       "found -1; 0 to 32"},
      {Values("half", R"({"value": 1, "count": 33})"), at + "/count",
       "0 to 32"},
      {Values("half", R"({"value": 1, "count": 1e0})"), at + "/count",
       "an integer of 64 bits"},
      {Values("half", R"({"value": 1, "from": 1, "count": 1})"), at + "/from",
       "unknown field"},
      {Values("int8", R"({"from": 126, "step": 1, "count": 3})"), at + "/from",
       "128 does not fit"},
      {Values("half", "1, {\"value\": 1, \"count\": 32}"),
       "/UB/regions/0/values/1/count", "0 to 31"},
  });
}

TEST(CaseReaderMemory, HugeCountsAreRefusedBeforeAnythingIsAllocated) {
  const std::string at = "/UB/regions/0/values/0/count";
  const std::string huge = "1000000000000000000";
  ExpectRefused({
      {Values("int8", "{\"value\": 1, \"count\": " + huge + "}"), at,
       "0 to 64"},
      {Values("half", "{\"from\": 0, \"step\": 0, \"count\": " + huge + "}"),
       at, "0 to 32"},
      {Values("double", R"({"value": 1, "count": 9223372036854775807})"), at,
       "0 to 8"},
      {Values("double", R"({"value": 1, "count": 2305843009213693952})"), at,
       "0 to 8"},
  });
  // Regions that could only overlap: 32 GB if all were filled before anybody
  // looked.
  std::string regions;
  for (int i = 0; i < 2000; ++i) {
    regions += i == 0 ? "" : ",";
    regions += R"({"at": 0, "dtype": "int8",
                   "values": [{"value": 1, "count": 16777216}]})";
  }
  ExpectRefused({{R"({"GM": {"size": 16777216, "regions": [)" + regions + "]}}",
                  "/GM/regions", "overlap"}});
}

struct Accepted {
  std::string dtype;
  std::string values;
  std::vector<std::uint8_t> bytes;
};

TEST(CaseReaderMemory, TakesValues) {
  using Bytes = std::vector<std::uint8_t>;
  const std::vector<Accepted> rows = {
      {"half", "1, -2", {0x00, 0x3c, 0x00, 0xc0}},
      {"half",
       "-0.0, \"-0\", -0, -0e5, 0",
       {0, 0x80, 0, 0x80, 0, 0x80, 0, 0x80, 0, 0}},
      {"half", "\"inf\", \"-inf\", \"nan\"", {0, 0x7c, 0, 0xfc, 0, 0x7e}},
      {"half", "\"0x7e01\", \"0x1\", \"0x0000001\"", {0x01, 0x7e, 1, 0, 1, 0}},
      {"float", "0.1", {0xcd, 0xcc, 0xcc, 0x3d}},
      {"double", "0.1", {0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f}},
      {"bfloat16", "1.5", {0xc0, 0x3f}},
      {"int8", "-128, 127, \"0xff\"", {0x80, 0x7f, 0xff}},
      {"uint16", "65535", {0xff, 0xff}},
      {"int64",
       "\"-9223372036854775808\", -1",
       {0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff}},
      {"uint64",
       "\"18446744073709551615\", 18446744073709551614",
       {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff}},
      {"int8",
       R"({"value": -1, "count": 3}, {"value": "0x7f", "count": 0})",
       {0xff, 0xff, 0xff}},
      {"int8", R"({"from": 3, "step": -2, "count": 4})", {3, 1, 0xff, 0xfd}},
      {"half", R"({"value": "-0", "count": 2})", {0, 0x80, 0, 0x80}},
      {"half",
       R"({"from": 2047.9, "step": 1.1000000000000000000001, "count": 2})",
       {0x00, 0x68, 0x01, 0x68}},
      {"float",
       R"({"from": 0.1, "step": 0.2, "count": 2})",
       {0xcd, 0xcc, 0xcc, 0x3d, 0x9a, 0x99, 0x99, 0x3e}},
      {"half",
       R"({"from": 1e-9223372036854775808, "step": 1, "count": 1})",
       {0, 0}},
      {"half", "", {}},
  };
  for (const Accepted& row : rows) {
    SCOPED_TRACE(row.dtype + " " + row.values);
    const auto c = Read(Values(row.dtype, row.values));
    ASSERT_TRUE(c) << c.error().message;
    const auto& region = c->memory[Memory::kUb]->regions.at(0);
    EXPECT_EQ(region.bytes, Bytes(row.bytes));
  }
}

TEST(CaseReaderMemory, TakesSizesAndRegions) {
  auto c = Read(R"({"UB": {}, "GM": {"size": 0}, "FB": {"size": 7168},
                    "L1": {"fill": "Ff", "size": 3}})");
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_EQ(SizeOf(*c, Memory::kUb), 196608);
  EXPECT_EQ(SizeOf(*c, Memory::kGm), 0);
  EXPECT_EQ(SizeOf(*c, Memory::kFb), 7168);
  EXPECT_EQ(SizeOf(*c, Memory::kL1), 3);
  EXPECT_EQ(c->memory[Memory::kL1]->fill, 0xff);
  EXPECT_FALSE(c->memory[Memory::kBt]);

  // Given in any order, touching, and up to the last byte.
  c = Read(Regions(R"({"at": 60, "hex": "01020304"}, {"at": 0, "hex": "aB"},
                      {"at": 1, "dtype": "half", "values": [1]})"));
  ASSERT_TRUE(c) << c.error().message;
  const auto& regions = c->memory[Memory::kUb]->regions;
  ASSERT_EQ(regions.size(), 3u);
  EXPECT_EQ(regions[0].bytes, std::vector<std::uint8_t>{0xab});
  EXPECT_FALSE(regions[0].dtype);
  EXPECT_EQ(regions[1].at, 1);
  EXPECT_EQ(regions[1].dtype, isa::DType::kHalf);
  EXPECT_EQ(regions[2].end(), 64);
}

}  // namespace
}  // namespace lanediff
