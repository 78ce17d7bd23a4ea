#include "differential/compare/unspecified.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "differential/memory/memory_set.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "oracle/oracle.h"

namespace lanediff::diff {
namespace {

using isa::Access;
using isa::Interval;
using isa::IntervalSet;
using isa::Param;
using ByteSets = isa::PerMemory<IntervalSet>;
/// What one iteration accesses, its reads before its writes.
using Iteration = std::span<const Access>;

IntervalSet UnspecifiedIn(const Access& access, const ByteSets& unspecified) {
  return unspecified[access.memory].In(BytesOf(access));
}

/// Everything that is written, if anything that is read is unspecified.
std::vector<ByteRange> AsAWhole(Iteration iteration,
                                const ByteSets& unspecified) {
  const bool spreads = std::ranges::any_of(iteration, [&](const Access& a) {
    return !a.write && !UnspecifiedIn(a, unspecified).empty();
  });
  std::vector<ByteRange> spread;
  for (const Access& access : iteration) {
    if (!spreads || !access.write) continue;
    spread.push_back({access.memory, access.at, access.bytes});
  }
  return spread;
}

std::int64_t ElementBytes(const Access& access) {
  return isa::SizeBytes(access.dtype);
}

/// The units that are written under the number of one that is read and
/// unspecified. `bytes_of(access)`: bytes of a unit.
template <class UnitBytes>
std::vector<ByteRange> UnitByUnit(Iteration iteration, UnitBytes bytes_of,
                                  const ByteSets& unspecified) {
  IntervalSet units;
  std::vector<ByteRange> spread;
  for (const Access& access : iteration) {
    const std::int64_t bytes = bytes_of(access);
    const std::int64_t first = access.lane * ElementBytes(access) / bytes;
    const std::int64_t end = first + access.bytes / bytes;
    const auto place = [&](std::int64_t unit) {
      return access.at + (unit - first) * bytes;
    };
    if (access.write) {
      for (const Interval& run : units.In({first, end})) {
        spread.push_back({access.memory, place(run.begin),
                          place(run.end) - place(run.begin)});
      }
      continue;
    }
    for (const Interval& run : UnspecifiedIn(access, unspecified)) {
      units.Insert({first + (run.begin - access.at) / bytes,
                    first + (run.end - access.at + bytes - 1) / bytes});
    }
  }
  return spread;
}

/// The results whose lanes include one that is unspecified.
std::vector<ByteRange> ResultByResult(const isa::Call& call,
                                      Iteration iteration,
                                      const ByteSets& unspecified) {
  const std::int64_t element = isa::SizeBytes(call.dtype);
  const std::int64_t lanes = isa::LanesOfResult(call.signature->group, element);
  IntervalSet results;
  std::vector<ByteRange> spread;
  for (const Access& access : iteration) {
    const auto number = [&](std::int64_t byte) {
      return access.lane + (byte - access.at) / element;
    };
    if (!access.write) {
      for (const Interval& run : UnspecifiedIn(access, unspecified)) {
        results.Insert(
            {number(run.begin) / lanes, number(run.end - 1) / lanes + 1});
      }
      continue;
    }
    const Interval written{access.lane, access.lane + access.bytes / element};
    for (const Interval& run : results.In(written)) {
      spread.push_back({access.memory,
                        access.at + (run.begin - access.lane) * element,
                        run.size() * element});
    }
  }
  return spread;
}

/// Of 16 by 16 elements, row by row in both.
std::vector<ByteRange> Transposed(Iteration iteration,
                                  const ByteSets& unspecified) {
  constexpr std::int64_t kSide = 16;
  const Access& from = iteration.front();
  const Access& to = iteration.back();
  const std::int64_t bytes = from.bytes / (kSide * kSide);
  IntervalSet moved;  // in few runs, however often a matrix is transposed
  for (const Interval& run : UnspecifiedIn(from, unspecified)) {
    for (std::int64_t at = run.begin; at < run.end; ++at) {
      const std::int64_t element = (at - from.at) / bytes;
      const std::int64_t place = element % kSide * kSide + element / kSide;
      const std::int64_t byte = to.at + place * bytes + (at - from.at) % bytes;
      moved.Insert({byte, byte + 1});
    }
  }
  std::vector<ByteRange> spread;
  for (const Interval& run : moved) {
    spread.push_back({to.memory, run.begin, run.size()});
  }
  return spread;
}

/// What `call` pads its blocks with where no document states that: in memory
/// of `size` bytes, or nothing.
IntervalSet OpenPadding(const isa::Call& call, std::int64_t size) {
  constexpr std::int64_t kMostBlocks = 1'000'000;  // that anybody executes
  if (!call.Has(Param::kIsPad) || call.is_pad) return {};
  const std::int64_t left = call[Param::kLeftPadding];
  const std::int64_t right = call[Param::kRightPadding];
  const std::int64_t bytes = call[Param::kBlockLen];
  const std::int64_t whole = isa::FootprintsOfMove(call)[0].first;
  if ((left == 0 && right == 0) || left < 0 || right < 0 || bytes <= 0 ||
      whole > size || call[Param::kBlockCount] > kMostBlocks) {
    return {};
  }
  const std::int64_t front = left * isa::SizeBytes(call.dtype);
  const std::int64_t gap =
      std::clamp(call[Param::kDstGap], -isa::kFarAway, isa::kFarAway);
  IntervalSet blocks;
  IntervalSet copied;
  std::int64_t at = call.dst().at;
  for (std::int64_t i = 0; i < call[Param::kBlockCount]; ++i) {
    if (at < 0 || at > size - whole) return {};
    blocks.Append({at, at + whole});
    copied.Append({at + front, at + front + bytes});
    at += whole + gap * isa::kDataBlockBytes;
  }
  blocks.Tidy();
  copied.Tidy();
  return Without(blocks, copied);
}

/// What becomes unspecified of what one iteration of `call` writes.
std::vector<ByteRange> Spread(const isa::Call& call, Iteration iteration,
                              const ByteSets& unspecified) {
  switch (call.signature->family) {
    case isa::Family::kLanewise:
      if (call.signature->PacksBits()) break;
      if (call.signature->Has(isa::Param::kSelMode)) break;
      return UnitByUnit(iteration, ElementBytes, unspecified);
    case isa::Family::kCopy: {
      const bool converts = iteration.front().dtype != iteration.back().dtype;
      const auto bytes_of = [&](const Access& access) {
        return converts ? ElementBytes(access) : 1;
      };
      return UnitByUnit(iteration, bytes_of, unspecified);
    }
    case isa::Family::kTranspose:
      return Transposed(iteration, unspecified);
    case isa::Family::kBroadcast: {
      const auto bytes_of = [](const Access& access) {
        return access.write ? isa::kDataBlockBytes : ElementBytes(access);
      };
      return UnitByUnit(iteration, bytes_of, unspecified);
    }
    case isa::Family::kReduction:
      // Value and index depend on every lane.
      if (call.signature->Has(isa::Param::kReduceOrder)) break;
      return ResultByResult(call, iteration, unspecified);
    case isa::Family::kTile:
      break;
  }
  return AsAWhole(iteration, unspecified);
}

/// An element that is compared by its distance.
struct OpenElement {
  isa::DType dtype;
  std::string_view op;

