#include "sanitizer/resources/select_scratch.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "isa/memory_map.h"

namespace lanediff::machine {
namespace {

bool HasScratch(isa::Product product) {
  return product == isa::Product::kAtlasA2 ||
         product == isa::Product::kAtlasA3 ||
         product == isa::Product::kAtlasInferenceAicore;
}

/// Modes 1 and 2.
bool TakesScratch(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Carried>(&step);
  if (call == nullptr || call->name != "Select") return false;
  return std::ranges::any_of(call->parameters, [](const isa::Argument& one) {
    const auto* const word = std::get_if<std::string>(&one.value);
    return one.name == "selMode" && word != nullptr &&
           word->starts_with("VSEL_TENSOR_");
  });
}

}  // namespace

std::optional<SelectScratch::Conflict> SelectScratch::Take(
    const isa::Step& step, std::size_t number,
    std::span<const isa::Access> accesses) {
  if (!HasScratch(product_)) return std::nullopt;
  const std::int64_t begin =
      isa::CapacityBytes(product_, isa::Memory::kUb) - kBytes;
  // A call of no element is none.
  const bool selects = !accesses.empty() && TakesScratch(step);
  std::optional<Conflict> conflict;
  for (const isa::Access& access : accesses) {
    const std::int64_t end = access.at + access.bytes - begin;
    if (access.memory != isa::Memory::kUb || end <= 0) continue;
    for (std::int64_t i = std::max<std::int64_t>(access.at - begin, 0);
         i < std::min(end, kBytes); ++i) {
      const auto byte = static_cast<std::size_t>(i);
      if (selects && !conflict) {
        conflict = {fmt::format("has {} at UB byte {}, in the last {} bytes, "
                                "which it takes for itself; operands must lie "
                                "below {}",
                                access.operand, begin + i, kBytes, begin),
                    std::nullopt};
      }
      if (access.write) {
        written_.set(byte);
        lost_.reset(byte);
      } else if (lost_.test(byte) && !conflict) {
        conflict = {fmt::format("reads UB byte {}, which Select has "
                                "overwritten: it takes the last {} bytes for "
                                "itself; what is kept must lie below {}",
                                begin + i, kBytes, begin),
                    select_};
      }
    }
  }
  if (selects) {
    lost_ |= written_;
    select_ = number;
  }
  return conflict;
}

}  // namespace lanediff::machine
