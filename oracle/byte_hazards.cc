#include "oracle/byte_hazards.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/state.h"
#include "oracle/extended.h"

namespace lanediff::oracle {

using isa::Memory;
using isa::Pipe;

namespace {

/// One access of one byte.
struct Touch {
  std::size_t operation = 0;  ///< its number, which ascends with its step
  Pipe pipe = Pipe::kV;
  bool write = false;
  Toucher by;
};
using Byte = std::pair<Memory, std::int64_t>;

/// Every access of every byte, in program order.
std::map<Byte, std::vector<Touch>> TouchesOfBytes(
    const std::vector<Touching>& operations) {
  std::map<Byte, std::vector<Touch>> touches;
  for (std::size_t number = 0; number < operations.size(); ++number) {
    const Touching& operation = operations[number];
    for (const isa::Access& access : operation.accesses) {
      for (std::int64_t i = 0; i < access.bytes; ++i) {
        touches[{access.memory, access.at + i}].push_back(
            {number,
             operation.pipe,
             access.write,
             {operation.step, access.operand, access.iteration}});
      }
    }
  }
  return touches;
}

/// The hazards of one byte.
class RacesOfByte {
 public:
  RacesOfByte(const Byte& byte, const std::vector<Touch>& touches,
              const Before& before, std::vector<ByteHazard>& hazards)
      : byte_(byte), touches_(touches), before_(before), hazards_(hazards) {}

  void Find() {
    for (std::size_t b = 0; b < touches_.size(); ++b) {
      const auto w = LastWriteBefore(b);
      if (touches_[b].write) {
        LookAtWrite(b, w);
      } else if (w && IsUnordered(*w, b)) {
        Report(isa::sync::kRaw, *w, b);
      }
    }
  }

 private:
  std::optional<std::size_t> LastWriteBefore(std::size_t b) const {
    for (std::size_t a = b; a-- > 0;) {
      if (touches_[a].write) return a;
    }
    return std::nullopt;
  }

  /// Whether the accesses are of two steps that nothing orders.
  bool IsUnordered(std::size_t a, std::size_t b) const {
    const std::size_t earlier = touches_[a].operation;
    const std::size_t later = touches_[b].operation;
    return earlier != later && !before_[earlier][later];
  }

  void LookAtWrite(std::size_t b, std::optional<std::size_t> w) {
    if (w && touches_[*w].operation == touches_[b].operation) return;
    const std::size_t since = w ? *w + 1 : 0;
    bool is_read = false;
    for (std::size_t a = since; a < b; ++a) is_read |= !touches_[a].write;
    for (std::size_t p = 0; p < isa::kCount<Pipe>; ++p) {
      const auto r = LastRead(static_cast<Pipe>(p), since, b);
      if (r && IsUnordered(*r, b)) Report(isa::sync::kWar, *r, b);
    }
    if (w && !is_read && IsUnordered(*w, b)) Report(isa::sync::kWaw, *w, b);
  }

  /// The last read of the last step on `pipe` that came before the step of `b`.
  std::optional<std::size_t> LastRead(Pipe pipe, std::size_t since,
                                      std::size_t b) const {
    for (std::size_t a = b; a-- > since;) {
      const Touch& touch = touches_[a];
      if (!touch.write && touch.pipe == pipe &&
          touch.operation != touches_[b].operation) {
        return a;
      }
    }
    return std::nullopt;
  }

  void Report(isa::RuleId rule, std::size_t a, std::size_t b) {
    const Toucher& earlier = touches_[a].by;
    const Toucher& later = touches_[b].by;
    if (!reported_.emplace(rule, earlier.step, later.step).second) return;
    hazards_.push_back({rule, byte_.first, byte_.second, earlier, later});
  }

  const Byte& byte_;
  const std::vector<Touch>& touches_;
  const Before& before_;
  std::vector<ByteHazard>& hazards_;
  std::set<std::tuple<isa::RuleId, std::size_t, std::size_t>> reported_;
};

}  // namespace

std::vector<ByteHazard> FindRaces(const std::vector<Touching>& operations,
                                  const Before& before) {
  std::vector<ByteHazard> hazards;
  for (const auto& [byte, touches] : TouchesOfBytes(operations)) {
    RacesOfByte(byte, touches, before, hazards).Find();
  }
  return hazards;
}

std::vector<std::pair<std::size_t, std::size_t>> FindSharing(
    const std::vector<Touching>& operations) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [byte, touches] : TouchesOfBytes(operations)) {
    for (const Touch& b : touches) {
      for (const Touch& a : touches) {
        if (a.operation < b.operation && (a.write || b.write)) {
          pairs.emplace(a.operation, b.operation);
        }
      }
    }
  }
  return {pairs.begin(), pairs.end()};
}

std::vector<ByteHazard> FindUnwrittenReads(
    const std::vector<Touching>& operations,
    const HazardQuestion::Written& written) {
  std::vector<ByteHazard> hazards;
  auto known = written;
  for (const Touching& operation : operations) {
    std::set<std::tuple<std::string_view, Memory, std::int64_t>> reported;
    for (const isa::Access& access : operation.accesses) {
      auto& bytes = known[static_cast<std::size_t>(access.memory)];
      for (std::int64_t at = access.at; at < access.at + access.bytes; ++at) {
        const auto index = static_cast<std::size_t>(at);
        if (access.write) {
          bytes[index] = access.operand != kTmp.name;
        } else if (!bytes[index] &&
                   reported.emplace(access.operand, access.memory, at).second) {
          hazards.push_back(
              {isa::sync::kInitRead,
               access.memory,
               at,
               std::nullopt,
               {operation.step, access.operand, access.iteration}});
        }
      }
    }
  }
  return hazards;
}

}  // namespace lanediff::oracle
