#include "generators/random/mutate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "generators/random/generate.h"
#include "isa/catalogue.h"
#include "isa/fields.h"

namespace lanediff::make {
namespace {

constexpr int kTries = 400;

/// Gives every part of every field of a step a value of its own, from `first`.
struct Numberer {
  std::int64_t next;

  void operator()(std::int64_t* value) { *value = next++; }
  void operator()(std::uint64_t* word) {
    *word = static_cast<std::uint64_t>(next++);
  }
  void operator()(bool* flag) { *flag = next > 100; }
  void operator()(isa::Operand* o) {
    *o = {.position = next > 100 ? isa::Position::kVecin : isa::Position::kUb,
          .at = next++,
          .bytes = next++,
          .dtype = next > 100 ? isa::DType::kInt8 : isa::DType::kFloat};
  }
  void operator()(isa::Tile* t) {
    *t = {.position = next > 100 ? isa::Position::kVecin : isa::Position::kUb,
          .at = next++,
          .rows = next++,
          .cols = next++,
          .valid_row = next++,
          .valid_col = next++,
          .layout = next > 100 ? isa::Layout::kNd : isa::Layout::kDn,
          .dtype = next > 100 ? isa::DType::kInt8 : isa::DType::kFloat};
  }
  void operator()(std::optional<isa::Order>* order) {
    *order = next > 100 ? isa::Order::kDocumented : isa::Order::kLeftFold;
  }
  /// It decides what other fields there are, as a form does.
  void operator()(isa::SelMode*) {}
  template <class E>
  void operator()(E* word) {
    *word = static_cast<E>(next > 100 ? 1 : 0);
  }
  void operator()(isa::FormRef) {}
};

/// The parts of all fields but those that decide which others there are, in
/// their order.
std::vector<std::int64_t> PartsOf(isa::Step step) {
  std::vector<std::int64_t> parts;
  const auto add = [&](auto... values) {
    (parts.push_back(static_cast<std::int64_t>(values)), ...);
  };
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (isa::DecidesFields(field)) continue;
    std::visit(
        [&]<class T>(T v) {
          if constexpr (std::is_same_v<T, isa::Operand*>) {
            add(v->position, v->at, v->bytes, v->dtype.value());
          } else if constexpr (std::is_same_v<T, isa::Tile*>) {
            add(v->position, v->at, v->rows, v->cols, v->valid_row,
                v->valid_col, v->layout, v->dtype.value());
          } else if constexpr (std::is_same_v<T, std::optional<isa::Order>*>) {
            add(v->value());
          } else if constexpr (!std::is_same_v<T, isa::FormRef>) {
            add(*v);
          }
        },
        field.value);
  }
  return parts;
}

/// The form of a step that has several; empty for others.
std::optional<isa::FormRef> FormOf(isa::Step& step) {
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (const auto* ref = std::get_if<isa::FormRef>(&field.value)) return *ref;
  }
  return std::nullopt;
}

/// Two steps of one type and form that differ in every part.
std::pair<isa::Step, isa::Step> Parents(const isa::Step& blank,
                                        std::uint8_t form) {
  std::pair<isa::Step, isa::Step> parents = {blank, blank};
  std::int64_t first = 1;
  for (isa::Step* step : {&parents.first, &parents.second}) {
    if (const auto ref = FormOf(*step)) *ref->form = form;
    Numberer numberer{first};
    for (const isa::FieldRef& field : isa::FieldsOf(*step)) {
      std::visit(numberer, field.value);
    }
    first = 101;
  }
  return parents;
}

/// Steps of kernels alone are not drawn. A selection is there in each mode.
std::vector<isa::Step> BlankSteps() {
  std::vector<isa::Step> blank;
  for (isa::Step step : isa::StepKinds()) {
    if (isa::IsOfKernel(step)) continue;
    auto* const call = std::get_if<isa::Call>(&step);
    const bool selects =
        call != nullptr && call->signature->Has(isa::Param::kSelMode);
    for (std::size_t i = 0; i < (selects ? isa::kCount<isa::SelMode> : 1);
         ++i) {
      if (selects) call->sel_mode = static_cast<isa::SelMode>(i);
      blank.push_back(step);
    }
  }
  return blank;
}

/// Flags and modes have few fields or none, from which nothing can be drawn.
TEST(Mutate, AStepOfAnyTypeCanBeAll) {
  for (const isa::Step& blank : BlankSteps()) {
    Random random(1);
    for (int i = 0; i < kTries; ++i) {
      Case c;
      c.program = {blank};
      Mutate(random, c);
      EXPECT_FALSE(c.program.empty());
    }
  }
}

TEST(Cross, EveryPartOfEveryFieldComesFromEitherParent) {
  for (isa::Step blank : BlankSteps()) {
    const auto forms = FormOf(blank);
    for (std::size_t form = 0; form < (forms ? forms->count : 1); ++form) {
      const auto [a, b] = Parents(blank, static_cast<std::uint8_t>(form));
      const auto of_a = PartsOf(a);
      const auto of_b = PartsOf(b);
      std::vector<std::set<std::int64_t>> seen(of_a.size());
      Random random(1);
      for (int i = 0; i < kTries; ++i) {
        const auto parts = PartsOf(CrossSteps(random, a, b));
        ASSERT_EQ(parts.size(), of_a.size());
        for (std::size_t p = 0; p < parts.size(); ++p) {
          EXPECT_TRUE(parts[p] == of_a[p] || parts[p] == of_b[p]) << p;
          seen[p].insert(parts[p]);
        }
      }
      for (std::size_t p = 0; p < seen.size(); ++p) {
        EXPECT_NE(of_a[p], of_b[p]) << p;
        EXPECT_EQ(seen[p].size(), 2u) << isa::OpName(blank) << " part " << p;
      }
    }
  }
}

