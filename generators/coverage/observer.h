#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/testcase/case.h"
#include "generators/coverage/model.h"
#include "isa/access.h"
#include "isa/numeric_events.h"

namespace lanediff::make::coverage {

/// The bins of an edition that one case reaches: look on while it is compared.
/// A case of the other edition reaches none.
class Observer {
 public:
  explicit Observer(const Case& c, isa::Edition edition = isa::kNewestEdition)
      : case_(c), model_(Model::Get(edition)) {}

  void operator()(const diff::ReferenceStep& step);

  /// In the order in which they were reached; some more than once.
  const std::vector<Bin>& bins() const { return bins_; }

 private:
  void Reach(std::size_t group, std::initializer_list<std::size_t> values);
  void ObserveCall(const Instruction& instruction,
                   const diff::ReferenceStep& step);
  void ObserveEvents(const Instruction& instruction, isa::DType dtype,
                     const isa::NumericEvents& events);
  void ReachRoute(const Instruction& instruction, isa::Position from,
                  isa::Position to, bool rejected);
  void ReachRule(const Instruction& instruction, isa::RuleId rule, bool alone);

  const Case& case_;
  const Model& model_;
  bool saturation_ = true;
  std::size_t step_before_ = 0;  ///< 0: none; else the step's kind plus one
  std::vector<Bin> bins_;
};

/// How what `source` read lies to what was written, by the accesses of an
/// executed call.
Layout LayoutOf(std::span<const isa::Access> accesses, std::string_view source);

/// The lanes of `operand` in the first iteration; `lanes` is how many there
/// are.
Lanes LanesOf(std::span<const isa::Access> accesses, std::string_view operand,
              std::int64_t lanes);

/// Which bins were reached, of all there are.
class Reached {
 public:
  /// Adds `bins`; how many of them are new.
  std::size_t Add(const std::vector<Bin>& bins);
  bool Has(Bin bin) const { return reached_[bin]; }
  std::size_t count() const { return reached_.count(); }

 private:
  std::bitset<kMostBins> reached_;
};

}  // namespace lanediff::make::coverage
