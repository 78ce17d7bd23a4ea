#include "emulator/mutants/mutant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <concepts>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "emulator/mutants/defects.h"
#include "isa/catalogue.h"

namespace lanediff::mutants {
namespace {

using emulator::Seams;

/// Number of places in which two rows of kernels differ.
template <class T, std::size_t n>
int Differences(const std::array<T, n>& a, const std::array<T, n>& b) {
  int count = 0;
  for (std::size_t i = 0; i < n; ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}
template <class T>
int Differences(T a, T b) {
  return a != b ? 1 : 0;
}

/// Number of seams of one instruction that differ. The bindings name all
/// members, so that a new seam fails to compile until it is counted.
template <class Call>
int Differences(const emulator::ReduceSumSeams<Call>& a,
                const emulator::ReduceSumSeams<Call>& b) {
  const auto& [legality, plan, half, single, write, vectors] = a;
  return Differences(legality, b.legality) + Differences(plan, b.plan) +
         Differences(half, b.half_kernel) +
         Differences(single, b.float_kernel) +
         Differences(write, b.write_back) + Differences(vectors, b.vectors);
}

template <class Call>
int Differences(const emulator::ElementwiseSeams<Call>& a,
                const emulator::ElementwiseSeams<Call>& b) {
  const auto& [legality, plan, half, single, int16, int32, write, vectors] = a;
  return Differences(legality, b.legality) + Differences(plan, b.plan) +
         Differences(half, b.half_kernel) +
         Differences(single, b.float_kernel) +
         Differences(int16, b.int16_kernel) +
         Differences(int32, b.int32_kernel) + Differences(write, b.write_back) +
         Differences(vectors, b.vectors);
}

int Differences(const emulator::DataCopySeams& a,
                const emulator::DataCopySeams& b) {
  const auto& [legality, plan, copy, widen, write, vectors] = a;
  return Differences(legality, b.legality) + Differences(plan, b.plan) +
         Differences(copy, b.copy_kernel) + Differences(widen, b.widen_kernel) +
         Differences(write, b.write_back) + Differences(vectors, b.vectors);
}

int Differences(const emulator::TrowprodSeams& a,
                const emulator::TrowprodSeams& b) {
  const auto& [legality, plan, half, single, int16, int32, write, vectors] = a;
  return Differences(legality, b.legality) + Differences(plan, b.plan) +
         Differences(half, b.half_kernels) +
         Differences(single, b.float_kernels) +
         Differences(int16, b.int16_kernels) +
         Differences(int32, b.int32_kernels) +
         Differences(write, b.write_back) + Differences(vectors, b.vectors);
}

int Differences(const emulator::VecTransSeams& a,
                const emulator::VecTransSeams& b) {
  const auto& [legality, plan, kernel, write, vectors] = a;
  return Differences(legality, b.legality) + Differences(plan, b.plan) +
         Differences(kernel, b.kernel) + Differences(write, b.write_back) +
         Differences(vectors, b.vectors);
}

int Differences(const emulator::StateSeams& a, const emulator::StateSeams& b) {
  const auto& [mask, saturation, barrier, set_flag, wait_flag, count, norm,
               reset, get, set, reserved] = a;
  return Differences(mask, b.set_vector_mask) +
         Differences(saturation, b.set_saturation) +
         Differences(barrier, b.pipe_barrier) +
         Differences(set_flag, b.set_flag) +
         Differences(wait_flag, b.wait_flag) +
         Differences(count, b.set_mask_count) +
         Differences(norm, b.set_mask_norm) + Differences(reset, b.reset_mask) +
         Differences(get, b.get_value) + Differences(set, b.set_value) +
         Differences(reserved, b.reaches_reserved);
}

/// The row of `Call`.
template <class Call>
const auto& RowOf(const Seams& seams) {
  if constexpr (isa::Elementwise<Call>) {
    return emulator::RowOf<Call>(seams.elementwise);
  } else if constexpr (std::same_as<Call, isa::RepeatReduceSum>) {
    return seams.repeat_reduce_sum;
  } else if constexpr (std::same_as<Call, isa::WholeReduceSum>) {
    return seams.whole_reduce_sum;
  } else if constexpr (std::same_as<Call, isa::DataCopy>) {
    return seams.data_copy;
  } else if constexpr (std::same_as<Call, isa::Trowprod>) {
    return seams.trowprod;
  } else {
    static_assert(std::same_as<Call, isa::VecTrans>);
    return seams.vec_trans;
  }
}

/// Differing seams by instruction.
std::map<std::string_view, int> DifferencesByModule(const Seams& a,
                                                    const Seams& b) {
  std::map<std::string_view, int> slugs = {
      {kProgramSlug, Differences(a.state, b.state)}};
  isa::ForEachIntrinsic([&]<class Call>() {
    slugs[Call::kSlug] = Differences(RowOf<Call>(a), RowOf<Call>(b));
  });
  return slugs;
}

bool IsKebabCase(std::string_view name) {
  const bool letters = std::ranges::all_of(name, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
  });
  return letters && !name.empty() && !name.starts_with('-') &&
         !name.ends_with('-') && name.find("--") == std::string_view::npos;
}

TEST(Mutants, AreManyInEveryModule) {
  std::map<std::string_view, int> slugs;
  for (const Mutant& mutant : Mutants()) ++slugs[mutant.slug];
  EXPECT_GE(slugs[kProgramSlug], 10);
  isa::ForEachIntrinsic(
      [&]<class Call>() { EXPECT_GE(slugs[Call::kSlug], 30) << Call::kSlug; });
  EXPECT_EQ(slugs.size(), isa::Instructions().size() + 1);
}

TEST(Mutants, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const Mutant& mutant : Mutants()) {
    EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
    EXPECT_TRUE(IsKebabCase(mutant.name)) << mutant.name;
    EXPECT_EQ(FindMutant(mutant.name), &mutant) << mutant.name;
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
  EXPECT_EQ(defect("program-mask-words-swapped"), "program/mask-words-swapped");
  EXPECT_LT(CountDefects(), Mutants().size() * 6 / 10);
  EXPECT_GT(CountDefects(), Mutants().size() * 4 / 10);
}

TEST(Mutants, EachStatesItsDefectInOneLine) {
  for (const Mutant& mutant : Mutants()) {
    EXPECT_FALSE(mutant.defect.empty()) << mutant.name;
    for (const std::string_view text : {mutant.defect, mutant.modelled_on}) {
      EXPECT_EQ(text.find('\n'), std::string_view::npos) << mutant.name;
      EXPECT_FALSE(text.ends_with('.')) << mutant.name;
    }
  }
}

/// The document's name of the instruction whose slug is `slug`.
std::string_view OpOf(std::string_view slug) {
  // Barriers are a rule of the copies that they wait for.
  if (slug == kProgramSlug) return isa::DataCopy::kOp;
  const isa::Instruction* const instruction = isa::FindInstruction(slug);
  return instruction == nullptr ? "" : instruction->op;
}

TEST(Mutants, EachNamesARuleOfItsInstruction) {
  for (const Mutant& mutant : Mutants()) {
    const isa::Rule* const rule = isa::FindRule(mutant.rule.text());
    ASSERT_NE(rule, nullptr) << mutant.name << " " << mutant.rule.text();
    EXPECT_TRUE(rule->instruction == "common" ||
                rule->instruction == OpOf(mutant.slug) ||
                (mutant.slug == kProgramSlug &&
                 (rule->instruction == isa::SetSaturation::kOp ||
                  rule->instruction == "common")))
        << mutant.name << " " << mutant.rule.text();
  }
}

TEST(Mutants, EachReplacesExactlyOneSeamOfItsModule) {
  const Seams real;
  for (const Mutant& mutant : Mutants()) {
    for (const auto& [slug, count] : DifferencesByModule(mutant.seams, real)) {
      EXPECT_EQ(count, slug == mutant.slug ? 1 : 0)
          << mutant.name << " " << slug;
    }
  }
}

TEST(Mutants, NoTwoReplaceASeamByTheSame) {
  for (const Mutant& a : Mutants()) {
    for (const Mutant& b : Mutants()) {
      if (&a == &b) break;
      const auto differences = DifferencesByModule(a.seams, b.seams);
      EXPECT_TRUE(std::ranges::any_of(
          differences, [](const auto& slug) { return slug.second != 0; }))
          << a.name << " " << b.name;
    }
  }
}

TEST(Mutants, EachSeamOfStateAndVectorsIsReplaced) {
  const Seams real;
  int state = 0;
  std::map<std::string_view, int> vectors;
  for (const Mutant& mutant : Mutants()) {
    const Seams& seams = mutant.seams;
    state += Differences(seams.state, real.state);
    isa::ForEachIntrinsic([&]<class Call>() {
      vectors[Call::kSlug] += RowOf<Call>(seams).vectors != nullptr ? 1 : 0;
    });
  }
  EXPECT_GE(state, 15);
  for (const auto& [slug, count] : vectors) EXPECT_GE(count, 3) << slug;
}

/// A seam can be replaced for every rule that an instruction owns.
TEST(Mutants, EachRejectRuleOfAnInstructionIsViolated) {
  std::set<std::string_view> violated;
  std::set<std::string_view> ops;
  for (const Mutant& mutant : Mutants()) {
    violated.insert(mutant.rule.text());
    ops.insert(OpOf(mutant.slug));
  }
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect != isa::Effect::kReject) continue;
    if (!ops.contains(rule.instruction)) continue;
    EXPECT_TRUE(violated.contains(rule.id.text())) << rule.id.text();
  }
}

/// The overlap rules and that of barriers are each got wrong in two ways.
TEST(Mutants, EachOverlapRuleIsViolatedTwice) {
  std::map<std::string_view, int> violated;
  for (const Mutant& mutant : Mutants()) ++violated[mutant.rule.text()];
  for (const isa::Rule& rule : isa::Catalogue()) {
    const std::string_view id = rule.id.text();
    if (rule.effect != isa::Effect::kReject) continue;
    if (id.find("OVERLAP") == std::string_view::npos && id != "DC-BARRIER") {
      continue;
    }
    EXPECT_GE(violated[id], 2) << id;
  }
}

}  // namespace
}  // namespace lanediff::mutants
