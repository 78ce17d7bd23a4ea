#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/memories.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/node.h"
#include "oracle/oracle.h"

/// For the oracle's own tests.
namespace lanediff::oracle {

/// How a failed comparison shows a node.
inline void PrintTo(const NodeResult& r, std::ostream* os) {
  *os << std::hex << "0x" << r.bits << (r.rounded ? " rounded" : "")
      << (r.tie ? " tie" : "") << (r.saturated ? " saturated" : "")
      << (r.wrapped ? " wrapped" : "");
}

namespace test {

#if defined(__SANITIZE_ADDRESS__)
#define LANEDIFF_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANEDIFF_SANITIZED
#endif
#endif

/// Unoptimised and sanitised builds are far slower and compare fewer nodes.
#if defined(__OPTIMIZE__) && !defined(LANEDIFF_SANITIZED)
inline constexpr bool kSlowBuild = false;
#else
inline constexpr bool kSlowBuild = true;
#endif

inline constexpr std::int64_t kMax = INT64_MAX;
inline constexpr std::int64_t kMin = INT64_MIN;
inline constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

/// Fixed sequence of 64-bit words (splitmix64).
class Words {
 public:
  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 20240601;
};

/// Every word of a vocabulary.
template <class E>
std::vector<E> All() {
  std::vector<E> all;
  for (std::size_t i = 0; i < isa::kCount<E>; ++i) {
    all.push_back(static_cast<E>(i));
  }
  return all;
}

// ---- Machines ---------------------------------------------------------------

/// An oracle with a unified buffer of `kUbBytes`, filled with a pattern.
struct Machine {
  static constexpr std::size_t kUbBytes = 16384;

  explicit Machine(isa::Profile profile = isa::Product::kAtlasA2)
      : ub(kUbBytes, 0xa5), oracle(profile, MemoriesOf(ub)) {}

  static isa::Memories MemoriesOf(std::vector<std::uint8_t>& ub) {
    isa::Memories memories;
    memories[isa::Memory::kUb] = ub;
    return memories;
  }

  const auto& Contents() const { return ub; }
  isa::StepResult Execute(const isa::Step& step) {
    return oracle.Execute(step);
  }
  bool Executes(const isa::Step& step) {
    return Execute(step).status == isa::StepResult::Status::kExecuted;
  }

  static std::size_t Bytes(isa::DType dtype) {
    using enum isa::DType;
    return dtype == kFloat || dtype == kInt32 || dtype == kUint32 ? 4 : 2;
  }
  void Put(isa::DType dtype, std::int64_t at,
           const std::vector<std::uint64_t>& values) {
    auto byte = static_cast<std::size_t>(at);
    for (std::uint64_t value : values) {
      for (std::size_t i = 0; i < Bytes(dtype); ++i) {
        ub.at(byte++) = static_cast<std::uint8_t>(value >> (8 * i));
      }
    }
  }
  std::vector<std::uint64_t> Get(isa::DType dtype, std::int64_t at,
                                 std::size_t count) const {
    auto byte = static_cast<std::size_t>(at);
    std::vector<std::uint64_t> values(count);
    for (std::uint64_t& value : values) {
      for (std::size_t i = 0; i < Bytes(dtype); ++i) {
        value |= std::uint64_t{ub.at(byte++)} << (8 * i);
      }
    }
    return values;
  }

  std::vector<std::uint8_t> ub;
  Oracle oracle;
};

/// An oracle with GM, UB, L1, BT and FB; no two memories hold the same bytes.
struct Board {
  explicit Board(isa::Profile profile = isa::Product::kAtlasA2)
      : bytes{Filled(262144, 3), Filled(196608, 5), Filled(524288, 7), {},
              Filled(1024, 11),  Filled(7168, 13)},
        oracle(profile, MemoriesOf(bytes)) {}

  using Bytes = std::array<std::vector<std::uint8_t>, 6>;

