#include "lint/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <variant>

#include "isa/memory_map.h"

namespace lanediff::lint {
namespace {

namespace carried = isa::carried;

/// What a window must start at a multiple of: the rule breaks at `at` and keeps
/// at what is told.
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

class Kernel {
 public:
  Kernel(const Situation& situation, isa::RuleId rule)
      : s_(situation), call_(std::get<isa::Carried>(s_.step())), rule_(rule) {}

  std::vector<Witness> Look() {
    if (rule_ == carried::kRange) Ranges();
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
      Add("", one.name, fmt::format("{} is {}", one.name, *value),
          low == high ? fmt::format("{} is allowed", low)
                      : fmt::format("{} to {} is allowed", low, high));
    }
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

  void Bounds() {
    for (const isa::CarriedOperand& one : call_.operands) {
      isa::Carried alone = call_;
      alone.operands = {one};
      alone.reads.clear();
      alone.writes.clear();
      if (!s_.Breaks(alone, rule_)) continue;
      const std::string_view name = isa::Name(one.name);
      const isa::Memory memory =
          isa::MemoryAt(s_.c.product, one.operand.position);
      Add(name, "",
          fmt::format("{} is {} bytes at {}", name, one.operand.bytes,
                      one.operand.at),
          fmt::format("{} has {} bytes", isa::Name(memory),
                      SizeOf(s_.c, memory)));
    }
    for (const isa::CarriedRead& read : call_.reads) {
      Touched(read, "reads");
    }
    for (const isa::CarriedWrite& write : call_.writes) {
      Touched({write.memory, write.at, write.size(), write.iteration,
               write.operand},
              "writes");
    }
  }

  /// The first of its kind that is outside.
  void Touched(const isa::CarriedRead& touched, std::string_view does) {
    if (does == told_) return;
    const auto [memory, at, bytes, iteration, operand] = touched;
    isa::Carried alone = call_;
    alone.reads = {touched};
    alone.writes.clear();
    if (!s_.Breaks(alone, rule_)) return;
    told_ = does;
    std::string windows;
    for (const isa::CarriedOperand& one : call_.operands) {
      if (isa::MemoryAt(s_.c.product, one.operand.position) != memory) continue;
      if (operand && one.name != *operand) continue;
      windows +=
          fmt::format("{}{} has {} bytes at {}", windows.empty() ? "" : ", ",
                      isa::Name(one.name), one.operand.bytes, one.operand.at);
    }
    Witness& witness =
        Add("", "",
            fmt::format("iteration {} {} {} bytes at {} of {}", iteration, does,
                        bytes, at, isa::Name(memory)),
            windows.empty() ? "no operand is there" : std::move(windows));
    witness.iteration = iteration;
    witness.bytes = Witness::Bytes{memory, at, bytes};
  }

  const Situation& s_;
  const isa::Carried& call_;
  isa::RuleId rule_;
  std::string_view told_;
  std::vector<Witness> all_;
};

}  // namespace

std::string WhereOf(const Case& c, std::size_t step) {
  std::string text;
  if (const auto* call = std::get_if<isa::Carried>(&c.program[step])) {
    text = call->name;
  }
  if (const StepSource* const source = SourceOf(c, step)) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", source->file,
                        source->line);
  }
  return text;
}

std::string WhereOf(const Case& c, const Hazard& hazard) {
  std::string text;
  const auto add = [&](std::size_t step) {
    const std::string where = WhereOf(c, step);
    if (where.empty()) return;
    text +=
        fmt::format("{}step {} is {}", text.empty() ? "" : "; ", step, where);
  };
  add(hazard.later.step);
  if (hazard.earlier && hazard.earlier->step != hazard.later.step) {
    add(hazard.earlier->step);
  }
  return text;
}

std::vector<Witness> KernelWitnesses(const Situation& situation,
                                     isa::RuleId rule) {
  return Kernel(situation, rule).Look();
}

}  // namespace lanediff::lint
