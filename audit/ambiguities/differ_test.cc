// How many legal calls come out otherwise by another reading of a document:
// `differ` of each entry, measured on calls that are made at random. Where a
// reading has no implementation, a call that the readings may treat differently
// counts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "audit/ambiguities/disagreements.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "generators/random.h"
#include "generators/random/generate.h"
#include "isa/memory_map.h"

namespace lanediff::audit {
namespace {

using isa::DType;
using isa::NumericEvent;
using isa::Operand;
using isa::Product;
using isa::RuleId;

struct LegalCall {
  const Case& c;
  std::size_t number;
  isa::NumericEvents events;
  isa::RuleSet notes;

  const isa::Step& step() const { return c.program[number]; }
};

/// Whether `holds` is true of 16 bits of the operand at the program's begin.
template <class Holds>
bool AnyHalf(const Case& c, const Operand& operand, Holds holds) {
  diff::MemorySet memory(c);
  const auto bytes = memory.view()[isa::Memory::kUb];
  for (std::int64_t at = operand.at; at + 2 <= operand.at + operand.bytes;
       at += 2) {
    const auto i = static_cast<std::size_t>(at);
    if (holds(bytes[i] | bytes[i + 1] << 8)) return true;
  }
  return false;
}
bool HoldsHalf(const Case& c, const Operand& operand, int bits) {
  return AnyHalf(c, operand, [=](int half) { return half == bits; });
}

using Differs = std::function<bool(const LegalCall&)>;

/// A condition on calls; two of them joined are one.
struct When {
  Differs holds;

