// TROWPROD: seams of addresses, write-back and vectors.

#include <algorithm>
#include <span>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::kTrowprod;
using emulator::State;
using isa::Call;
using isa::Layout;
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
      kTileRow("trp-src-rows-without-padding", kAddress,
               "steps from row to row by validCol, not cols",
               "a tile taken for a dense matrix")
          .Planned([](Plan& p, const Call& c) {
            p.src_row_stride =
                c.tiles[1].valid_col * emulator::ElementBytes(c.dtype);
          }),
      kTileRow("trp-nd-dst-written-as-column", kAddress,
               "writes an ND dst without gaps, as one in DN")
          .Planned([](Plan& p, const Call& c) {
            p.dst_row_stride = emulator::ElementBytes(c.dtype);
          }),
      kTileRow("trp-dn-dst-in-blocks", kAddress,
               "gives each element of a DN dst a DataBlock of its own",
               "one DataBlock a row, as a vector reduction writes it")
          .Planned([](Plan& p, const Call& c) {
            if (c.tiles[0].layout == Layout::kDn) p.dst_row_stride = 32;
          }),
      kTileRow("trp-padding-multiplied", kAddress,
               "multiplies all columns of the tile, valid or not")
          .Planned([](Plan& p, const Call& c) { p.cols = c.tiles[1].cols; }),
      kTileRow("trp-invalid-rows-multiplied", kAddress,
               "writes a product for each row of src that dst has space for")
          .Planned([](Plan& p, const Call& c) {
            p.rows = std::min(c.tiles[1].rows, c.tiles[0].rows);
          }),
      kTileRow("trp-last-row-skipped", kAddress,
               "leaves out the last of several rows")
          .Planned([](Plan& p) {
            if (p.rows > 1) --p.rows;
          }),
      kTileRow("trp-rows-8-bit", kAddress, "keeps eight bits of validRow",
               "a repeat count that is uint8_t")
          .Planned([](Plan& p) { p.rows %= 256; }),
      kTileRow("trp-order-ignored", kOrder,
               "multiplies in the documented order whatever is requested")
          .Planned([](Plan& p) { p.order = isa::Order::kDocumented; }),
      kTileRow("trp-saturation-missing", kSaturate, "never saturates",
               "PTO's own pages state IEEE")
          .Planned([](Plan& p) { p.saturation = false; }),
      kTileRow("trp-integers-always-wrap", kIntegerOverflow,
               "wraps products of integers whatever the mode is")
          .Planned([](Plan& p, const Call& c) {
            if (IsInteger(c)) p.saturation = false;
          }),
      kTileRow("trp-integers-always-saturate", kIntegerOverflow,
               "saturates products of integers whatever the mode is")
          .Planned([](Plan& p, const Call& c) {
            if (IsInteger(c)) p.saturation = true;
          }),
      kTileRow("trp-saturation-off-ignored", isa::state::kSaturation,
               "saturates although saturation is off")
          .Planned([](Plan& p) { p.saturation = true; }),
      kTileRow("trp-tmp-filled-by-registers", kAddress,
               "fills tmp in steps of 256 bytes, beyond the end of its tile",
               "scratch used in whole registers")
          .Planned([](Plan&, const Call& c, const State& s) {
            const isa::Tile& tmp = c.tiles[2];
            const std::int64_t bytes =
                tmp.rows * tmp.cols * emulator::ElementBytes(c.dtype);
            const std::int64_t all = (bytes + 255) / 256 * 256;
            for (std::int64_t i = 0; i < all; ++i) {
              emulator::Store(s.memories[isa::Memory::kUb], tmp.at + i,
                              std::uint8_t{0});
            }
          }),
  };
}

Table TrowprodWriteBacks() {
  return {
      kTileRow("trp-whole-block-written", kAddress,
               "fills the DataBlock from the element on with the product",
               "a broadcast store")
          .Written(
              [](const Plan& p, std::int64_t row, std::uint32_t bits, Ub ub) {
                Plan next = p;
                const std::int64_t at = p.dst + row * p.dst_row_stride;
                const std::int64_t element = emulator::ElementBytes(p.dtype);
                for (next.dst = at; next.dst < at / 32 * 32 + 32;
                     next.dst += element) {
                  kTrowprod.write_back(next, 0, bits, ub);
                }
              }),
      kTileRow("trp-half-written-as-32-bits", kAddress,
               "writes four bytes for a half")
          .Written(
              [](const Plan& p, std::int64_t row, std::uint32_t bits, Ub ub) {
                emulator::Store(ub, p.dst + row * p.dst_row_stride, bits);
              }),
      kTileRow("trp-byte-before-written", kAddress,
               "changes the byte before the element of row 0")
          .Written([](const Plan& p, std::int64_t row, std::uint32_t bits,
                      Ub ub) {
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
      kTileRow("trp-vectors-tail-columns-lost", kAddress,
               "vectors multiply whole DataBlocks of a row and leave out the "
               "columns behind them",
               "a loop over whole vectors without its remainder")
          .ComputedFrom([](Plan& p) { p.cols = WholeBlocks(p); }),
      kTileRow("trp-vectors-last-rows-lost", kAddress,
               "vectors multiply rows in pairs and leave out an odd last one "
               "of several")
          .ComputedFrom([](Plan& p) {
            if (p.rows > 1) p.rows -= p.rows % 2;
          }),
      kTileRow("trp-vectors-padding-multiplied", kAddress,
               "vectors multiply the columns up to the next DataBlock too")
          .ComputedFrom([](Plan& p) {
            const std::int64_t lanes =
                emulator::kBlockBytes / emulator::ElementBytes(p.dtype);
            p.cols = (p.cols + lanes - 1) / lanes * lanes;
          }),
      kTileRow("trp-vectors-register-lanes", kOrder,
               "vectors multiply in the order of registers where the "
               "documented one is requested")
          .ComputedFrom([](Plan& p) {
            if (p.order == isa::Order::kDocumented) {
              p.order = isa::Order::kRegisterLanes;
            }
          }),
  };
}

}  // namespace lanediff::mutants
