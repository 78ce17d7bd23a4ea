#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "sanitizer/bit_lanes.h"
#include "sanitizer/init_reads.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {
namespace {

using Piece = Unwritten::Piece;

/// The operand whose elements are offsets of others: what is unwritten there is
/// reported at once, and taints nothing.
constexpr std::string_view kAddresses = isa::Name(isa::OperandName::kOffset);

/// How what a step reads becomes what it writes.
enum class Flow : std::uint8_t {
  kLanes,       ///< each element from those of the same lane
  kWhole,       ///< all that an iteration writes from all that it reads
  kBytes,       ///< each byte from that of the same place
  kGroups,      ///< each group of elements from that of the same number
  kTransposed,  ///< matrices of 16 rows, byte by byte
  kCompares,    ///< each bit from the elements of its lane
  kSelects,     ///< each element by the mask's bit from those of the same lane
  kGathers,     ///< elements that are picked, one behind the other
  kNone,        ///< nothing is computed
};

/// Of a copy: whether it makes elements of another type.
bool Converts(const std::vector<isa::Access>& accesses) {
  return std::ranges::adjacent_find(accesses, std::ranges::not_equal_to(),
                                    &isa::Access::dtype) != accesses.end();
}

/// Of an unaudited call: by elements where every operand that is read has as
/// many as are written.
bool IsLanewise(const std::vector<isa::Access>& accesses) {
  std::map<std::string_view, std::int64_t> elements;
  std::int64_t written = 0;
  for (const isa::Access& access : accesses) {
    if (access.operand == kScratch) return false;
    (access.write ? written : elements[access.operand]) +=
        access.bytes / isa::SizeBytes(access.dtype);
  }
  return std::ranges::all_of(
      elements, [&](const auto& one) { return one.second == written; });
}

/// Of calls that compute each group of results from one group of elements:
/// bytes of the operand's groups. 0 of every other call.
std::int64_t GroupBytes(std::string_view name, const isa::Access& access) {
  constexpr std::int64_t kBlock = isa::kDataBlockBytes;
  const std::int64_t element = isa::SizeBytes(access.dtype);
  if (name == "Gatherb") {
    return access.operand == kAddresses ? element : kBlock;
  }
  const isa::Signature* const row = isa::FindSignature(name);
  if (row != nullptr && row->family == isa::Family::kBroadcast) {
    return access.write ? kBlock : element;
  }
  if (row == nullptr || row->group == isa::Group::kIteration) return 0;
  return access.write ? element
                      : isa::LanesOfResult(row->group, element) * element;
}

/// Whether the call has groups. Of an unaudited call each begins where one does
/// in memory; a mask with gaps can leave parts of them.
bool HasGroups(std::string_view name,
               const std::vector<isa::Access>& accesses) {
  return !accesses.empty() &&
         std::ranges::all_of(accesses, [&](const isa::Access& access) {
           const std::int64_t unit = GroupBytes(name, access);
           const std::int64_t first =
               access.lane * isa::SizeBytes(access.dtype);
           return unit > 0 && first % unit == 0 && access.at % unit == 0;
         });
}

/// Calls whose results depend on all that an iteration reads, though they are
/// as many.
bool Sorts(std::string_view name) {
  return name.starts_with("Sort") || name.starts_with("RpSort") ||
         name.starts_with("MrgSort");
}

Flow FlowOfCarried(const isa::Carried& call,
                   const std::vector<isa::Access>& accesses) {
  if (IsComparison(call)) return Flow::kCompares;
  if (IsSelection(call)) return Flow::kSelects;
  if (IsGathering(call)) return Flow::kGathers;
  if (HasGroups(call.name, accesses)) return Flow::kGroups;
  if (!IsLanewise(accesses) || Sorts(call.name)) return Flow::kWhole;
  if (call.name == "Transpose" || call.name == "TransDataTo5HD") {
    return Flow::kTransposed;
  }
  // Bit by bit: masks go through them.
  return MovesBits(call.name) ? Flow::kBytes : Flow::kLanes;
}

Flow FlowOf(const isa::Step& step, const std::vector<isa::Access>& accesses) {
  if (const auto* const call = std::get_if<isa::Carried>(&step)) {
    return FlowOfCarried(*call, accesses);
  }
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return Flow::kNone;
  switch (call->signature->family) {
    case isa::Family::kLanewise:
      if (call->signature->PacksBits()) return Flow::kCompares;
      return MovesBits(call->signature->op) ? Flow::kBytes : Flow::kLanes;
    case isa::Family::kCopy:
      return Converts(accesses) ? Flow::kLanes : Flow::kBytes;
    case isa::Family::kTranspose:
      return Flow::kTransposed;
    case isa::Family::kBroadcast:
      return Flow::kGroups;
    case isa::Family::kReduction:
      // Lanes are numbered: a mask can begin within a group.
      return call->signature->group == isa::Group::kIteration ? Flow::kWhole
                                                              : Flow::kGroups;
    case isa::Family::kTile:
      break;
  }
  return Flow::kWhole;
}

/// Whether what is unwritten leaves the core here, where it is reported. Of a
/// TROWPROD at once: tiles state what is valid, and have no padding to read.
bool IsSink(const isa::Step& step, const std::vector<isa::Access>& accesses) {
  const auto* const call = std::get_if<isa::Carried>(&step);
  return std::holds_alternative<isa::GetValue>(step) ||
         (call != nullptr && call->name == isa::GetValue::kOp) ||
         IsOf(step, isa::Family::kTile) ||
         ((IsOf(step, isa::Family::kCopy) ||
           std::holds_alternative<isa::Carried>(step)) &&
          std::ranges::any_of(accesses, [](const isa::Access& access) {
            return access.write && access.memory == isa::Memory::kGm;
          }));
}

/// Bytes of the lanes before those of `access`.
std::int64_t FirstByte(const isa::Access& access) {
  return access.lane * isa::SizeBytes(access.dtype);
}

/// Where lane 0 lies, if those lanes lie in front of `access`.
std::int64_t LaneZero(const isa::Access& access) {
  return access.at - FirstByte(access);
}

/// The units of `access` that a piece touches, whole or in part.
UnwrittenLanes LanesOf(const isa::Access& access, const Piece& piece,
                       std::int64_t unit) {
  const std::int64_t zero = LaneZero(access);
  return {(piece.bytes.begin - zero) / unit,
          (piece.bytes.end - zero + unit - 1) / unit, piece};
}

/// The bytes of `access` that hold those units.
isa::Interval BytesOf(const isa::Access& access, const UnwrittenLanes& lanes,
                      std::int64_t unit) {
  const std::int64_t zero = LaneZero(access);
  return Common(
      isa::Interval{zero + lanes.first * unit, zero + lanes.end * unit},
      BytesOf(access));
}

class Step {
 public:
  Step(Flow flow, const isa::Step& step, std::int32_t number,
       const std::vector<isa::Access>& accesses, Following following,
       Unwritten& unwritten)
      : flow_(flow),
        number_(number),
        unwritten_(unwritten),
        following_(following) {
    if (const auto* const call = std::get_if<isa::Carried>(&step)) {
      name_ = call->name;
      if (flow == Flow::kCompares || flow == Flow::kSelects ||
          flow == Flow::kGathers) {
        bits_.emplace(*call, accesses);
      }
    }
    if (const auto* const call = std::get_if<isa::Call>(&step)) {
      name_ = call->signature->op;
      for (const isa::OperandSpec& spec : call->signature->operands) {
        if (spec.is_packed && !spec.is_written) packed_ = spec.name;
      }
      if (call->IsByCount() && call->sel_mode == isa::SelMode::kSameBits) {
        bits_again_ = isa::kIterationBytes / isa::LaneBytes(*call);
        lanes_in_all_ = (*call)[isa::Param::kCount];
      }
    }
    BeginIteration();
  }

