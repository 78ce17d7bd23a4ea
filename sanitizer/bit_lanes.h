#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "isa/access.h"
#include "isa/carried.h"
#include "sanitizer/unwritten.h"

namespace lanediff::lint {

/// Units of one iteration, lanes or bytes, that are computed from `from`.
struct UnwrittenLanes {
  std::int64_t first = 0;
  std::int64_t end = 0;
  Unwritten::Piece from;
};

/// Which calls have a bit for each lane: results of comparisons in memory or in
/// the compare mask register, and what reads them.
bool IsComparison(const isa::Carried& call);
bool IsSelection(const isa::Carried& call);
bool IsGathering(const isa::Carried& call);
/// Each bit is computed from the bits of the same place.
bool MovesBits(std::string_view op);

/// The lanes of such a call and their bits, iteration by iteration.
class BitLanes {
 public:
  BitLanes(const isa::Carried& call, const std::vector<isa::Access>& accesses);

  /// Whether the operand has bits instead of elements.
  bool IsMask(std::string_view operand) const { return operand == mask_; }
  /// Lanes whose bits are in `piece`, of an access that begins at `at`.
  void ReadMask(std::int64_t at, const Unwritten::Piece& piece,
                std::vector<UnwrittenLanes>& lanes) const;
  /// What becomes of unwritten elements that are read: lanes of results.
  void ReadElements(std::string_view operand, const UnwrittenLanes& elements,
                    std::vector<UnwrittenLanes>& lanes) const;
  void ReadRegister(const Unwritten& unwritten,
                    std::vector<UnwrittenLanes>& lanes) const;
  void CountElements(const isa::Access& access);
  void EndIteration();

  /// The bytes of `access`, which holds results, with unwritten bits. Of lanes
  /// that share a byte the last ones stand.
  static std::vector<Unwritten::Piece> Results(
      const isa::Access& access, const std::vector<UnwrittenLanes>& lanes);

  /// The same of calls that move bits: lanes are bytes, `first` is that at
  /// which the access begins. What any source has unwritten is.
  static std::vector<Unwritten::Piece> Joined(
      const isa::Access& access, std::int64_t first,
      const std::vector<UnwrittenLanes>& bytes);

  bool WritesRegister() const { return writes_register_; }
  using Computed = std::function<Unwritten::Piece(const Unwritten::Piece&)>;
  /// Lanes that take no part keep their bits.
  void WriteRegister(const std::vector<UnwrittenLanes>& lanes,
                     Unwritten& unwritten, const Computed& computed) const;

 private:
  /// Adds the lanes of results that a mask's bit decides.
  void AddBit(std::int64_t bit, const Unwritten::Piece& from,
              std::vector<UnwrittenLanes>& lanes) const;

  const isa::Carried& call_;
  std::string_view mask_;  ///< the operand that has bits
  bool reads_register_ = false;
  bool writes_register_ = false;
  /// One iteration's bits are used for all: 0, or how many.
  std::int64_t repeats_ = 0;
  std::int64_t most_lanes_ = 0;  ///< of an iteration
  /// Which lanes the elements of an iteration are of, unless the first ones.
  std::vector<std::int64_t> lanes_of_;
  /// Select: elements that are src0's; GatherMask: those that are picked.
  /// Empty: not known.
  std::vector<bool> chosen_;
  std::int64_t elements_ = 0;  ///< of this iteration
  std::int64_t before_ = 0;    ///< of those before
};

}  // namespace lanediff::lint
