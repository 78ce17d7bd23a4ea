#include "kernel/engine/gm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace lanediff::kernel {
namespace {

using isa::IntervalSet;

std::uint8_t* Bytes(void* pointer) {
  return static_cast<std::uint8_t*>(pointer);
}

TEST(Gm, PlacesAreMultiplesOf512WithAGapInTheOrderOfAppearance) {
  Gm gm;
  void* const a = gm.Allocate(512);
  std::vector<std::uint8_t> host(100);
  gm.Name(host.data(), host.size());
  void* const c = gm.Allocate(1);
  EXPECT_EQ(gm.Find(a).value().at, 512);
  EXPECT_EQ(gm.Find(a).value().bytes, 512);
  EXPECT_EQ(gm.Find(host.data()).value().at, 2048);
  EXPECT_EQ(gm.Find(c).value().at, 3072);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a) % 512, 0U);
}

TEST(Gm, PlacesAreNeverUsedAgain) {
  Gm gm;
  void* const a = gm.Allocate(8);
  EXPECT_TRUE(gm.Free(a));
  EXPECT_FALSE(gm.Find(a));
  EXPECT_FALSE(gm.Free(a));
  EXPECT_EQ(gm.Find(gm.Allocate(8)).value().at, 1536);
}

TEST(Gm, FindsByAnyByteAndByTheEnd) {
  Gm gm;
  std::uint8_t* const a = Bytes(gm.Allocate(100));
  EXPECT_EQ(gm.Find(a + 99).value().host, a);
  EXPECT_EQ(gm.Find(a + 100).value().host, a);
  EXPECT_FALSE(gm.Find(a + 101));
  EXPECT_FALSE(gm.Find(a - 1));
  EXPECT_FALSE(gm.Free(a + 1));
}

TEST(Gm, WhereOneEndsAndAnotherBeginsIsTheOther) {
  Gm gm;
  std::vector<std::uint8_t> host(64);
  gm.Name(host.data(), 32);
  gm.Name(host.data() + 32, 32);
  EXPECT_EQ(gm.Find(host.data() + 32).value().host, host.data() + 32);
}

TEST(Gm, NamingAgainChangesTheSize) {
  Gm gm;
  std::vector<std::uint8_t> host(64);
  gm.Name(host.data(), 64);
  const std::int64_t at = gm.Find(host.data()).value().at;
  gm.Name(host.data(), 32);
  EXPECT_EQ(gm.Find(host.data()).value().at, at);
  EXPECT_EQ(gm.Find(host.data()).value().bytes, 32);
  gm.Name(host.data(), 64);
  EXPECT_NE(gm.Find(host.data()).value().at, at);
  gm.Name(host.data() + 8, 8);
  EXPECT_FALSE(gm.Find(host.data()));
}

TEST(Gm, NamingWhatWasAllocatedChangesNothing) {
  Gm gm;
  std::uint8_t* const a = Bytes(gm.Allocate(64));
  gm.Name(a, 32);
  gm.Name(a + 8, 8);
  EXPECT_EQ(gm.Find(a + 8).value().host, a);
  EXPECT_EQ(gm.Find(a + 8).value().bytes, 64);
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 576}}));
}

TEST(Gm, UnknownPointersOfOnePieceKeepTheirDistance) {
  Gm gm;
  std::vector<std::uint8_t> host(64);
  const GmBuffer a = gm.Unknown(host.data() + 16);
  EXPECT_EQ(gm.Unknown(host.data()).at, a.at - 16);
  EXPECT_EQ(gm.Unknown(host.data() + 48).at, a.at + 32);
  EXPECT_EQ(gm.Unknown(host.data()).host, host.data());
}

TEST(Gm, WhatHoldsThePoisonIsUnwrittenByGranules) {
  Gm gm;
  std::uint8_t* const a = Bytes(gm.Allocate(64));
  std::uint8_t* const b = Bytes(gm.Allocate(16));
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 576}, {1536, 1552}}));
  a[8] ^= 1;
  a[63] ^= 1;
  gm.Look();
  EXPECT_EQ(gm.unwritten(),
            IntervalSet({{512, 520}, {528, 568}, {1536, 1552}}));
  std::memset(b, 0, 16);
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 520}, {528, 568}}));
  EXPECT_TRUE(gm.Free(a));
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet());
}

TEST(Gm, WhatWasWrittenStaysWrittenWhateverItHolds) {
  Gm gm;
  std::uint8_t* const a = Bytes(gm.Allocate(16));
  a[0] ^= 1;
  gm.Look();
  a[0] ^= 1;
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{520, 528}}));
}

