#include "fuzz/properties/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/rule_text.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/fuzz_input.h"
#include "generators/random/generate.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
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

/// Whether lane `k` takes part in the iterations of a lane-wise call. Of a mask
/// register none does: the call doesn't name them.
bool TakesPart(const isa::Call& call, std::int64_t k) {
  if (call.Has(isa::Param::kMask)) return k < call[isa::Param::kMask];
  return k < 128 &&
         (call.mask_words[static_cast<std::size_t>(k / 64)] >> k % 64 & 1) != 0;
}

bool IsIn(const Bytes& ub, const Written& one) {
  return one.at >= 0 && one.at + isa::SizeBytes(one.dtype) <= std::ssize(ub);
}

/// How the elements that two programs write break `relation`, if they do.
std::string WrittenDifference(const std::vector<Written>& left, const Bytes& a,
                              const std::vector<Written>& right, const Bytes& b,
                              const ElementRelation& relation) {
  if (left.size() != right.size()) {
    return fmt::format("{} and {} elements are written", left.size(),
                       right.size());
  }
  std::string broken;
  for (std::size_t i = 0; i < left.size() && broken.empty(); ++i) {
    broken = IsIn(a, left[i]) && IsIn(b, right[i])
                 ? relation(static_cast<std::int64_t>(i),
                            ElementAt(a, left[i].dtype, left[i].at),
                            ElementAt(b, right[i].dtype, right[i].at))
                 : fmt::format("element {} lies outside the memory", i);
  }
  return broken;
}

/// That the elements of `written`, which must outlive it, are the same.
ElementRelation AreSame(const std::vector<Written>& written, const Same& same) {
  return [&written, same](std::int64_t i, std::uint64_t a,
                          std::uint64_t b) -> std::string {
    const Written& one = written[static_cast<std::size_t>(i)];
    if (one.moved ? a == b : same(one.dtype, a, b)) return "";
    return fmt::format("element {}, of iteration {}, is {} and {}", i,
                       one.iteration, DescribeElement(one.dtype, a),
                       DescribeElement(one.dtype, b));
  };
}

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

std::vector<Written> WrittenBy(const Case& c) {
  std::vector<Written> all;
  const auto* const last =
      c.program.empty() ? nullptr : std::get_if<isa::Call>(&c.program.back());
  if (last == nullptr) return all;
  const isa::Call& call = *last;
  const isa::DType type =
      call.Is(isa::Family::kTile) ? call.dtype : call.TypeOf(0);
  const std::int64_t size = isa::SizeBytes(type);
  const bool moved = !isa::FindInstruction(call.signature->op)->arithmetic;
  const auto add = [&](std::int64_t r, std::int64_t at) {
    all.push_back({at, type, r, moved});
  };
  if (call.Is(isa::Family::kTile)) {
    const isa::Tile& dst = call.tiles[isa::Call::kDstTile];
    const std::int64_t step = dst.layout == isa::Layout::kNd ? dst.cols : 1;
    for (std::int64_t r = 0; r < dst.valid_row; ++r) {
      add(r, dst.at + r * step * size);
    }
    return all;
  }
  const std::int64_t at = call.dst().at;
  if (call.IsByCount()) {
    for (std::int64_t k = 0; k < call[isa::Param::kCount]; ++k) {
      add(0, at + k * size);
    }
    return all;
  }
  const std::int64_t stride = call.RepStride(0);
  for (std::int64_t r = 0; r < call[isa::Param::kRepeatTimes]; ++r) {
    if (call.Is(isa::Family::kReduction)) {
      const std::int64_t results = isa::ResultBytes(call);
      const std::int64_t each = isa::LanesOfResult(call.signature->group, size);
      for (std::int64_t i = 0; i < results / size; ++i) {
        bool has_lane = call.signature->group == isa::Group::kIteration ||
                        c.product == isa::Product::kAtlas200i500A2;
        for (std::int64_t k = i * each; k < (i + 1) * each; ++k) {
          has_lane = has_lane || TakesPart(call, k);
        }
        if (has_lane) add(r, at + r * stride * results + i * size);
      }
    } else if (call.Is(isa::Family::kTranspose)) {
      for (std::int64_t k = 0; k < 256; ++k) {
        add(r, at + 512 * r * stride + k * size);
      }
    } else if (call.Is(isa::Family::kBroadcast)) {
      for (std::int64_t k = 0; k < 256 / size; ++k) {
        add(r, at + 32 * (r * stride + k * size / 32 * call.BlkStride(0)) +
                   k * size % 32);
      }
    } else if (call.Is(isa::Family::kLanewise)) {
      const std::int64_t in_block = 32 / size;
      for (std::int64_t k = 0; k < 8 * in_block; ++k) {
        if (!TakesPart(call, k)) continue;
        add(r, at + 32 * (r * stride + k / in_block * call.BlkStride(0)) +
                   k % in_block * size);
      }
    }
  }
  return all;
}

