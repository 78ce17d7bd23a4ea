#include "sanitizer/witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "isa/carried.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::lint {
namespace {

namespace carried = isa::carried;

/// What a window must start at a multiple of: the rule breaks at `at` and keeps
/// at the returned place.
std::int64_t NeededAlign(const Situation& situation, std::size_t operand) {
  const auto& call = std::get<isa::Carried>(situation.step());
  if (const auto& own = call.operands[operand].align) return *own;
  for (const std::int64_t align : {1, 2, 4, 8, 16}) {
    isa::Carried other = call;
    other.operands = {call.operands[operand]};
    other.operands[0].operand.at = align;
    if (!situation.Breaks(other, carried::kAlign)) return align;
  }
  return 32;
}

/// One past the last byte, or the number next to it.
std::int64_t EndOf(const isa::Operand& window) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t end = 0;
  if (!__builtin_add_overflow(window.at, window.bytes, &end)) return end;
  return window.at > 0 ? Limits::max() : Limits::min();
}

/// Of an unaudited call and one of its reject rules.
class KernelWitness {
 public:
  KernelWitness(const Situation& situation, isa::RuleId rule)
      : s_(situation), call_(std::get<isa::Carried>(s_.step())), rule_(rule) {}

  std::vector<Witness> Look() {
    if (rule_ == carried::kRange) Ranges();
    if (rule_ == carried::kProduct) Unlisted("unlisted product");
    if (rule_ == carried::kDtype) Unlisted("unlisted dtype");
    if (rule_ == carried::kAlign) Aligns();
    if (rule_ == carried::kBounds) Bounds();
    return std::move(all_);
  }

 private:
  Witness& Add(std::string_view operand, std::string field, std::string found,
               std::string needed) {
    Witness& witness = all_.emplace_back();
    witness.rule = rule_;
    witness.operand = operand;
    witness.field = std::move(field);
    witness.found = std::move(found);
    witness.needed = std::move(needed);
    return witness;
  }

  void Ranges() {
    for (const isa::Argument& one : call_.parameters) {
      const auto* const value = std::get_if<std::int64_t>(&one.value);
      if (value == nullptr || !one.range ||
          (*value >= one.range->low && *value <= one.range->high)) {
        continue;
      }
      const auto& [low, high] = *one.range;
      const std::string_view name = one.name;
      // "count % 64", "validBit (3, 7, 15)": see docs/case-format.md.
      if (const auto of = name.find(" % "); of != std::string_view::npos) {
        if (const auto whole =
                isa::IntegerOf(call_.parameters, name.substr(0, of))) {
          Add("", one.name, fmt::format("{} is {}", name.substr(0, of), *whole),
              fmt::format("a multiple of {} is allowed", name.substr(of + 3)));
          continue;
        }
      }
      if (const auto of = name.find(" ("); of != std::string_view::npos) {
        Add("", one.name, fmt::format("{} is {}", name.substr(0, of), *value),
            fmt::format("one of {} is allowed",
                        name.substr(of + 2, name.size() - of - 3)));
        continue;
      }
      Add("", one.name, fmt::format("{} is {}", name, *value),
          low == high ? fmt::format("{} is allowed", low)
                      : fmt::format("{} to {} is allowed", low, high));
    }
  }

  /// "what is; what the page has".
  void Unlisted(std::string_view name) {
    const std::string_view text = isa::TextOf(call_.parameters, name);
    const auto end = std::min(text.find("; "), text.size());
    Add("", std::string(name), std::string(text.substr(0, end)),
        std::string(text.substr(std::min(end + 2, text.size()))));
  }

  void Aligns() {
    for (std::size_t i = 0; i < call_.operands.size(); ++i) {
      const isa::CarriedOperand& one = call_.operands[i];
      isa::Carried alone = call_;
      alone.operands = {one};
      if (!s_.Breaks(alone, rule_)) continue;
      const std::string_view name = isa::Name(one.name);
      Add(name, fmt::format("{}.at", name),
          fmt::format("{}.at is {}", name, one.operand.at),
          fmt::format("a multiple of {} is allowed", NeededAlign(s_, i)));
    }
  }

