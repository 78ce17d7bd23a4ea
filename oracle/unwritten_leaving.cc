#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "isa/state.h"
#include "oracle/byte_hazards.h"
#include "oracle/call_operations.h"
#include "oracle/call_rules.h"
#include "oracle/extended.h"
#include "oracle/memory_map.h"

/// INIT-READ with propagate: unwritten bytes may travel, and are reported where
/// they leave.
namespace lanediff::oracle {

using isa::Access;
using isa::Memory;

namespace {

/// Of a byte that doesn't count as written: the step that first read it, or
/// what it was computed from, when nothing had written that.
struct Unwritten {
  std::optional<std::size_t> first_read;
};
/// Nothing: the byte is written.
using ByteState = std::optional<Unwritten>;

/// What is computed from both in step `reader`.
ByteState Joined(const ByteState& a, const ByteState& b, std::size_t reader) {
  if (!a && !b) return std::nullopt;
  std::size_t first = reader;
  if (a) first = std::min(first, a->first_read.value_or(reader));
  if (b) first = std::min(first, b->first_read.value_or(reader));
  return Unwritten{first};
}

/// The state of each byte; those that nothing has changed are as at the start.
class States {
 public:
  explicit States(const HazardQuestion::Written& written) : written_(written) {}
  ByteState& At(Memory memory, std::int64_t at) {
    const auto [place, is_new] = changed_.try_emplace({memory, at});
    const auto& marks = written_[static_cast<std::size_t>(memory)];
    if (is_new && !marks[static_cast<std::size_t>(at)]) {
      place->second = Unwritten{};
    }
    return place->second;
  }

 private:
  const HazardQuestion::Written& written_;
  std::map<std::pair<Memory, std::int64_t>, ByteState> changed_;
};

/// How what is read becomes what is written.
enum class Way {
  kLanes,
  kBits,
  kGroups,
  kWhole,
  kBytes,
  kTransposed,
  kBlocks,
  kNone
};

Way WayOf(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return Way::kNone;
  switch (call->signature->family) {
    case isa::Family::kLanewise:
      if (call->signature->PacksBits()) return Way::kBits;
      return OperationOf(*call).bit_by_bit ? Way::kBytes : Way::kLanes;
    case isa::Family::kCopy:
      return Way::kBytes;
    case isa::Family::kTranspose:
      return Way::kTransposed;
    case isa::Family::kBroadcast:
      return Way::kBlocks;
    case isa::Family::kReduction:
      return call->Has(isa::Param::kReduceOrder) ? Way::kWhole : Way::kGroups;
    case isa::Family::kTile:
      break;
  }
  return Way::kWhole;  // products
}

/// Byte `offset` of a 16 by 16 matrix of 16 bits is this one of its transpose.
std::int64_t TransposedByte(std::int64_t offset) {
  const std::int64_t row = offset / 32;
  const std::int64_t column = offset / 2 % 16;
  return column * 32 + row * 2 + offset % 2;
}

/// One iteration of a call: accesses that read, and then those that write.
class Iteration {
 public:
  Iteration(const Touching& operation, States& states)
      : operation_(operation), states_(states), way_(WayOf(*operation.call)) {}

  /// Notes what the byte at `offset` of the access holds.
  void Read(const Access& access, std::int64_t offset) {
    const ByteState& state = states_.At(access.memory, access.at + offset);
    ByteState& place = read_[PlaceOf(access, offset)];
    place = Joined(place, state, operation_.step);
  }
  void Write(const Access& access, std::int64_t offset) {
    std::int64_t place = PlaceOf(access, offset);
    if (way_ == Way::kTransposed) place = TransposedByte(place);
    ByteState& state = states_.At(access.memory, access.at + offset);
    if (access.operand == kTmp.name) {
      state = Unwritten{};
      return;
    }
    // What has left was reported then: it counts as written in GM, and
    // so does what a TROWPROD computes from it.
    const bool left = access.memory == Memory::kGm ||
                      isa::IsOf(*operation_.call, isa::Family::kTile);
    const auto found = left ? read_.end() : read_.find(place);
    state = found == read_.end() ? std::nullopt : found->second;
  }

