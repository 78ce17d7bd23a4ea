// DataCopy: seams of addresses.

#include "emulator/address.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::dc;
using isa::Pipe;
using isa::Position;
using Call = isa::DataCopy;
using Plan = emulator::DataCopyPlan;

bool IsCount(const Call& call) { return call.form == Call::kCount; }

/// Bytes that the count form names.
std::int64_t Named(const Call& call) {
  return call.count *
         emulator::ElementBytes(call.src.dtype.value_or(call.dtype));
}

void SetCountBytes(Plan& plan, const Call& call, std::int64_t bytes) {
  if (IsCount(call)) plan.src.bytes = plan.dst.bytes = bytes;
}

/// Blocks of `unit` bytes for each of blockLen, gaps as they were.
void SetUnit(Plan& plan, const Call& call, std::int64_t unit) {
  if (IsCount(call)) return;
  const std::int64_t src_gap = plan.src.stride - plan.src.bytes;
  const std::int64_t dst_gap = plan.dst.stride - plan.dst.bytes;
  plan.src.bytes = call.params.block_len * unit;
  plan.dst.bytes = plan.src.bytes * (plan.widens ? 2 : 1);
  plan.src.stride = plan.src.bytes + src_gap;
  plan.dst.stride = plan.dst.bytes + dst_gap;
}

Table Gaps() {
  return {
      Planned<Call>({"dc-src-gap-head-to-head", rule::kAddress,
                     "takes srcGap for the distance of two heads",
                     "strides of other instructions run from head to head"},
                    [](Plan& p, const Call& c) {
                      if (!IsCount(c)) p.src.stride = c.params.src_gap * 32;
                    }),
      Planned<Call>({"dc-dst-gap-head-to-head", rule::kAddress,
                     "takes dstGap for the distance of two heads"},
                    [](Plan& p) { p.dst.stride -= p.dst.bytes; }),
      Planned<Call>({"dc-dst-gap-ignored", rule::kAddress,
                     "writes the blocks without gaps"},
                    [](Plan& p) { p.dst.stride = p.dst.bytes; }),
      Planned<Call>({"dc-gaps-swapped", rule::kAddress,
                     "takes srcGap for dstGap and dstGap for srcGap"},
                    [](Plan& p, const Call& c) {
                      if (IsCount(c)) return;
                      p.src.stride = p.src.bytes + c.params.dst_gap * 32;
                      p.dst.stride = p.dst.bytes + c.params.src_gap * 32;
                    }),
      Planned<Call>({"dc-dst-gap-in-32-everywhere", rule::kAddress,
                     "counts dstGap in 32 bytes at C2 and C2PIPE2GM, too"},
                    [](Plan& p, const Call& c) {
                      if (!IsCount(c)) {
                        p.dst.stride = p.dst.bytes + c.params.dst_gap * 32;
                      }
                    }),
      Planned<Call>(
          {"dc-src-gap-in-dst-unit", rule::kAddress,
           "counts srcGap in the destination's unit at C2 and C2PIPE2GM"},
          [](Plan& p, const Call& c) {
            if (c.params.block_len == 0) return;
            p.src.stride = p.src.bytes + c.params.src_gap *
                                             (p.src.bytes / c.params.block_len);
          }),
      Planned<Call>(
          {"dc-src-gap-8-bit", rule::kAddress, "keeps eight bits of srcGap"},
          [](Plan& p, const Call& c) {
            if (!IsCount(c)) {
              p.src.stride = p.src.bytes + c.params.src_gap % 256 * 32;
            }
          }),
  };
}