  /// A window that leaves its memory, and accesses outside of what windows
  /// have there.
  void Bounds() {
    inside_ = call_;
    for (isa::CarriedOperand& one : inside_.operands) {
      const isa::Memory memory =
          isa::MemoryAt(s_.c.product, one.operand.position);
      const std::int64_t size = SizeOf(s_.c, memory);
      isa::Operand& window = one.operand;
      if (window.bytes >= 0 && (window.at < 0 || window.at > size ||
                                window.bytes > size - window.at)) {
        const std::string_view name = isa::Name(one.name);
        Add(name, "",
            fmt::format("{} is {} bytes at {}", name, window.bytes, window.at),
            fmt::format("{} has {} bytes", isa::Name(memory), size));
      }
      const std::int64_t end = std::clamp<std::int64_t>(EndOf(window), 0, size);
      window.at = std::clamp<std::int64_t>(window.at, 0, size);
      window.bytes = std::max<std::int64_t>(end - window.at, 0);
    }
    for (const isa::CarriedRead& read : call_.reads) {
      Touched(read, "reads");
    }
    for (const isa::CarriedWrite& write : call_.writes) {
      Touched({write.memory, write.at, write.size(), write.iteration,
               write.operand},
              "writes");
    }
    if (all_.empty()) Windows();
  }

  /// Where the call touches nothing outside: windows that end before they
  /// start.
  void Windows() {
    for (const isa::CarriedOperand& one : call_.operands) {
      if (one.operand.bytes >= 0) continue;
      const std::string_view name = isa::Name(one.name);
      Add(name, "", fmt::format("{} starts at {}", name, one.operand.at),
          fmt::format("its tensor ends at {}", EndOf(one.operand)));
    }
  }

  /// The first of its kind and operand that is outside.
  void Touched(const isa::CarriedRead& touched, std::string_view does) {
    const auto [memory, at, bytes, iteration, operand] = touched;
    if (reported_.contains({does, operand})) return;
    isa::Carried alone = inside_;
    alone.reads = {touched};
    alone.writes.clear();
    if (!s_.Breaks(alone, rule_)) return;
    reported_.emplace(does, operand);
    std::string windows;
    for (const isa::CarriedOperand& one : call_.operands) {
      if (isa::MemoryAt(s_.c.product, one.operand.position) != memory) continue;
      if (operand && one.name != *operand) continue;
      windows += windows.empty() ? "" : ", ";
      windows += WindowText(one);
    }
    Witness& witness =
        Add(operand ? isa::Name(*operand) : "", "",
            fmt::format("iteration {} {} {} bytes at {} of {}", iteration, does,
                        bytes, at, isa::Name(memory)),
            windows.empty() ? "no operand is there" : std::move(windows));
    witness.iteration = iteration;
    witness.bytes = Witness::Bytes{memory, at, bytes};
  }

  static std::string WindowText(const isa::CarriedOperand& one) {
    const isa::Operand& window = one.operand;
    if (window.bytes < 0) {
      return fmt::format("the tensor of {} ends at {}", isa::Name(one.name),
                         EndOf(window));
    }
    return fmt::format("{} has {} bytes at {}", isa::Name(one.name),
                       window.bytes, window.at);
  }

  const Situation& s_;
  const isa::Carried& call_;
  isa::RuleId rule_;
  isa::Carried inside_;  ///< the call with what its windows have in memory
  std::set<std::pair<std::string_view, std::optional<isa::OperandName>>>
      reported_;
  std::vector<Witness> all_;
};

std::vector<Witness> Look(const Situation& situation, const isa::Rule& rule) {
  if (std::holds_alternative<isa::Carried>(situation.step())) {
    return KernelWitness(situation, rule.id).Look();
  }
  switch (rule.stage) {
    case isa::Stage::kBounds:
      return OutsideWitnesses(situation, rule.id);
    case isa::Stage::kOverlap:
      return SharedWitnesses(situation, rule.id);
    case isa::Stage::kParameters:
      break;
  }
  return ValueWitnesses(situation, rule.id);
}

/// Where no detail is known.
Witness Plain(isa::RuleId rule) {
  Witness witness;
  witness.rule = rule;
  witness.found = "the call breaks this rule";
  witness.needed = "what the rule states";
  return witness;
}

}  // namespace

std::vector<Witness> WitnessesOf(const Situation& situation,
                                 const isa::RuleSet& rules) {
  std::vector<Witness> all;
  for (isa::RuleId id : rules) {
    const isa::Rule* const rule = isa::FindRule(id.text());
    if (rule == nullptr) continue;
    std::vector<Witness> found = Look(situation, *rule);
    if (found.empty()) found.push_back(Plain(id));
    for (Witness& witness : found) {
      witness.statement = rule->StatementIn(situation.c.edition);
    }
    std::ranges::move(found, std::back_inserter(all));
  }
  return all;
}

}  // namespace lanediff::lint