  std::int64_t bytes() const { return isa::SizeBytes(dtype); }
};
/// By where they begin.
using OpenElements = isa::PerMemory<std::map<std::int64_t, OpenElement>>;

/// Calls `visit(at, element)` for those that lie in `access` as a whole.
template <class Visit>
void ForEachIn(const Access& access, const OpenElements& open,
               const Visit& visit) {
  const auto& all = open[access.memory];
  for (auto one = all.lower_bound(access.at);
       one != all.end() &&
       one->first + one->second.bytes() <= access.at + access.bytes;
       ++one) {
    visit(one->first, one->second);
  }
}

/// Where byte `at` of one that is read comes to stand in one that is written.
using PlaceIn = std::optional<std::int64_t> (*)(const Access& from,
                                                std::int64_t at,
                                                const Access& to);

std::optional<std::int64_t> SameNumber(const Access& from, std::int64_t at,
                                       const Access& to) {
  return to.at + at - from.at +
         (from.lane - to.lane) * isa::SizeBytes(from.dtype);
}

std::optional<std::int64_t> OtherSide(const Access& from, std::int64_t at,
                                      const Access& to) {
  constexpr std::int64_t kSide = 16;
  const std::int64_t bytes = from.bytes / (kSide * kSide);
  const std::int64_t element = (at - from.at) / bytes;
  if ((at - from.at) % bytes != 0) return std::nullopt;
  return to.at + (element % kSide * kSide + element / kSide) * bytes;
}

/// The whole elements that `call` copies in one iteration, as they come to
/// stand.
OpenElements CopiesIn(const isa::Call& call, Iteration iteration,
                      const OpenElements& open) {
  OpenElements copies;
  // Other lane-wise calls that do not compute change bits.
  const bool copies_lanes =
      call.Is(isa::Family::kLanewise) &&
      isa::HasRule(*call.signature, isa::CallRule::kRoute);
  const bool transposes = call.Is(isa::Family::kTranspose);
  const isa::Instruction* const known = isa::InstructionOf(isa::Step(call));
  if (known->arithmetic || iteration.empty() ||
      iteration.front().dtype != iteration.back().dtype ||
      !(transposes || call.Is(isa::Family::kCopy) || copies_lanes)) {
    return copies;
  }
  const PlaceIn place = transposes ? OtherSide : SameNumber;
  for (const Access& from : iteration) {
    if (from.write) continue;
    ForEachIn(from, open, [&](std::int64_t at, const OpenElement& element) {
      for (const Access& to : iteration) {
        const auto there = place(from, at, to);
        if (!to.write || !there || *there < to.at ||
            *there + element.bytes() > to.at + to.bytes) {
          continue;
        }
        copies[to.memory].insert_or_assign(*there, element);
      }
    });
  }
  return copies;
}

/// Follows a program.
class Tracker {
 public:
  explicit Tracker(const Case& c)
      : case_(c), memory_(c), oracle_(c.profile(), memory_.view()) {}

