#include "emulator/mutants/mutant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <concepts>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "isa/catalogue.h"

namespace lanediff::mutants {
namespace {

using emulator::Seams;

/// The seams of a row. The bindings name all members, so that a new seam fails
/// to compile until it is counted.
template <class Row>
auto MembersOf(const Row& row) {
  if constexpr (std::same_as<Row, emulator::StateSeams>) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k] = row;
    return std::tuple(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (std::same_as<Row, emulator::VecTransSeams> ||
                       std::same_as<Row, emulator::BrcbSeams> ||
                       std::same_as<Row, emulator::LanewiseSeams>) {
    const auto& [a, b, c, d, e] = row;
    return std::tuple(a, b, c, d, e);
  } else if constexpr (std::same_as<Row, emulator::TrowprodSeams>) {
    const auto& [a, b, c, d, e, f, g, h] = row;
    return std::tuple(a, b, c, d, e, f, g, h);
  } else {
    const auto& [a, b, c, d, e, f, g] = row;
    return std::tuple(a, b, c, d, e, f, g);
  }
}

/// Number of functions in which two seams differ; one may be a row of kernels.
template <class Seam>
int Differences(const Seam& a, const Seam& b) {
  if constexpr (requires { a.size(); }) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
    return count;
  } else {
    return a != b ? 1 : 0;
  }
}

/// Number of seams of one instruction that differ.
template <class Row>
int RowDifferences(const Row& a, const Row& b) {
  return std::apply(
      [&](const auto&... x) {
        return std::apply(
            [&](const auto&... y) { return (Differences(x, y) + ...); },
            MembersOf(b));
      },
      MembersOf(a));
}

/// Differing seams by instruction.
std::map<std::string_view, int> DifferencesByModule(const Seams& a,
                                                    const Seams& b) {
  std::map<std::string_view, int> slugs = {
      {kProgramSlug, RowDifferences(a.state, b.state)}};
  for (const isa::Signature& row : isa::kSignatures) {
    slugs[row.slug] = emulator::VisitRow(a, row, [&]<class Row>(const Row& x) {
      return emulator::VisitRow(b, row, [&]<class Other>(const Other& y) {
        if constexpr (std::same_as<Row, Other>) return RowDifferences(x, y);
        return -1;  // the row alone decides the type
      });
    });
  }
  EXPECT_EQ(slugs.size(), isa::Instructions().size() + 1);
  return slugs;
}

bool IsKebabCase(std::string_view name) {
  const bool letters = std::ranges::all_of(name, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' ||
           c == '_';  // of the instruction's word
  });
  return letters && !name.empty() && !name.starts_with('-') &&
         !name.ends_with('-') && name.find("--") == std::string_view::npos;
}

/// The document's name of the instruction whose slug is `slug`.
std::string_view OpOf(std::string_view slug) {
  // Barriers are a rule of the copies that they wait for.
  if (slug == kProgramSlug) return "DataCopy";
  const isa::Instruction* const instruction = isa::FindInstruction(slug);
  return instruction == nullptr ? "" : instruction->op;
}

TEST(Mutants, EachIsDescribedAndReplacesExactlyOneSeamOfItsModule) {
  const Seams real;
  std::set<std::string_view> names;
  for (const Mutant& mutant : Mutants()) {
    SCOPED_TRACE(mutant.name);
    EXPECT_TRUE(names.insert(mutant.name).second);
    EXPECT_TRUE(IsKebabCase(mutant.name));
    EXPECT_EQ(FindMutant(mutant.name), &mutant);
    EXPECT_FALSE(mutant.defect.empty());
    for (const std::string_view text : {mutant.defect, mutant.modelled_on}) {
      EXPECT_EQ(text.find('\n'), std::string_view::npos);
      EXPECT_FALSE(text.ends_with('.'));
    }
    const isa::Rule* const rule = isa::FindRule(mutant.rule.text());
    ASSERT_NE(rule, nullptr) << mutant.rule.text();
    EXPECT_TRUE(rule->instruction == "common" ||
                rule->instruction == OpOf(mutant.slug) ||
                (mutant.slug == kProgramSlug &&
                 rule->instruction == isa::SetSaturation::kOp))
        << mutant.rule.text();
    for (const auto& [slug, count] : DifferencesByModule(mutant.seams, real)) {
      EXPECT_EQ(count, slug == mutant.slug ? 1 : 0) << slug;
    }
  }
  EXPECT_EQ(FindMutant("rrs-"), nullptr);
  EXPECT_EQ(FindMutant(""), nullptr);
}