  static std::vector<std::uint8_t> Filled(std::size_t size, std::size_t step) {
    std::vector<std::uint8_t> filled(size);
    for (std::size_t i = 0; i < size; ++i) {
      filled[i] = static_cast<std::uint8_t>(i * step + i / 256);
    }
    return filled;
  }
  static isa::Memories MemoriesOf(Bytes& bytes) {
    isa::Memories memories;
    for (std::size_t m = 0; m < bytes.size(); ++m) {
      memories[static_cast<isa::Memory>(m)] = bytes[m];
    }
    return memories;
  }
  std::vector<std::uint8_t>& operator[](isa::Memory memory) {
    return bytes[static_cast<std::size_t>(memory)];
  }
  const auto& Contents() const { return bytes; }
  isa::StepResult Execute(const isa::Step& step) {
    return oracle.Execute(step);
  }
  bool Executes(const isa::Step& step) {
    return Execute(step).status == isa::StepResult::Status::kExecuted;
  }

  Bytes bytes;  // in the order of isa::Memory
  Oracle oracle;
};

// ---- Rules ------------------------------------------------------------------

/// With what the names of the step's own rules begin: "RRS-". Of the other
/// steps only those that move an element have any.
inline std::string_view PrefixOf(const isa::Step& step) {
  const auto* call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return "SCALAR-";
  const std::string_view rule = call->Rule(isa::CallRule::kProduct).text();
  return rule.substr(0, rule.size() - std::string_view("PRODUCT").size());
}

/// "BOUNDS REPEAT" of a step's own rules, the full names of others.
inline std::string Texts(const isa::Step& step, const isa::RuleSet& rules) {
  const std::string_view prefix = PrefixOf(step);
  std::string texts;
  for (isa::RuleId id : rules) {
    std::string_view text = id.text();
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    texts.append(texts.empty() ? "" : " ").append(text);
  }
  return texts;
}

/// The rules for which `step` is rejected, "" if it is executed. A rejected one
/// must not change a byte, compute or report anything.
template <class M>
std::string BrokenOn(M& m, const isa::Step& step) {
  const auto before = m.Contents();
  const std::uint64_t nodes = m.oracle.node_count();
  const isa::StepResult result = m.Execute(step);
  const bool rejected = result.status == isa::StepResult::Status::kRejected;
  EXPECT_EQ(rejected, !result.rules.empty());
  if (rejected) {
    EXPECT_TRUE(m.Contents() == before);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_TRUE(m.oracle.accesses().empty());
    EXPECT_EQ(m.oracle.node_count(), nodes);
  } else {
    EXPECT_EQ(result.status, isa::StepResult::Status::kExecuted);
  }
  return Texts(step, result.rules);
}
/// The same on a new machine.
template <class M = Machine>
std::string Broken(const isa::Step& step,
                   isa::Profile profile = isa::Product::kAtlasA2) {
  M m(profile);
  return BrokenOn(m, step);
}

/// Every rule that `step` breaks by itself.
template <class M>
std::string AnywhereOn(const M& m, const isa::Step& step) {
  const auto before = m.Contents();
  const isa::RuleSet broken = m.oracle.BrokenAnywhere(step);
  EXPECT_TRUE(m.Contents() == before);
  return Texts(step, broken);
}
template <class M = Machine>
std::string Anywhere(const isa::Step& step,
                     isa::Profile profile = isa::Product::kAtlasA2) {
  return AnywhereOn(M(profile), step);
}

template <class M>
testing::AssertionResult RunsExtended(M& m, const isa::Step& step) {
  const auto done = m.oracle.ExecuteExtended(step);
  if (done) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "refused: " << done.error();
}

/// Why `step` is refused, without an effect; "it ran" if it is not.
template <class M>
std::string_view Refusal(M& m, const isa::Step& step) {
  const auto before = m.Contents();
  const auto done = m.oracle.ExecuteExtended(step);
  if (done) return "it ran";
  EXPECT_TRUE(m.Contents() == before);
  EXPECT_TRUE(m.oracle.accesses().empty());
  return done.error();
}

}  // namespace test
}  // namespace lanediff::oracle

/// What most tests name.
namespace lanediff::oracle {
using isa::DType;
using isa::Position;
using isa::Product;
using test::Machine;
}  // namespace lanediff::oracle
