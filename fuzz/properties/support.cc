#include "fuzz/properties/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/rule_text.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/fuzz_input.h"
#include "generators/random/generate.h"
#include "isa/state.h"

namespace lanediff::properties {
namespace {

using isa::DType;

const diff::StepwiseTarget& TargetNamed(std::string_view name) {
  return *diff::FindStepwiseTarget(name).value();
}

/// Of what the two sides differ in; nothing where they don't.
std::optional<std::string> SignatureOf(const Case& c) {
  const auto findings =
      diff::CompareCase(c, TargetUnderTest(), TargetNamed("oracle")).findings;
  if (findings.empty()) return std::nullopt;
  return findings.front().signature;
}

void ExpectWhatOracleDoes(Case& c) {
  c.expect = diff::ToExpectation(TargetNamed("oracle").Run(c).value());
}

/// How `relation` is broken on one target; empty if it holds there.
std::string BrokenOn(const diff::StepwiseTarget& target, const Case& first,
                     const Case& second, const Relation& relation) {
  const auto left = UbAfter(first, target);
  if (!left) return left.error();
  const auto right = UbAfter(second, target);
  if (!right) return right.error();
  return relation(*left, *right);
}

std::uint64_t LowBits(int count) { return (std::uint64_t{1} << count) - 1; }

}  // namespace

const diff::StepwiseTarget& TargetUnderTest() {
  static const diff::StepwiseTarget& target =
      [] -> const diff::StepwiseTarget& {
    const char* const name = std::getenv("LANEDIFF_PROPERTY_TARGET");
    const auto found =
        diff::FindStepwiseTarget(name == nullptr ? "emulator" : name);
    if (!found) {
      fmt::print(stderr, "LANEDIFF_PROPERTY_TARGET: {}\n", found.error());
      std::exit(2);
    }
    return **found;
  }();
  return target;
}

isa::Edition EditionUnderTest() {
  static const auto edition = EditionOfVariable("LANEDIFF_PROPERTY_EDITION");
  return edition.value_or(isa::kNewestEdition);
}

Case GeneratedCase(std::string_view slug, make::Random& random) {
  return make::Generate(slug, random, make::Style::kByIntent, nullptr,
                        EditionUnderTest())
      .c;
}

void CountLawCheck(bool held) {
  static const char* const path = std::getenv("LANEDIFF_PROPERTY_STATS");
  if (path == nullptr) return;
  static std::uint64_t checks = 0;
  static const auto write = [] {
    if (FILE* const file = std::fopen(path, "w")) {
      fmt::print(file, "{}\n", checks);
      std::fclose(file);
    }
  };
  if (checks == 0) std::atexit(write);
  ++checks;
  if (!held) std::exit(1);
}

Case UbCase(isa::Product product, std::uint8_t fill, std::int64_t size,
            std::vector<Region> regions, std::vector<isa::Step> program,
            bool saturation) {
  if (!saturation) {
    program.insert(program.begin(), isa::SetSaturation{.enabled = false});
  }
  Case c;
  c.id = "properties/unsaved";
  c.product = product;
  c.edition = EditionUnderTest();
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = fill, .size = size, .regions = std::move(regions)};
  c.program = std::move(program);
  return c;
}

Bytes UbBefore(const Case& c) {
  const diff::MemorySet memory(c);
  const auto ub = memory[isa::Memory::kUb];
  return {ub.begin(), ub.end()};
}

std::expected<Bytes, std::string> UbAfter(const Case& c,
                                          const diff::StepwiseTarget& target) {
  diff::MemorySet memory(c);
  const auto session = target.Open(c.profile(), memory.view());
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const isa::StepResult result = session->Execute(c.program[i]);
    if (result.status != isa::StepResult::Status::kExecuted) {
      return std::unexpected(fmt::format(
          "step {} was to be executed and was not{}", i,
          diff::RuleList({result.rules.begin(), result.rules.end()})));
    }
  }
  const auto ub = memory[isa::Memory::kUb];
  return Bytes(ub.begin(), ub.end());
}

Verdict Related(const Case& first, const Case& second,
                const Relation& relation) {
  std::vector<std::string> objections;
  std::string culprits;
  bool oracle_keeps_it = true;
  const std::array targets = {&TargetUnderTest(), &TargetNamed("oracle")};
  for (const diff::StepwiseTarget* target : targets) {
    const std::string broken = BrokenOn(*target, first, second, relation);
    if (broken.empty()) continue;
    objections.push_back(fmt::format("{}: {}", target->name(), broken));
    culprits += culprits.empty() ? "" : ",";
    culprits += target->name();
    if (target->name() == "oracle") oracle_keeps_it = false;
  }
  if (objections.empty()) return {};
  Verdict verdict{.broken = fmt::format("{}", fmt::join(objections, "; ")),
                  .witness = first};
  if (!SignatureOf(first) && SignatureOf(second)) verdict.witness = second;
  if (oracle_keeps_it) ExpectWhatOracleDoes(verdict.witness);
  verdict.witness.origin.emplace().target = culprits;
  verdict.witness.origin->signature = SignatureOf(verdict.witness);
  return verdict;
}

