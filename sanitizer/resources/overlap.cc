#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/carried.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "sanitizer/resources/parts.h"

namespace lanediff::machine {
namespace {

using isa::Access;
using isa::Carried;

constexpr std::string_view kTmp = "tmp";

/// One operand in one iteration.
struct Part {
  std::string_view operand;
  isa::Memory memory;
  isa::IntervalSet bytes;
};
struct Iteration {
  std::int64_t number = 0;
  std::vector<Part> reads;
  std::vector<Part> writes;
};

void Add(const Access& access, std::vector<Part>& parts) {
  const auto known = std::ranges::find_if(parts, [&](const Part& part) {
    return part.operand == access.operand && part.memory == access.memory;
  });
  Part& part = known != parts.end()
                   ? *known
                   : parts.emplace_back(access.operand, access.memory);
  part.bytes.Append(BytesOf(access));
}

/// By iteration, or all `together` as one, what lies in tmp left out.
std::vector<Iteration> IterationsOf(std::span<const Access> accesses,
                                    bool together) {
  std::map<std::int64_t, Iteration> by_number;
  for (const Access& access : accesses) {
    if (access.operand == kTmp) continue;
    const std::int64_t number = together ? 0 : access.iteration;
    Iteration& iteration = by_number[number];
    iteration.number = number;
    Add(access, access.write ? iteration.writes : iteration.reads);
  }
  std::vector<Iteration> all;
  for (auto& [number, iteration] : by_number) {
    for (auto* parts : {&iteration.reads, &iteration.writes}) {
      for (Part& part : *parts) part.bytes.Tidy();
    }
    all.push_back(std::move(iteration));
  }
  return all;
}

bool IsReduction(std::string_view name) {
  constexpr std::array<std::string_view, 4> kBeginnings = {
      "Whole", "Reduce", "BlockReduce", "PairReduce"};
  return std::ranges::any_of(kBeginnings, [&](std::string_view beginning) {
    return name.starts_with(beginning);
  });
}

const isa::Operand* OperandOf(const Carried& call, isa::OperandName name) {
  const auto found =
      std::ranges::find(call.operands, name, &isa::CarriedOperand::name);
  return found == call.operands.end() ? nullptr : &found->operand;
}

/// MIN-OVERLAP-DEPENDENCY's exception, of AddRelu and SubRelu alone.
bool MayDepend(const Carried& call, std::string_view operand) {
  if (call.name != "AddRelu" && call.name != "SubRelu") return false;
  const auto* const dst = OperandOf(call, isa::OperandName::kDst);
  const bool has_type = dst != nullptr && (dst->dtype == isa::DType::kHalf ||
                                           dst->dtype == isa::DType::kInt32 ||
                                           dst->dtype == isa::DType::kFloat);
  return operand == "src1" && has_type &&
         (IntegerOf(call.parameters, "src1RepStride") == 0 ||
          IntegerOf(call.parameters, "dstRepStride") == 0);
}

/// The first pair of a part written and one read that share a byte and of which
/// `needed` has what is needed instead.
template <class F>
std::optional<std::string> FirstBad(const Iteration& writer,
                                    const Iteration& reader, const F& needed) {
  for (const Part& written : writer.writes) {
    for (const Part& read : reader.reads) {
      if (written.memory != read.memory) continue;
      const isa::IntervalSet both = Common(written.bytes, read.bytes);
      if (both.empty()) continue;
      const std::string text = needed(written, read);
      if (text.empty()) continue;
      return fmt::format("{} and {} share {} byte {}; {}", written.operand,
                         read.operand, isa::Name(written.memory),
                         both.front().begin, text);
    }
  }
  return std::nullopt;
}

std::int64_t StartOf(const Part& part) { return part.bytes.front().begin; }

std::optional<std::string> CountForm(const Iteration& all) {
  return FirstBad(all, all, [](const Part& dst, const Part& src) {
    return StartOf(src) == StartOf(dst)
               ? ""
               : "they must be disjoint or start at the same byte";
  });
}

/// Calls whose pages allow sources and results no byte in common.
bool IsDisjoint(const Carried& call) {
  constexpr std::array<std::string_view, 4> kNames = {"Gather", "Gatherb",
                                                      "MrgSort", "MrgSort4"};
  if (std::ranges::find(kNames, call.name) != kNames.end()) return true;
  if (call.name != "Axpy" && call.name != "MulAddDst") return false;
  const auto* const dst = OperandOf(call, isa::OperandName::kDst);
  return dst != nullptr && dst->dtype == isa::DType::kFloat &&
         std::ranges::any_of(call.operands, [](const auto& one) {
           return one.operand.dtype == isa::DType::kHalf;
         });
}

/// All iterations together, without offsets and what an operand shares with
/// itself.
std::optional<std::string> Disjoint(const Iteration& whole) {
  return FirstBad(whole, whole, [](const Part& dst, const Part& src) {
    return dst.operand == src.operand ||
                   src.operand == isa::Name(isa::OperandName::kOffset)
               ? ""
               : "they must be disjoint";
  });
}

/// Whose a byte that an earlier iteration wrote is.
struct Writer {
  std::string_view operand;
  std::int64_t iteration;

