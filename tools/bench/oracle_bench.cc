#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "oracle/exact_text.h"
#include "oracle/node.h"
#include "oracle/oracle.h"
#include "oracle/product_bound.h"
#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
namespace {

using isa::DType;

constexpr std::size_t kNodes = 1024;

/// What this machine's float unit makes of it; a half result is rounded twice
/// only where that does no harm (a float has more than 2 · 11 + 2 bits).
std::uint64_t Hardware(DType type, bool add, std::uint64_t left,
                       std::uint64_t right) {
  const auto value = [&](std::uint64_t bits) {
    return type == DType::kHalf
               ? WidenHalf(static_cast<std::uint16_t>(bits))
               : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  };
  const float result =
      add ? value(left) + value(right) : value(left) * value(right);
  return type == DType::kHalf ? NarrowSaturated(result)
                              : std::bit_cast<std::uint32_t>(result);
}

using Operation = oracle::NodeResult (*)(DType, std::uint64_t, std::uint64_t,
                                         bool);

Prepared Nodes(DType type, Operation operation) {
  const auto left = Elements(type, 2 * kNodes, Data::kFinite, 5);
  Prepared prepared;
  prepared.units = kNodes;
  prepared.work = [=] {
    for (std::size_t i = 0; i < kNodes; ++i) {
      benchmark::DoNotOptimize(
          operation(type, left[i], left[i + kNodes], true));
    }
  };
  prepared.check = [=]() -> std::string {
    for (std::size_t i = 0; i < kNodes; ++i) {
      const std::uint64_t found =
          operation(type, left[i], left[i + kNodes], true).bits;
      const std::uint64_t right =
          Hardware(type, operation == oracle::Add, left[i], left[i + kNodes]);
      if (found != right) {
        return fmt::format("node {:#x}, {:#x}: {:#x}, by hardware {:#x}",
                           left[i], left[i + kNodes], found, right);
      }
    }
    return "";
  };
  return prepared;
}

struct Factors {
  std::vector<std::uint64_t> bits =
      Elements(DType::kFloat, 1024, Data::kNearOne, 5);
  double product = 1;

  Factors() {
    for (const std::uint64_t factor : bits) {
      product *= std::bit_cast<float>(static_cast<std::uint32_t>(factor));
    }
  }
};

/// Nodes in a whole call of 255 repeats: RepeatReduceSum.
Prepared Sum(const Setting& setting, DType type) {
  constexpr std::int64_t kRepeats = 255;
  auto board = std::make_shared<Board>(isa::Product::kAtlasA2, setting.seams);
  Fill(board->memories()[isa::Memory::kUb], type, Data::kFinite, 6);
  auto oracle =
      std::make_shared<oracle::Oracle>(board->product(), board->memories());
  const isa::Call call = SumCallApart(type, kRepeats);
  const auto nodes =
      static_cast<double>(kRepeats * (call[isa::Param::kMask] - 1));
  Prepared prepared;
  prepared.units = nodes;
  prepared.work = [board, oracle, step = isa::Step(call)] {
    benchmark::DoNotOptimize(oracle->Execute(step));
  };
  prepared.check = [oracle, nodes, work = prepared.work]() -> std::string {
    work();
    return static_cast<double>(oracle->node_count()) == nodes
               ? ""
               : "the call has another number of nodes";
  };
  return prepared;
}

/// Whether a result is near enough to the exact product of 1,024 floats.
Prepared TrueProduct(const Setting&) {
  const auto decided = [factors = Factors()](double result) {
    return oracle::WithinProductBound(
        DType::kFloat, factors.bits,
        std::bit_cast<std::uint32_t>(static_cast<float>(result)));
  };
  const double product = Factors().product;
  Prepared prepared;
  prepared.work = [=] { benchmark::DoNotOptimize(decided(product)); };
  prepared.check = [=]() -> std::string {
    return decided(product) == true && decided(product * 1.001) == false
               ? ""
               : "what double makes of the product is not within the bound, or "
                 "what is a thousandth off is";
  };
  return prepared;
}

Prepared TrueProductText(const Setting&) {
  const Factors factors;
  Prepared prepared;
  prepared.work = [=] {
    benchmark::DoNotOptimize(
        oracle::ExactProductText(DType::kFloat, factors.bits));
  };
  prepared.check = [=]() -> std::string {
    const double exact =
        std::stod(oracle::ExactProductText(DType::kFloat, factors.bits));
    const double ratio = exact / factors.product;
    return ratio > 1 - 1e-12 && ratio < 1 + 1e-12
               ? ""
               : "the product is not what double makes of it";
  };
  return prepared;
}

}  // namespace

void AddOracleRows(Rows& rows) {
  for (const DType type : {DType::kHalf, DType::kFloat}) {
    const std::string name(isa::Name(type));
    const double least = type == DType::kHalf ? 25e6 : 10e6;
    rows.insert(
        rows.end(),
        {{"oracle.add." + name, "oracle: exact " + name + " sum, rounded", "",
          RateAtLeast(least),
          [=](const Setting&) { return Nodes(type, oracle::Add); }, "nodes"},
         {"oracle.multiply." + name,
          "oracle: exact " + name + " product, rounded", "", RateAtLeast(least),
          [=](const Setting&) { return Nodes(type, oracle::Multiply); },
          "nodes"},
         {"oracle.call." + name,
          "oracle: RepeatReduceSum " + name + ", 255 repeats, a whole call", "",
          RateAtLeast(0), [=](const Setting& s) { return Sum(s, type); },
          "nodes"}});
  }
  rows.push_back({"oracle.true-product",
                  "oracle: true product of 1,024 floats, and whether a result "
                  "is near it",
                  "", SecondsAtMost(0.5e-3), TrueProduct});
  rows.push_back({"oracle.true-product.text",
                  "oracle: the same in decimal, some 23,000 digits", "",
                  SecondsAtMost(0), TrueProductText});
  AddOracleLegalityRows(rows);
}

}  // namespace lanediff::bench
