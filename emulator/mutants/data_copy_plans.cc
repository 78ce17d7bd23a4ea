// DataCopy: seams of addresses.

#include "emulator/address.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using isa::Call;
using isa::Param;
using isa::Pipe;
using isa::Position;
using Plan = emulator::DataCopyPlan;

bool IsCount(const Call& call) { return call.Has(Param::kCount); }

/// Bytes that the count form names.
std::int64_t Named(const Call& call) {
  return call[Param::kCount] *
         emulator::ElementBytes(call.src(0).dtype.value_or(call.dtype));
}

void SetCountBytes(Plan& plan, const Call& call, std::int64_t bytes) {
  if (IsCount(call)) plan.src.bytes = plan.dst.bytes = bytes;
}

/// Blocks of `unit` bytes for each of blockLen, gaps as they were.
void SetUnit(Plan& plan, const Call& call, std::int64_t unit) {
  if (IsCount(call)) return;
  const std::int64_t src_gap = plan.src.stride - plan.src.bytes;
  const std::int64_t dst_gap = plan.dst.stride - plan.dst.bytes;
  plan.src.bytes = call[Param::kBlockLen] * unit;
  plan.dst.bytes = plan.src.bytes * (plan.widens ? 2 : 1);
  plan.src.stride = plan.src.bytes + src_gap;
  plan.dst.stride = plan.dst.bytes + dst_gap;
}

Table Gaps() {
  return {
      kCopyRow("dc-src-gap-head-to-head", kAddress,
               "takes srcGap for the distance of two heads",
               "strides of other instructions run from head to head")
          .Planned([](Plan& p, const Call& c) {
            if (!IsCount(c)) p.src.stride = c[Param::kSrcGap] * 32;
          }),
      kCopyRow("dc-dst-gap-head-to-head", kAddress,
               "takes dstGap for the distance of two heads")
          .Planned([](Plan& p) { p.dst.stride -= p.dst.bytes; }),
      kCopyRow("dc-dst-gap-ignored", kAddress, "writes the blocks without gaps")
          .Planned([](Plan& p) { p.dst.stride = p.dst.bytes; }),
      kCopyRow("dc-gaps-swapped", kAddress,
               "takes srcGap for dstGap and dstGap for srcGap")
          .Planned([](Plan& p, const Call& c) {
            if (IsCount(c)) return;
            p.src.stride = p.src.bytes + c[Param::kDstGap] * 32;
            p.dst.stride = p.dst.bytes + c[Param::kSrcGap] * 32;
          }),
      kCopyRow("dc-dst-gap-in-32-everywhere", kAddress,
               "counts dstGap in 32 bytes at C2 and C2PIPE2GM, too")
          .Planned([](Plan& p, const Call& c) {
            if (!IsCount(c)) {
              p.dst.stride = p.dst.bytes + c[Param::kDstGap] * 32;
            }
          }),
      kCopyRow("dc-src-gap-in-dst-unit", kAddress,
               "counts srcGap in the destination's unit at C2 and C2PIPE2GM")
          .Planned([](Plan& p, const Call& c) {
            if (c[Param::kBlockLen] == 0) return;
            p.src.stride =
                p.src.bytes +
                c[Param::kSrcGap] * (p.src.bytes / c[Param::kBlockLen]);
          }),
      kCopyRow("dc-src-gap-8-bit", kAddress, "keeps eight bits of srcGap")
          .Planned([](Plan& p, const Call& c) {
            if (!IsCount(c)) {
              p.src.stride = p.src.bytes + c[Param::kSrcGap] % 256 * 32;
            }
          }),
  };
}