Table Lengths() {
  return {
      Planned<Call>({"dc-c2-unit-32", rule::kAddress,
                     "counts blockLen in 32 bytes at C2"},
                    [](Plan& p, const Call& c) {
                      if (c.dst.position == Position::kC2) SetUnit(p, c, 32);
                    }),
      Planned<Call>({"dc-c2pipe2gm-unit-64", rule::kAddress,
                     "counts blockLen in 64 bytes at C2PIPE2GM, as at C2"},
                    [](Plan& p, const Call& c) {
                      if (c.dst.position == Position::kC2pipe2gm)
                        SetUnit(p, c, 64);
                    }),
      Planned<Call>({"dc-widened-stride-not-doubled", rule::kAddress,
                     "steps by the source's block length where it widens"},
                    [](Plan& p) {
                      if (p.widens) p.dst.stride -= p.src.bytes;
                    }),
      Planned<Call>({"dc-last-block-skipped", rule::kAddress,
                     "leaves out the last of several blocks"},
                    [](Plan& p) {
                      if (p.dst.count > 1) p.src.count = --p.dst.count;
                    }),
      Planned<Call>({"dc-block-count-zero-copies-one", rule::kBlockEmpty,
                     "copies a block where blockCount is 0",
                     "a loop that tests its condition last"},
                    [](Plan& p, const Call& c) {
                      if (c.form == Call::kParams &&
                          c.params.block_count == 0) {
                        p.src.count = p.dst.count = 1;
                      }
                    }),
      Planned<Call>({"dc-block-count-8-bit", rule::kAddress,
                     "keeps eight bits of blockCount"},
                    [](Plan& p, const Call& c) {
                      if (!IsCount(c)) p.src.count = p.dst.count %= 256;
                    }),
      Planned<Call>({"dc-count-rounded-up", rule::kCountLength,
                     "copies the tail of the count form, and what is behind it",
                     "a length rounded up to whole DataBlocks"},
                    [](Plan& p, const Call& c) {
                      SetCountBytes(p, c, (Named(c) + 31) / 32 * 32);
                    }),
      Planned<Call>(
          {"dc-count-exact", rule::kCountLength,
           "copies the tail of the count form", "memcpy"},
          [](Plan& p, const Call& c) { SetCountBytes(p, c, Named(c)); }),
      Planned<Call>({"dc-count-in-16-elements", rule::kCountLength,
                     "rounds count down to 16 elements, whatever the type",
                     "a DataBlock is 16 elements, of half"},
                    [](Plan& p, const Call& c) {
                      SetCountBytes(
                          p, c,
                          c.count / 16 * 16 * emulator::ElementBytes(c.dtype));
                    }),
      Planned<Call>({"dc-count-in-unit-of-dst", rule::kCountLength,
                     "rounds the count form down to 64 bytes at C2"},
                    [](Plan& p, const Call& c) {
                      if (c.dst.position == Position::kC2) {
                        SetCountBytes(p, c, Named(c) / 64 * 64);
                      }
                    }),
      Planned<Call>(
          {"dc-count-16-bit", rule::kCountLength, "keeps 16 bits of count"},
          [](Plan& p, const Call& c) {
            SetCountBytes(
                p, c,
                c.count % 65536 * emulator::ElementBytes(c.dtype) / 32 * 32);
          }),
  };
}

Table Pipes() {
  return {
      Planned<Call>(
          {"dc-gm-to-local-on-mte3", rule::kBarrier,
           "books a copy from GM on MTE3, so that the next needs no barrier"},
          [](Plan& p, const Call& c) {
            if (c.src.position == Position::kGm) p.pipe = Pipe::kMte3;
          }),
      Planned<Call>(
          {"dc-local-to-gm-on-mte2", rule::kBarrier,
           "books a copy to GM on MTE2, so that the next needs no barrier"},
          [](Plan& p, const Call& c) {
            if (c.dst.position == Position::kGm) p.pipe = Pipe::kMte2;
          }),
      Planned<Call>(
          {"dc-ub-to-l1-on-mte2", rule::kBarrier,
           "books a copy to TSCM on MTE2, so that the next needs no barrier",
           "whatever goes to L1 taken for MTE2"},
          [](Plan& p, const Call& c) {
            if (c.dst.position == Position::kTscm) p.pipe = Pipe::kMte2;
          }),
  };
}

}  // namespace

Table DataCopyPlans() { return Joined(Gaps(), Lengths(), Pipes()); }

}  // namespace lanediff::mutants
