#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/memory_map.h"
#include "isa/units.h"
#include "reports/trace/facts.h"
#include "reports/trace/fields.h"
#include "tools/cli/verbs/explain/explain.h"

namespace lanediff::cli::explain {

void PrintLeftOut(std::int64_t count, std::string_view word) {
  if (count == 0) return;
  fmt::print("    … {} left out; --all shows them\n", Counted(count, word));
}

std::string FieldsText(const isa::Step& step) {
  std::string line;
  for (const view::FieldText& field : view::FieldTexts(step)) {
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", field.name,
                        field.value);
  }
  return line;
}

namespace {

std::vector<std::string> BlocksOf(const std::string& drawing, isa::DType type) {
  const auto per_block = static_cast<std::size_t>(32 / isa::SizeBytes(type));
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at < drawing.size(); at += per_block) {
    blocks.push_back(drawing.substr(at, per_block));
  }
  return blocks;
}

using isa::Access;

using isa::kDataBlockBytes;

/// DataBlocks `first` to `last`, read or written one after the other, as the
/// `group`-th DataBlock of the iteration's lanes and those that follow.
struct Run {
  std::int64_t first;
  std::int64_t last;
  std::int64_t group;
};

/// Appends the DataBlocks of `access`; lanes of one group that lie in the same
/// DataBlock name it once.
void Append(const Access& access, std::vector<Run>& runs) {
  const Run run{
      .first = access.at / kDataBlockBytes,
      .last = (access.at + access.bytes - 1) / kDataBlockBytes,
      .group = access.lane * isa::SizeBytes(access.dtype) / kDataBlockBytes};
  if (!runs.empty()) {
    Run& before = runs.back();
    const std::int64_t group = before.group + before.last - before.first;
    const std::int64_t gap = run.first - before.last;
    if ((gap == 0 || gap == 1) && run.group == group + gap) {
      before.last = run.last;
      return;
    }
  }
  runs.push_back(run);
}

std::string RunText(const Run& run) {
  return run.first == run.last ? std::to_string(run.first)
                               : fmt::format("{}-{}", run.first, run.last);
}

/// "0-7", "0, 2, 4", "5 (8 times)".
std::string RunsText(const std::vector<Run>& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t same = i + 1;
    while (same < runs.size() && runs[same].first == runs[i].first &&
           runs[same].last == runs[i].last) {
      ++same;
    }
    text += (text.empty() ? "" : ", ") + RunText(runs[i]);
    if (same - i > 1) text += fmt::format(" ({} times)", same - i);
    i = same;
  }
  const bool one = runs.size() == 1 && runs[0].first == runs[0].last;
  return (one ? "DataBlock " : "DataBlocks ") + text;
}

/// "[0, 256)" where the bytes are in one piece, else "from 0 to below 480, 64
/// bytes of it".
std::string BytesText(const std::vector<Access>& accesses, std::size_t begin,
                      std::size_t end) {
  std::int64_t low = accesses[begin].at;
  std::int64_t high = low;
  std::int64_t bytes = 0;
  for (std::size_t i = begin; i < end; ++i) {
    low = std::min(low, accesses[i].at);
    high = std::max(high, accesses[i].at + accesses[i].bytes);
    bytes += accesses[i].bytes;
  }
  return (bytes == high - low ? "" : fmt::format("{} bytes in ", bytes)) +
         fmt::format("[{}, {})", low, high);
}

/// One past the last access of the operand and iteration of number `begin`.
std::size_t EndOfOperand(const std::vector<Access>& accesses,
                         std::size_t begin) {
  const Access& first = accesses[begin];
  std::size_t end = begin + 1;
  while (end < accesses.size() && accesses[end].operand == first.operand &&
         accesses[end].write == first.write &&
         accesses[end].iteration == first.iteration) {
    ++end;
  }
  return end;
}

void PrintOperand(const std::vector<Access>& accesses, std::size_t begin,
                  std::size_t end, std::string_view head,
                  const std::function<std::string(std::size_t)>& behind) {
  const Access& access = accesses[begin];
  std::vector<Run> runs;
  for (std::size_t i = begin; i < end; ++i) Append(accesses[i], runs);
  PrintWrapped(fmt::format("    {:<13} {:<6} {:<4} ", head,
                           access.write ? "writes" : "reads", access.operand),
               fmt::format("{} {} {}{}", isa::Name(access.memory),
                           BytesText(accesses, begin, end), RunsText(runs),
                           behind ? behind(end - 1) : ""));
}

}  // namespace

void PrintLanes(const StepFacts& facts, std::string_view operand,
                isa::DType type, const std::string& origin) {
  if (facts.accesses.empty()) {
    PrintWrapped("  lanes: ", "none takes part; " + origin);
    return;
  }
  const view::Lanes lanes = view::LanesOf(facts, operand, type);
  PrintWrapped("  lanes: ",
               fmt::format("{} take part; {}",
                           Counted(lanes.taking_part, "lane"), origin));
  const std::vector<std::string> blocks = BlocksOf(lanes.drawing, type);
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t end = i + 1;
    while (end < blocks.size() && blocks[end] == blocks[i]) ++end;
    const std::string which = end - i == 1
                                  ? fmt::format("block {}", i)
                                  : fmt::format("blocks {}-{}", i, end - 1);
    fmt::print("    {:<12} |{}|\n", which, blocks[i]);
    i = end;
  }
}

void PrintBlocks(const StepFacts& facts, std::string_view iteration,
                 const std::function<std::string(std::size_t)>& behind) {
  const std::vector<Access>& accesses = facts.accesses;
  if (accesses.empty()) {
    fmt::print("  DataBlocks: none is read or written\n");
    return;
  }
  fmt::print("  DataBlocks (32 bytes; number = address / 32) by {}\n",
             iteration);
  const Shown shown(facts.iterations(), facts.all);
  std::int64_t left_out = 0;
  std::int64_t last = -1;
  for (std::size_t begin = 0; begin < accesses.size();) {
    const std::int64_t number = accesses[begin].iteration;
    const std::size_t end = EndOfOperand(accesses, begin);
    if (shown(number) || number == facts.focus) {
      PrintLeftOut(std::exchange(left_out, 0), iteration);
      PrintOperand(
          accesses, begin, end,
          number == last ? "" : fmt::format("{} {}", iteration, number),
          behind);
    } else if (number != last) {
      ++left_out;
    }
    last = number;
    begin = end;
  }
}

}  // namespace lanediff::cli::explain