  void Read(const isa::Access& access) {
    for (const Piece& piece : unwritten_.In(access.memory, BytesOf(access))) {
      if (piece.origin == Unwritten::kNoStep && flow_ != Flow::kNone) {
        unwritten_.ReadFirst(number_, access.memory, piece.bytes);
      }
      if (access.operand == kAddresses) continue;
      if (bits_ && bits_->IsMask(access.operand)) {
        bits_->ReadMask(access.at, piece, lanes_);
        continue;
      }
      if (access.operand == packed_) {
        ReadBits(access, piece);
        continue;
      }
      UnwrittenLanes lanes = LanesOf(access, piece, UnitBytes(access));
      if (flow_ == Flow::kTransposed) {
        Transpose(lanes, isa::SizeBytes(access.dtype));
      } else if (bits_) {
        bits_->ReadElements(access.operand, lanes, lanes_);
      } else {
        lanes_.push_back(lanes);
      }
    }
    if (bits_) bits_->CountElements(access);
  }

  void Write(const isa::Access& access) {
    wrote_ = true;
    unwritten_.Write(access.memory, BytesOf(access));
    if (access.operand == kScratch) {
      if (following_.scratch) {
        unwritten_.Taint(access.memory, {.bytes = BytesOf(access),
                                         .origin = Unwritten::kNoStep,
                                         .left_by = number_});
      }
      return;
    }
    if (flow_ == Flow::kNone || lanes_.empty()) return;
    SortByOrigin();
    if (flow_ == Flow::kWhole) {
      Piece piece = Computed(BytesOf(access), lanes_.back().from);
      piece.bits = 0xff;
      unwritten_.Taint(access.memory, piece);
      return;
    }
    if (flow_ == Flow::kCompares) {
      for (const Piece& piece : BitLanes::Results(access, lanes_)) {
        unwritten_.Taint(access.memory, Computed(piece.bytes, piece));
      }
      return;
    }
    const bool has_bits = flow_ == Flow::kBytes &&
                          std::ranges::any_of(lanes_, [](const auto& one) {
                            return one.from.bits != 0xff;
                          });
    if (has_bits) {
      for (const Piece& piece :
           BitLanes::Joined(access, FirstByte(access), lanes_)) {
        unwritten_.Taint(access.memory, Computed(piece.bytes, piece));
      }
      return;
    }
    for (const UnwrittenLanes& lanes : lanes_) {
      const std::int64_t unit = UnitBytes(access);
      Piece piece = Computed(BytesOf(access, lanes, unit), lanes.from);
      piece.bits = 0xff;
      unwritten_.Taint(access.memory, piece);
    }
  }