  void Take(const isa::Step& step) {
    if (oracle_.Execute(step).status == isa::StepResult::Status::kRejected) {
      static_cast<void>(oracle_.ExecuteExtended(step));
    }
    Write(step, oracle_.accesses());
    AddOpenResults(step);
    for (const ByteRange& range : ScratchOf(case_, step)) Add(range);
  }

  Undetermined Ranges() const {
    Undetermined result;
    for (isa::Memory m : kAllMemories) {
      IntervalSet unspecified = unspecified_[m];
      for (const auto& [at, element] : open_[m]) {
        unspecified.Erase({at, at + element.bytes()});
        auto& runs = result.open;
        if (runs.empty() || runs.back().memory != m ||
            runs.back().at + runs.back().bytes != at ||
            runs.back().dtype != element.dtype ||
            runs.back().op != element.op) {
          runs.push_back({{m, at, 0}, element.dtype, element.op});
        }
        runs.back().bytes += element.bytes();
      }
      for (const Interval& run : unspecified) {
        result.unspecified.push_back({m, run.begin, run.size()});
      }
    }
    return result;
  }

 private:
  void Add(const ByteRange& range) {
    unspecified_[range.memory].Insert({range.at, range.at + range.bytes});
    Forget({range.at, range.at + range.bytes}, open_[range.memory]);
  }

  /// What is left of an element of which a part is written stays unspecified.
  static void Forget(const Interval& bytes,
                     std::map<std::int64_t, OpenElement>& open) {
    constexpr std::int64_t kWidest = 8;
    auto one = open.lower_bound(bytes.begin - kWidest + 1);
    while (one != open.end() && one->first < bytes.end) {
      one = one->first + one->second.bytes() > bytes.begin ? open.erase(one)
                                                           : std::next(one);
    }
  }

  void AddOpen(isa::Memory memory, std::int64_t at, OpenElement element) {
    Add({memory, at, element.bytes()});
    open_[memory].insert_or_assign(at, element);
  }

  /// Those of the step that were computed from what is determined.
  void AddOpenResults(const isa::Step& step) {
    for (const Access& run : oracle_.open_results()) {
      const std::int64_t size = ElementBytes(run);
      for (std::int64_t at = run.at; at < run.at + run.bytes; at += size) {
        if (unspecified_[run.memory].Intersects({at, at + size})) continue;
        AddOpen(run.memory, at, {run.dtype, isa::OpName(step)});
      }
    }
  }

