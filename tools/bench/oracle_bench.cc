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
#include "tools/bench/calls.h"
#include "tools/bench/data.h"
#include "tools/bench/half.h"
#include "tools/bench/works.h"

namespace lanediff::bench {
namespace {

using isa::DType;

constexpr std::size_t kNodes = 1024;

std::vector<std::uint64_t> Values(DType type, std::size_t count, Data data) {
  if (type == DType::kHalf) {
    std::vector<std::uint16_t> halves(count);
    FillHalves(halves, data, 5);
    return {halves.begin(), halves.end()};
  }
  std::vector<float> floats(count);
  FillFloats(floats, data, 5);
  std::vector<std::uint64_t> bits;
  for (const float value : floats) {
    bits.push_back(std::bit_cast<std::uint32_t>(value));
  }
  return bits;
}

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
  const auto left = Values(type, 2 * kNodes, Data::kFinite);
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

struct Machine {
  explicit Machine(DType type)
      : ub(196608), oracle(isa::Product::kAtlasA2, View(ub)) {
    if (type == DType::kHalf) {
      FillHalves({reinterpret_cast<std::uint16_t*>(ub.data()), ub.size() / 2},
                 Data::kFinite, 6);
    } else {
      FillFloats({reinterpret_cast<float*>(ub.data()), ub.size() / 4},
                 Data::kFinite, 6);
    }
  }
  static isa::Memories View(std::vector<std::uint8_t>& ub) {
    isa::Memories memories;
    memories[isa::Memory::kUb] = ub;
    return memories;
  }

  std::vector<std::uint8_t> ub;
  oracle::Oracle oracle;
};

struct Factors {
  std::vector<std::uint64_t> bits = Values(DType::kFloat, 1024, Data::kNearOne);
  double product = 1;

  Factors() {
    for (const std::uint64_t factor : bits) {
      product *= std::bit_cast<float>(static_cast<std::uint32_t>(factor));
    }
  }
};

}  // namespace

Prepared OracleAdds(const Setting&, DType type) {
  return Nodes(type, oracle::Add);
}

Prepared OracleMultiplies(const Setting&, DType type) {
  return Nodes(type, oracle::Multiply);
}

Prepared OracleSum(const Setting&, DType type) {
  auto machine = std::make_shared<Machine>(type);
  constexpr std::int64_t kRepeats = 255;
  const isa::RepeatReduceSum call = SumCall(type, kRepeats);
  const auto nodes =
      static_cast<double>(kRepeats * (call.elems_in_one_repeat - 1));
  Prepared prepared;
  prepared.units = nodes;
  prepared.work = [machine, step = isa::Step(call)] {
    benchmark::DoNotOptimize(machine->oracle.Execute(step));
  };
  prepared.check = [machine, nodes, work = prepared.work]() -> std::string {
    work();
    return static_cast<double>(machine->oracle.node_count()) == nodes
               ? ""
               : "the call has another number of nodes";
  };
  return prepared;
}

Prepared OracleTrueProduct(const Setting&) {
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

Prepared OracleTrueProductText(const Setting&) {
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

}  // namespace lanediff::bench
