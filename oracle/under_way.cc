#include "oracle/under_way.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace lanediff::oracle {

using isa::Memory;
using isa::Pipe;

void CopiesUnderWay::Add(Pipe pipe, Memory memory,
                         std::vector<ByteRun> written) {
  std::size_t number = copies_.size();
  if (!free_numbers_.empty()) {
    number = free_numbers_.back();
    free_numbers_.pop_back();
  }
  order_.Operation(number, pipe);
  copies_.push_back({number, pipe, memory, std::move(written)});
}

bool CopiesUnderWay::Meets(Pipe pipe, Memory memory,
                           const std::vector<ByteRun>& written) const {
  return std::ranges::any_of(copies_, [&](const Copy& earlier) {
    return earlier.pipe == pipe && earlier.memory == memory &&
           ShareBytes(earlier.written, written);
  });
}

void CopiesUnderWay::Barrier(Pipe pipe) {
  order_.Barrier(pipe);
  ForgetEnded();
}

// A flag that is no entry changes nothing here; other code reports what it
// breaks.
void CopiesUnderWay::SetFlag(const isa::SetFlag& flag) {
  order_.SetFlag(flag, 0);
}

void CopiesUnderWay::WaitFlag(const isa::WaitFlag& flag) {
  order_.WaitFlag(flag);
  ForgetEnded();
}

void CopiesUnderWay::ForgetEnded() {
  std::erase_if(copies_, [&](const Copy& copy) {
    const bool ended = order_.IsBefore(copy.number, copy.pipe);
    if (ended) {
      order_.Forget(copy.number);
      free_numbers_.push_back(copy.number);
    }
    return ended;
  });
}

}  // namespace lanediff::oracle
