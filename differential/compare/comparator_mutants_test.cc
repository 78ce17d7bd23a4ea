// Wrong comparators, filters and skip lists, and the tables that separate them
// from the right ones: a table that accepts a wrong one is no test.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "differential/compare/known_issues.h"
#include "differential/compare/memory_compare.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::DType;
using isa::Memory;

/// A wrong function, and what is wrong with it.
template <class F>
struct Wrong {
  const char* name;
  F function;
};

/// That the table `wrong_rows` accepts `real` and not one of `all`.
template <class F, class WrongRows>
void ExpectTableSeparates(const F& real, const std::vector<Wrong<F>>& all,
                          const WrongRows& wrong_rows) {
  EXPECT_EQ(wrong_rows(real), 0);
  for (const Wrong<F>& wrong : all) {
    EXPECT_GT(wrong_rows(wrong.function), 0) << wrong.name;
  }
}

// ---- Comparing two elements -------------------------------------------------

/// One float or half of each class of values.
const std::vector<std::uint64_t> kHalves = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0x3c01,
    0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01};
const std::vector<std::uint64_t> kFloats = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000,
    0x3f800000, 0x3f800001, 0xbf800000, 0x7f7fffff, 0xff7fffff,
    0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001};

using SameFunction = std::function<bool(DType, std::uint64_t, std::uint64_t)>;

std::uint64_t Magnitude(DType type, std::uint64_t bits) {
  return bits & (type == DType::kHalf ? 0x7fff : 0x7fffffff);
}
std::uint64_t Infinity(DType type) {
  return type == DType::kHalf ? 0x7c00 : 0x7f800000;
}
bool IsNanBits(DType type, std::uint64_t bits) {
  return Magnitude(type, bits) > Infinity(type);
}

/// Rows on which `same` is wrong, of every pair in both orders.
int WrongRows(const SameFunction& same) {
  int wrong = 0;
  for (DType type : {DType::kHalf, DType::kFloat}) {
    const auto& values = type == DType::kHalf ? kHalves : kFloats;
    for (std::uint64_t a : values) {
      for (std::uint64_t b : values) {
        const bool right = a == b || (IsNanBits(type, a) && IsNanBits(type, b));
        wrong += same(type, a, b) != right;
      }
    }
  }
  return wrong;
}

const std::vector<Wrong<SameFunction>> kWrongSames = {
    {"everything is the same", [](auto...) { return true; }},
    {"bits, so that NaNs differ", [](DType, auto a, auto b) { return a == b; }},
    {"an expected NaN equals anything",
     [](DType t, auto a, auto b) { return a == b || IsNanBits(t, a); }},
    {"a found NaN equals anything",
     [](DType t, auto a, auto b) { return a == b || IsNanBits(t, b); }},
    {"zeros of both signs",
     [](DType t, auto a, auto b) {
       return SameElement(t, a, b) ||
              (Magnitude(t, a) == 0 && Magnitude(t, b) == 0);
     }},
    {"one ULP does not matter",
     [](DType t, auto a, auto b) {
       return SameElement(t, a, b) || UlpDistance(t, a, b) == 1;
     }},
    {"signs do not matter",
     [](DType t, auto a, auto b) {
       return SameElement(t, Magnitude(t, a), Magnitude(t, b));
     }},
    {"anything finite where infinity is expected",
     [](DType t, auto a, auto b) {
       return SameElement(t, a, b) ||
              (Magnitude(t, a) == Infinity(t) && Magnitude(t, b) < Infinity(t));
     }},
    {"the largest finite number is infinity",
     [](DType t, auto a, auto b) {
       return SameElement(t, a, b) ||
              (Magnitude(t, b) == Infinity(t) &&
               Magnitude(t, a) == Infinity(t) - 1 && (a ^ b) >> 15 == 0);
     }},
    {"subnormals are zero",
     [](DType t, auto a, auto b) {
       const std::uint64_t normal = t == DType::kHalf ? 0x400 : 0x800000;
       return SameElement(t, a, b) ||
              (Magnitude(t, a) < normal && Magnitude(t, b) < normal);
     }},
    {"the low byte only",
     [](DType t, auto a, auto b) {
       return SameElement(t, a, b) || (a & 0xff) == (b & 0xff);
     }},
};

TEST(ComparatorMutants, EachWrongOneFailsTheTable) {
  ExpectTableSeparates<SameFunction>(SameElement, kWrongSames, WrongRows);
}

// ---- Comparing memory -------------------------------------------------------

constexpr std::int64_t kBytes = 64;

MemorySet Ub(const std::vector<std::pair<std::int64_t, std::uint8_t>>& bytes) {
  Case c;
  c.memory[static_cast<std::size_t>(Memory::kUb)] =
      MemoryImage{.fill = 0, .size = kBytes, .regions = {}};
  MemorySet memory(c);
  for (const auto& [at, byte] : bytes) {
    memory[Memory::kUb][static_cast<std::size_t>(at)] = byte;
  }
  return memory;
}

/// Lanes 0 to 7 and 16 to 23 of a half operand; no lane lies between them.
const std::vector<TypedRun> kRuns = {
    {Memory::kUb, 0, 16, DType::kHalf, "dst", 0, 0},
    {Memory::kUb, 32, 16, DType::kHalf, "dst", 0, 16}};

using DiffersFunction =
    std::function<bool(const MemorySet& expected, const MemorySet& actual,
                       const std::vector<TypedRun>& runs)>;

