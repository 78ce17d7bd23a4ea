#include "generators/random/vary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "generators/random/generate.h"
#include "isa/catalogue.h"
#include "isa/fields.h"

namespace lanediff::make {
namespace {

constexpr int kTries = 200;

struct Field {
  std::string name;
  std::int64_t value;
  bool operator==(const Field&) const = default;
};

/// The integer fields of all steps.
std::vector<Field> IntegersOf(Case& c) {
  std::vector<Field> fields;
  for (isa::Step& step : c.program) {
    for (const isa::FieldRef& field : isa::FieldsOf(step)) {
      if (auto* const* value = std::get_if<std::int64_t*>(&field.value)) {
        fields.push_back({std::string(field.name), **value});
      }
    }
  }
  return fields;
}

/// Those of `now` that are another number than in `before`.
std::vector<Field> Changed(const std::vector<Field>& before,
                           const std::vector<Field>& now) {
  std::vector<Field> changed;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!(now[i] == before.at(i))) changed.push_back(now[i]);
  }
  return changed;
}

/// Whether some rule gives `field` a range with its value in it; a field
/// without a range takes a neighbour.
bool InSomeRange(std::string_view op, const Field& field) {
  bool ranged = false;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field != field.name) continue;
      ranged = true;
      if (field.value >= range.low && field.value <= range.high) return true;
    }
  }
  return !ranged;
}

/// A case of one step, so that the field's instruction is known.
Case OneCall(std::string_view slug, Random& random) {
  while (true) {
    Case c = Generate(slug, random).c;
    if (c.program.size() == 1) return c;
  }
}

TEST(Vary, GivesOneFieldAValueOfItsRangeAndStaysACase) {
  for (const std::string_view slug :
       {"min", "repeat_reduce_sum", "data_copy", "trowprod", "vec_trans"}) {
    Random random(11);
    int changes = 0;
    for (int i = 0; i < kTries; ++i) {
      Case c = OneCall(slug, random);
      c.id = "vary";
      const auto before = IntegersOf(c);
      Vary(random, c, {});
      const auto changed = Changed(before, IntegersOf(c));
      EXPECT_LE(changed.size(), 1) << slug;
      for (const Field& field : changed) {
        EXPECT_TRUE(InSomeRange(isa::OpName(c.program[0]), field))
            << slug << " " << field.name << " " << field.value;
      }
      changes += !changed.empty();
      EXPECT_TRUE(ReadCase(WriteCase(c))) << WriteCase(c);
    }
    // TROWPROD alone has none but those of its tiles.
    EXPECT_GT(changes, slug == "trowprod" ? -1 : kTries / 2) << slug;
  }
}

TEST(Vary, TakesEveryHint) {
  Random random(12);
  constexpr std::array<std::int64_t, 2> kHints = {123456789, -987654321};
  int taken = 0;
  std::array<int, 2> each{};
  for (int i = 0; i < kTries; ++i) {
    Case c = OneCall("min", random);
    const auto before = IntegersOf(c);
    Vary(random, c, kHints);
    for (const Field& field : Changed(before, IntegersOf(c))) {
      for (std::size_t h = 0; h < kHints.size(); ++h) {
        each[h] += field.value == kHints[h];
        taken += field.value == kHints[h];
      }
    }
  }
  EXPECT_GT(each[0], 0);
  EXPECT_GT(each[1], 0);
  EXPECT_GT(taken, kTries / 4);
  EXPECT_LT(taken, kTries * 3 / 4);
}

TEST(Vary, SometimesMakesSpaceForTheNewValue) {
  Random random(13);
  int spread = 0;
  for (int i = 0; i < kTries; ++i) {
    Case c = OneCall("min", random);
    const auto before = std::get<isa::Min>(c.program[0]);
    Vary(random, c, {});
    const auto now = std::get<isa::Min>(c.program[0]);
    if (now.dst == before.dst && now.src0 == before.src0) continue;
    ++spread;
    EXPECT_EQ(now.dst.bytes, now.src0.bytes);
    EXPECT_EQ(now.dst.bytes, now.src1.bytes);
    EXPECT_EQ(now.src0.at, now.dst.at + now.dst.bytes) << "side by side";
  }
  EXPECT_GT(spread, kTries / 8);
  EXPECT_LT(spread, kTries / 2);
}

TEST(Vary, LeavesNothingToVaryAlone) {
  Random random(14);
  Case c;
  Vary(random, c, {});
  EXPECT_TRUE(c.program.empty());
}

}  // namespace
}  // namespace lanediff::make
