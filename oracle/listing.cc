#include "oracle/listing.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanediff::oracle {

bool WindowIsInMemory(const isa::Operand& operand, isa::Memory memory,
                      const isa::Memories& memories) {
  if (operand.at < 0 || operand.bytes < 0) return false;
  return Address{operand.at} + operand.bytes <=
         static_cast<Address>(memories[memory].size());
}

bool RunIsInWindow(const isa::Operand& operand, Address first,
                   std::int64_t count) {
  return first >= operand.at &&
         first + count <= Address{operand.at} + operand.bytes;
}

namespace {

constexpr std::int64_t kWordBits = 64;

/// Calls `visit(word, bits)` for each word that holds bits of [begin, end):
/// its number and the bits in question.
template <class Visit>
void ForEachWord(std::int64_t begin, std::int64_t end, Visit visit) {
  while (begin < end) {
    const std::int64_t low = begin % kWordBits;
    const std::int64_t bits = std::min(kWordBits - low, end - begin);
    const std::uint64_t ones = ~std::uint64_t{0} >> (kWordBits - bits);
    visit(static_cast<std::size_t>(begin / kWordBits), ones << low);
    begin += bits;
  }
}

}  // namespace

ByteMarks::ByteMarks(Address first, Address end)
    : first_(first),
      end_(end),
      words_(
          static_cast<std::size_t>((end - first + kWordBits - 1) / kWordBits)) {
}

void ByteMarks::Mark(Address at, std::int64_t count) {
  assert(at >= first_ && at + count <= end_);
  const auto begin = static_cast<std::int64_t>(at - first_);
  ForEachWord(begin, begin + count,
              [this](std::size_t word, auto bits) { words_[word] |= bits; });
}

void ByteMarks::Clear(Address at, std::int64_t count) {
  assert(at >= first_ && at + count <= end_);
  const auto begin = static_cast<std::int64_t>(at - first_);
  ForEachWord(begin, begin + count,
              [this](std::size_t word, auto bits) { words_[word] &= ~bits; });
}

bool ByteMarks::Any(Address at, std::int64_t count) const {
  const Address begin = std::max(at, first_);
  const Address end = std::min(at + count, end_);
  if (begin >= end) return false;
  std::uint64_t found = 0;
  ForEachWord(
      static_cast<std::int64_t>(begin - first_),
      static_cast<std::int64_t>(end - first_),
      [&](std::size_t word, auto bits) { found |= words_[word] & bits; });
  return found != 0;
}

std::vector<ByteRun> Merged(std::vector<ByteRun> runs) {
  std::ranges::sort(runs, {}, &ByteRun::at);
  std::vector<ByteRun> merged;
  for (const ByteRun& run : runs) {
    if (merged.empty() || merged.back().end() < run.at) {
      merged.push_back(run);
    } else if (merged.back().end() < run.end()) {
      merged.back().bytes =
          static_cast<std::int64_t>(run.end() - merged.back().at);
    }
  }
  return merged;
}

bool ShareBytes(const std::vector<ByteRun>& a, const std::vector<ByteRun>& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].end() <= b[j].at) {
      ++i;  // a's run lies before b's, and so before all that follow in b
    } else if (b[j].end() <= a[i].at) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace lanediff::oracle
