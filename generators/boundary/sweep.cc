#include "generators/boundary/sweep.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "generators/boundary/calls.h"
#include "generators/boundary/emitter.h"
#include "isa/memory_map.h"
#include "isa/step.h"

namespace lanediff::make {
namespace sweep {
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

void Emitter::Give(Sketch sketch) {
  if (edition_ == isa::Edition::k2024) sketch.c.edition = edition_;
  if (show_ != nullptr) return (*show_)({number_, sketch.rule, sketch.c});
  Finish(std::move(sketch));
}

void Emitter::Finish(Sketch sketch) {
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
  c.id = fmt::format("sweep/{}/{}", slug_, number_);
  c.note = sketch.what;
  if (sketch.rule) c.requirement = {*sketch.rule};
  stopped_ = !(*take_)({.number = number_,
                        .what = std::move(sketch.what),
                        .rule = sketch.rule,
                        .point = std::move(sketch.point),
                        .c = std::move(c)});
}

}  // namespace sweep

namespace {

constexpr std::string_view kProgram = "program";

void SweepRow(sweep::Emitter& out, const isa::Signature& row) {
  switch (row.family) {
    case isa::Family::kLanewise:
      return sweep::SweepLanewise(out, row);
    case isa::Family::kReduction:
      return sweep::SweepReduction(out, row);
    case isa::Family::kCopy:
      return sweep::SweepCopy(out, row);
    case isa::Family::kTranspose:
      return sweep::SweepTranspose(out, row);
    case isa::Family::kBroadcast:
      return sweep::SweepBroadcast(out, row);
    case isa::Family::kTile:
      return sweep::SweepTiles(out, row);
  }
}

/// How many numbers the module of the emitter's slug has.
std::uint64_t Sweep(sweep::Emitter out) {
  for (const isa::Signature& row : isa::kSignatures) {
    if (row.slug == out.slug()) SweepRow(out, row);
  }
  if (out.slug() == kProgram) sweep::SweepProgram(out);
  return out.count();
}

}  // namespace

/// In the order of the steps' numbers, machine state last.
std::span<const std::string_view> SweepModules() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const isa::Call& kind : isa::CallKinds()) {
      all.push_back(kind.signature->slug);
    }
    all.push_back(kProgram);
    return all;
  }();
  return names;
}

std::uint64_t ForEachSweepCase(std::string_view slug,
                               const WantsSweepCase& wants,
                               const TakesSweepCase& take,
                               isa::Edition edition) {
  return Sweep(sweep::Emitter(slug, wants, take, edition));
}

void ForEachSweepOutline(std::string_view slug,
                         const std::function<void(const SweepOutline&)>& show,
                         isa::Edition edition) {
  Sweep(sweep::Emitter(slug, show, edition));
}

}  // namespace lanediff::make
