#include "diff/generate/data_copy.h"

#include <algorithm>
#include <vector>

#include "diff/generate/mutate.h"
#include "diff/generate/operands.h"
#include "isa/data_copy.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::DataCopy;
using isa::DType;
using isa::Position;
using isa::Product;
using enum isa::Position;

struct Route {
  Position src;
  Position dst;
};

/// Routes worth a call on `product`; which of them are legal is not for us to
/// say.
std::vector<Route> RoutesOf(Product product) {
  std::vector<Route> routes = {{kGm, kVecin}, {kVecout, kGm}};
  const bool a2 = product == Product::kAtlasA2 || product == Product::kAtlasA3;
  if (a2 || product == Product::kAtlasTraining ||
      product == Product::kAtlasInferenceAicore) {
    routes.insert(routes.end(), {{kGm, kA1},
                                 {kGm, kB1},
                                 {kVecin, kVeccalc},
                                 {kVeccalc, kVecout},
                                 {kVecin, kVecout}});
  }
  if (a2) {
    routes.insert(routes.end(), {{kGm, kC1},
                                 {kVecin, kTscm},
                                 {kVeccalc, kTscm},
                                 {kA1, kC2pipe2gm},
                                 {kB1, kC2pipe2gm},
                                 {kC1, kC2pipe2gm},
                                 {kC1, kC2},
                                 {kC1, kC2},
                                 {kA1, kGm},
                                 {kB1, kGm}});
  }
  if (product == Product::kAtlasInferenceAicore) {
    routes.insert(routes.end(), {{kVecin, kA1}, {kVecout, kB1}, {kCo2, kGm}});
  }
  return routes;
}

std::int64_t Unit(const DataCopy& call) {
  if (call.dst.position == kC2) return 64;
  return call.dst.position == kC2pipe2gm ? 128 : kDataBlockBytes;
}

/// Bytes of dst, or of src, from the first to the last that the call touches.
std::int64_t DstBytes(const DataCopy& call, std::int64_t wider) {
  const auto& p = call.params;
  if (call.form == DataCopy::kCount) {
    return call.count * isa::SizeBytes(call.dtype) / 32 * 32;
  }
  return p.block_count * p.block_len * Unit(call) * wider +
         (p.block_count - 1) * p.dst_gap * Unit(call);
}
std::int64_t SrcBytes(const DataCopy& call) {
  const auto& p = call.params;
  if (call.form == DataCopy::kCount) return DstBytes(call, 1);
  return p.block_count * p.block_len * Unit(call) +
         (p.block_count - 1) * p.src_gap * kDataBlockBytes;
}

/// Blocks and gaps that fit `room` bytes on the side of dst.
void SetParams(Random& random, DataCopy& call, std::int64_t wider,
               std::int64_t room) {
  auto& p = call.params;
  call.form = DataCopy::kParams;
  p.block_count = GenerateRepeat(random, 1, 4095);
  p.block_len =
      random.Percent(60) ? random.Between(1, 4) : random.Between(1, 64);
  p.src_gap = random.OneOf<std::int64_t>({0, 0, 1, 2, 7});
  p.dst_gap = random.OneOf<std::int64_t>({0, 0, 1, 2, 7});
  if (p.block_count == 1 && random.Percent(20)) p.src_gap = p.dst_gap = 65535;
  while (std::max(DstBytes(call, wider), SrcBytes(call)) > room) {
    if (p.block_len > 1) {
      p.block_len = (p.block_len + 1) / 2;
    } else if (p.src_gap + p.dst_gap > 0) {
      p.src_gap /= 2;
      p.dst_gap /= 2;
    } else {
      p.block_count = (p.block_count + 1) / 2;
    }
  }
}

struct Ends {  // the first free byte of each memory
  std::array<std::int64_t, isa::kCount<isa::Memory>> at = {};
};

