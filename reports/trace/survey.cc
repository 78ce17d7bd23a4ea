#include "reports/trace/survey.h"

#include <algorithm>
#include <cstddef>

#include "isa/intervals.h"
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

/// Two iterations.
using Pair = std::pair<std::int64_t, std::int64_t>;

template <class T>
using ByMemory = std::array<isa::IntervalMap<T>, isa::kCount<isa::Memory>>;

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
  ByMemory<std::int64_t> readers;  // the last iterations
  ByMemory<std::int64_t> writers;
  std::array<ByMemory<Pair>, isa::kCount<Meeting>> met;  // the first two
  for (const Access& access : accesses) {
    const auto m = static_cast<std::size_t>(access.memory);
    const isa::Interval bytes = BytesOf(access);
    const auto meet = [&](Meeting meeting, const isa::Interval& part,
                          std::int64_t earlier) {
      met[static_cast<std::size_t>(meeting)][m].SetMissing(
          part, {earlier, access.iteration});
    };
    if (access.write) {
      readers[m].ForEach(
          bytes, [&](const isa::Interval& part, std::int64_t reader) {
            meet(reader == access.iteration ? Meeting::kInPlace
                                            : Meeting::kWrittenLater,
                 part, reader);
          });
    }
    writers[m].ForEach(
        bytes, [&](const isa::Interval& part, std::int64_t writer) {
          meet(access.write ? Meeting::kWrittenTwice : Meeting::kReadLater,
               part, writer);
        });
    (access.write ? writers : readers)[m].Set(bytes, access.iteration);
  }
  std::vector<Overlap> all;
  for (std::size_t i = 0; i < met.size(); ++i) {
    for (std::size_t m = 0; m < met[i].size(); ++m) {
      met[i][m].ForEach([&](const isa::Interval& bytes, const Pair& pair) {
        all.push_back({static_cast<Meeting>(i), static_cast<isa::Memory>(m),
                       bytes.begin, bytes.size(), pair.first, pair.second});
      });
    }
  }
  return all;
}

}  // namespace lanediff::view