Verdict Agreed(const Case& c) {
  const diff::Comparison compared =
      diff::CompareCase(c, TargetUnderTest(), TargetNamed("oracle"));
  if (compared.findings.empty()) {
    if (!compared.unsupported) return {};
    return {.broken = "a side can't do a step of it", .witness = c};
  }
  const diff::Finding& first = compared.findings.front();
  Verdict verdict{.broken = first.message, .witness = c};
  ExpectWhatOracleDoes(verdict.witness);
  verdict.witness.origin = diff::OriginOf(first, "properties_tests");
  return verdict;
}

std::string Difference(const Bytes& first, const Bytes& second,
                       std::string_view where) {
  const auto [a, b] = std::ranges::mismatch(first, second);
  if (a == first.end()) return {};
  return fmt::format("byte {}{} is {} and {}", a - first.begin(), where, *a,
                     *b);
}

std::string OutsideDifference(const std::vector<Written>& written, Bytes first,
                              Bytes second, std::string_view where) {
  for (const auto [at, bytes] : written) {
    std::fill_n(first.begin() + at, bytes, std::uint8_t{0});
    std::fill_n(second.begin() + at, bytes, std::uint8_t{0});
  }
  return Difference(first, second, where);
}

std::string SaveWitness(std::string_view slug, std::string_view law,
                        const Verdict& verdict) {
  Case c = verdict.witness;
  const auto encoded = EncodeFuzzInput(c);
  const std::string name = fmt::format(
      "{}-{}-{}", slug, law, ContentHash(encoded ? *encoded : Bytes()));
  c.id = fmt::format("properties/{}", name);
  c.note = fmt::format("Law {}: {}", law, verdict.broken);
  if (!c.origin) c.origin.emplace();
  c.origin->tool = "properties_tests";

  const char* const set = std::getenv("LANEDIFF_FINDINGS");
  const std::string folder = set == nullptr ? "findings" : set;
  const std::string path = fmt::format("{}/{}.json", folder, name);
  if (const auto kept = diff::KeepOrShowCase(c, path); !kept) {
    return kept.error();
  }
  return fmt::format("saved: {}\nreproduce: {}", path,
                     diff::CheckCommand(path));
}

FloatFormat FormatOf(DType type) {
  assert(type == DType::kHalf || type == DType::kBfloat16 ||
         type == DType::kFloat);
  return type == DType::kHalf    ? FloatFormat{10, 31}
         : type == DType::kFloat ? FloatFormat{23, 255}
                                 : FloatFormat{7, 255};
}

std::uint64_t Compose(DType type, bool negative, std::uint64_t exponent,
                      std::uint64_t fraction) {
  const FloatFormat format = FormatOf(type);
  const int sign_bit = type == DType::kFloat ? 31 : 15;
  return std::uint64_t{negative} << sign_bit |
         exponent << format.fraction_bits | fraction;
}

std::uint64_t ScaledInteger(DType type, std::int64_t integer, int exponent) {
  if (integer == 0) return 0;
  const FloatFormat format = FormatOf(type);
  auto odd = static_cast<std::uint64_t>(std::abs(integer));
  exponent += std::countr_zero(odd);
  odd >>= std::countr_zero(odd);
  const int top_bit = 63 - std::countl_zero(odd);
  const int biased = exponent + top_bit + format.bias();
  // A subnormal has no implicit bit and the place values of exponent 1.
  const int shift = biased >= 1
                        ? format.fraction_bits - top_bit
                        : exponent + format.bias() - 1 + format.fraction_bits;
  assert(shift >= 0 && biased < format.top_exponent);
  const std::uint64_t fraction = odd << shift & LowBits(format.fraction_bits);
  return Compose(type, integer < 0,
                 biased >= 1 ? static_cast<std::uint64_t>(biased) : 0,
                 fraction);
}

std::uint64_t TimesPowerOfTwo(DType type, std::uint64_t bits, int exponent) {
  const FloatFormat format = FormatOf(type);
  const std::uint64_t sign = Compose(type, true, 0, 0);
  const auto biased = static_cast<int>((bits & ~sign) >> format.fraction_bits);
  auto significand =
      static_cast<std::int64_t>(bits & LowBits(format.fraction_bits));
  if (biased >= 1) significand += std::int64_t{1} << format.fraction_bits;
  const int unit =
      (biased >= 1 ? biased : 1) - format.bias() - format.fraction_bits;
  return ScaledInteger(type, significand, unit + exponent) | (bits & sign);
}

std::uint64_t Ones(std::int64_t count) {
  if (count <= 0) return 0;
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace lanediff::properties