void Place(Random& random, const Case& c, isa::Operand& operand,
           std::int64_t bytes, Ends& ends) {
  const isa::Memory memory = isa::MemoryAt(c.product, operand.position);
  std::int64_t& end = ends.at[static_cast<std::size_t>(memory)];
  const std::int64_t unit = memory == isa::Memory::kFb   ? 128
                            : memory == isa::Memory::kBt ? 64
                                                         : kDataBlockBytes;
  const bool tight = unit > kDataBlockBytes;
  operand.at = RoundUp(
      end + (tight ? 0 : random.OneOf<std::int64_t>({0, 0, 32, 96})), unit);
  if (memory == isa::Memory::kGm && random.Percent(30)) operand.at += 8;
  operand.bytes = bytes + (tight ? 0 : random.OneOf<std::int64_t>({0, 0, 32}));
  end = std::max(end, operand.at + operand.bytes);
}

/// Room for dst of one call: Fixpipe and BiasTable are small.
std::int64_t Room(isa::Memory memory) {
  if (memory == isa::Memory::kBt) return 1024;
  return memory == isa::Memory::kFb ? 3584 : 32 * 1024;
}

DataCopy Call(Random& random, const Case& c, Ends& ends) {
  const std::vector<Route> routes = RoutesOf(c.product);
  const Route route = random.Pick(routes);
  DataCopy call;
  call.src.position = route.src;
  call.dst.position = route.dst;
  call.dtype = static_cast<DType>(
      random.Between(0, static_cast<std::int64_t>(isa::kCount<DType>) - 1));
  const bool bfloat = c.product == Product::kAtlasA2 ||
                      c.product == Product::kAtlasA3 ||
                      c.product == Product::kAtlas200i500A2;
  if (call.dtype == DType::kBfloat16 && !bfloat) call.dtype = DType::kHalf;
  const isa::Memory memory = isa::MemoryAt(c.product, route.dst);
  std::int64_t wider = 1;
  if (route.src == kC1 && route.dst == kC2 && random.Percent(50)) {
    call.dtype = DType::kHalf;
    call.dst.dtype = DType::kFloat;
    wider = 2;
  }
  const std::int64_t room = Room(memory);
  if (wider == 1 && random.Percent(40)) {
    const std::int64_t most = room / isa::SizeBytes(call.dtype);
    call.count = random.Percent(70)
                     ? random.Between(0, std::min<std::int64_t>(most, 2000))
                     : most / 4 / 32 * 32;
  } else {
    SetParams(random, call, wider, room);
  }
  Place(random, c, call.src, SrcBytes(call), ends);
  Place(random, c, call.dst, DstBytes(call, wider), ends);
  return call;
}

}  // namespace

Case GenerateDataCopy(Random& random) {
  Case c;
  c.id = "generated/data_copy";
  c.product = random.OneOf(
      {Product::kAtlasA2, Product::kAtlasA3, Product::kAtlasTraining,
       Product::kAtlasInferenceAicore, Product::kAtlasInferenceVectorcore,
       Product::kAtlas200i500A2});
  Ends ends;
  std::vector<DataCopy> calls;
  for (std::int64_t n = random.Percent(60) ? 1 : random.Between(2, 3); n > 0;
       --n) {
    if (!calls.empty() && random.Percent(40)) {
      if (random.Percent(80)) {  // the same destination again
        c.program.emplace_back(isa::PipeBarrier{
            random.Percent(60) ? isa::Pipe::kAll
                               : static_cast<isa::Pipe>(random.Between(0, 5))});
      }
      calls.push_back(calls.back());
    } else {
      calls.push_back(Call(random, c, ends));
    }
    c.program.emplace_back(calls.back());
  }
  for (std::size_t m = 0; m < ends.at.size(); ++m) {
    if (ends.at[m] == 0) continue;
    AddMemory(random, c, static_cast<isa::Memory>(m),
              ends.at[m] + random.OneOf<std::int64_t>({0, 32, 512}));
  }
  for (const DataCopy& call : calls) {
    AddData(random, c, isa::MemoryAt(c.product, call.src.position), call.src.at,
            SrcBytes(call), call.dtype);
  }
  const auto gm = static_cast<std::size_t>(isa::Memory::kGm);
  if (MemoriesOf(c)[gm] && !c.memory[gm]) {
    AddMemory(random, c, isa::Memory::kGm, 64);
  }
  if (random.Percent(30)) Mutate(random, c);
  return c;
}

}  // namespace lanediff::diff
