// Counts, blocks, overlap and barriers.
#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/data_copy.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep::data_copy {

void SweepCounts(Emitter& out) {
  for (DType dtype : kEveryDType) {
    for (std::int64_t count = 0; count <= 140; ++count) {
      out.Add([&] {
        const std::int64_t bytes = count * isa::SizeBytes(dtype);
        return Sketch{
            .what = fmt::format("counts: {} of {}", count, isa::Name(dtype)),
            .rule = bytes < 32        ? dc::kCountEmpty
                    : bytes % 32 != 0 ? dc::kCountFloor
                                      : dc::kCountLength,
            .c = MakeCase({.dtype = dtype, .params = false, .count = count}),
            .data = Data::kBits};
      });
    }
  }
}

/// Blocks and gaps on a route of each unit.
void SweepBlocks(Emitter& out) {
  static constexpr Shape kRoutes[] = {
      {},
      {.src = Position::kVecin, .dst = Position::kVeccalc},
      {.src = Position::kVecout, .dst = Position::kGm},
      {.src = Position::kC1, .dst = Position::kC2},
      {.src = Position::kA1, .dst = Position::kC2pipe2gm},
  };
  for (const Shape& route : kRoutes) {
    for (std::int64_t count : {1, 2, 3, 5, 4095}) {
      for (std::int64_t len : {1, 2, 3, 8, 255, 65535}) {
        for (std::int64_t src_gap : {0, 1, 2, 9, 65535}) {
          for (std::int64_t dst_gap : {0, 1, 2, 9, 65535}) {
            for (bool widen : {false, true}) {
              out.Add([&]() -> std::optional<Sketch> {
                Shape shape = route;
                shape.blocks = {count, len, src_gap, dst_gap};
                Case c = MakeCase(shape);
                if (widen) {
                  if (shape.dst != Position::kC2) return std::nullopt;
                  S(c).dst.dtype = DType::kFloat;
                }
                if (!Place(c)) return std::nullopt;
                return Sketch{
                    .what = fmt::format(
                        "blocks: {} of {}, gaps {} {}, {} to {}{}", count, len,
                        src_gap, dst_gap, isa::Name(shape.src),
                        isa::Name(shape.dst), widen ? ", widened" : ""),
                    .rule = dc::kAddress,
                    .c = std::move(c),
                    .data = Data::kBits};
              });
            }
          }
        }
      }
    }
  }
}

void SweepOverlap(Emitter& out) {
  std::vector<std::int64_t> shifts;
  for (std::int64_t block = -14; block <= 14; ++block) {
    shifts.push_back(block * 32);
  }
  for (std::int64_t count : {1, 2, 3}) {
    for (std::int64_t len : {1, 2, 3}) {
      for (std::int64_t src_gap : {0, 1, 2, 3}) {
        for (std::int64_t dst_gap : {0, 1, 2, 3}) {
          const Base base{
              fmt::format("{} of {}, gaps {} {}", count, len, src_gap, dst_gap),
              MakeCase({.src = Position::kVecin,
                        .dst = Position::kVeccalc,
                        .blocks = {count, len, src_gap, dst_gap}})};
          SweepShift(out, base, "src", dc::kOverlap, shifts);
        }
      }
    }
  }
  for (std::int64_t count : {16, 17, 32, 48}) {
    const Base base{fmt::format("count {}", count),
                    MakeCase({.src = Position::kVecin,
                              .dst = Position::kVeccalc,
                              .params = false,
                              .count = count})};
    SweepShift(out, base, "src", dc::kOverlap, shifts);
  }
}