  bool operator()(const LegalCall& call) const { return holds(call); }
  friend When operator&&(When a, When b) {
    return {[=](const LegalCall& call) { return a(call) && b(call); }};
  }
  friend When operator||(When a, When b) {
    return {[=](const LegalCall& call) { return a(call) || b(call); }};
  }
  friend When operator!(When a) {
    return {[=](const LegalCall& call) { return !a(call); }};
  }
};

When Is(std::vector<std::string_view> ops) {
  return {[=](const LegalCall& call) {
    return std::ranges::count(ops, isa::OpName(call.step())) != 0;
  }};
}
When On(std::vector<Product> products) {
  return {[=](const LegalCall& call) {
    return std::ranges::count(products, call.c.product) != 0;
  }};
}
When Had(std::vector<NumericEvent> events) {
  return {[=](const LegalCall& call) {
    return std::ranges::any_of(
        events, [&](NumericEvent event) { return call.events[event]; });
  }};
}
When Noted(std::vector<std::string_view> rules) {
  return {[=](const LegalCall& call) {
    return std::ranges::any_of(rules, [&](std::string_view rule) {
      return call.notes.Contains(RuleId(rule));
    });
  }};
}
/// Of calls with operands or tiles.
When Call(std::function<bool(const isa::Call&)> holds) {
  return {[=](const LegalCall& call) {
    const auto* const one = std::get_if<isa::Call>(&call.step());
    return one != nullptr && holds(*one);
  }};
}

/// Columns of a row of TROWPROD in repeats of 256 bytes: whole ones, and what
/// is left.
struct Row {
  std::int64_t columns, repeats, tail;
};
When OfRow(std::function<bool(const Row&)> holds) {
  return Is({"TROWPROD"}) && Call([=](const isa::Call& t) {
           const std::int64_t lanes = 256 / isa::SizeBytes(t.dtype);
           const std::int64_t columns = t.tiles[1].valid_col;
           return holds({columns, columns / lanes, columns % lanes});
         });
}

/// Of a Cast from one type to another.
When OfTypes(DType from, DType to) {
  return Is({"Cast"}) && Call([=](const isa::Call& c) {
           return c.dtype == from && c.TypeOf(0) == to;
         });
}
/// Of calls with a source that has such 16 bits.
When Source(std::function<bool(int bits)> holds) {
  return {[=](const LegalCall& call) {
    return AnyHalf(call.c, std::get<isa::Call>(call.step()).src(0), holds);
  }};
}

/// A copy before it writes to the same place.
bool FollowsACopyThere(const LegalCall& call) {
  const auto& copy = std::get<isa::Call>(call.step());
  return std::any_of(
      call.c.program.begin(),
      call.c.program.begin() + static_cast<std::ptrdiff_t>(call.number),
      [&](const isa::Step& step) {
        const auto* const before = std::get_if<isa::Call>(&step);
        return before != nullptr && before->Is(isa::Family::kCopy) &&
               before->dst().at == copy.dst().at &&
               before->dst().position == copy.dst().position;
      });
}

/// An entry without a row differs in no legal call.
const std::map<std::string_view, When>& DifferencesById() {
  using enum NumericEvent;
  using enum Product;
  using enum isa::Param;
  using C = isa::Call;
  const auto half = [](const C& c) { return c.dtype == DType::kHalf; };
  const When rrs = Is({"RepeatReduceSum"});
  const When wrs = Is({"WholeReduceSum"});
  const When min = Is({"Min"});
  const When copy = Is({"DataCopy"});
  const When row = Is({"TROWPROD"});
  const When trans = Is({"vec_trans"});
  const When indices = Is({"CreateVecIndex"});
  const When of_floats =
      Is({"AddReluCast", "SubReluCast"}) &&
      Call([](const isa::Call& c) { return c.dtype == DType::kFloat; });
  const When compares = Is({"Compare", "CompareScalar"});
  // Those that the entries of the document on them are on.
  const When family = Is({"Max", "Add", "Sub", "Mul"});
  const When binary =
      Call([](const C& c) { return c.signature->sources() == 2; });
  const When repeats = Call(
      [](const C& c) { return c.Has(kRepeatTimes) && c[kRepeatTimes] > 1; });
  const When own_mask = Call([](const C& c) { return c.is_set_mask; });
  const When by_count =
      Call([](const C& c) { return c.form == isa::kCountForm; });
  // Of a form with a mask; a mask of words counts as one of some lanes.
  const When some_lanes = Call([](const C& c) {
    return c.form == isa::kBitsForm ||
           (c.form == isa::kMaskForm &&
            c[kMask] != 256 / isa::SizeBytes(c.dtype));
  });
  // A later iteration may read from src1 what an earlier one wrote.
  const When one_stride =
      repeats && Call([](const C& c) {
        return c.dst().at == c.src(1).at &&
               (c.RepStride(0) == 0) != (c.RepStride(2) == 0);
      });
  const When in_place = Call([](const C& c) {
    return c.dst().position == c.src(0).position && c.dst().at == c.src(0).at;
  });
  const When unaligned = Call([](const C& c) { return c.dst().at % 32 != 0; });
  const When training_float = On({kAtlasTraining}) && Call([](const C& c) {
                                return c.dtype == DType::kFloat;
                              });
  const When twice{
      [](const LegalCall& call) { return call.events[kRounded] > 1; }};
  const When low = Had({kSaturatedLow});
  static const std::map<std::string_view, When> all = {
      {"DOC-SUBNORMALS", Had({kSubnormal})},
      {"DOC-A200I-A2-BOX",
       On({kAtlasA2}) && Is({"RepeatReduceSum", "Min", "vec_trans"})},
      {"DOC-200-500", On({kAtlas200i500A2}) && Is({"Min", "vec_trans"})},
      {"DOC-A3", On({kAtlasA3}) && Is({"Min", "RepeatReduceSum"})},
      {"DOC-SATURATION-DEFAULT",
       Had({kSaturatedHigh, kSaturatedLow, kNanSaturated, kIntegerSaturated})},
      {"DOC-NUMBER-REGISTER",
       On({kAtlas200i500A2}) && (wrs || binary) && own_mask &&
           Call([](const C& c) { return c.Has(kMask); })},
      {"DOC-NO-LANE-SET", Noted({"ADD-NOP"}) && !own_mask},
      {"DOC-RRS-35604", rrs && twice},
      {"DOC-RRS-NEGATIVE-BOUND", rrs && low},
      {"DOC-RRS-PLACEHOLDER", rrs && !own_mask},
      {"DOC-RRS-CONTIGUOUS-256",
       rrs && Call([](const C& c) { return c.BlkStride(1) != 1; })},
      {"DOC-RRS-SKIPPED-BLOCKS", rrs && repeats},
      {"DOC-RRS-COMPLETE-OVERLAP", rrs && in_place},
      {"DOC-RRS-DST-ALIGN", rrs && unaligned},
      {"DOC-RRS-TRAINING-FLOAT", rrs && training_float},
      {"DOC-RRS-EMPTY-MASK", Noted({"RRS-MASK-EMPTY"})},
      {"DOC-MIN-SLASH", min && one_stride},
      {"DOC-MIN-SOURCES", min && repeats && Call([](const C& c) {
                            return (c.RepStride(0) == 0 ||
                                    c.RepStride(2) == 0) &&
                                   c.src(0).at == c.src(1).at;
                          })},
      {"DOC-MIN-MASKED-OVERLAP", min && some_lanes && Call([](const C& c) {
                                   const std::int64_t apart =
                                       std::abs(c.dst().at - c.src(0).at);
                                   return apart != 0 && apart < 256;
                                 })},
      {"DOC-DC-EXAMPLE-ROUTE", Noted({"DC-ROUTE-EXAMPLE"})},
      {"DOC-DC-CROSSES", copy && !On({kAtlasA2, kAtlasA3})},
      {"DOC-DC-GAP", copy && Call([](const C& c) {
                       return (c.dst().position == isa::Position::kC2 ||
                               c.dst().position == isa::Position::kC2pipe2gm) &&
                              c.Has(kBlockCount) && c[kBlockCount] > 1;
                     })},
      {"DOC-DC-COUNT-AT-C2",
       copy && Call([](const C& c) {
         return c.dst().position == isa::Position::kC2 && c.Has(kCount) &&
                c[kCount] * isa::SizeBytes(c.dtype) % 64 >= 32;
       })},
      {"DOC-DC-COUNT", Noted({"DC-COUNT-FLOOR", "DC-COUNT-EMPTY"})},
      {"DOC-DC-BARRIER-PIPES", copy && When{FollowsACopyThere}},
      {"DOC-DCP-FILL", Is({"DataCopyPad"}) && Call([](const C& c) {
                         return c.is_pad && c[kLeftPadding] == 0 &&
                                c[kRightPadding] == 0 &&
                                c[kBlockLen] % 32 != 0 && c[kBlockCount] > 0;
                       })},
      {"DOC-TRP-ORDER", row && twice},
      {"DOC-TRP-PAIRS",
       OfRow([](auto& r) { return r.repeats > 1 && r.repeats % 2 == 1; })},
      {"DOC-TRP-FOLD", OfRow([](auto& r) { return r.columns > 2; }) && twice},
      {"DOC-TRP-HALVES",
       OfRow([](auto& r) { return r.repeats >= 4; }) && twice},
      {"DOC-TRP-ODD-REPEAT",
       OfRow([](auto& r) { return r.repeats > 1 && r.repeats % 2 == 1; }) &&
           twice},
      {"DOC-TRP-TAIL",
       OfRow([](auto& r) { return r.repeats > 0 && r.tail != 0; }) && twice},
      {"DOC-TRP-NEUTRAL", row && Had({kInfinityInput, kNanSaturated})},
      {"DOC-TRP-DST-VALID-COL",
       row && Call([](const C& c) { return c.tiles[0].valid_col != 1; })},
      {"DOC-VT-UNITS", trans && repeats && Call([](const C& c) {
                         return c.RepStride(0) != 0;
                       })},
      {"DOC-VT-HEAD-TO-HEAD", trans && repeats},
      {"DOC-WRS-PRODUCTS", wrs && On({kAtlasA3, kAtlas200i500A2})},
      {"DOC-WRS-TRAINING-FLOAT", wrs && training_float},
      {"DOC-WRS-35604", wrs && twice},
      {"DOC-WRS-NEGATIVE-BOUND", wrs && low},
      {"DOC-WRS-MODE", wrs && Call(half) && Had({kOverflowed})},
      {"DOC-WRS-MISSING-LANES", wrs && Had({kMinusZero, kInfinityInput})},
      {"DOC-WRS-EMPTY-MASK", Noted({"WRS-MASK-EMPTY"})},
      {"DOC-WRS-COMPLETE-OVERLAP", wrs && in_place},
      {"DOC-WRS-DST-ALIGN", wrs && unaligned},
      {"DOC-WRS-SKIPPED-BLOCKS", wrs && repeats},
      {"DOC-ELEMENTWISE-A3", family && On({kAtlasA3})},
      {"DOC-INTEGER-OVERFLOW", Had({kIntegerSaturated}) && (row || binary)},
      {"DOC-MAX-ZEROS", Is({"Max"}) && Had({kMinusZeroAgainstPlusZero})},
      {"DOC-ELEMENTWISE-SUBNORMALS", Is({"Mul"}) && Had({kSubnormal})},
      {"DOC-ELEMENTWISE-STRIDE-ZERO", family && one_stride},
      {"DOC-ELEMENTWISE-ONE-SOURCE",
       family && !by_count && Call([](const C& c) {
         return (c.dst().at == c.src(0).at) != (c.dst().at == c.src(1).at);
       })},
      {"DOC-ELEMENTWISE-CONTIGUOUS-256",
       family && !by_count && Call([](const C& c) {
         return c.BlkStride(0) != 1 || c.BlkStride(1) != 1 ||
                c.BlkStride(2) != 1;
       })},
      {"DOC-ELEMENTWISE-UNMASKED", family && some_lanes},
      {"DOC-ELEMENTWISE-COUNT-REGISTER",
       family && by_count && On({kAtlasTraining, kAtlas200i500A2})},
      {"DOC-ELEMENTWISE-EMPTY-MASK",
       !own_mask && !On({kAtlasA2, kAtlasA3}) &&
           Noted({"MAX-NOP", "ADD-NOP", "SUB-NOP", "MUL-NOP"})},
      {"DOC-LEAKY-RELU-SIGN",
       Is({"LeakyRelu"}) && Call(half) &&
           Had({kSaturatedLow, kSaturatedHigh}) && When{[](const LegalCall& l) {
             const auto& call = std::get<isa::Call>(l.step());
             return (call.scalar & 0x7fff) == 0x7c00 &&
                    HoldsHalf(l.c, call.src(0), 0xfbff);
           }}},
      {"DOC-BRS-65344", Is({"BlockReduceSum"}) && Call(half) &&
                            Had({kSaturatedLow, kSaturatedHigh}) &&
                            Had({kInfinityInput})},
      {"DOC-CAST-HALF-INT16",
       OfTypes(DType::kHalf, DType::kInt16) && Source([](int bits) {
         return (bits & 0x7fff) >= 0x7800 && (bits & 0x7fff) <= 0x7c00;
       })},
      {"DOC-CAST-INT16-FLOAT",
       OfTypes(DType::kInt16, DType::kFloat) &&
           Source([](int number) { return number == 0x7fff; })},
      {"DOC-CAST-TOO-LARGE",
       OfTypes(DType::kFloat, DType::kHalf) && Call([](const C& c) {
         return c.round_mode != isa::RoundMode::kNone &&
                c.round_mode != isa::RoundMode::kRint &&
                c.round_mode != isa::RoundMode::kRound;
       }) &&
           Source([](int high) {  // 65536 and more
             return (high & 0x7fff) >= 0x4780 && (high & 0x7fff) < 0x7f80;
           })},
      {"DOC-CAST-NONE",
       Is({"Cast"}) && Call([](const C& c) {
         const DType to = c.TypeOf(0);
         const bool narrow = to == DType::kInt8 || to == DType::kUint8;
         const bool rounds = IsFloating(c.dtype) ? !IsFloating(to) && !narrow
                                                 : to == DType::kFloat &&
                                                       c.dtype == DType::kInt64;
         return c.round_mode == isa::RoundMode::kNone &&
                (rounds || to == DType::kBfloat16 || to == c.dtype);
       })},
      {"DOC-RELU-CAST-TOO-LARGE", of_floats && Had({kOverflowed})},
      {"DOC-RELU-CAST-NAN",
       of_floats && Source([](int high) { return (high & 0x7fff) > 0x7f80; })},
      {"DOC-RELU-CAST-INT16",
       Is({"AddReluCast", "SubReluCast"}) &&
           Call([](const C& c) { return c.dtype == DType::kInt16; }) &&
           Source([](int number) {  // next to a limit
             return number >= 0x7f00 && number <= 0x80ff;
           })},
      {"DOC-MUL-CAST-STRIDES", Is({"MulCast"}) && Call([](const C& c) {
                                 return !c.IsByCount() &&
                                        c[isa::Param::kRepeatTimes] > 1 &&
                                        (c.RepStride(0) != 4 ||
                                         c.RepStride(1) != 8 ||
                                         c.RepStride(2) != 8);
                               })},
      {"DOC-COMPARE-DST-STRIDE", compares && repeats},
      {"DOC-COMPARE-MASKED", compares && On({kAtlas200i500A2}) && some_lanes},
      {"DOC-COMPARE-REGISTER",
       Noted({"COMPARE-CLOBBERS-MASK", "COMPARE-SCALAR-CLOBBERS-MASK"})},
      {"DOC-COMPARE-SCALAR-NE-NAN",
       Is({"CompareScalar"}) && Call([](const C& c) {
         return c.dtype == DType::kHalf && c.cmp_mode == isa::CmpMode::kNe &&
                (c.scalar & 0x7fff) > 0x7c00;
       })},
      {"DOC-CVI-SUM", indices && Had({kRounded})},
      {"DOC-CVI-INTEGERS", indices && Call([](const C& c) {
                             const auto first =
                                 static_cast<std::int32_t>(c.scalar);
                             return c.dtype == DType::kInt32 &&
                                    std::abs(std::int64_t{first}) > 1 << 24;
                           })},
      {"DOC-CVI-REGISTER",
       indices && Noted({"CREATE-VEC-INDEX-CLOBBERS-MASK"})},
      {"DOC-CVI-TYPES", indices && On({kAtlasInferenceAicore})},
  };
  return all;
}

/// Calls `take` with the first `kLegalCalls` legal calls of an instruction.
void ForEachLegalCall(const make::Generator& generator,
                      const std::function<void(const LegalCall&)>& take) {
  const diff::StepwiseTarget& oracle = **diff::FindStepwiseTarget("oracle");
  make::Random random(1);
  for (std::uint64_t taken = 0; taken < kLegalCalls;) {
    const Case c = make::Generate(generator.slug, random).c;
    diff::MemorySet memory(c);
    const auto session = oracle.Open(c.profile(), memory.view());
    for (std::size_t i = 0; i < c.program.size(); ++i) {
      const isa::StepResult result = session->Execute(c.program[i]);
      if (result.status != isa::StepResult::Status::kExecuted) break;
      if (isa::OpName(c.program[i]) != generator.op) continue;
      if (taken++ == kLegalCalls) break;
      take({c, i, *session->events(), result.notes});
    }
  }
}

TEST(Disagreements, LegalCallsThatDifferAreThoseThatWereMeasured) {
  std::map<std::string_view, std::uint64_t> measured;
  for (const make::Generator& generator : make::Generators()) {
    if (generator.op.empty() || generator.slug == "program") continue;
    ForEachLegalCall(generator, [&](const LegalCall& call) {
      for (const auto& [id, differs] : DifferencesById()) {
        if (differs(call)) ++measured[id];
      }
    });
  }
  std::size_t known = 0;
  for (const Disagreement& entry : Disagreements()) {
    known += DifferencesById().contains(entry.id) ? 1 : 0;
    // What generators prefer may shift a little, but 0 stays 0.
    const std::uint64_t now = measured[entry.id];
    const double apart =
        std::abs(static_cast<double>(now) - static_cast<double>(entry.differ));
    EXPECT_LE(apart, 10 + 0.25 * static_cast<double>(entry.differ))
        << entry.id << ": \"differ\": " << now;
    EXPECT_EQ(now > 0, entry.differ > 0) << entry.id << ": \"differ\": " << now;
    if (!entry.cases.empty() &&
        !CasesOf(entry, entry.cases.front()).front().expect->rejected) {
      EXPECT_TRUE(DifferencesById().contains(entry.id)) << entry.id;
    }
  }
  EXPECT_EQ(known, DifferencesById().size());
}

}  // namespace
}  // namespace lanediff::audit
