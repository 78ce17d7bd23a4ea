#include "sanitizer/resources/select_scratch.h"

#include <fmt/format.h>

#include <string_view>
#include <variant>

#include "isa/carried.h"
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
  return call != nullptr && call->name == "Select" &&
         isa::TextOf(call->parameters, "selMode").starts_with("VSEL_TENSOR_");
}

}  // namespace

std::optional<SelectScratch::Conflict> SelectScratch::Take(
    const isa::Step& step, std::size_t number,
    std::span<const isa::Access> accesses) {
  if (!HasScratch(product_)) return std::nullopt;
  const std::int64_t end = isa::CapacityBytes(product_, isa::Memory::kUb);
  const isa::Interval scratch{end - kBytes, end};
  // A call of no element is none.
  const bool selects = !accesses.empty() && TakesScratch(step);
  std::optional<Conflict> conflict;
  for (const isa::Access& access : accesses) {
    const isa::Interval bytes = Common(BytesOf(access), scratch);
    if (access.memory != isa::Memory::kUb || bytes.empty()) continue;
    if (selects && !conflict) {
      conflict = {
          fmt::format("has {} at UB byte {}, in the last {} bytes, "
                      "which it takes for itself; operands must lie "
                      "below {}",
                      access.operand, bytes.begin, kBytes, scratch.begin),
          std::nullopt};
    }
    if (access.write) {
      written_.Insert(bytes);
      lost_.Erase(bytes);
    } else if (!conflict && lost_.Intersects(bytes)) {
      conflict = {
          fmt::format("reads UB byte {}, which Select has "
                      "overwritten: it takes the last {} bytes for "
                      "itself; what is kept must lie below {}",
                      lost_.In(bytes).front().begin, kBytes, scratch.begin),
          select_};
    }
  }
  if (selects) {
    lost_ = written_;
    select_ = number;
  }
  return conflict;
}

}  // namespace lanediff::machine
