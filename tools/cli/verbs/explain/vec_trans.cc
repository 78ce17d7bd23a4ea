#include "isa/vec_trans.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "differential/testcase/element.h"
#include "tools/cli/verbs/explain/blocks.h"
#include "tools/cli/verbs/explain/instructions.h"
#include "tools/cli/verbs/explain/text.h"

namespace lanediff::cli::explain {
namespace {

constexpr std::size_t kSide = 16;
constexpr std::size_t kCellWidth = 4;

using Matrix = std::array<std::string, kSide * kSide>;

/// The matrix at `at`, as values or, where a value is wider than a cell, as
/// bits.
Matrix CellsAt(const diff::MemorySet& memory, const isa::Access& access) {
  const std::span<const std::uint8_t> bytes = memory[access.memory];
  Matrix values;
  Matrix patterns;
  bool fits = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = LoadElement(
        access.dtype,
        std::span(bytes).subspan(static_cast<std::size_t>(access.at) + 2 * i));
    values[i] = ElementToText(access.dtype, bits).text;
    patterns[i] = fmt::format("{:04x}", bits);
    fits = fits && values[i].size() <= kCellWidth;
  }
  return fits ? values : patterns;
}

/// The last iteration after that of `write` which writes one of its bytes
/// again, if one does.
std::optional<std::int64_t> OverwrittenBy(
    const std::vector<isa::Access>& accesses, const isa::Access& write) {
  std::optional<std::int64_t> last;
  for (const isa::Access& later : accesses) {
    if (later.write && later.iteration > write.iteration &&
        later.at < write.at + write.bytes &&
        write.at < later.at + later.bytes) {
      last = later.iteration;
    }
  }
  return last;
}

void PrintMatrix(const StepFacts& facts, const isa::Access& write) {
  const auto later = OverwrittenBy(facts.accesses, write);
  if (later) {
    fmt::print("    iteration {}: iteration {} writes there again\n",
               write.iteration, *later);
    return;
  }
  fmt::print("    iteration {}: dst {} {} after the step, row by row\n",
             write.iteration, isa::Name(write.memory), write.at);
  const Matrix cells = CellsAt(facts.memory, write);
  for (std::size_t row = 0; row < kSide; ++row) {
    std::string line;
    for (std::size_t i = 0; i < kSide; ++i) {
      line += fmt::format(" {:>{}}", cells[row * kSide + i], kCellWidth);
    }
    fmt::print("    src {:>2},{:>2}…{:>3} |{}\n", row, row + kSide,
               row + kSide * (kSide - 1), line);
  }
}

}  // namespace

void Picture(const isa::VecTrans&, const StepFacts& facts) {
  PrintBlocks(facts, "iteration");
  fmt::print(
      "  transposed: row j of dst is column j of src, the elements named at "
      "the left\n");
  std::optional<std::int64_t> also;  // who has the last word there
  std::int64_t left_out = 0;
  for (const isa::Access& access : facts.accesses) {
    if (!access.write) continue;
    if (facts.all || access.iteration == facts.focus ||
        access.iteration == also) {
      PrintMatrix(facts, access);
      also = OverwrittenBy(facts.accesses, access);
    } else {
      ++left_out;
    }
  }
  if (left_out > 0) {
    fmt::print("    … {} left out; --all shows them\n",
               Counted(left_out, "iteration"));
  }
}

}  // namespace lanediff::cli::explain