TEST(Mutants, PlantsInOneFamilyAreOneDefect) {
  const auto defect = [](std::string_view name) {
    const Mutant* const found = FindMutant(name);
    return found == nullptr ? std::string(name) + "?" : DefectOf(*found);
  };
  EXPECT_EQ(defect("min-mask-words-swapped"), "elementwise/mask-words-swapped");
  EXPECT_EQ(defect("mul-mask-words-swapped"), "elementwise/mask-words-swapped");
  EXPECT_EQ(defect("rrs-left-fold"), "reduce_sum/left-fold");
  EXPECT_EQ(defect("dcp-gaps-swapped"), defect("dc-gaps-swapped"));
  EXPECT_EQ(defect("program-mask-words-swapped"), "program/mask-words-swapped");
  EXPECT_LT(CountDefects(), Mutants().size() * 6 / 10);
  EXPECT_GT(CountDefects(), 400);
}

TEST(Mutants, NoTwoReplaceASeamByTheSame) {
  for (const Mutant& a : Mutants()) {
    for (const Mutant& b : Mutants()) {
      if (&a == &b) break;
      if (a.slug != b.slug) continue;  // each replaces seams of its own
      const auto differences = DifferencesByModule(a.seams, b.seams);
      EXPECT_TRUE(std::ranges::any_of(
          differences, [](const auto& slug) { return slug.second != 0; }))
          << a.name << " " << b.name;
    }
  }
}

TEST(Mutants, AreManyInEveryModuleAndOfItsVectors) {
  const Seams real;
  int state = 0;
  std::map<std::string_view, int> slugs;
  std::map<std::string_view, int> vectors;
  for (const Mutant& mutant : Mutants()) {
    ++slugs[mutant.slug];
    state += RowDifferences(mutant.seams.state, real.state);
    for (const isa::Signature& row : isa::kSignatures) {
      vectors[row.slug] += emulator::VisitRow(
          mutant.seams, row,
          [](const auto& seams) { return seams.vectors != nullptr ? 1 : 0; });
    }
  }
  EXPECT_GE(state, 15);
  EXPECT_GE(slugs[kProgramSlug], 10);
  for (const isa::Signature& row : isa::kSignatures) {
    EXPECT_GE(slugs[row.slug], 30) << row.slug;
    EXPECT_GE(vectors[row.slug], 3) << row.slug;
  }
  EXPECT_EQ(slugs.size(), isa::Instructions().size() + 1);
}

/// Each operation of two elements has defects of its own.
TEST(Mutants, AreMadeForWhatARowComputes) {
  for (const std::string_view name :
       {"min-int32-max-for-min", "max-int32-min-for-max",
        "add-int16-without-carry", "sub-half-operands-swapped",
        "mul-int16-high-half", "or-int16-exclusive", "not-int16-negated",
        "relu-half-zero-sign-kept", "leaky_relu-float-larger-of-both",
        "add_relu-half-negative-kept", "sub_relu-int16-relu-before-overflow",
        "duplicate-int16-low-byte"}) {
    EXPECT_NE(FindMutant(name), nullptr) << name;
  }
}

/// A seam can be replaced for every rule that an instruction owns. The overlap
/// rules and that of barriers are each got wrong in two ways.
TEST(Mutants, EachRejectRuleOfAnInstructionIsViolated) {
  std::map<std::string_view, int> violated;
  std::set<std::string_view> ops;
  for (const Mutant& mutant : Mutants()) {
    ++violated[mutant.rule.text()];
    ops.insert(OpOf(mutant.slug));
  }
  for (const isa::Rule& rule : isa::Catalogue()) {
    const std::string_view id = rule.id.text();
    if (rule.effect != isa::Effect::kReject) continue;
    if (id.find("OVERLAP") != std::string_view::npos ||
        id.ends_with("-BARRIER")) {
      EXPECT_GE(violated[id], 2) << id;
    } else if (ops.contains(rule.instruction)) {
      EXPECT_GE(violated[id], 1) << id;
    }
  }
}

}  // namespace
}  // namespace lanediff::mutants
