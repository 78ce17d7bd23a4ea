#include "audit/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "audit/conditions.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::audit {
namespace {

/// Smaller memories lose what does not fit.
void Cap(MemoryImage& image, std::int64_t capacity) {
  if (capacity == 0 || image.size <= capacity) return;
  image.size = capacity;
  std::erase_if(image.regions,
                [&](const Region& region) { return region.at >= capacity; });
  for (Region& region : image.regions) {
    const std::int64_t space = capacity - region.at;
    if (region.size() <= space) continue;
    // Whole elements only, as a case file needs them.
    const std::int64_t element =
        region.dtype ? isa::SizeBytes(*region.dtype) : 1;
    if (region.series) {
      region.series =
          std::make_shared<const Series>(region.series->First(space / element));
    } else {
      region.bytes.resize(static_cast<std::size_t>(space / element * element));
    }
  }
}

/// `c` on `product`: what lay behind a position lies behind it there too.
Case Moved(const Case& c, isa::Product product) {
  Case moved = c;
  moved.product = product;
  for (auto& image : moved.memory) image.reset();
  const auto put = [&](std::size_t from, isa::Memory to) {
    auto& image = moved.memory[static_cast<std::size_t>(to)];
    if (!c.memory[from] || image) return;
    image = c.memory[from];
    Cap(*image, isa::CapacityBytes(product, to));
  };
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    put(m, static_cast<isa::Memory>(m));
  }
  for (const isa::Step& step : c.program) {
    const StepTraits traits = TraitsOf(step);
    for (isa::Position position : traits.positions) {
      put(static_cast<std::size_t>(isa::MemoryAt(c.product, position)),
          isa::MemoryAt(product, position));
    }
  }
  return moved;
}

std::string IdOf(std::string_view source, std::uint64_t number,
                 isa::Product product) {
  return fmt::format("{}/{}/{}/{}", kIdFolder, source, number,
                     isa::Name(product));
}

}  // namespace

bool IsSupported(const Case& c, isa::Product product) {
  const isa::Instruction* const instruction =
      isa::InstructionOf(c.program.back());
  return instruction == nullptr || instruction->Has({product, c.edition});
}

void ForEachAuditCase(std::string_view slug, const make::WantsSweepCase& wants,
                      std::span<const isa::Product> products,
                      const TakesAuditCase& take, isa::Edition edition) {
  const auto take_swept = [&](make::SweepCase&& swept) {
    if (swept.c.edition != edition) return true;
    for (isa::Product product : products) {
      const bool own = product == swept.c.product;
      if (!own && !IsSupported(swept.c, product)) continue;
      AuditCase next{swept, slug, !own};
      if (!own) next.c = Moved(swept.c, product);
      next.c.id = IdOf(slug, swept.number, product);
      if (!take(std::move(next))) return false;
    }
    return true;
  };
  make::ForEachSweepCase(slug, wants, take_swept, edition);
}

AuditCase GivenCase(const std::vector<Case>& given, std::uint64_t number,
                    std::string_view source) {
  AuditCase c;
  c.slug = source;
  c.number = number;
  c.c = given[static_cast<std::size_t>(number)];
  c.what = c.c.id;
  if (!c.c.requirement.empty()) c.rule = c.c.requirement.front();
  c.c.id = IdOf(source, number, c.c.product);
  return c;
}

std::vector<Case> MeasuredCases(const std::vector<Measurement>& measured,
                                const std::vector<isa::Product>& products) {
  std::vector<Case> all;
  for (const Measurement& one : measured) {
    if (one.follows) continue;
    for (Case c : one.cases) {
      c.requirement = {isa::FindRule(one.rule)->id};
      for (isa::Product product : products) {
        c.product = product;
        if (IsSupported(c, product)) all.push_back(c);
      }
    }
  }
  return all;
}

std::uint64_t NumbersOf(std::string_view slug) {
  return make::ForEachSweepCase(
      slug, [](std::uint64_t) { return false; },
      [](make::SweepCase&&) { return false; });
}

}  // namespace lanediff::audit
