#include "reports/trace/survey.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "isa/memory_map.h"

namespace lanediff::view {
namespace {

using isa::Access;

/// Calls `visit(block, first, end)` for the bytes `first` to `end` - 1 of each
/// DataBlock of `access`, counted from the block's start.
template <class Visit>
void ForEachBlock(const Access& access, Visit visit) {
  std::int64_t done = 0;
  while (done < access.bytes) {
    const std::int64_t block = BlockOf(access.at + done);
    const std::int64_t first = access.at + done - block * kDataBlockBytes;
    const std::int64_t bytes =
        std::min(kDataBlockBytes - first, access.bytes - done);
    visit(block, static_cast<std::size_t>(first),
          static_cast<std::size_t>(first + bytes));
    done += bytes;
  }
}

isa::DType TypeOf(const Access& access) {
  const std::int64_t size = isa::SizeBytes(access.dtype);
  return access.at % size == 0 ? access.dtype : isa::DType::kUint8;
}

constexpr std::int64_t kNoIteration = -1;

/// Two iterations.
struct Pair {
  std::int64_t first = kNoIteration;  ///< none: nothing has met yet
  std::int64_t second = kNoIteration;
};

/// What has met in the bytes of a DataBlock, and who was there last.
class BlockHistory {
 public:
  BlockHistory() {
    readers_.fill(kNoIteration);
    writers_.fill(kNoIteration);
  }

  void Read(std::size_t byte, std::int64_t iteration) {
    if (writers_[byte] != kNoIteration) {
      Meet(Meeting::kReadLater, byte, writers_[byte], iteration);
    }
    readers_[byte] = iteration;
  }
  void Write(std::size_t byte, std::int64_t iteration) {
    if (readers_[byte] == iteration) {
      Meet(Meeting::kInPlace, byte, iteration, iteration);
    } else if (readers_[byte] != kNoIteration) {
      Meet(Meeting::kWrittenLater, byte, readers_[byte], iteration);
    }
    if (writers_[byte] != kNoIteration) {
      Meet(Meeting::kWrittenTwice, byte, writers_[byte], iteration);
    }
    writers_[byte] = iteration;
  }
  /// By byte; empty where nothing met in this way.
  const std::vector<Pair>& met(Meeting meeting) const {
    return met_[static_cast<std::size_t>(meeting)];
  }

 private:
  void Meet(Meeting meeting, std::size_t byte, std::int64_t first,
            std::int64_t second) {
    std::vector<Pair>& pairs = met_[static_cast<std::size_t>(meeting)];
    pairs.resize(kDataBlockBytes);
    if (pairs[byte].first == kNoIteration) pairs[byte] = {first, second};
  }

  std::array<std::int64_t, kDataBlockBytes> readers_;
  std::array<std::int64_t, kDataBlockBytes> writers_;
  std::array<std::vector<Pair>, isa::kCount<Meeting>> met_;
};

using Histories = std::map<Place, BlockHistory>;

/// Joins the bytes of one meeting that lie side by side.
class Joiner {
 public:
  explicit Joiner(Meeting meeting) : run_{.meeting = meeting} {}

  void Add(isa::Memory memory, std::int64_t at, const Pair& pair) {
    if (pair.first == kNoIteration) return;
    if (run_.bytes > 0 && run_.memory == memory && run_.at + run_.bytes == at &&
        run_.first == pair.first && run_.second == pair.second) {
      ++run_.bytes;
      return;
    }
    Finish();
    run_.memory = memory;
    run_.at = at;
    run_.bytes = 1;
    run_.first = pair.first;
    run_.second = pair.second;
  }
  void Finish() {
    if (run_.bytes > 0) runs.push_back(run_);
    run_.bytes = 0;
  }

  std::vector<Overlap> runs;

 private:
  Overlap run_;
};

}  // namespace

TouchedBlocks SurveyBlocks(const std::vector<Access>& accesses) {
  TouchedBlocks blocks;
  for (const Access& access : accesses) {
    ForEachBlock(
        access, [&](std::int64_t number, std::size_t first, std::size_t end) {
          TouchedBlock& block = blocks[{access.memory, number}];
          for (std::size_t i = first; i < end; ++i) {
            block.touched[i] |=
                access.write ? TouchedBlock::kWritten : TouchedBlock::kRead;
          }
          if (std::ranges::find(block.operands, access.operand) ==
              block.operands.end()) {
            if (block.operands.empty()) block.dtype = TypeOf(access);
            block.operands.push_back(access.operand);
          }
          if (access.write && !block.typed_by_write) {
            block.dtype = TypeOf(access);
            block.typed_by_write = true;
          }
        });
  }
  return blocks;
}

std::vector<Overlap> FindOverlaps(const std::vector<Access>& accesses) {
  Histories histories;  // of what is written: elsewhere nothing meets
  for (const Access& access : accesses) {
    if (!access.write) continue;
    ForEachBlock(access, [&](std::int64_t number, std::size_t, std::size_t) {
      histories.try_emplace({access.memory, number});
    });
  }
  for (const Access& access : accesses) {
    ForEachBlock(access,
                 [&](std::int64_t number, std::size_t first, std::size_t end) {
                   const auto block = histories.find({access.memory, number});
                   if (block == histories.end()) return;
                   for (std::size_t i = first; i < end; ++i) {
                     if (access.write) {
                       block->second.Write(i, access.iteration);
                     } else {
                       block->second.Read(i, access.iteration);
                     }
                   }
                 });
  }
  std::vector<Overlap> all;
  for (std::size_t m = 0; m < isa::kCount<Meeting>; ++m) {
    Joiner joiner(static_cast<Meeting>(m));
    for (const auto& [place, block] : histories) {
      std::int64_t at = place.second * kDataBlockBytes;
      for (const Pair& pair : block.met(static_cast<Meeting>(m))) {
        joiner.Add(place.first, at++, pair);
      }
    }
    joiner.Finish();
    std::ranges::copy(joiner.runs, std::back_inserter(all));
  }
  return all;
}

}  // namespace lanediff::view
