#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/memory_map.h"
#include "isa/units.h"
#include "lint/init_reads.h"

namespace lanediff::lint {
namespace {

using Piece = Unwritten::Piece;

/// Units of one iteration, lanes or bytes, that are computed from bytes which
/// nothing has written.
struct LanesOfPiece {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int32_t origin = 0;
};

/// How what a step reads becomes what it writes.
enum class Flow : std::uint8_t {
  kLanes,       ///< each element from those of the same lane
  kWhole,       ///< all that an iteration writes from all that it reads
  kBytes,       ///< each byte from that of the same place
  kTransposed,  ///< matrices of 16 by 16 elements of 2 bytes, byte by byte
  kNone,        ///< nothing is computed
};

/// Of a copy: whether it makes elements of another type.
bool Converts(const std::vector<isa::Access>& accesses) {
  return std::ranges::adjacent_find(accesses, std::ranges::not_equal_to(),
                                    &isa::Access::dtype) != accesses.end();
}

/// Of a carried call: by elements where every operand that is read has as many
/// as are written.
bool IsElementwise(const std::vector<isa::Access>& accesses) {
  std::map<std::string_view, std::int64_t> elements;
  std::int64_t written = 0;
  for (const isa::Access& access : accesses) {
    (access.write ? written : elements[access.operand]) +=
        access.bytes / isa::SizeBytes(access.dtype);
  }
  return std::ranges::all_of(
      elements, [&](const auto& one) { return one.second == written; });
}

Flow FlowOf(const isa::Step& step, const std::vector<isa::Access>& accesses) {
  return std::visit(
      [&]<class S>(const S&) {
        if constexpr (isa::Elementwise<S>) {
          return Flow::kLanes;
        } else if constexpr (std::same_as<S, isa::DataCopy>) {
          return Converts(accesses) ? Flow::kLanes : Flow::kBytes;
        } else if constexpr (std::same_as<S, isa::VecTrans>) {
          return Flow::kTransposed;
        } else if constexpr (std::same_as<S, isa::Carried>) {
          return IsElementwise(accesses) ? Flow::kLanes : Flow::kWhole;
        } else if constexpr (isa::Intrinsic<S>) {
          return Flow::kWhole;
        } else {
          return Flow::kNone;
        }
      },
      step);
}

/// Whether what is unwritten leaves the core here, where it is told. A TROWPROD
/// tells at once: tiles say what is valid, and there is no padding to read.
bool IsSink(const isa::Step& step, const std::vector<isa::Access>& accesses) {
  return std::holds_alternative<isa::GetValue>(step) ||
         std::holds_alternative<isa::Trowprod>(step) ||
         ((std::holds_alternative<isa::DataCopy>(step) ||
           std::holds_alternative<isa::Carried>(step)) &&
          std::ranges::any_of(accesses, [](const isa::Access& access) {
            return access.write && access.memory == isa::Memory::kGm;
          }));
}

Range BytesOf(const isa::Access& access) {
  return {access.at, access.at + access.bytes};
}

/// Bytes of what counts by itself.
std::int64_t UnitBytes(Flow flow, const isa::Access& access) {
  const bool bytes = flow == Flow::kBytes || flow == Flow::kTransposed;
  return bytes ? 1 : isa::SizeBytes(access.dtype);
}

/// The units of `access` that a piece touches, whole or in part. Where they are
/// bytes, accesses begin at lane 0.
LanesOfPiece LanesOf(const isa::Access& access, const Piece& piece,
                     std::int64_t unit) {
  return {access.lane + (piece.bytes.begin - access.at) / unit,
          access.lane + (piece.bytes.end - access.at + unit - 1) / unit,
          piece.origin};
}

/// The bytes of `access` that hold those units.
Range BytesOf(const isa::Access& access, const LanesOfPiece& lanes,
              std::int64_t unit) {
  return Common(Range{access.at + (lanes.first - access.lane) * unit,
                      access.at + (lanes.end - access.lane) * unit},
                BytesOf(access));
}

class Step {
 public:
  Step(Flow flow, std::int32_t number, Unwritten& unwritten)
      : flow_(flow), number_(number), unwritten_(unwritten) {}

