#include "generators/boundary/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

using enum isa::CallRule;

void SweepTypes(Emitter& out, const Kit& kit, isa::Edition edition) {
  for (const Base& base : kit.bases) {
    for (const auto& [product, type] :
         out.Each<isa::Product, isa::DType>(kEveryProduct, kEveryDType)) {
      Case c = base.c;
      c.product = product;
      c.edition = edition;
      Set("dtype", type)(c);
      if (!Place(c)) continue;
      const bool by_type = base.c.product == product;
      out.Give(
          {.what = fmt::format("product and type: {} {}, base {}",
                               isa::Name(product), isa::Name(type), base.name),
           .rule = kit.row.Rule(by_type ? kDtype : kProduct),
           .c = std::move(c)});
    }
  }
}

void SweepOperandTypes(Emitter& out, const Kit& kit) {
  const isa::CallRule rule =
      isa::HasRule(kit.row, kDtypeMatch) ? kDtypeMatch : kDtype;
  for (const Base& base : kit.bases) {
    for (std::size_t k = 0; k < WindowCount(kit.row); ++k) {
      for (const auto& [own, type] :
           out.Each<isa::DType, isa::DType>(kEveryDType, kEveryDType)) {
        Case c = base.c;
        Set("dtype", type)(c);
        const Window window = WindowsOf(Subject(c))[k];
        *window.dtype = own;
        if (!Place(c)) continue;
        out.Give({.what = fmt::format(
                      "operand type: {} {} in a {} call, base {}", window.name,
                      isa::Name(own), isa::Name(type), base.name),
                  .rule = kit.row.Rule(rule),
                  .c = std::move(c)});
      }
    }
  }
}

void SweepPositions(Emitter& out, const Kit& kit) {
  const std::size_t windows = WindowCount(kit.row);
  const isa::Family family = kit.row.family;
  const isa::CallRule rule = family == isa::Family::kTile        ? kLocation
                             : family == isa::Family::kTranspose ? kScope
                             : family == isa::Family::kCopy      ? kRoute
                                                                 : kPosition;
  for (std::size_t b = 0; b < std::min<std::size_t>(2, kit.bases.size()); ++b) {
    const Base& base = kit.bases[b];
    for (std::size_t i = 0; i < windows; ++i) {
      const std::size_t j = (i + 1) % windows;
      for (const auto& [first, second] : out.Each<isa::Position, isa::Position>(
               kEveryPosition, kEveryPosition)) {
        Case c = base.c;
        const auto places = WindowsOf(Subject(c));
        *places[i].position = first;
        *places[j].position = second;
        if (!Place(c)) continue;
        out.Give(
            {.what = fmt::format("positions: {} at {}, {} at {}, base {}",
                                 places[i].name, isa::Name(first),
                                 places[j].name, isa::Name(second), base.name),
             .rule = kit.row.Rule(rule),
             .c = std::move(c)});
      }
    }
  }
}

void SweepTables(Emitter& out, const Kit& kit) {
  SweepTypes(out, kit, isa::kNewestEdition);
  const isa::Instruction& known = *isa::FindInstruction(kit.row.op);
  if (!known.newer_products.empty() || !known.newer_dtypes.empty()) {
    SweepTypes(out, kit, isa::Edition::k2024);
  }
  SweepOperandTypes(out, kit);
  SweepPositions(out, kit);
}

}  // namespace

Change SetMask(std::string_view field, std::int64_t lanes, MaskWords words) {
  return [number = Set(field, lanes), bits = Set("mask", words)](Case& c) {
    return number(c) || bits(c);
  };
}

Breaker SecondWordBreaker() {
  return {kMaskBits,
          "a bit of the second word at 32 bits",
          {[](Case& c) { return Subject(c).is_set_mask; },
           Set("mask", MaskWords{1, 1}),
           [](Case& c) { return isa::LaneBytes(Subject(c)) >= 4; }}};
}

void PutElements(Case& c, isa::Memory memory, isa::DType type, std::int64_t at,
                 std::span<const std::uint64_t> elements) {
  auto& image = c.memory[static_cast<std::size_t>(memory)];
  if (!image) return;
  if (image->regions.empty()) {
    Region whole{.at = 0, .dtype = type, .bytes = {}};
    whole.bytes =
        MakeData(type, Data::kRamp, image->size / isa::SizeBytes(type));
    image->regions.push_back(std::move(whole));
  }
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t bits : elements) AppendElement(type, bits, bytes);
  auto& all = image->regions.front().bytes;
  const auto space = static_cast<std::int64_t>(all.size()) - at;
  const auto count = std::clamp<std::int64_t>(
      space, 0, static_cast<std::int64_t>(bytes.size()));
  std::copy_n(bytes.begin(), count, all.begin() + at);
}

isa::Call HalvesCopied(isa::Position src, std::int64_t src_at,
                       isa::Position dst, std::int64_t dst_at) {
  isa::Call call = isa::CallOf("DataCopy");
  call.dst() = At(dst, dst_at, 64);
  call.src(0) = At(src, src_at, 64);
  call[isa::Param::kCount] = 32;
  return call;
}

Sketch TwoCopies(Case c, isa::Call second, std::int64_t barrier,
                 std::int64_t shift) {
  constexpr auto kPipes = static_cast<std::int64_t>(isa::kCount<isa::Pipe>);
  const auto pipe = static_cast<isa::Pipe>(barrier);
  const bool has_barrier = barrier < kPipes;
  isa::Call& first = Subject(c);
  first.dst().at = 256;
  first.src(0).at = 2048;
  second.dst().at = 256 + shift;
  second.src(0).at = 3072;
  std::string what = fmt::format(
      "barriers: {} to {}, {}, {} to {} {:+} bytes",
      isa::Name(first.src(0).position), isa::Name(first.dst().position),
      has_barrier ? isa::Name(pipe) : "none", isa::Name(second.src(0).position),
      isa::Name(second.dst().position), shift);
  if (has_barrier) c.program.push_back(isa::PipeBarrier{.pipe = pipe});
  c.program.emplace_back(second);
  for (auto& image : c.memory) image.reset();
  for (isa::Memory m : {isa::Memory::kGm, isa::Memory::kUb, isa::Memory::kL1,
                        isa::Memory::kBt, isa::Memory::kFb}) {
    if (!MemoriesOf(c)[static_cast<std::size_t>(m)]) continue;
    c.memory[static_cast<std::size_t>(m)] = Image(4096);
  }
  return {.what = std::move(what),
          .rule = second.Rule(kBarrier),
          .c = std::move(c)};
}

void SweepKit(Emitter& out, const Kit& kit) {
  SweepBoundaries(out, kit);
  SweepBreakers(out, kit);
  SweepBrokenBoundaries(out, kit);
  SweepOlderBoundaries(out, kit);
  // Operands that may differ in type have tables of their own, and a copy has
  // positions that align to 128 bytes.
  const bool copies = kit.row.family == isa::Family::kCopy;
  if (!isa::HasRule(kit.row, kMixed)) SweepTables(out, kit);
  SweepAlignment(out, kit, copies ? 130 : 66);
}

}  // namespace lanediff::make::sweep
