#include "generators/boundary/emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

/// Of a memory that a changed position brought in: enough for a small call.
constexpr std::int64_t kSparePartBytes = 4096;

/// The type of the last step that has one.
isa::DType TypeOf(const Case& c) {
  isa::DType type = isa::DType::kUint8;
  for (const isa::Step& step : c.program) {
    std::visit(
        [&](const auto& s) {
          if constexpr (requires { s.dtype; }) type = s.dtype;
        },
        step);
  }
  return type;
}

void FillMemory(MemoryImage& image, isa::DType type, Data data) {
  image.fill = 0xa5;
  if (image.size <= 0 || !image.regions.empty()) return;
  const std::int64_t bytes = isa::SizeBytes(type);
  Region region;
  region.dtype = type;
  region.bytes = MakeData(type, data, image.size / bytes);
  if (!region.bytes.empty()) image.regions.push_back(std::move(region));
}

}  // namespace

void Emitter::Finish(std::uint64_t number, Sketch sketch) {
  Case& c = sketch.c;
  const auto named = MemoriesOf(c);
  const isa::DType type = TypeOf(c);
  for (std::size_t m = 0; m < named.size(); ++m) {
    if (!named[m]) continue;
    auto& image = c.memory[m];
    if (!image)
      image = MemoryImage{.fill = 0, .size = kSparePartBytes, .regions = {}};
    const std::int64_t capacity =
        isa::CapacityBytes(c.product, static_cast<isa::Memory>(m));
    if (capacity > 0 && image->size > capacity) {
      // A product or position with less space: what was filled is filled again.
      image->size = capacity;
      image->regions.clear();
    }
    FillMemory(*image, type, sketch.data);
  }
  for (isa::Step& step : c.program) {
    // A type may have become a narrower one.
    auto* const call = std::get_if<isa::Call>(&step);
    if (call != nullptr) call->scalar &= isa::WidthMask(call->dtype);
  }
  c.id = fmt::format("sweep/{}/{}", slug_, number);
  c.note = sketch.what;
  if (sketch.rule) c.requirement = {*sketch.rule};
  stopped_ = !(*take_)({.number = number,
                        .what = std::move(sketch.what),
                        .rule = sketch.rule,
                        .point = std::move(sketch.point),
                        .c = std::move(c)});
}

}  // namespace lanediff::make::sweep
