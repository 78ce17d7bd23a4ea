// TROWPROD: seams of addresses, write-back and vectors.

#include <algorithm>
#include <span>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::trp;
using emulator::kTrowprod;
using emulator::State;
using isa::Layout;
using Call = isa::Trowprod;
using Plan = emulator::TrowprodPlan;
using Ub = std::span<std::uint8_t>;

bool IsInteger(const Call& c) {
  return c.dtype == isa::DType::kInt16 || c.dtype == isa::DType::kInt32;
}

/// `cols` without what is left of whole DataBlocks, if there is one.
std::int64_t WholeBlocks(const Plan& plan) {
  const std::int64_t lanes =
      emulator::kBlockBytes / emulator::ElementBytes(plan.dtype);
  return plan.cols < lanes ? plan.cols : plan.cols - plan.cols % lanes;
}

}  // namespace

Table TrowprodPlans() {
  return {
      Planned<Call>({"trp-src-rows-without-padding", rule::kAddress,
                     "steps from row to row by validCol, not cols",
                     "a tile taken for a dense matrix"},
                    [](Plan& p, const Call& c) {
                      p.src_row_stride =
                          c.src.valid_col * emulator::ElementBytes(c.dtype);
                    }),
      Planned<Call>({"trp-nd-dst-written-as-column", rule::kAddress,
                     "writes an ND dst without gaps, as one in DN"},
                    [](Plan& p, const Call& c) {
                      p.dst_row_stride = emulator::ElementBytes(c.dtype);
                    }),
      Planned<Call>({"trp-dn-dst-in-blocks", rule::kAddress,
                     "gives each element of a DN dst a DataBlock of its own",
                     "one DataBlock a row, as a vector reduction writes it"},
                    [](Plan& p, const Call& c) {
                      if (c.dst.layout == Layout::kDn) p.dst_row_stride = 32;
                    }),
      Planned<Call>({"trp-padding-multiplied", rule::kAddress,
                     "multiplies all columns of the tile, valid or not"},
                    [](Plan& p, const Call& c) { p.cols = c.src.cols; }),
      Planned<Call>(
          {"trp-invalid-rows-multiplied", rule::kAddress,
           "writes a product for each row of src that dst has space for"},
          [](Plan& p, const Call& c) {
            p.rows = std::min(c.src.rows, c.dst.rows);
          }),
      Planned<Call>({"trp-last-row-skipped", rule::kAddress,
                     "leaves out the last of several rows"},
                    [](Plan& p) {
                      if (p.rows > 1) --p.rows;
                    }),
      Planned<Call>(
          {"trp-rows-8-bit", rule::kAddress, "keeps eight bits of validRow",
           "a repeat count that is uint8_t"},
          [](Plan& p) { p.rows %= 256; }),
      Planned<Call>(
          {"trp-order-ignored", rule::kOrder,
           "multiplies in the documented order whatever is requested"},
          [](Plan& p) { p.order = isa::Order::kDocumented; }),
      Planned<Call>({"trp-saturation-missing", rule::kSaturate,
                     "never saturates", "PTO's own pages state IEEE"},
                    [](Plan& p) { p.saturation = false; }),
      Planned<Call>({"trp-integers-always-wrap", rule::kIntegerOverflow,
                     "wraps products of integers whatever the mode is"},
                    [](Plan& p, const Call& c) {
                      if (IsInteger(c)) p.saturation = false;
                    }),
      Planned<Call>({"trp-integers-always-saturate", rule::kIntegerOverflow,
                     "saturates products of integers whatever the mode is"},
                    [](Plan& p, const Call& c) {
                      if (IsInteger(c)) p.saturation = true;
                    }),
      Planned<Call>({"trp-saturation-off-ignored", isa::state::kSaturation,
                     "saturates although saturation is off"},
                    [](Plan& p) { p.saturation = true; }),
      Planned<Call>(
          {"trp-tmp-filled-by-registers", rule::kAddress,
           "fills tmp in steps of 256 bytes, beyond the end of its tile",
           "scratch used in whole registers"},
          [](Plan&, const Call& c, const State& s) {
            const std::int64_t bytes =
                c.tmp.rows * c.tmp.cols * emulator::ElementBytes(c.dtype);
            const std::int64_t all = (bytes + 255) / 256 * 256;
            for (std::int64_t i = 0; i < all; ++i) {
              emulator::Store(s.memories[isa::Memory::kUb], c.tmp.at + i,
                              std::uint8_t{0});
            }
          }),
  };
}

Table TrowprodWriteBacks() {
  return {
      Written<Call>(
          {"trp-whole-block-written", rule::kAddress,
           "fills the DataBlock from the element on with the product",
           "a broadcast store"},
          [](const Plan& p, std::int64_t row, std::uint32_t bits, Ub ub) {
            Plan next = p;
            const std::int64_t at = p.dst + row * p.dst_row_stride;
            const std::int64_t element = emulator::ElementBytes(p.dtype);
            for (next.dst = at; next.dst < at / 32 * 32 + 32;
                 next.dst += element) {
              kTrowprod.write_back(next, 0, bits, ub);
            }
          }),
      Written<Call>(
          {"trp-half-written-as-32-bits", rule::kAddress,
           "writes four bytes for a half"},
          [](const Plan& p, std::int64_t row, std::uint32_t bits, Ub ub) {
            emulator::Store(ub, p.dst + row * p.dst_row_stride, bits);
          }),
      Written<Call>(
          {"trp-byte-before-written", rule::kAddress,
           "changes the byte before the element of row 0"},
          [](const Plan& p, std::int64_t row, std::uint32_t bits, Ub ub) {
            if (row == 0) {
              const auto old = emulator::Load<std::uint8_t>(ub, p.dst - 1);
              emulator::Store(ub, p.dst - 1, static_cast<std::uint8_t>(~old));
            }
            kTrowprod.write_back(p, row, bits, ub);
          }),
  };
}

Table TrowprodVectorKernels() {
  return {
      ComputedFrom<Call>(
          {"trp-vectors-tail-columns-lost", rule::kAddress,
           "vectors multiply whole DataBlocks of a row and leave out the "
           "columns behind them",
           "a loop over whole vectors without its remainder"},
          [](Plan& p) { p.cols = WholeBlocks(p); }),
      ComputedFrom<Call>(
          {"trp-vectors-last-rows-lost", rule::kAddress,
           "vectors multiply rows in pairs and leave out an odd last one "
           "of several"},
          [](Plan& p) {
            if (p.rows > 1) p.rows -= p.rows % 2;
          }),
      ComputedFrom<Call>(
          {"trp-vectors-padding-multiplied", rule::kAddress,
           "vectors multiply the columns up to the next DataBlock too"},
          [](Plan& p) {
            const std::int64_t lanes =
                emulator::kBlockBytes / emulator::ElementBytes(p.dtype);
            p.cols = (p.cols + lanes - 1) / lanes * lanes;
          }),
      ComputedFrom<Call>(
          {"trp-vectors-register-lanes", rule::kOrder,
           "vectors multiply in the order of registers where the "
           "documented one is requested"},
          [](Plan& p) {
            if (p.order == isa::Order::kDocumented) {
              p.order = isa::Order::kRegisterLanes;
            }
          }),
  };
}

}  // namespace lanediff::mutants