TEST(Gm, PoisonCopiedElsewhereCountsAsWritten) {
  Gm gm;
  std::uint8_t* const a = Bytes(gm.Allocate(64));
  std::memcpy(a, a + 32, 32);
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{544, 576}}));
}

TEST(Gm, TheRestOfAGranuleIsUnwrittenWithTheGranuleBefore) {
  Gm gm;
  std::uint8_t* const a = Bytes(gm.Allocate(19));
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 531}}));
  a[8] ^= 1;
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 520}}));
  std::uint8_t* const b = Bytes(gm.Allocate(3));
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 520}, {1536, 1539}}));
  b[2] ^= 1;
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 520}}));
}

TEST(Gm, WhatALaunchLeavesUnwrittenIsKnownToEachByte) {
  Gm gm;
  std::uint8_t* const a = Bytes(gm.Allocate(64));
  a[4] ^= 1;  // as a kernel does: a granule of which half is written
  a[32] ^= 1;
  gm.KeepUnwritten(IntervalSet({{512, 516}, {520, 544}, {552, 576}}));
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 516}, {520, 544}, {552, 576}}));
  EXPECT_TRUE(gm.IsUnwritten(a, 4));
  EXPECT_FALSE(gm.IsUnwritten(a + 4, 4));
  EXPECT_TRUE(gm.IsUnwritten(a + 4, 5));
  // What holds no poison was written by a pointer that nothing follows.
  a[1] ^= 1;
  a[17] ^= 1;
  gm.KeepUnwritten(IntervalSet(gm.unwritten()));
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{520, 528}, {536, 544}, {552, 576}}));
  std::vector<std::uint8_t> host(8);
  EXPECT_FALSE(gm.IsUnwritten(host.data(), 8));
}

TEST(Gm, AnOutputIsPoisonedToItsEndAndNothingOfItIsWritten) {
  Gm gm;
  std::vector<std::uint8_t> host(21, 7);
  gm.NameOutput(host.data(), 19);
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{512, 531}}));
  EXPECT_EQ(host[19], 7);
  EXPECT_EQ(host[20], 7);
  EXPECT_TRUE(gm.IsUnwritten(host.data() + 18, 1));
  gm.Name(host.data(), 19);
  gm.Look();
  EXPECT_TRUE(gm.unwritten().empty());
  // Within memory that was allocated.
  std::uint8_t* const a = Bytes(gm.Allocate(64));
  std::fill_n(a, 64, std::uint8_t{1});
  gm.Look();
  gm.NameOutput(a + 32, 32);
  gm.Look();
  EXPECT_EQ(gm.unwritten(), IntervalSet({{1568, 1600}}));
}

TEST(Gm, ArgumentsGoToTheirBuffersEnds) {
  Gm gm;
  std::uint8_t* const a = Bytes(gm.Allocate(64));
  gm.AddArgument(a, 1, 4, false);
  gm.AddArgument(a + 32, 3, 2, true);
  const std::uint8_t elsewhere = 0;
  gm.AddArgument(&elsewhere, 2, 1, true);
  ASSERT_EQ(gm.arguments().size(), 2U);
  EXPECT_EQ(gm.ArgumentAt(543)->number, 1);
  EXPECT_EQ(gm.ArgumentAt(544)->number, 3);
  EXPECT_EQ(gm.ArgumentAt(575)->end, 576);
  EXPECT_EQ(gm.ArgumentAt(576), nullptr);
  gm.ClearArguments();
  EXPECT_EQ(gm.ArgumentAt(544), nullptr);
}

TEST(Gm, PoisonGoesByPlaceAndSeedAlone) {
  const auto poison = [](std::uint64_t seed) {
    Gm gm;
    gm.SetPoison(seed);
    const auto* const a = Bytes(gm.Allocate(24));
    return std::vector<std::uint8_t>(a, a + 24);
  };
  EXPECT_EQ(poison(1), poison(1));
  EXPECT_NE(poison(1), poison(2));
  const std::vector<std::uint8_t> bytes = poison(1);
  EXPECT_NE(std::memcmp(bytes.data(), bytes.data() + 8, 8), 0);
}

TEST(Gm, MoreThanThereIsIsNull) {
  Gm gm;
  EXPECT_EQ(gm.Allocate(~std::uint64_t{0}), nullptr);
  EXPECT_NE(gm.Allocate(0), nullptr);
}

}  // namespace
}  // namespace lanediff::kernel
