#include "sanitizer/bit_lanes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <variant>

#include "isa/carried.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::lint {
namespace {

using Piece = Unwritten::Piece;

constexpr std::int64_t kRegisterBits = 128;

bool IsOneOf(std::string_view name, auto... names) {
  return (... || (name == names));
}

bool HasOperand(const isa::Carried& call, isa::OperandName name) {
  return std::ranges::any_of(call.operands,
                             [&](const auto& one) { return one.name == name; });
}

/// The bits of "0x…", lowest last, as many as there are digits for.
std::vector<bool> BitsOfHex(std::string_view hex) {
  std::vector<bool> bits;
  if (!hex.starts_with("0x")) return bits;
  hex.remove_prefix(2);
  while (!hex.empty()) {
    unsigned digit = 0;
    std::from_chars(hex.data() + hex.size() - 1, hex.data() + hex.size(), digit,
                    16);
    for (int i = 0; i < 4; ++i) bits.push_back((digit >> i & 1) != 0);
    hex.remove_suffix(1);
  }
  return bits;
}

/// The lanes of a mask with gaps; none where the first ones take part.
std::vector<std::int64_t> GapLanesOf(const isa::Carried& call) {
  std::vector<std::int64_t> lanes;
  const bool bits = isa::Find(call.parameters, "maskLow") != nullptr;
  if (!bits || !call.mask.masked || !call.mask.leaves) return lanes;
  for (std::int64_t lane = 0; lane < kRegisterBits; ++lane) {
    const std::uint64_t word =
        (*call.mask.leaves)[static_cast<std::size_t>(lane / 64)];
    if ((word >> (lane % 64) & 1) != 0) lanes.push_back(lane);
  }
  return lanes;
}

bool IsAlike(const Piece& a, const Piece& b) {
  return a.origin == b.origin && a.left_by == b.left_by;
}

/// Joins neighbours that came about alike.
void Append(std::int64_t lane, const Piece& from,
            std::vector<UnwrittenLanes>& lanes) {
  if (!lanes.empty() && lanes.back().end == lane &&
      IsAlike(lanes.back().from, from)) {
    ++lanes.back().end;
  } else {
    lanes.push_back({lane, lane + 1, from});
  }
}
/// What of each byte is unwritten; of what came about otherwise the last
/// stands.
class UnwrittenBits {
 public:
  void Add(std::int64_t at, const Piece& from, int bits) {
    const auto [found, is_new] = bytes_.try_emplace(at);
    Piece& piece = found->second;
    if (!is_new) bits |= piece.bits;
    piece = from;
    piece.bytes = {at, at + 1};
    piece.bits = static_cast<std::uint8_t>(bits);
  }
  /// Neighbours that are alike as one.
  std::vector<Piece> Pieces() const {
    std::vector<Piece> pieces;
    for (const auto& [at, piece] : bytes_) {
      if (!pieces.empty() && pieces.back().bytes.end == at &&
          pieces.back().bits == piece.bits && IsAlike(pieces.back(), piece)) {
        ++pieces.back().bytes.end;
      } else {
        pieces.push_back(piece);
      }
    }
    return pieces;
  }

 private:
  std::map<std::int64_t, Piece> bytes_;
};

}  // namespace

bool IsComparison(const isa::Carried& call) {
  return IsOneOf(call.name, "Compare", "Compares", "CompareScalar",
                 "SetCmpMask", "GetCmpMask") ||
         call.name.starts_with("vec_cmpv_") || call.name.starts_with("vcmpv_");
}
bool IsSelection(const isa::Carried& call) {
  return IsOneOf(call.name, "Select", "vec_sel", "vsel");
}
bool IsGathering(const isa::Carried& call) { return call.name == "GatherMask"; }
bool MovesBits(std::string_view op) {
  return IsOneOf(op, "And", "Or", "Not", "Copy", "DataCopyPad", "vand", "vor",
                 "vnot", "vec_and", "vec_or", "vec_not");
}

BitLanes::BitLanes(const isa::Carried& call,
                   const std::vector<isa::Access>& accesses)
    : call_(call),
      lanes_of_(GapLanesOf(call)),
      chosen_(BitsOfHex(isa::TextOf(call.parameters, "chosenLanes"))) {
  std::int64_t element = 1;
  std::map<std::int64_t, std::int64_t> written;
  for (const isa::Access& access : accesses) {
    const std::int64_t size = isa::SizeBytes(access.dtype);
    if (IsOneOf(access.operand, "src0", "src")) element = size;
    if (access.write) {
      most_lanes_ = std::max(most_lanes_,
                             written[access.iteration] += access.bytes / size);
    }
  }
  if (call.name == "SetCmpMask") mask_ = "src";
  if (IsGathering(call)) mask_ = "src1";
  writes_register_ = !HasOperand(call, isa::OperandName::kDst);
  reads_register_ = call.name == "GetCmpMask";
  if (!IsSelection(call)) return;
  mask_ = "mask";
  reads_register_ = !HasOperand(call, isa::OperandName::kMask);
  const bool is_same = isa::IntegerOf(call.parameters, "mode") == 0;
  if (reads_register_ || is_same ||
      isa::TextOf(call.parameters, "selMode") == "VSEL_CMPMASK_SPR") {
    repeats_ = isa::kIterationBytes / element;
  }
}

void BitLanes::AddBit(std::int64_t bit, const Piece& from,
                      std::vector<UnwrittenLanes>& lanes) const {
  std::int64_t lane = bit;
  if (!lanes_of_.empty()) {
    const auto found = std::ranges::find(lanes_of_, bit);
    if (found == lanes_of_.end()) return;
    lane = found - lanes_of_.begin();
  }
  if (repeats_ > 0 && lane >= repeats_) return;
  do {
    Append(lane, from, lanes);
    lane += repeats_;
  } while (repeats_ > 0 && lane < most_lanes_);
}