/// Rows on which `differs` is wrong: a wrong single lane at each place, a byte
/// outside, a NaN in a lane and outside, and a comparison without a run.
int WrongMemoryRows(const DiffersFunction& differs) {
  int wrong = 0;
  const MemorySet clean = Ub({});
  wrong += differs(clean, clean, kRuns);
  for (std::int64_t at = 0; at < kBytes; ++at) {
    wrong += !differs(clean, Ub({{at, 1}}), kRuns);
    wrong += !differs(Ub({{at, 1}}), clean, kRuns);
    wrong += !differs(clean, Ub({{at, 1}}), {});  // nothing was to be written
  }
  const MemorySet nan = Ub({{2, 0x01}, {3, 0x7e}});
  const MemorySet other_nan = Ub({{2, 0x00}, {3, 0xfe}});
  wrong += differs(nan, other_nan, kRuns);
  wrong += !differs(nan, clean, kRuns);
  wrong += !differs(nan, other_nan, {});
  const MemorySet outside = Ub({{20, 0x01}, {21, 0x7e}});
  wrong += !differs(outside, Ub({{20, 0x00}, {21, 0xfe}}), kRuns);
  return wrong;
}

bool RealDiffers(const MemorySet& expected, const MemorySet& actual,
                 const std::vector<TypedRun>& runs) {
  return CompareMemory(expected, actual, runs).has_value();
}

/// The real one, on memories in which `skip` has made bytes equal.
DiffersFunction Skipping(
    std::function<bool(std::int64_t at, const std::vector<TypedRun>&)> skip) {
  return [skip](const MemorySet& expected, MemorySet actual,
                const std::vector<TypedRun>& runs) {
    for (std::int64_t at = 0; at < kBytes; ++at) {
      const auto i = static_cast<std::size_t>(at);
      if (skip(at, runs)) actual[Memory::kUb][i] = expected[Memory::kUb][i];
    }
    return RealDiffers(expected, actual, runs);
  };
}

bool IsWritten(std::int64_t at, const std::vector<TypedRun>& runs) {
  for (const TypedRun& run : runs) {
    if (run.at <= at && at < run.at + run.bytes) return true;
  }
  return false;
}

const std::vector<Wrong<DiffersFunction>> kWrongDiffers = {
    {"never", [](auto&&...) { return false; }},
    {"bytes, so that NaNs differ",
     [](const auto& a, const auto& b, const auto&) { return !(a == b); }},
    {"only what an operand was to write",
     Skipping([](std::int64_t at, const auto& runs) {
       return !IsWritten(at, runs);
     })},
    {"only what no operand was to write", Skipping(IsWritten)},
    {"the first lane only",
     Skipping([](std::int64_t at, const auto&) { return at >= 2; })},
    {"all but the last lane",
     Skipping([](std::int64_t at, const auto&) { return at / 2 == 23; })},
    {"all but the last byte of memory",
     Skipping([](std::int64_t at, const auto&) { return at == kBytes - 1; })},
    {"the first run only",
     Skipping([](std::int64_t at, const auto&) { return at >= 32; })},
    {"nothing where there is no run",
     Skipping([](std::int64_t, const auto& runs) { return runs.empty(); })},
};

TEST(ComparatorMutants, EachWrongMemoryComparisonFailsTheTable) {
  ExpectTableSeparates<DiffersFunction>(RealDiffers, kWrongDiffers,
                                        WrongMemoryRows);
}

// ---- Filtering known findings -----------------------------------------------

const std::string kKnown = "memory/min/zero-sign/half";

Finding Named(const std::string& signature) {
  Finding finding;
  finding.signature = signature;
  return finding;
}

using KnownFunction = std::function<bool(const std::vector<Finding>&)>;

int WrongFilterRows(const KnownFunction& known) {
  const Finding mine = Named(kKnown);
  const Finding longer = Named(kKnown + "2");
  const Finding shorter = Named("memory/min/zero-sign");
  const Finding other = Named("memory/min/nan/half");
  int wrong = 0;
  wrong += !known({mine});
  wrong += !known({mine, mine});
  for (const auto& findings :
       std::vector<std::vector<Finding>>{{},
                                         {other},
                                         {longer},
                                         {shorter},
                                         {Named("")},
                                         {mine, other},
                                         {other, mine}}) {
    wrong += known(findings);
  }
  return wrong;
}

const std::vector<Wrong<KnownFunction>> kWrongFilters = {
    {"everything is known", [](const auto&) { return true; }},
    {"nothing is known", [](const auto&) { return false; }},
    {"one known finding is enough",
     [](const auto& findings) {
       return std::ranges::any_of(
           findings, [](const auto& f) { return f.signature == kKnown; });
     }},
    {"the first finding decides",
     [](const auto& findings) {
       return !findings.empty() && findings.front().signature == kKnown;
     }},
    {"no finding is a known one",
     [](const auto& findings) {
       return std::ranges::all_of(
           findings, [](const auto& f) { return f.signature == kKnown; });
     }},
    {"the beginning of a signature is enough",
     [](const auto& findings) {
       return !findings.empty() &&
              std::ranges::all_of(findings, [](const auto& f) {
                return f.signature.starts_with(kKnown);
              });
     }},
    {"a part of a known signature is enough",
     [](const auto& findings) {
       return !findings.empty() &&
              std::ranges::all_of(findings, [](const auto& f) {
                return kKnown.starts_with(f.signature);
              });
     }},
};

TEST(FilterMutants, EachWrongFilterFailsTheTable) {
  ExpectTableSeparates<KnownFunction>(
      [](const std::vector<Finding>& findings) {
        KnownIssueFilter filter({{.signature = kKnown,
                                  .reason = "r",
                                  .link = "l",
                                  .expires = "2999-01-01",
                                  .file = ""}});
        return filter.AllKnown(findings);
      },
      kWrongFilters, WrongFilterRows);
}

}  // namespace
}  // namespace lanediff::diff
