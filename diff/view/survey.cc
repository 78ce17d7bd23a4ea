#include "diff/view/survey.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "isa/memory_map.h"

namespace lanediff::diff::view {
namespace {

using oracle::Access;

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

/// Two iterations; none where nothing has met yet.
using Pair = std::optional<std::pair<std::int64_t, std::int64_t>>;

/// Who was the last at a byte, and what has met there.
struct ByteHistory {
  std::int64_t reader = -1;
  std::int64_t writer = -1;
  std::array<Pair, isa::kCount<Meeting>> met;

  void Meet(Meeting meeting, std::int64_t first, std::int64_t second) {
    Pair& pair = met[static_cast<std::size_t>(meeting)];
    if (!pair) pair.emplace(first, second);
  }
  void Read(std::int64_t iteration) {
    if (writer >= 0) Meet(Meeting::kReadLater, writer, iteration);
    reader = iteration;
  }
  void Write(std::int64_t iteration) {
    if (reader == iteration) {
      Meet(Meeting::kInPlace, iteration, iteration);
    } else if (reader >= 0) {
      Meet(Meeting::kWrittenLater, reader, iteration);
    }
    if (writer >= 0) Meet(Meeting::kWrittenTwice, writer, iteration);
    writer = iteration;
  }
};

using Histories = std::map<Place, std::array<ByteHistory, kDataBlockBytes>>;

/// Joins the bytes of one meeting that lie side by side.
class Joiner {
 public:
  explicit Joiner(Meeting meeting) : run_{.meeting = meeting} {}

  void Add(isa::Memory memory, std::int64_t at, const Pair& pair) {
    if (!pair) return;
    if (run_.bytes > 0 && run_.memory == memory && run_.at + run_.bytes == at &&
        run_.first == pair->first && run_.second == pair->second) {
      ++run_.bytes;
      return;
    }
    Finish();
    run_.memory = memory;
    run_.at = at;
    run_.bytes = 1;
    run_.first = pair->first;
    run_.second = pair->second;
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
  Histories histories;
  for (const Access& access : accesses) {
    ForEachBlock(access,
                 [&](std::int64_t number, std::size_t first, std::size_t end) {
                   auto& block = histories[{access.memory, number}];
                   for (std::size_t i = first; i < end; ++i) {
                     if (access.write) {
                       block[i].Write(access.iteration);
                     } else {
                       block[i].Read(access.iteration);
                     }
                   }
                 });
  }
  std::vector<Overlap> all;
  for (std::size_t m = 0; m < isa::kCount<Meeting>; ++m) {
    Joiner joiner(static_cast<Meeting>(m));
    for (const auto& [place, block] : histories) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        joiner.Add(
            place.first,
            place.second * kDataBlockBytes + static_cast<std::int64_t>(i),
            block[i].met[m]);
      }
    }
    joiner.Finish();
    std::ranges::copy(joiner.runs, std::back_inserter(all));
  }
  return all;
}

}  // namespace lanediff::diff::view
