#include "isa/data_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/verbs/explain/blocks.h"
#include "tools/cli/verbs/explain/instructions.h"
#include "tools/cli/verbs/explain/text.h"

namespace lanediff::cli::explain {
namespace {

using isa::Access;
using isa::DataCopy;

/// What lies between this block of an operand and its next.
std::string GapBehind(const std::vector<Access>& accesses, std::size_t i) {
  const auto next = std::find_if(
      accesses.begin() + static_cast<std::ptrdiff_t>(i) + 1, accesses.end(),
      [&](const Access& other) { return other.write == accesses[i].write; });
  if (next == accesses.end()) return "";
  const std::int64_t end = accesses[i].at + accesses[i].bytes;
  if (next->at == end) return "";
  return fmt::format(", then a gap of {} bytes to {}{}", next->at - end,
                     next->at, accesses[i].write ? ", unchanged" : "");
}

/// The count form: what was requested and what was moved (DC-COUNT-LENGTH).
void PrintCount(const DataCopy& call, const StepFacts& facts) {
  const std::int64_t bytes = ElementBytes(call.src.dtype.value_or(call.dtype));
  const std::int64_t requested = call.count * bytes;
  std::int64_t moved = 0;
  for (const Access& access : facts.accesses) {
    if (access.write) moved += access.bytes;
  }
  fmt::print("  count: {} of {} bytes each are {} bytes; {} bytes are copied",
             Counted(call.count, "element"), bytes, requested, moved);
  if (moved < requested) {
    fmt::print(", the tail of {} is not",
               Counted((requested - moved) / bytes, "element"));
  }
  fmt::print("\n");
}

}  // namespace

void Picture(const DataCopy& call, const StepFacts& facts) {
  if (call.form == DataCopy::kCount) PrintCount(call, facts);
  PrintBlocks(facts, "block",
              [&](std::size_t i) { return GapBehind(facts.accesses, i); });
  const auto type_of = [&](const isa::Operand& operand) {
    return operand.dtype.value_or(call.dtype);
  };
  if (type_of(call.src) != type_of(call.dst)) {
    fmt::print("  conversion: each {} becomes the {} of the same value\n",
               isa::Name(type_of(call.src)), isa::Name(type_of(call.dst)));
  }
}

}  // namespace lanediff::cli::explain