 private:
  /// What of the iteration belongs together: a lane, the lanes of a result,
  /// everything, an element, a byte.
  std::int64_t PlaceOf(const Access& access, std::int64_t offset) const {
    const std::int64_t element = ElementBytes(access.dtype);
    switch (way_) {
      case Way::kLanes:
        return access.lane + offset / element;
      case Way::kBits:  // of dst the number of the byte, of eight lanes
        return access.write ? offset : (access.lane + offset / element) / 8;
      case Way::kGroups: {
        // Of dst the number of the result.
        const std::int64_t lane = access.lane + offset / element;
        if (access.write) return lane;
        return lane / LanesOfResult(std::get<isa::Call>(*operation_.call));
      }
      case Way::kBlocks: {
        // Of dst the number of the DataBlock.
        const std::int64_t lane = access.lane + offset / element;
        return access.write ? lane * element / 32 : lane;
      }
      case Way::kBytes:
        if (Converts()) return offset / element;
        return access.lane * element + offset;
      case Way::kTransposed:
        return access.lane * element + offset;
      case Way::kWhole:
      case Way::kNone:
        break;
    }
    return 0;
  }
  bool Converts() const {
    const Access& a = operation_.accesses.front();
    const Access& b = operation_.accesses[1];
    return a.dtype != b.dtype;
  }

  const Touching& operation_;
  States& states_;
  Way way_;
  std::map<std::int64_t, ByteState> read_;
};

/// Whether what the operation reads leaves the core, or is reported at once: of
/// a tile all that is valid counts.
bool Leaves(const Touching& operation) {
  if (std::holds_alternative<isa::GetValue>(*operation.call) ||
      isa::IsOf(*operation.call, isa::Family::kTile)) {
    return true;
  }
  return isa::IsOf(*operation.call, isa::Family::kCopy) &&
         std::ranges::any_of(operation.accesses, [](const Access& access) {
           return access.write && access.memory == Memory::kGm;
         });
}

class Leaving {
 public:
  explicit Leaving(const HazardQuestion::Written& written) : states_(written) {}

  void Execute(const Touching& operation) {
    reported_.clear();
    const std::span all(operation.accesses);
    std::size_t i = 0;
    while (i < all.size()) {  // reads, then writes, of one iteration
      Iteration iteration(operation, states_);
      for (; i < all.size() && !all[i].write; ++i) {
        for (std::int64_t k = 0; k < all[i].bytes; ++k) {
          iteration.Read(all[i], k);
          if (Leaves(operation)) LookAt(operation, all[i], k);
        }
      }
      for (; i < all.size() && all[i].write; ++i) {
        for (std::int64_t k = 0; k < all[i].bytes; ++k) {
          iteration.Write(all[i], k);
        }
      }
    }
  }

  std::vector<ByteHazard> hazards;

 private:
  void LookAt(const Touching& operation, const Access& access,
              std::int64_t offset) {
    const std::int64_t at = access.at + offset;
    const ByteState& state = states_.At(access.memory, at);
    if (!state) return;
    if (!reported_.emplace(access.operand, access.memory, at).second) return;
    ByteHazard& hazard = hazards.emplace_back();
    hazard.rule = isa::sync::kInitRead;
    hazard.memory = access.memory;
    hazard.at = at;
    if (state->first_read) hazard.earlier = Toucher{.step = *state->first_read};
    hazard.later = {operation.step, access.operand, access.iteration};
  }

  States states_;
  std::set<std::tuple<std::string_view, Memory, std::int64_t>> reported_;
};

}  // namespace

std::vector<ByteHazard> FindUnwrittenLeaving(
    const std::vector<Touching>& operations,
    const HazardQuestion::Written& written) {
  Leaving leaving(written);
  for (const Touching& operation : operations) leaving.Execute(operation);
  return std::move(leaving.hazards);
}

}  // namespace lanediff::oracle