std::uint64_t ElementAt(const Bytes& ub, DType type, std::int64_t at) {
  return LoadElement(type, std::span(ub).subspan(static_cast<std::size_t>(at)));
}

std::string OutsideDifference(const std::vector<Written>& written, Bytes first,
                              Bytes second) {
  for (const Written& one : written) {
    const std::int64_t bytes = isa::SizeBytes(one.dtype);
    std::fill_n(first.begin() + one.at, bytes, std::uint8_t{0});
    std::fill_n(second.begin() + one.at, bytes, std::uint8_t{0});
  }
  return Difference(first, second, ", which the call does not write,");
}

Verdict WrittenRelated(const Case& first, const Case& second,
                       const ElementRelation& relation) {
  const std::vector<Written> left = WrittenBy(first);
  const std::vector<Written> right = WrittenBy(second);
  return Related(first, second,
                 [&](const Bytes& a, const Bytes& b) -> std::string {
                   if (left.empty()) return "no element is written";
                   return WrittenDifference(left, a, right, b, relation);
                 });
}

Verdict SameWritten(const Case& first, const Case& second, const Same& same) {
  const std::vector<Written> written = WrittenBy(first);
  return WrittenRelated(first, second, AreSame(written, same));
}

Verdict SameMemory(const Case& first, const Case& second) {
  const std::vector<Written> written = WrittenBy(first);
  const ElementRelation same = AreSame(written, SameElement);
  return Related(first, second, [&](const Bytes& a, const Bytes& b) {
    const std::string difference =
        WrittenDifference(written, a, written, b, same);
    return difference.empty() ? OutsideDifference(written, a, b) : difference;
  });
}

isa::Operand Sample::Add(std::int64_t bytes, isa::Position position,
                         std::int64_t unit) {
  const std::int64_t at = isa::RoundUp(end + kMarginBytes, unit);
  end = at + bytes;
  return At(position, at, bytes);
}

void Sample::Fill(const isa::Operand& window,
                  const std::vector<std::uint64_t>& elements) {
  Data& one = data.emplace_back(Data{.at = window.at});
  one.elements.resize(static_cast<std::size_t>(window.bytes / element_bytes()));
  for (std::size_t i = 0; i < one.elements.size() && !elements.empty(); ++i) {
    one.elements[i] = elements[i % elements.size()];
  }
}

Case CaseOf(const Sample& s, std::vector<isa::Step> program) {
  std::vector<Region> regions;
  for (const Sample::Data& one : s.data) {
    Region& region = regions.emplace_back(
        Region{.at = one.at, .dtype = s.call.dtype, .bytes = {}});
    for (std::uint64_t bits : one.elements) {
      AppendElement(s.call.dtype, bits, region.bytes);
    }
  }
  std::ranges::sort(regions, {}, &Region::at);
  return UbCase(s.product, s.fill, s.end + kMarginBytes, std::move(regions),
                std::move(program), s.saturation);
}