  void Read(const isa::Access& access) {
    for (const Piece& piece : unwritten_.In(access.memory, BytesOf(access))) {
      LanesOfPiece lanes = LanesOf(access, piece, UnitBytes(flow_, access));
      if (lanes.origin == Unwritten::kNobody) lanes.origin = number_;
      if (flow_ == Flow::kTransposed) {
        Transpose(lanes);
      } else {
        lanes_.push_back(lanes);
      }
    }
  }

  void Write(const isa::Access& access) {
    unwritten_.Write(access.memory, BytesOf(access));
    if (flow_ == Flow::kNone || lanes_.empty()) return;
    // Of several, the one that read first stands.
    std::ranges::sort(lanes_, std::greater(), &LanesOfPiece::origin);
    if (flow_ == Flow::kWhole) {
      unwritten_.Taint(access.memory, {BytesOf(access), lanes_.back().origin});
      return;
    }
    for (const LanesOfPiece& lanes : lanes_) {
      const std::int64_t unit = UnitBytes(flow_, access);
      unwritten_.Taint(access.memory,
                       {BytesOf(access, lanes, unit), lanes.origin});
    }
  }

  void EndIteration() { lanes_.clear(); }

 private:
  /// Element i·16 + j goes to j·16 + i, a byte at a time.
  void Transpose(const LanesOfPiece& bytes) {
    constexpr std::int64_t kSide = 16;
    for (std::int64_t byte = bytes.first; byte < bytes.end; ++byte) {
      const std::int64_t lane = byte / 2;
      const std::int64_t to =
          (lane % kSide * kSide + lane / kSide) * 2 + byte % 2;
      lanes_.push_back({to, to + 1, bytes.origin});
    }
  }

  Flow flow_;
  std::int32_t number_;
  Unwritten& unwritten_;
  std::vector<LanesOfPiece> lanes_;
};

/// What leaves, of one operand.
std::optional<InitRead> ReadOf(std::string_view operand,
                               const std::vector<isa::Access>& accesses,
                               const Unwritten& unwritten) {
  std::vector<Range> bytes;
  InitRead read;
  read.operand = operand;
  std::int64_t lowest = 0;
  for (const isa::Access& access : accesses) {
    if (access.write || access.operand != operand) continue;
    read.memory = access.memory;
    for (const Piece& piece : unwritten.In(access.memory, BytesOf(access))) {
      if (bytes.empty() || piece.bytes.begin < lowest) {
        lowest = piece.bytes.begin;
        read.earlier = piece.origin == Unwritten::kNobody
                           ? std::nullopt
                           : std::optional(piece.origin);
      }
      bytes.push_back(piece.bytes);
    }
  }
  if (bytes.empty()) return std::nullopt;
  read.bytes = RangeList(std::move(bytes));
  return read;
}

/// What leaves, by operand.
std::vector<InitRead> ReadsOf(const std::vector<isa::Access>& accesses,
                              const Unwritten& unwritten) {
  std::vector<InitRead> found;
  std::vector<std::string_view> seen;
  for (const isa::Access& access : accesses) {
    if (access.write || std::ranges::find(seen, access.operand) != seen.end()) {
      continue;
    }
    seen.push_back(access.operand);
    auto read = ReadOf(access.operand, accesses, unwritten);
    if (read) found.push_back(std::move(*read));
  }
  return found;
}

}  // namespace

std::vector<InitRead> Propagate(const isa::Step& step, std::int32_t number,
                                const std::vector<isa::Access>& accesses,
                                Unwritten& unwritten) {
  const bool sink = IsSink(step, accesses);
  std::vector<InitRead> found;
  if (sink) found = ReadsOf(accesses, unwritten);
  const bool has_scratch = std::holds_alternative<isa::Trowprod>(step);
  Step moving(sink ? Flow::kNone : FlowOf(step, accesses), number, unwritten);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const isa::Access& access = accesses[i];
    if (i > 0 && (access.iteration != accesses[i - 1].iteration ||
                  (has_scratch && access.operand == isa::Trowprod::kScratch))) {
      moving.EndIteration();
    }
    if (access.write) {
      moving.Write(access);
    } else {
      moving.Read(access);
    }
  }
  return found;
}

}  // namespace lanediff::lint
