#include "generators/coverage/model.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

#include "isa/catalogue.h"

namespace lanediff::make::coverage {

using isa::DType;
using isa::Product;

namespace {

/// The widest range that the catalogue gives the field in `edition`.
isa::Range RangeOf(std::string_view op, std::string_view field,
                   isa::Edition edition) {
  isa::Range widest{field, 0, 65535};
  bool found = false;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.RangesIn(edition)) {
      if (range.field != field) continue;
      widest.low = found ? std::min(widest.low, range.low) : range.low;
      widest.high = found ? std::max(widest.high, range.high) : range.high;
      found = true;
    }
  }
  return widest;
}

}  // namespace

ValueClasses ClassesOf(std::string_view op, std::string_view field,
                       isa::Edition edition) {
  const auto [name, low, high, bits, only] = RangeOf(op, field, edition);
  ValueClasses classes;
  const auto add = [&](std::int64_t start, std::string what, bool allowed) {
    if (!classes.starts.empty() && start <= classes.starts.back()) return;
    if (allowed && start > high) return;
    classes.starts.push_back(start);
    classes.names.push_back(std::move(what));
    classes.allowed.push_back(allowed);
  };
  add(std::numeric_limits<std::int64_t>::min(), "below", false);
  add(low, "low", true);
  add(low + 1, "low+1", true);
  add(low + 2, "small", true);
  if (high - low > 40) {
    const std::int64_t origin = std::max<std::int64_t>(low, 0);
    add(origin + 16, "medium", true);
    add(origin + 64, "large", true);
  }
  add(high - 1, "high-1", true);
  add(high, "high", true);
  add(high + 1, "above", false);
  return classes;
}

std::size_t ValueClasses::Of(std::int64_t value) const {
  const auto next = std::ranges::upper_bound(starts, value);
  return static_cast<std::size_t>(next - starts.begin()) - 1;
}

std::size_t Group::size() const {
  return std::accumulate(
      dimensions.begin(), dimensions.end(), std::size_t{1},
      [](std::size_t n, const auto& words) { return n * words.size(); });
}

Bin Group::At(std::initializer_list<std::size_t> values) const {
  std::size_t index = 0;
  auto dimension = dimensions.begin();
  for (std::size_t value : values) index = index * dimension++->size() + value;
  return static_cast<Bin>(base + index);
}

std::size_t Instruction::TypeClass(DType type) const {
  return static_cast<std::size_t>(std::ranges::find(types, type) -
                                  types.begin());
}

std::optional<std::size_t> Instruction::Mode(Product product,
                                             bool saturation) const {
  const auto found = std::ranges::find(modes, std::pair(product, saturation));
  if (found == modes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - modes.begin());
}

const Model& Model::Get(isa::Edition edition) {
  if (edition == isa::kNewestEdition) {
    static const Model newest(isa::kNewestEdition);
    return newest;
  }
  static const Model older(isa::Edition::k2024);
  return older;
}

const Instruction* Model::Find(const isa::Step& step) const {
  const auto found = instructions_.find(isa::OpName(step));
  return found == instructions_.end() ? nullptr : &found->second;
}

std::size_t Model::RuleNumber(std::string_view id) const {
  return rule_numbers_.at(id);
}

std::string_view Model::Module(Bin bin) const { return GroupOf(bin).slug; }

const Group& Model::GroupOf(Bin bin) const {
  const auto behind = std::ranges::upper_bound(groups_, bin, {}, &Group::base);
  return *std::prev(behind);
}

std::vector<std::string_view> Model::BinWords(Bin bin) const {
  const Group& group = GroupOf(bin);
  std::size_t index = bin - group.base;
  std::vector<std::string_view> words(group.dimensions.size());
  for (std::size_t d = group.dimensions.size(); d-- > 0;) {
    const auto& dimension = group.dimensions[d];
    words[d] = dimension[index % dimension.size()];
    index /= dimension.size();
  }
  return words;
}

std::string Model::Name(Bin bin) const {
  const Group& group = GroupOf(bin);
  std::string name = group.slug + ": " + group.name;
  for (std::string_view word : BinWords(bin)) name += " " + std::string(word);
  return name;
}

std::optional<Bin> Model::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

}  // namespace lanediff::make::coverage
