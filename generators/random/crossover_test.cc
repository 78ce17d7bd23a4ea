#include "generators/random/crossover.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "generators/random/generate.h"
#include "generators/random/mutate.h"
#include "generators/random/step_fields.h"
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
  template <class E>
  void operator()(E* word) {
    *word = static_cast<E>(next > 100 ? 1 : 0);
  }
  void operator()(isa::FormRef) {}
};

/// The parts of all fields as text, "name#number" to value.
std::map<std::string, std::string> PartsOf(isa::Step step) {
  std::map<std::string, std::string> parts;
  int number = 0;
  const auto add = [&](std::string_view name, auto value) {
    parts[std::string(name) + "#" + std::to_string(number++)] =
        std::to_string(static_cast<std::int64_t>(value));
  };
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    std::visit(
        [&]<class T>(T value) {
          if constexpr (std::is_same_v<T, isa::FormRef>) {
            add("form", *value.form);
          } else if constexpr (std::is_same_v<T, isa::Operand*>) {
            add(field.name, value->position);
            add(field.name, value->at);
            add(field.name, value->bytes);
            add(field.name, value->dtype.value());
          } else if constexpr (std::is_same_v<T, isa::Tile*>) {
            add(field.name, value->position);
            for (std::int64_t n :
                 std::array{value->at, value->rows, value->cols,
                            value->valid_row, value->valid_col}) {
              add(field.name, n);
            }
            add(field.name, value->layout);
            add(field.name, value->dtype.value());
          } else if constexpr (std::is_same_v<T, std::optional<isa::Order>*>) {
            add(field.name, value->value());
          } else {
            add(field.name, *value);
          }
        },
        field.value);
  }
  return parts;
}

/// Two steps of one type and form that differ in every part.
std::pair<isa::Step, isa::Step> Parents(const isa::Step& blank,
                                        std::uint8_t form) {
  std::pair<isa::Step, isa::Step> parents = {blank, blank};
  std::int64_t first = 1;
  for (isa::Step* step : {&parents.first, &parents.second}) {
    for (const isa::FieldRef& field : isa::FieldsOf(*step)) {
      if (const auto* ref = std::get_if<isa::FormRef>(&field.value)) {
        *ref->form = form;
      }
    }
    Numberer numberer{first};
    for (const isa::FieldRef& field : isa::FieldsOf(*step)) {
      std::visit(numberer, field.value);
    }
    first = 101;
  }
  return parents;
}

std::uint8_t FormsOf(isa::Step step) {
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (const auto* ref = std::get_if<isa::FormRef>(&field.value)) {
      return static_cast<std::uint8_t>(ref->count);
    }
  }
  return 1;
}

const std::vector<isa::Step>& BlankSteps() {
  static const std::vector<isa::Step> steps =
      []<class... S>(std::type_identity<std::variant<S...>>) {
        // A list of them takes g++ 12 minutes and gigabytes.
        std::vector<isa::Step> blank;
        (blank.emplace_back(S{}), ...);
        // Steps of kernels alone are not drawn.
        std::erase_if(blank, isa::IsOfKernel);
        return blank;
      }(std::type_identity<isa::Step>());
  return steps;
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
  for (const isa::Step& blank : BlankSteps()) {
    for (std::uint8_t form = 0; form < FormsOf(blank); ++form) {
      const auto [a, b] = Parents(blank, form);
      const auto of_a = PartsOf(a);
      const auto of_b = PartsOf(b);
      std::map<std::string, std::set<std::string>> seen;
      Random random(1);
      for (int i = 0; i < kTries; ++i) {
        for (const auto& [part, value] : PartsOf(CrossSteps(random, a, b))) {
          EXPECT_TRUE(value == of_a.at(part) || value == of_b.at(part)) << part;
          seen[part].insert(value);
        }
      }
      for (const auto& [part, values] : seen) {
        if (part.starts_with("form#")) continue;
        EXPECT_NE(of_a.at(part), of_b.at(part)) << part;
        EXPECT_EQ(values.size(), 2u) << isa::OpName(blank) << " " << part;
      }
      EXPECT_EQ(seen.size(), of_a.size());
    }
  }
}

TEST(Cross, FormsComeFromEitherAndLeaveNothingBehind) {
  isa::Step a = Parents(isa::Min{}, isa::Min::kCount).first;
  isa::Step b = Parents(isa::Min{}, isa::Min::kBitwise).second;
  Random random(1);
  std::set<int> forms;
  for (int i = 0; i < kTries; ++i) {
    const isa::Step child = CrossSteps(random, a, b);
    forms.insert(std::get<isa::Min>(child).form);
    isa::Step cleared = child;
    ClearHiddenFields(cleared);
    EXPECT_EQ(child, cleared);
  }
  EXPECT_EQ(forms, (std::set<int>{isa::Min::kCount, isa::Min::kBitwise}));
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
  EXPECT_GT(new_memory, 40);
}

}  // namespace
}  // namespace lanediff::make
