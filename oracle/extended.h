#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/memories.h"
#include "isa/operand.h"
#include "isa/vocabulary.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"

/// What the instructions share in running calls that break rules: whether the
/// bytes of a call can be listed, and the reasons why not. docs/semantics.md
/// has the result of an illegal call.
namespace lanediff::oracle {

/// Nothing, or why a call has no natural extension: a short constant text.
using Extended = std::expected<void, std::string_view>;

/// Bounds of what one call is listed and run for. Legal calls on memories of a
/// product's capacities stay far below them.
inline constexpr std::int64_t kMaxAccesses = 1'000'000;
inline constexpr std::int64_t kMaxBytes = 16 << 20;

namespace reason {
inline constexpr std::string_view kTooMuch =
    "more than 1000000 accesses or 16 MiB";
inline constexpr std::string_view kNoArithmetic = "no arithmetic for this type";
inline constexpr std::string_view kNegativeRepeat = "a negative repeat";
inline constexpr std::string_view kNegativeCount = "a negative count or length";
inline constexpr std::string_view kNoSuchLanes =
    "a number of lanes that an iteration does not have";
}  // namespace reason

/// An operand's name and the reasons that name it.
struct OperandName {
  std::string_view name;
  std::string_view no_memory;
  std::string_view outside;
};
inline constexpr OperandName kDst{"dst", "dst's position has no memory here",
                                  "dst would reach outside its memory"};
inline constexpr OperandName kSrc{"src", "src's position has no memory here",
                                  "src would reach outside its memory"};
inline constexpr OperandName kSrc0{"src0", "src0's position has no memory here",
                                   "src0 would reach outside its memory"};
inline constexpr OperandName kSrc1{"src1", "src1's position has no memory here",
                                   "src1 would reach outside its memory"};
inline constexpr OperandName kSelMask{"selMask",
                                      "selMask's position has no memory here",
                                      "selMask would reach outside its memory"};
inline constexpr OperandName kTmp{"tmp", "tmp's position has no memory here",
                                  "tmp would reach outside its memory"};
static_assert(isa::kTileRows.front().tiles[isa::Call::kTmpTile].name ==
              kTmp.name);
/// Of an operand of a call, which is no tile.
constexpr const OperandName& NameOf(std::string_view operand) {
  return operand == kDst.name       ? kDst
         : operand == kSrc0.name    ? kSrc0
         : operand == kSrc1.name    ? kSrc1
         : operand == kSelMask.name ? kSelMask
                                    : kSrc;
}

/// Whether `times` times so many accesses, of so many bytes in all, are more
/// than a call is run for. `times` is at most `kMany`, the others below 2^70.
bool IsTooMuch(std::int64_t times, Address accesses, Address bytes);

/// Whether the bytes [span.first, span.end) lie in `memory`.
bool SpanIsInMemory(const ByteSpan& span, isa::Memory memory,
                    const isa::Memories& memories);

/// Lanes of an operand that a vector call reads or writes.
struct LanesOfOperand {
  const OperandName& name;
  std::optional<isa::Memory> memory;  ///< nothing: its position has none
  const LaneList& list;
};

/// The same for a vector call over these operands.
bool IsTooMuch(std::int64_t iterations,
               const std::vector<LanesOfOperand>& operands);

/// The memory that holds all lanes of all iterations; nothing where some lie
/// outside, the position has none, or nothing is read or written.
std::optional<isa::Memory> HomeOf(const LanesOfOperand& lanes,
                                  std::int64_t iterations,
                                  const isa::Memories& memories);

/// Whether a vector call over these operands can be run: every lane inside its
/// memory, and not too much.
Extended CanRun(const std::vector<LanesOfOperand>& operands,
                std::int64_t iterations, const isa::Memories& memories);

/// *-BOUNDS for one operand, as far as it has an answer: the window outside its
/// memory or, where the lanes are known, some of them outside the window. Not
/// broken where the position has no memory.
bool BreaksBounds(const isa::Operand& operand,
                  std::optional<isa::Memory> memory,
                  const isa::Memories& memories);
bool BreaksBounds(const isa::Operand& operand, const LanesOfOperand& lanes,
                  std::int64_t iterations, const isa::Memories& memories);

}  // namespace lanediff::oracle
