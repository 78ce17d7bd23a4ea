#include "sanitizer/resources/overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/memory_map.h"

namespace lanediff::machine {
namespace {

using isa::Access;
using isa::Carried;

constexpr std::string_view kTmp = "tmp";

/// Bytes [first, second), ascending and apart.
using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;

Runs Tidy(Runs runs) {
  std::ranges::sort(runs);
  Runs tidy;
  for (const auto& run : runs) {
    if (!tidy.empty() && run.first <= tidy.back().second) {
      tidy.back().second = std::max(tidy.back().second, run.second);
    } else {
      tidy.push_back(run);
    }
  }
  return tidy;
}

/// The lowest byte of both.
std::optional<std::int64_t> Shared(const Runs& a, const Runs& b) {
  for (auto p = a.begin(), q = b.begin(); p != a.end() && q != b.end();) {
    const std::int64_t at = std::max(p->first, q->first);
    if (at < std::min(p->second, q->second)) return at;
    p->second < q->second ? ++p : ++q;
  }
  return std::nullopt;
}

/// One operand in one iteration.
struct Part {
  std::string_view operand;
  isa::Memory memory;
  Runs runs;
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
  part.runs.emplace_back(access.at, access.at + access.bytes);
}

/// By iteration, what lies in tmp left out.
std::vector<Iteration> IterationsOf(std::span<const Access> accesses) {
  std::map<std::int64_t, Iteration> by_number;
  for (const Access& access : accesses) {
    if (access.operand == kTmp) continue;
    Iteration& iteration = by_number[access.iteration];
    iteration.number = access.iteration;
    Add(access, access.write ? iteration.writes : iteration.reads);
  }
  std::vector<Iteration> all;
  for (auto& [number, iteration] : by_number) {
    for (auto* parts : {&iteration.reads, &iteration.writes}) {
      for (Part& part : *parts) part.runs = Tidy(std::move(part.runs));
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

std::optional<std::int64_t> IntegerOf(const Carried& call,
                                      std::string_view name) {
  for (const isa::Argument& one : call.parameters) {
    const auto* const value = std::get_if<std::int64_t>(&one.value);
    if (one.name == name && value != nullptr) return *value;
  }
  return std::nullopt;
}

const isa::Operand* OperandOf(const Carried& call, isa::OperandName name) {
  const auto found =
      std::ranges::find(call.operands, name, &isa::CarriedOperand::name);
  return found == call.operands.end() ? nullptr : &found->operand;
}

/// Of a Cast to a wider type: where src must start, at least.
std::optional<std::int64_t> LeastSource(const Carried& call) {
  const auto* const dst = OperandOf(call, isa::OperandName::kDst);
  const auto* const src = OperandOf(call, isa::OperandName::kSrc);
  const auto count = IntegerOf(call, "count");
  if (call.name != "Cast" || dst == nullptr || src == nullptr || !count ||
      !dst->dtype || !src->dtype) {
    return std::nullopt;
  }
  const std::int64_t element = isa::SizeBytes(*src->dtype);
  if (isa::SizeBytes(*dst->dtype) <= element || *count < 0 ||
      *count > (std::int64_t{1} << 40)) {
    return std::nullopt;
  }
  return dst->at + (*count * element + 31) / 32 * 32;
}

/// MIN-OVERLAP-DEPENDENCY's exception, of AddRelu and SubRelu alone.
bool MayDepend(const Carried& call, std::string_view operand) {
  if (call.name != "AddRelu" && call.name != "SubRelu") return false;
  const auto* const dst = OperandOf(call, isa::OperandName::kDst);
  const bool has_type = dst != nullptr && (dst->dtype == isa::DType::kHalf ||
                                           dst->dtype == isa::DType::kInt32 ||
                                           dst->dtype == isa::DType::kFloat);
  return operand == "src1" && has_type &&
         (IntegerOf(call, "src1RepStride") == 0 ||
          IntegerOf(call, "dstRepStride") == 0);
}

std::string TextOf(const Part& written, const Part& read, std::int64_t at,
                   std::string_view needed) {
  return fmt::format("{} and {} share {} byte {}; {}", written.operand,
                     read.operand, isa::Name(written.memory), at, needed);
}

/// Visits each pair of a part written and one read that share a byte.
template <class F>
std::optional<std::string> FirstBad(const Iteration& writer,
                                    const Iteration& reader, const F& bad) {
  for (const Part& written : writer.writes) {
    for (const Part& read : reader.reads) {
      if (written.memory != read.memory) continue;
      const auto at = Shared(written.runs, read.runs);
      if (!at) continue;
      if (auto text = bad(written, read, *at)) return text;
    }
  }
  return std::nullopt;
}

std::optional<std::string> CountForm(const Carried& call,
                                     const Iteration& all) {
  const auto least = LeastSource(call);
  return FirstBad(
      all, all,
      [&](const Part& dst, const Part& src,
          std::int64_t at) -> std::optional<std::string> {
        const std::int64_t src_at = src.runs.front().first;
        if (least) {
          if (src_at >= *least) return std::nullopt;
          return TextOf(
              dst, src, at,
              fmt::format("they must be disjoint, or {} start at {} or "
                          "later",
                          src.operand, *least));
        }
        if (src_at == dst.runs.front().first) return std::nullopt;
        return TextOf(dst, src, at,
                      "they must be disjoint or start at the same byte");
      });
}

/// Calls whose pages allow sources and results no byte in common.
bool IsDisjoint(const Carried& call) {
  constexpr std::array<std::string_view, 5> kNames = {
      "Gather", "Gatherb", "Brcb", "MrgSort", "MrgSort4"};
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
std::optional<std::string> Disjoint(std::vector<Iteration> all) {
  Iteration whole;
  for (Iteration& one : all) {
    for (const auto& [from, to] : {std::pair(&one.reads, &whole.reads),
                                   std::pair(&one.writes, &whole.writes)}) {
      for (Part& part : *from) {
        const auto known = std::ranges::find_if(*to, [&](const Part& p) {
          return p.operand == part.operand && p.memory == part.memory;
        });
        if (known == to->end()) {
          to->push_back(std::move(part));
        } else {
          known->runs.insert(known->runs.end(), part.runs.begin(),
                             part.runs.end());
        }
      }
    }
  }
  for (auto* parts : {&whole.reads, &whole.writes}) {
    for (Part& part : *parts) part.runs = Tidy(std::move(part.runs));
  }
  return FirstBad(whole, whole,
                  [](const Part& dst, const Part& src,
                     std::int64_t at) -> std::optional<std::string> {
                    if (dst.operand == src.operand ||
                        src.operand == isa::Name(isa::OperandName::kOffset)) {
                      return std::nullopt;
                    }
                    return TextOf(dst, src, at, "they must be disjoint");
                  });
}

/// What earlier iterations wrote: by first byte, by whom first.
class Written {
 public:
  struct Piece {
    std::int64_t end;
    std::string_view operand;
    std::int64_t iteration;
  };

  /// A byte that the part reads, and its writer.
  std::optional<std::pair<std::int64_t, Piece>> Find(const Part& read) const {
    const auto memory = memories_.find(read.memory);
    if (memory == memories_.end()) return std::nullopt;
    for (const auto& [first, end] : read.runs) {
      auto piece = memory->second.upper_bound(first);
      if (piece != memory->second.begin() &&
          std::prev(piece)->second.end > first) {
        --piece;
      }
      if (piece == memory->second.end() || piece->first >= end) continue;
      return std::pair(std::max(piece->first, first), piece->second);
    }
    return std::nullopt;
  }

  void Add(const Iteration& iteration) {
    for (const Part& part : iteration.writes) {
      for (const auto& [first, end] : part.runs) {
        AddRun(first, {end, part.operand, iteration.number},
               memories_[part.memory]);
      }
    }
  }

 private:
  using Pieces = std::map<std::int64_t, Piece>;

  static void AddRun(std::int64_t at, const Piece& all, Pieces& pieces) {
    auto next = pieces.upper_bound(at);
    if (next != pieces.begin()) at = std::max(at, std::prev(next)->second.end);
    while (at < all.end) {
      const bool last = next == pieces.end() || next->first >= all.end;
      Piece piece = all;
      if (!last) piece.end = next->first;
      if (at < piece.end) pieces.emplace_hint(next, at, piece);
      if (last) return;
      at = std::max(at, next->second.end);
      ++next;
    }
  }

  std::map<isa::Memory, Pieces> memories_;
};

/// Of reductions and masked forms: in each iteration, `bad` of what is written
/// and read; and no iteration reads what an earlier one wrote.
template <class F>
std::optional<std::string> ByIterations(const Carried& call,
                                        const std::vector<Iteration>& all,
                                        const F& bad) {
  Written written;
  for (const Iteration& one : all) {
    for (const Part& read : one.reads) {
      if (MayDepend(call, read.operand)) continue;
      const auto found = written.Find(read);
      if (!found) continue;
      const auto& [at, piece] = *found;
      return fmt::format(
          "iteration {} reads {} byte {} from {}, which iteration {} wrote to "
          "{}; no iteration may read what an earlier one wrote",
          one.number, isa::Name(read.memory), at, read.operand, piece.iteration,
          piece.operand);
    }
    if (auto text = FirstBad(one, one, bad)) return text;
    written.Add(one);
  }
  return std::nullopt;
}

std::optional<std::string> Reduction(const Carried& call,
                                     const std::vector<Iteration>& all) {
  return ByIterations(
      call, all,
      [](const Part& dst, const Part& src,
         std::int64_t at) -> std::optional<std::string> {
        if (src.runs.front().first == dst.runs.front().first) {
          return std::nullopt;
        }
        return TextOf(dst, src, at,
                      "they must be disjoint, or the result start where its "
                      "iteration's source does");
      });
}

std::optional<std::string> MaskedForm(const Carried& call,
                                      const std::vector<Iteration>& all) {
  return ByIterations(
      call, all,
      [](const Part& dst, const Part& src,
         std::int64_t at) -> std::optional<std::string> {
        if (dst.runs == src.runs) return std::nullopt;
        return TextOf(dst, src, at,
                      "in an iteration they must be disjoint or coincide");
      });
}

}  // namespace

std::optional<std::string> BadOverlap(const Carried& call,
                                      std::span<const Access> accesses) {
  const std::vector<Iteration> all = IterationsOf(accesses);
  if (all.empty()) return std::nullopt;
  if (IsDisjoint(call)) {
    if (auto text = Disjoint(all)) return text;
  }
  // What GatherMask picks may begin where it is picked from (GatherMask ·
  // 调用示例).
  if (IsReduction(call.name) || call.name == "GatherMask") {
    return Reduction(call, all);
  }
  if (IntegerOf(call, "count")) return CountForm(call, all.front());
  return MaskedForm(call, all);
}

}  // namespace lanediff::machine