  void Write(const isa::Step& step, Iteration accesses) {
    if (std::ranges::all_of(unspecified_, &IntervalSet::empty)) return;
    while (!accesses.empty()) {
      const auto end = std::ranges::find_if_not(accesses, [&](const Access& a) {
        return a.iteration == accesses.front().iteration;
      });
      const auto size =
          static_cast<std::size_t>(std::distance(accesses.begin(), end));
      WriteIteration(step, accesses.first(size));
      accesses = accesses.subspan(size);
    }
  }

  void WriteIteration(const isa::Step& step, Iteration iteration) {
    std::vector<ByteRange> spread;  // what other steps write is known
    OpenElements copies;
    if (const auto* const call = std::get_if<isa::Call>(&step)) {
      spread = Spread(*call, iteration, unspecified_);
      if (!spread.empty()) copies = CopiesIn(*call, iteration, open_);
    }
    for (const Access& access : iteration) {
      if (!access.write) continue;
      unspecified_[access.memory].Erase(BytesOf(access));
      Forget(BytesOf(access), open_[access.memory]);
    }
    for (const ByteRange& range : spread) Add(range);
    for (isa::Memory m : kAllMemories) {
      for (const auto& [at, element] : copies[m]) AddOpen(m, at, element);
    }
  }

  const Case& case_;
  MemorySet memory_;
  oracle::Oracle oracle_;
  ByteSets unspecified_;  ///< with the bytes of open elements
  OpenElements open_;
};

}  // namespace

std::vector<ByteRange> ScratchOf(const Case& c, const isa::Step& step) {
  std::vector<ByteRange> ranges;
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return ranges;
  const std::span tiles = call->used_tiles();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (!call->signature->tiles[i].is_scratch) continue;
    const isa::Memory memory = isa::MemoryAt(c.product, tiles[i].position);
    const std::int64_t at = tiles[i].at;
    const std::int64_t size = SizeOf(c, memory);
    const auto bytes =
        isa::TileBytes(tiles[i], tiles[i].dtype.value_or(call->dtype));
    if (at < 0 || at > size || !bytes || *bytes > size - at) continue;
    if (*bytes > 0) ranges.push_back({memory, at, *bytes});
  }
  if (!call->Is(isa::Family::kCopy)) return ranges;
  const isa::Memory memory = isa::MemoryAt(c.product, call->dst().position);
  for (const Interval& run : OpenPadding(*call, SizeOf(c, memory))) {
    ranges.push_back({memory, run.begin, run.size()});
  }
  return ranges;
}

void CopyRanges(const std::vector<ByteRange>& ranges, const MemorySet& from,
                MemorySet& to) {
  for (const ByteRange& range : ranges) {
    std::copy_n(from[range.memory].begin() + range.at, range.bytes,
                to[range.memory].begin() + range.at);
  }
}

std::int64_t BytesIn(const std::vector<ByteRange>& ranges) {
  std::int64_t bytes = 0;
  for (const ByteRange& range : ranges) bytes += range.bytes;
  return bytes;
}

std::vector<ByteRange> UnspecifiedAfter(const Case& c, std::size_t steps) {
  return UndeterminedAfter(c, steps).unspecified;
}

Undetermined UndeterminedAfter(const Case& c, std::size_t steps) {
  const std::span program = std::span(c.program).first(steps);
  const auto leaves_open = [](const isa::Step& step) {
    const auto* const call = std::get_if<isa::Call>(&step);
    return call != nullptr && call->signature->LeavesOpen();
  };
  const auto first = std::ranges::find_if(program, [&](const isa::Step& step) {
    return leaves_open(step) || !ScratchOf(c, step).empty();
  });
  if (first == program.end()) return {};
  if (first + 1 == program.end() && !leaves_open(*first)) {
    return {ScratchOf(c, *first), {}};
  }
  Tracker tracker(c);
  for (const isa::Step& step : program) tracker.Take(step);
  return tracker.Ranges();
}

}  // namespace lanediff::diff