  void EndIteration() {
    EndOfReads();
    // What writes at its end alone has read in all of its iterations.
    if (wrote_ || bits_) lanes_.clear();
    wrote_ = false;
    if (bits_) bits_->EndIteration();
    BeginIteration();
  }

  /// Of the last iteration: what goes to the compare mask register.
  void EndOfReads() {
    if (!bits_ || !bits_->WritesRegister()) return;
    SortByOrigin();
    bits_->WriteRegister(lanes_, unwritten_, [this](const Piece& piece) {
      return Computed(piece.bytes, piece);
    });
  }

 private:
  /// What is computed from `from` lies in `bytes`.
  Piece Computed(const isa::Interval& bytes, const Piece& from) const {
    Piece piece = from;
    piece.bytes = bytes;
    if (piece.origin == Unwritten::kNoStep) piece.origin = number_;
    return piece;
  }

  /// Of several, the one that read first stands: it comes last.
  void SortByOrigin() {
    const auto origin = [this](const UnwrittenLanes& lanes) {
      return lanes.from.origin == Unwritten::kNoStep ? number_
                                                     : lanes.from.origin;
    };
    std::ranges::sort(lanes_, std::greater(), origin);
  }

  void BeginIteration() {
    if (bits_) bits_->ReadRegister(unwritten_, lanes_);
  }