Table Lengths() {
  return {
      kCopyRow("dc-c2-unit-32", kAddress, "counts blockLen in 32 bytes at C2")
          .Planned([](Plan& p, const Call& c) {
            if (c.dst().position == Position::kC2) SetUnit(p, c, 32);
          }),
      kCopyRow("dc-c2pipe2gm-unit-64", kAddress,
               "counts blockLen in 64 bytes at C2PIPE2GM, as at C2")
          .Planned([](Plan& p, const Call& c) {
            if (c.dst().position == Position::kC2pipe2gm) SetUnit(p, c, 64);
          }),
      kCopyRow("dc-widened-stride-not-doubled", kAddress,
               "steps by the source's block length where it widens")
          .Planned([](Plan& p) {
            if (p.widens) p.dst.stride -= p.src.bytes;
          }),
      kCopyRow("dc-last-block-skipped", kAddress,
               "leaves out the last of several blocks")
          .Planned([](Plan& p) {
            if (p.dst.count > 1) p.src.count = --p.dst.count;
          }),
      kCopyRow("dc-block-count-zero-copies-one", kBlockEmpty,
               "copies a block where blockCount is 0",
               "a loop that tests its condition last")
          .Planned([](Plan& p, const Call& c) {
            if (c.Has(Param::kBlockCount) && c[Param::kBlockCount] == 0) {
              p.src.count = p.dst.count = 1;
            }
          }),
      kCopyRow("dc-block-count-8-bit", kAddress,
               "keeps eight bits of blockCount")
          .Planned([](Plan& p, const Call& c) {
            if (!IsCount(c)) p.src.count = p.dst.count %= 256;
          }),
      kCopyRow("dc-count-rounded-up", kCountLength,
               "copies the tail of the count form, and what is behind it",
               "a length rounded up to whole DataBlocks")
          .Planned([](Plan& p, const Call& c) {
            SetCountBytes(p, c, (Named(c) + 31) / 32 * 32);
          }),
      kCopyRow("dc-count-exact", kCountLength,
               "copies the tail of the count form", "memcpy")
          .Planned(
              [](Plan& p, const Call& c) { SetCountBytes(p, c, Named(c)); }),
      kCopyRow("dc-count-in-16-elements", kCountLength,
               "rounds count down to 16 elements, whatever the type",
               "a DataBlock is 16 elements, of half")
          .Planned([](Plan& p, const Call& c) {
            SetCountBytes(
                p, c,
                c[Param::kCount] / 16 * 16 * emulator::ElementBytes(c.dtype));
          }),
      kCopyRow("dc-count-in-unit-of-dst", kCountLength,
               "rounds the count form down to 64 bytes at C2")
          .Planned([](Plan& p, const Call& c) {
            if (c.dst().position == Position::kC2) {
              SetCountBytes(p, c, Named(c) / 64 * 64);
            }
          }),
      kCopyRow("dc-count-16-bit", kCountLength, "keeps 16 bits of count")
          .Planned([](Plan& p, const Call& c) {
            SetCountBytes(p, c,
                          c[Param::kCount] % 65536 *
                              emulator::ElementBytes(c.dtype) / 32 * 32);
          }),
  };
}

Table Pipes() {
  return {
      kCopyRow(
          "dc-gm-to-local-on-mte3", kBarrier,
          "books a copy from GM on MTE3, so that the next needs no barrier")
          .Planned([](Plan& p, const Call& c) {
            if (c.src(0).position == Position::kGm) p.pipe = Pipe::kMte3;
          }),
      kCopyRow("dc-local-to-gm-on-mte2", kBarrier,
               "books a copy to GM on MTE2, so that the next needs no barrier")
          .Planned([](Plan& p, const Call& c) {
            if (c.dst().position == Position::kGm) p.pipe = Pipe::kMte2;
          }),
      kCopyRow(
          "dc-ub-to-l1-on-mte2", kBarrier,
          "books a copy to TSCM on MTE2, so that the next needs no barrier",
          "whatever goes to L1 taken for MTE2")
          .Planned([](Plan& p, const Call& c) {
            if (c.dst().position == Position::kTscm) p.pipe = Pipe::kMte2;
          }),
  };
}

}  // namespace

Table DataCopyPlans() { return Joined(Gaps(), Lengths(), Pipes()); }

}  // namespace lanediff::mutants
