#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "differential/targets/capabilities.h"
#include "differential/testcase/case.h"
#include "generators/random.h"
#include "generators/random/intent.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::make {

/// A case and what it was made for.
struct Generated {
  Case c;
  /// What the first call was laid out for; `mutated` may have undone it.
  std::optional<LayoutIntent> layout;
  /// Of the first call's data, likewise.
  std::optional<DataIntent> data;
  /// Something was changed at random afterwards, mostly for the worse.
  bool mutated = false;
};

/// What an instruction's generator is to make.
struct Plan {
  Style style = Style::kByIntent;
  /// If given: for this product only.
  std::optional<isa::Product> product;
  /// About how many element operations (arithmetic nodes and elements written)
  /// an ordinary call may take; long ones take more.
  std::int64_t operations = 768;
  /// No repeats of 64 and more.
  bool few_repeats = false;
  /// Nothing is changed afterwards; a layout may still be illegal.
  bool untouched = false;
  /// What the case is for can do; null where that is everything.
  const diff::Capabilities* can = nullptr;
  /// Of the case, unless something is changed afterwards.
  isa::Edition edition = isa::kNewestEdition;
};

/// An instruction as the generator knows it.
struct Generator {
  std::string_view slug;  ///< its name in file names
  std::string_view op;    ///< its rules are those of this op
  std::function<Generated(Random& random, const Plan& plan)> generate;
  std::span<const Weighted<LayoutIntent>> layouts;
  std::vector<isa::Product> products;  ///< that it draws from
};

/// Of a row of the family, and of a kind of call.
Generator LanewiseGenerator(const isa::Signature& row);
Generator ReductionGenerator(const isa::Signature& row);
Generator CopyGenerator(const isa::Signature& row);
Generator TransposeGenerator(const isa::Signature& row);
Generator BroadcastGenerator(const isa::Signature& row);
Generator TileGenerator(const isa::Signature& row);
Generator GeneratorOf(const isa::Call& blank);

/// Parts of several instructions for one product, on one memory; some are
/// synchronized programs (sync.h).
Generator ProgramGenerator();

/// Of every instruction in the order of the steps' numbers, then of programs.
std::span<const Generator> Generators();
/// The generator of `slug`; null if there is none.
const Generator* FindGenerator(std::string_view slug);

/// What `generator` makes by `plan` within the capabilities that it names;
/// beyond them only where it has tried in vain some thousand times.
Generated GenerateWithin(const Generator& generator, Random& random,
                         const Plan& plan);

/// A well-formed case around one to a few calls of `slug`, which must be one of
/// `Generators`: about 60 % legal, small for the most part; within `can` as
/// `GenerateWithin` does. The same seed gives the same case.
Generated Generate(std::string_view slug, Random& random,
                   Style style = Style::kByIntent,
                   const diff::Capabilities* can = nullptr,
                   isa::Edition edition = isa::kNewestEdition);

}  // namespace lanediff::make