  /// A lane for each bit of a piece; where the count form takes the same bits
  /// again, of each iteration.
  void ReadBits(const isa::Access& access, const Piece& piece) {
    const std::int64_t zero = access.at - access.lane / 8;
    for (std::int64_t byte = piece.bytes.begin; byte < piece.bytes.end;
         ++byte) {
      for (std::int64_t i = 0; i < 8; ++i) {
        if ((piece.bits >> i & 1) == 0) continue;
        std::int64_t lane = 8 * (byte - zero) + i;
        do {
          lanes_.push_back({lane, lane + 1, piece});
          lane += bits_again_;
        } while (bits_again_ > 0 && lane < lanes_in_all_);
      }
    }
  }

  /// Bytes of what counts by itself.
  std::int64_t UnitBytes(const isa::Access& access) const {
    if (flow_ == Flow::kGroups) return GroupBytes(name_, access);
    const bool bytes = flow_ == Flow::kBytes || flow_ == Flow::kTransposed;
    return bytes ? 1 : isa::SizeBytes(access.dtype);
  }

  /// Element j of row i goes to j·16 + i, a byte at a time. Elements of 4
  /// bytes are 8 in a row, others 16.
  void Transpose(const UnwrittenLanes& bytes, std::int64_t element) {
    constexpr std::int64_t kRows = 16;
    const std::int64_t columns = element == 4 ? 8 : 16;
    for (std::int64_t byte = bytes.first; byte < bytes.end; ++byte) {
      const std::int64_t lane = byte / element;
      const std::int64_t to =
          (lane % columns * kRows + lane / columns) * element + byte % element;
      lanes_.push_back({to, to + 1, bytes.from});
    }
  }

  Flow flow_;
  std::string_view name_;  ///< of a call
  std::int32_t number_;
  Unwritten& unwritten_;
  Following following_;
  bool wrote_ = false;           ///< in this iteration
  std::string_view packed_;      ///< the source that has a bit for each lane
  std::int64_t bits_again_ = 0;  ///< after how many lanes, if ever
  std::int64_t lanes_in_all_ = 0;
  std::optional<BitLanes> bits_;
  std::vector<UnwrittenLanes> lanes_;
};

/// What leaves, of one operand.
std::optional<InitRead> ReadOf(std::string_view operand,
                               const std::vector<isa::Access>& accesses,
                               const Unwritten& unwritten) {
  std::vector<isa::Interval> bytes;
  InitRead read;
  read.operand = operand;
  std::int64_t lowest = 0;
  for (const isa::Access& access : accesses) {
    if (access.write || access.operand != operand) continue;
    read.memory = access.memory;
    for (const Piece& piece : unwritten.In(access.memory, BytesOf(access))) {
      if (bytes.empty() || piece.bytes.begin < lowest) {
        lowest = piece.bytes.begin;
        const auto known = [](std::int32_t step) {
          return step == Unwritten::kNoStep ? std::nullopt
                                            : std::optional(step);
        };
        read.earlier = known(piece.origin);
        read.left_by = known(piece.left_by);
      }
      bytes.push_back(piece.bytes);
    }
  }
  if (bytes.empty()) return std::nullopt;
  read.bytes = isa::IntervalSet(std::move(bytes));
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
                                Following following, Unwritten& unwritten) {
  const bool sink = IsSink(step, accesses);
  std::vector<InitRead> found;
  if (sink) {
    found = ReadsOf(accesses, unwritten);
  } else if (auto read = ReadOf(kAddresses, accesses, unwritten)) {
    found.push_back(*std::move(read));
  }
  const bool ends = sink && !following.gm;
  Step moving(ends ? Flow::kNone : FlowOf(step, accesses), step, number,
              accesses, following, unwritten);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const isa::Access& access = accesses[i];
    if (i > 0 && access.iteration != accesses[i - 1].iteration) {
      moving.EndIteration();
    }
    if (access.write) {
      moving.Write(access);
    } else {
      moving.Read(access);
    }
  }
  moving.EndOfReads();
  return found;
}

}  // namespace lanediff::lint