/// A copy of each pipe, a barrier or none, and a second copy to the same, a
/// neighbouring or an overlapping place by the same or another route.
void SweepBarriers(Emitter& out) {
  static constexpr Shape kRoutes[] = {
      {},
      {.src = Position::kVecin, .dst = Position::kVeccalc},
      {.src = Position::kVecout, .dst = Position::kGm},
      {.src = Position::kGm, .dst = Position::kA1},
      {.src = Position::kVecin, .dst = Position::kTscm},
      {.src = Position::kVecout, .dst = Position::kA1},
      {.src = Position::kC1, .dst = Position::kC2},
      {.src = Position::kA1, .dst = Position::kC2pipe2gm},
      {.src = Position::kGm, .dst = Position::kC1},
  };
  for (const Shape& first : kRoutes) {
    for (const Shape& second : kRoutes) {
      for (std::size_t pipe = 0; pipe <= isa::kCount<isa::Pipe>; ++pipe) {
        for (std::int64_t shift : {-128, 0, 32, 64, 128, 256}) {
          for (std::int64_t gap : {0, 4}) {
            out.Add([&]() -> std::optional<Sketch> {
              Shape shape = first;
              shape.blocks = {2, 1, 0, gap};
              Case c = MakeCase(shape);
              shape = second;
              shape.blocks = {2, 1, 0, 0};
              Case other = MakeCase(shape);
              S(c).dst.at = 256;
              S(c).src.at = 2048;
              S(other).dst.at = 256 + shift;
              S(other).src.at = 3072;
              if (pipe < isa::kCount<isa::Pipe>) {
                c.program.push_back(
                    isa::PipeBarrier{.pipe = static_cast<isa::Pipe>(pipe)});
              }
              c.program.push_back(other.program.back());
              for (auto& image : c.memory) image.reset();
              for (isa::Memory m :
                   {isa::Memory::kGm, isa::Memory::kUb, isa::Memory::kL1,
                    isa::Memory::kBt, isa::Memory::kFb}) {
                if (!MemoriesOf(c)[static_cast<std::size_t>(m)]) continue;
                c.memory[static_cast<std::size_t>(m)] =
                    MemoryImage{.fill = 0, .size = 4096, .regions = {}};
              }
              return Sketch{
                  .what = fmt::format(
                      "barriers: {} to {}, {}, {} to {} {:+} bytes, gap {}",
                      isa::Name(first.src), isa::Name(first.dst),
                      pipe < isa::kCount<isa::Pipe>
                          ? isa::Name(static_cast<isa::Pipe>(pipe))
                          : "none",
                      isa::Name(second.src), isa::Name(second.dst), shift, gap),
                  .rule = dc::kBarrier,
                  .c = std::move(c)};
            });
          }
        }
      }
    }
  }
}

namespace {

/// Copies of 32 bytes from GM to `places` of VECIN, one after the other.
Case CopiesTo(const std::vector<std::int64_t>& places) {
  Case c = MakeCase({.params = false, .count = 16});
  const DataCopy copy = S(c);
  c.program.clear();
  std::int64_t end = 0;
  for (std::int64_t place : places) {
    DataCopy next = copy;
    next.dst.at = place;
    c.program.emplace_back(next);
    end = std::max(end, place + 32);
  }
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0, .size = end, .regions = {}};
  return c;
}

}  // namespace

/// Many copies under way, of which one is met; and destinations whose addresses
/// are alike in their low bits.
void SweepUnderWay(Emitter& out) {
  for (std::int64_t count : {2, 3, 4, 5, 8, 9, 16, 17, 32, 33}) {
    for (std::int64_t met : {std::int64_t{0}, count / 2, count - 1, count}) {
      out.Add([&] {
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < count; ++i) places.push_back(32 * i);
        places.push_back(32 * met);
        return Sketch{
            .what = fmt::format("under way: {} copies, then one onto number {}",
                                count, met),
            .rule = dc::kBarrier,
            .c = CopiesTo(places)};
      });
    }
  }
  for (std::int64_t apart = 32; apart <= 131072; apart *= 2) {
    for (std::int64_t first : {0, 96}) {
      out.Add([&] {
        return Sketch{.what = fmt::format("under way: {} bytes apart, from {}",
                                          apart, first),
                      .rule = dc::kBarrier,
                      .c = CopiesTo({first, first + apart})};
      });
    }
  }
}

}  // namespace lanediff::make::sweep::data_copy
