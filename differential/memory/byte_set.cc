#include "differential/memory/byte_set.h"

#include <algorithm>
#include <iterator>

namespace lanediff::diff {

void ByteSet::Add(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  auto run = end_of_.upper_bound(begin);
  if (run != end_of_.begin() && std::prev(run)->second >= begin) --run;
  while (run != end_of_.end() && run->first <= end) {
    begin = std::min(begin, run->first);
    end = std::max(end, run->second);
    run = end_of_.erase(run);
  }
  end_of_.emplace_hint(run, begin, end);
}

void ByteSet::Remove(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  for (const Run& part : RunsIn(begin, end)) {
    const auto run = std::prev(end_of_.upper_bound(part.begin));
    const Run whole{run->first, run->second};
    end_of_.erase(run);
    if (whole.begin < part.begin) end_of_.emplace(whole.begin, part.begin);
    if (part.end < whole.end) end_of_.emplace(part.end, whole.end);
  }
}

std::vector<ByteSet::Run> ByteSet::Runs() const {
  std::vector<Run> runs;
  for (const auto& [begin, end] : end_of_) runs.push_back({begin, end});
  return runs;
}

std::vector<ByteSet::Run> ByteSet::RunsIn(std::int64_t begin,
                                          std::int64_t end) const {
  std::vector<Run> runs;
  auto run = end_of_.upper_bound(begin);
  if (run != end_of_.begin() && std::prev(run)->second > begin) --run;
  for (; run != end_of_.end() && run->first < end; ++run) {
    runs.push_back({std::max(begin, run->first), std::min(end, run->second)});
  }
  return runs;
}

}  // namespace lanediff::diff