void BitLanes::ReadMask(std::int64_t at, const Piece& piece,
                        std::vector<UnwrittenLanes>& lanes) const {
  for (std::int64_t byte = piece.bytes.begin; byte < piece.bytes.end; ++byte) {
    for (std::int64_t i = 0; i < 8; ++i) {
      if ((piece.bits >> i & 1) == 0) continue;
      const std::int64_t bit = (byte - at) * 8 + i;
      if (!IsGathering(call_)) {
        AddBit(bit, piece, lanes);
      } else if (bit < elements_) {
        // Where what follows lies depends on it.
        lanes.push_back({0, most_lanes_, piece});
        return;
      }
    }
  }
}

void BitLanes::ReadElements(std::string_view operand,
                            const UnwrittenLanes& elements,
                            std::vector<UnwrittenLanes>& lanes) const {
  const auto is_chosen = [&](std::int64_t lane) {
    const auto number = static_cast<std::size_t>(before_ + lane);
    return number < chosen_.size() && chosen_[number];
  };
  if (IsGathering(call_)) {
    if (chosen_.empty()) {
      lanes.push_back({0, most_lanes_, elements.from});
      return;
    }
    std::int64_t to = 0;
    for (std::int64_t lane = 0; lane < elements.end; ++lane) {
      if (!is_chosen(lane)) continue;
      if (lane >= elements.first) Append(to, elements.from, lanes);
      ++to;
    }
    return;
  }
  const bool selects = IsSelection(call_) && !chosen_.empty();
  if (!selects && (IsSelection(call_) || lanes_of_.empty())) {
    lanes.push_back(elements);
    return;
  }
  for (std::int64_t lane = elements.first; lane < elements.end; ++lane) {
    if (selects) {
      if (is_chosen(lane) != (operand == "src0")) continue;
      Append(lane, elements.from, lanes);
    } else if (lane < std::ssize(lanes_of_)) {
      Append(lanes_of_[static_cast<std::size_t>(lane)], elements.from, lanes);
    }
  }
}

void BitLanes::ReadRegister(const Unwritten& unwritten,
                            std::vector<UnwrittenLanes>& lanes) const {
  if (!reads_register_) return;
  for (const Piece& piece : unwritten.InCompareMask()) {
    ReadMask(0, piece, lanes);
  }
}

void BitLanes::CountElements(const isa::Access& access) {
  if (access.write || !IsOneOf(access.operand, "src0", "src")) return;
  elements_ += access.bytes / isa::SizeBytes(access.dtype);
}

void BitLanes::EndIteration() {
  before_ += elements_;
  elements_ = 0;
}

std::vector<Piece> BitLanes::Joined(const isa::Access& access,
                                    std::int64_t first,
                                    const std::vector<UnwrittenLanes>& bytes) {
  UnwrittenBits joined;
  for (const UnwrittenLanes& one : bytes) {
    const std::int64_t end = std::min(one.end - first, access.bytes);
    for (std::int64_t i = std::max<std::int64_t>(one.first - first, 0); i < end;
         ++i) {
      joined.Add(access.at + i, one.from, one.from.bits);
    }
  }
  return joined.Pieces();
}

std::vector<Piece> BitLanes::Results(const isa::Access& access,
                                     const std::vector<UnwrittenLanes>& lanes) {
  UnwrittenBits results;
  for (const UnwrittenLanes& one : lanes) {
    const std::int64_t end = std::min(one.end, access.bytes * 8);
    for (std::int64_t lane = one.first; lane < end; ++lane) {
      results.Add(access.at + lane / 8, one.from, 1 << (lane % 8));
    }
  }
  return results.Pieces();
}

void BitLanes::WriteRegister(const std::vector<UnwrittenLanes>& lanes,
                             Unwritten& unwritten,
                             const Computed& computed) const {
  std::array<Piece, kRegisterBits / 8> bytes;
  for (Piece& piece : bytes) piece.bits = 0;
  for (const Piece& piece : unwritten.InCompareMask()) {
    for (std::int64_t at = piece.bytes.begin; at < piece.bytes.end; ++at) {
      bytes[static_cast<std::size_t>(at)] = piece;
    }
  }
  const std::int64_t written =
      call_.name == "SetCmpMask" ? kRegisterBits : elements_;
  for (std::int64_t i = 0; i < written; ++i) {
    const bool gaps = !lanes_of_.empty();
    if (gaps && i >= std::ssize(lanes_of_)) break;
    const std::int64_t lane = gaps ? lanes_of_[static_cast<std::size_t>(i)] : i;
    if (lane >= kRegisterBits) break;
    bytes[static_cast<std::size_t>(lane / 8)].bits &=
        static_cast<std::uint8_t>(~(1 << (lane % 8)));
  }
  const isa::Access all{.operand = "dst", .at = 0, .bytes = kRegisterBits / 8};
  for (const Piece& piece : Results(all, lanes)) {
    for (std::int64_t at = piece.bytes.begin; at < piece.bytes.end; ++at) {
      Piece& byte = bytes[static_cast<std::size_t>(at)];
      const std::uint8_t bits = byte.bits | piece.bits;
      byte = computed(piece);
      byte.bits = bits;
    }
  }
  unwritten.WriteCompareMask();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i].bits == 0) continue;
    const auto at = static_cast<std::int64_t>(i);
    bytes[i].bytes = {at, at + 1};
    unwritten.TaintCompareMask(bytes[i]);
  }
}

}  // namespace lanediff::lint