TEST(Cross, FormsComeFromEitherAndLeaveNothingBehind) {
  isa::Step a = Parents(isa::CallOf("Min"), isa::kCountForm).first;
  isa::Step b = Parents(isa::CallOf("Min"), isa::kBitsForm).second;
  Random random(1);
  std::set<int> forms;
  for (int i = 0; i < kTries; ++i) {
    const isa::Step child = CrossSteps(random, a, b);
    forms.insert(std::get<isa::Call>(child).form);
    isa::Step cleared = child;
    ClearHiddenFields(cleared);
    EXPECT_EQ(child, cleared);
  }
  EXPECT_EQ(forms, (std::set<int>{isa::kCountForm, isa::kBitsForm}));
}

TEST(Cross, IsWellFormedAndMixesStepsAndMemories) {
  Random random(5);
  int longer = 0;
  int new_memory = 0;
  for (int i = 0; i < 400; ++i) {
    const auto pick = [&] {
      return Generate(random.Pick(Generators()).slug, random).c;
    };
    const Case a = pick();
    const Case b = pick();
    const Case child = Cross(random, a, b);
    const auto read = ReadCase(WriteCase(child));
    ASSERT_TRUE(read) << read.error().pointer << " " << read.error().message;
    EXPECT_EQ(*read, child);
    longer +=
        child.program.size() > std::max(a.program.size(), b.program.size());
    for (std::size_t m = 0; m < child.memory.size(); ++m) {
      new_memory +=
          child.memory[m] != a.memory[m] && child.memory[m] != b.memory[m];
    }
  }
  EXPECT_GT(longer, 10);
  EXPECT_GT(new_memory, 30);
}

// ---- Vary -------------------------------------------------------------------

constexpr int kVaried = 200;

struct Field {
  std::string_view name;
  std::int64_t value;
};

/// The integer fields of all steps.
std::vector<Field> IntegersOf(Case& c) {
  std::vector<Field> fields;
  for (isa::Step& step : c.program) {
    for (const isa::FieldRef& field : isa::FieldsOf(step)) {
      if (auto* const* value = std::get_if<std::int64_t*>(&field.value)) {
        fields.push_back({field.name, **value});
      }
    }
  }
  return fields;
}

/// Varies `c`; the fields that are another number now.
std::vector<Field> Varied(Random& random, Case& c,
                          std::span<const std::int64_t> hints = {}) {
  const auto before = IntegersOf(c);
  Vary(random, c, hints);
  const auto now = IntegersOf(c);
  std::vector<Field> changed;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].value != before.at(i).value) changed.push_back(now[i]);
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
    for (int i = 0; i < kVaried; ++i) {
      Case c = OneCall(slug, random);
      c.id = "vary";
      const auto changed = Varied(random, c);
      EXPECT_LE(changed.size(), 1) << slug;
      for (const Field& field : changed) {
        EXPECT_TRUE(InSomeRange(isa::OpName(c.program[0]), field))
            << slug << " " << field.name << " " << field.value;
      }
      changes += !changed.empty();
      EXPECT_TRUE(ReadCase(WriteCase(c))) << WriteCase(c);
    }
    // TROWPROD alone has none but those of its tiles.
    EXPECT_GT(changes, slug == "trowprod" ? -1 : kVaried / 2) << slug;
  }
}

TEST(Vary, TakesEveryHint) {
  Random random(12);
  constexpr std::array<std::int64_t, 2> kHints = {123456789, -987654321};
  std::array<int, 2> each{};
  for (int i = 0; i < kVaried; ++i) {
    Case c = OneCall("min", random);
    for (const Field& field : Varied(random, c, kHints)) {
      for (std::size_t h = 0; h < kHints.size(); ++h) {
        each[h] += field.value == kHints[h];
      }
    }
  }
  EXPECT_GT(each[0], 0);
  EXPECT_GT(each[1], 0);
  EXPECT_GT(each[0] + each[1], kVaried / 4);
  EXPECT_LT(each[0] + each[1], kVaried * 3 / 4);
}

TEST(Vary, SometimesMakesSpaceForTheNewValue) {
  Random random(13);
  int spread = 0;
  for (int i = 0; i < kVaried; ++i) {
    Case c = OneCall("min", random);
    const auto before = std::get<isa::Call>(c.program[0]);
    Vary(random, c, {});
    const auto now = std::get<isa::Call>(c.program[0]);
    const isa::Operand& dst = now.dst();
    if (dst == before.dst() && now.src(0) == before.src(0)) continue;
    ++spread;
    EXPECT_EQ(dst.bytes, now.src(0).bytes);
    EXPECT_EQ(dst.bytes, now.src(1).bytes);
    EXPECT_EQ(now.src(0).at, dst.at + dst.bytes) << "side by side";
  }
  EXPECT_GT(spread, kVaried / 8);
  EXPECT_LT(spread, kVaried / 2);
}

TEST(Vary, LeavesNothingToVaryAlone) {
  Random random(14);
  Case c;
  Vary(random, c, {});
  EXPECT_TRUE(c.program.empty());
}

}  // namespace
}  // namespace lanediff::make