isa::Call Iteration(isa::Call call, std::int64_t r) {
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    const std::int64_t unit =
        call.Is(isa::Family::kTranspose)             ? isa::kMatrixBytes
        : call.Is(isa::Family::kReduction) && i == 0 ? isa::ResultBytes(call)
                                                     : isa::kDataBlockBytes;
    const bool reads_on = call.Is(isa::Family::kBroadcast) && i > 0;
    const std::int64_t apart =
        reads_on ? isa::kBroadcastElements * isa::SizeBytes(call.dtype)
                 : call.RepStride(i) * unit;
    call.operands[i] = Behind(call.operands[i], r * apart);
  }
  call[isa::Param::kRepeatTimes] = 1;
  return call;
}

isa::Call Bitwise(isa::Call call, std::uint64_t low, std::uint64_t high) {
  call.form = call.signature->FormWith(isa::Param::kMaskWords);
  call[isa::Param::kMask] = 0;
  call.mask_words = {low, isa::LaneBytes(call) < 4 ? high : 0};
  return call;
}

Verdict RepeatIsSingleRepeats(const Sample& s) {
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call[isa::Param::kRepeatTimes]; ++r) {
    singles.emplace_back(Iteration(s.call, r));
  }
  return SameMemory(s, std::move(singles));
}

Verdict BitwiseMaskIsContiguous(const Sample& s) {
  const std::int64_t n = s.call[isa::Param::kMask];
  return SameMemory(s, {Bitwise(s.call, Ones(n), Ones(n - 64))});
}

Verdict RegisterMaskIsBitwiseMask(const Sample& s, std::uint64_t low,
                                  std::uint64_t high) {
  const Case bitwise = CaseOf(s, {Bitwise(s.call, low, high)});
  isa::Call by_number = s.call;
  by_number[isa::Param::kMask] = 0;
  Verdict verdict;
  for (isa::Call by_register : {Bitwise(s.call, 0, 0), by_number}) {
    by_register.is_set_mask = false;
    verdict = SameMemory(
        bitwise,
        CaseOf(s, {isa::SetVectorMask{.high = high, .low = low}, by_register}));
    if (!verdict.broken.empty()) break;
  }
  return verdict;
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

std::uint64_t ScaledInteger(DType type, std::int64_t integer, int exponent) {
  if (integer == 0) return 0;
  const make::FloatLayout format = make::LayoutOf(type);
  auto odd = static_cast<std::uint64_t>(std::abs(integer));
  exponent += std::countr_zero(odd);
  odd >>= std::countr_zero(odd);
  const int top_bit = 63 - std::countl_zero(odd);
  const int bias = static_cast<int>(format.bias());
  const int biased = exponent + top_bit + bias;
  // A subnormal has no implicit bit and the place values of exponent 1.
  const int shift = biased >= 1 ? format.fraction_bits - top_bit
                                : exponent + bias - 1 + format.fraction_bits;
  assert(shift >= 0 && biased < format.top());
  return format.Compose(integer < 0, std::max(biased, 0), odd << shift);
}

std::uint64_t TimesPowerOfTwo(DType type, std::uint64_t bits, int exponent) {
  const make::FloatLayout format = make::LayoutOf(type);
  const std::uint64_t sign = Compose(type, true, 0, 0);
  const auto biased = static_cast<int>((bits & ~sign) >> format.fraction_bits);
  auto significand = static_cast<std::int64_t>(bits & format.ones());
  if (biased >= 1) significand += std::int64_t{1} << format.fraction_bits;
  const int unit = std::max(biased, 1) - static_cast<int>(format.bias()) -
                   format.fraction_bits;
  return ScaledInteger(type, significand, unit + exponent) | (bits & sign);
}

std::uint64_t Ones(std::int64_t count) {
  if (count <= 0) return 0;
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace lanediff::properties