  bool operator==(const Writer&) const = default;
};

/// Of reductions and masked forms: in each iteration, `needed` of what is
/// written and read; and no iteration reads what an earlier one wrote.
template <class F>
std::optional<std::string> ByIterations(const Carried& call,
                                        const std::vector<Iteration>& all,
                                        const F& needed) {
  std::map<isa::Memory, isa::IntervalMap<Writer>> written;  ///< the first
  for (const Iteration& one : all) {
    for (const Part& read : one.reads) {
      if (MayDepend(call, read.operand)) continue;
      for (const isa::Interval& bytes : read.bytes) {
        const auto found = written[read.memory].FirstIn(bytes);
        if (!found) continue;
        const auto& [at, writer] = *found;
        return fmt::format(
            "iteration {} reads {} byte {} from {}, which iteration {} wrote "
            "to {}; no iteration may read what an earlier one wrote",
            one.number, isa::Name(read.memory), at.begin, read.operand,
            writer.iteration, writer.operand);
      }
    }
    if (auto text = FirstBad(one, one, needed)) return text;
    for (const Part& part : one.writes) {
      for (const isa::Interval& bytes : part.bytes) {
        written[part.memory].SetMissing(bytes, {part.operand, one.number});
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> Reduction(const Carried& call,
                                     const std::vector<Iteration>& all) {
  return ByIterations(call, all, [](const Part& dst, const Part& src) {
    return StartOf(src) == StartOf(dst)
               ? ""
               : "they must be disjoint, or the result start where its "
                 "iteration's source does";
  });
}

std::optional<std::string> MaskedForm(const Carried& call,
                                      const std::vector<Iteration>& all) {
  return ByIterations(call, all, [](const Part& dst, const Part& src) {
    return dst.bytes == src.bytes
               ? ""
               : "in an iteration they must be disjoint or coincide";
  });
}

}  // namespace

std::optional<std::string> BadOverlap(const Carried& call,
                                      std::span<const Access> accesses) {
  const std::vector<Iteration> all = IterationsOf(accesses, false);
  if (all.empty()) return std::nullopt;
  if (IsDisjoint(call)) {
    const auto whole = IterationsOf(accesses, true);
    if (auto text = Disjoint(whole.front())) return text;
  }
  // What GatherMask picks may begin where it is picked from (GatherMask ·
  // 调用示例).
  if (IsReduction(call.name) || call.name == "GatherMask") {
    return Reduction(call, all);
  }
  if (IntegerOf(call.parameters, "count")) return CountForm(all.front());
  return MaskedForm(call, all);
}

}  // namespace lanediff::machine
