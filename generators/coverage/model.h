#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/numeric_events.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Functional coverage: what a call means, cut into bins. A fuzzer keeps an
/// input that reaches a new bin, and a report lists the bins that nothing
/// reached.
namespace lanediff::make::coverage {

/// All bins together are at most this many: libFuzzer clears and looks at a
/// counter each, eight at a time. A lane-wise call has a thousand: its
/// fields in each form and type and its rules on each product are looked at by
/// themselves, as what is tested need not have a line in common for two calls.
/// Twenty-five such calls and the others take some 27,500; there is space for
/// five more.
inline constexpr std::size_t kMostBins = 40960;

using Bin = std::uint16_t;

/// A cross of dimensions. Its bins are numbered from `base` on, the last
/// dimension running fastest.
struct Group {
  std::string slug;  ///< the instruction as it stands in file names
  std::string name;  ///< what is looked at
  std::vector<std::vector<std::string>> dimensions;
  Bin base = 0;

  std::size_t size() const;
  /// The bin at `values`, one for each dimension and below its size.
  Bin At(std::initializer_list<std::size_t> values) const;
};

/// The values of an integer field, in classes around the ends of its range:
/// class i are the integers from `starts[i]` up to the next start.
struct ValueClasses {
  std::vector<std::int64_t> starts;
  std::vector<std::string> names;
  std::vector<bool> allowed;  ///< whether the rule catalogue's range holds it

  std::size_t Of(std::int64_t value) const;
};

/// Of a field of `op` by its range in the catalogue: below the range, its first
/// two values, small, middling and large ones, its last two, above it; classes
/// that the range has no space for are left out.
ValueClasses ClassesOf(std::string_view op, std::string_view field,
                       isa::Edition edition = isa::kNewestEdition);

/// One integer field of one form of a step.
struct IntegerField {
  std::string name;
  ValueClasses classes;
  std::size_t group = 0;
};

/// From and to.
using Route = std::pair<isa::Position, isa::Position>;

/// Where the bins of one instruction lie: indices into `Model::groups`.
struct Instruction {
  std::string_view op;
  std::string_view slug;
  std::vector<isa::DType> types;       ///< distinct
  std::vector<isa::Product> products;  ///< that execute it
  /// Products and whether saturation mode is on, as far as that can be.
  std::vector<std::pair<isa::Product, bool>> modes = {};
  std::vector<isa::NumericEvent> distinct_events = {};
  std::vector<isa::NumericEvent> distinct_integer_events = {};
  std::vector<isa::DType> integer_types = {};  ///< of `distinct_integer_events`
  std::vector<Route> routes = {};
  /// It executes with types that are not distinct: one class more.
  bool all_types = false;
  /// By form, in the order of the fields.
  std::vector<std::vector<IntegerField>> fields = {};
  std::size_t rules = 0;  ///< rule broken alone × product that executes it
  std::size_t unsupported = 0;  ///< the rule about products broken alone
  std::size_t together = 0;     ///< rule broken with others
  std::size_t types_of = 0;     ///< of executed calls: dtype × product
  std::size_t layouts = 0;      ///< source × layout × type
  std::size_t masks = 0;        ///< masked instructions: mask × origin × type
  std::size_t events = 0;       ///< arithmetic: event × half or float × mode
  std::size_t integer_events = 0;  ///< likewise: event × type × mode
  std::size_t special = 0;         ///< routes, shapes, orders: what only it has
  std::size_t rejected_routes = 0;
  /// Copies that pad: sides × what is left of 32 bytes × isPad.
  std::size_t paddings = 0;

  /// The type's place among `types`; their number where it is not among them.
  std::size_t TypeClass(isa::DType type) const;
  /// The mode's place among `modes`.
  std::optional<std::size_t> Mode(isa::Product product, bool saturation) const;
};

/// The layout of a source against dst, of an executed call.
enum class Layout : std::uint8_t {
  kOneEmpty,     ///< nothing read or nothing written
  kApart,        ///< at least one byte between them
  kTouching,     ///< the end of one is the start of the other
  kInterleaved,  ///< within each other's extent, no byte in common
  kSameStart,    ///< bytes in common, both start at the same one
  kShifted,      ///< bytes in common, different starts
  kRunning,      ///< a later iteration reads what an earlier one wrote
};

/// The lanes that take part in the first iteration.
enum class Lanes : std::uint8_t {
  kNone,
  kOne,
  kFirst,   ///< lane 0 up to some lane
  kRun,     ///< a run that does not begin at lane 0
  kLow,     ///< with holes, below lane 64 only
  kHigh,    ///< with holes, from lane 64 on only
  kSpread,  ///< with holes, on both sides
  kAll,
};

/// Every group that an edition of the documents has: its products, types, rules
/// and ranges. Built once; the order never depends on anything.
class Model {
 public:
  static const Model& Get(isa::Edition edition = isa::kNewestEdition);

  isa::Edition edition() const { return edition_; }

  std::span<const Group> groups() const { return groups_; }
  const Group& group(std::size_t index) const { return groups_[index]; }
  std::size_t bins() const { return bins_; }
  /// The instruction of `step`; null for a step that is none.
  const Instruction* Find(const isa::Step& step) const;
  /// For steps of every kind: step × step before, state, barriers.
  std::size_t sequence() const { return sequence_; }
  /// The place of the step's kind among those of `sequence()`.
  std::size_t StepClass(const isa::Step& step) const {
    return step_classes_[isa::NumberOf(step)];
  }
  /// The number of a reject rule among those of its instruction; not of the
  /// rule about products.
  std::size_t RuleNumber(std::string_view id) const;

  /// "min: event rounded half atlas-a2 saturating".
  std::string Name(Bin bin) const;
  /// The bin of this name.
  std::optional<Bin> Find(std::string_view name) const;
  const Group& GroupOf(Bin bin) const;
  /// One word for each dimension of its group.
  std::vector<std::string_view> BinWords(Bin bin) const;
  std::string_view Module(Bin bin) const;

 private:
  friend class Builder;
  explicit Model(isa::Edition edition);

  isa::Edition edition_;
  std::vector<Group> groups_;
  std::map<std::string_view, Instruction> instructions_;  ///< by op
  std::map<std::string_view, std::size_t> rule_numbers_;
  std::size_t sequence_ = 0;
  std::vector<std::size_t> step_classes_;  ///< by number
  std::map<std::string, Bin, std::less<>> by_name_;
  std::size_t bins_ = 0;
};

}  // namespace lanediff::make::coverage

template <>
struct lanediff::isa::Words<lanediff::make::coverage::Layout> {
  static constexpr std::array<std::string_view, 7> kSpelling = {
      "one-empty",  "apart",   "touching", "interleaved",
      "same-start", "shifted", "running"};
};

template <>
struct lanediff::isa::Words<lanediff::make::coverage::Lanes> {
  static constexpr std::array<std::string_view, 8> kSpelling = {
      "none", "one", "first", "run", "low", "high", "spread", "all"};
};
