// How many legal calls come out otherwise by another reading of a document:
// `differ` of each entry, measured on calls that are made at random. Where a
// reading has no implementation, a call that the readings may treat differently
// counts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
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
  const isa::Call* call() const { return std::get_if<isa::Call>(&step()); }
  bool Is(std::string_view op) const { return isa::OpName(step()) == op; }
  bool On(std::initializer_list<Product> products) const {
    return std::ranges::find(products, c.product) != products.end();
  }
  bool Had(std::initializer_list<NumericEvent> any) const {
    return std::ranges::any_of(any, [&](NumericEvent e) { return events[e]; });
  }
  bool Noted(std::string_view rule) const {
    return notes.Contains(RuleId(rule));
  }
};

/// Whether the operand holds such a half at the program's begin.
bool HoldsHalf(const Case& c, const Operand& operand, std::uint16_t bits) {
  diff::MemorySet memory(c);
  const auto bytes = memory.view()[isa::Memory::kUb];
  for (std::int64_t at = operand.at; at + 2 <= operand.at + operand.bytes;
       at += 2) {
    const auto i = static_cast<std::size_t>(at);
    if (bytes[i] == (bits & 0xff) && bytes[i + 1] == bits >> 8) return true;
  }
  return false;
}

/// The calls of one instruction.
constexpr auto CallsOf(std::string_view op) {
  return [op](const LegalCall& call) {
    return call.Is(op) ? call.call() : nullptr;
  };
}
constexpr auto Rrs = CallsOf("RepeatReduceSum");
constexpr auto Wrs = CallsOf("WholeReduceSum");
constexpr auto MinOf = CallsOf("Min");
constexpr auto CopyOf = CallsOf("DataCopy");
constexpr auto PadOf = CallsOf("DataCopyPad");
constexpr auto TransposeOf = CallsOf("vec_trans");

/// A call of two sources.
const isa::Call* BinaryOf(const LegalCall& call) {
  const auto* const b = call.call();
  return b != nullptr && b->signature->sources() == 2 ? b : nullptr;
}

bool Repeats(const isa::Call& b) {
  using isa::Param;
  return b.Has(Param::kRepeatTimes) && b[Param::kRepeatTimes] > 1;
}

/// Of a form with a mask; a mask of words counts as one of some lanes.
bool HasSomeLanes(const isa::Call& b) {
  return b.form == isa::kBitsForm ||
         (b.form == isa::kMaskForm &&
          b[isa::Param::kMask] != 256 / isa::SizeBytes(b.dtype));
}

bool HasStrideZero(const isa::Call& b) {
  return b.RepStride(0) == 0 || b.RepStride(2) == 0;
}

/// A later iteration may read from src1 what an earlier one wrote.
bool HasOneStride(const LegalCall&, const isa::Call& b) {
  return Repeats(b) && b.dst().at == b.src(1).at &&
         (b.RepStride(0) == 0) != (b.RepStride(2) == 0);
}

/// Columns of a row in repeats of 256 bytes: whole ones, and what is left.
struct Row {
  std::int64_t columns, repeats, tail;
};

std::optional<Row> RowOf(const LegalCall& call) {
  if (!call.Is("TROWPROD")) return std::nullopt;
  const isa::Call& t = *call.call();
  const std::int64_t lanes = 256 / isa::SizeBytes(t.dtype);
  const std::int64_t columns = t.tiles[1].valid_col;
  return Row{columns, columns / lanes, columns % lanes};
}

bool RoundsTwice(const LegalCall& call) {
  return call.events[NumericEvent::kRounded] > 1;
}

bool Saturates(const LegalCall& call) {
  return call.Had({NumericEvent::kSaturatedHigh, NumericEvent::kSaturatedLow,
                   NumericEvent::kNanSaturated,
                   NumericEvent::kIntegerSaturated});
}

using Differs = std::function<bool(const LegalCall&)>;

/// Of the calls that `view` returns something of.
Differs Of(auto view, auto differs) {
  return [=](const LegalCall& call) {
    const auto seen = view(call);
    return seen && differs(call, *seen);
  };
}

/// The calls that the entries of the document on Max, Add, Sub and Mul are on.
const isa::Call* FamilyOf(const LegalCall& call) {
  const bool is_one =
      call.Is("Max") || call.Is("Add") || call.Is("Sub") || call.Is("Mul");
  return is_one ? BinaryOf(call) : nullptr;
}

/// An entry without a row differs in no legal call.
const std::map<std::string_view, Differs>& DifferencesById() {
  using enum NumericEvent;
  using enum Product;
  using isa::Param;
  const auto skipped = [](auto&, auto& s) { return Repeats(s); };
  const auto in_place = [](auto&, auto& s) {
    return s.dst().position == s.src(0).position && s.dst().at == s.src(0).at;
  };
  const auto unaligned = [](auto&, auto& s) { return s.dst().at % 32 != 0; };
  const auto training_float = [](auto& c, auto& s) {
    return c.c.product == kAtlasTraining && s.dtype == DType::kFloat;
  };
  const auto rounds = [](auto& c, auto&) { return RoundsTwice(c); };
  const auto low = [](auto& c, auto&) { return c.Had({kSaturatedLow}); };
  static const std::map<std::string_view, Differs> all = {
      {"DOC-SUBNORMALS",
       [](const LegalCall& c) { return c.Had({kSubnormal}); }},
      {"DOC-A200I-A2-BOX",
       [](const LegalCall& c) {
         return c.On({kAtlasA2}) &&
                (c.Is("RepeatReduceSum") || c.Is("Min") || c.Is("vec_trans"));
       }},
      {"DOC-200-500",
       [](const LegalCall& c) {
         return c.On({kAtlas200i500A2}) && (c.Is("Min") || c.Is("vec_trans"));
       }},
      {"DOC-A3",
       [](const LegalCall& c) {
         return c.On({kAtlasA3}) && (c.Is("Min") || c.Is("RepeatReduceSum"));
       }},
      {"DOC-SATURATION-DEFAULT", Saturates},
      {"DOC-NUMBER-REGISTER",
       [](const LegalCall& c) {
         const auto* const sum = Wrs(c);
         const auto* const b = sum != nullptr ? sum : BinaryOf(c);
         return c.On({kAtlas200i500A2}) && b != nullptr &&
                b->Has(isa::Param::kMask) && b->is_set_mask;
       }},
      {"DOC-NO-LANE-SET",
       [](const LegalCall& c) {
         return c.Noted("ADD-NOP") && !BinaryOf(c)->is_set_mask;
       }},
      {"DOC-RRS-35604", Of(Rrs, rounds)},
      {"DOC-RRS-NEGATIVE-BOUND", Of(Rrs, low)},
      {"DOC-RRS-PLACEHOLDER",
       Of(Rrs, [](auto&, auto& s) { return !s.is_set_mask; })},
      {"DOC-RRS-CONTIGUOUS-256",
       Of(Rrs, [](auto&, auto& s) { return s.BlkStride(1) != 1; })},
      {"DOC-RRS-SKIPPED-BLOCKS", Of(Rrs, skipped)},
      {"DOC-RRS-COMPLETE-OVERLAP", Of(Rrs, in_place)},
      {"DOC-RRS-DST-ALIGN", Of(Rrs, unaligned)},
      {"DOC-RRS-TRAINING-FLOAT", Of(Rrs, training_float)},
      {"DOC-RRS-EMPTY-MASK",
       [](const LegalCall& c) { return c.Noted("RRS-MASK-EMPTY"); }},
      {"DOC-MIN-SLASH", Of(MinOf, HasOneStride)},
      {"DOC-MIN-SOURCES", Of(MinOf,
                             [](auto&, auto& b) {
                               return Repeats(b) && HasStrideZero(b) &&
                                      b.src(0).at == b.src(1).at;
                             })},
      {"DOC-MIN-MASKED-OVERLAP",
       Of(MinOf,
          [](auto&, auto& b) {
            const std::int64_t apart = std::abs(b.dst().at - b.src(0).at);
            return HasSomeLanes(b) && apart != 0 && apart < 256;
          })},
      {"DOC-DC-EXAMPLE-ROUTE",
       [](const LegalCall& c) { return c.Noted("DC-ROUTE-EXAMPLE"); }},
      {"DOC-DC-CROSSES",
       Of(CopyOf,
          [](auto& c, auto&) { return !c.On({kAtlasA2, kAtlasA3}); })},
      {"DOC-DC-GAP",
       Of(CopyOf,
          [](auto&, auto& copy) {
            return (copy.dst().position == isa::Position::kC2 ||
                    copy.dst().position == isa::Position::kC2pipe2gm) &&
                   copy.Has(Param::kBlockCount) &&
                   copy[Param::kBlockCount] > 1;
          })},
      {"DOC-DC-COUNT-AT-C2",
       Of(CopyOf,
          [](auto&, auto& copy) {
            return copy.dst().position == isa::Position::kC2 &&
                   copy.Has(Param::kCount) &&
                   copy[Param::kCount] * isa::SizeBytes(copy.dtype) % 64 >= 32;
          })},
      {"DOC-DC-COUNT",
       [](const LegalCall& c) {
         return c.Noted("DC-COUNT-FLOOR") || c.Noted("DC-COUNT-EMPTY");
       }},
      {"DOC-DC-BARRIER-PIPES",
       Of(CopyOf,
          [](auto& c, auto& copy) {
            for (std::size_t i = 0; i < c.number; ++i) {
              const auto* before = std::get_if<isa::Call>(&c.c.program[i]);
              if (before != nullptr && before->Is(isa::Family::kCopy) &&
                  before->dst().at == copy.dst().at &&
                  before->dst().position == copy.dst().position) {
                return true;
              }
            }
            return false;
          })},
      {"DOC-DCP-FILL",
       Of(PadOf,
          [](auto&, auto& copy) {
            return copy.is_pad && copy[Param::kLeftPadding] == 0 &&
                   copy[Param::kRightPadding] == 0 &&
                   copy[Param::kBlockLen] % 32 != 0 &&
                   copy[Param::kBlockCount] > 0;
          })},
      {"DOC-TRP-ORDER",
       Of(RowOf, [](auto& c, auto&) { return RoundsTwice(c); })},
      {"DOC-TRP-PAIRS",
       Of(RowOf,
          [](auto&, auto& r) { return r.repeats > 1 && r.repeats % 2 == 1; })},
      {"DOC-TRP-FOLD",
       Of(RowOf,
          [](auto& c, auto& r) { return r.columns > 2 && RoundsTwice(c); })},
      {"DOC-TRP-HALVES",
       Of(RowOf,
          [](auto& c, auto& r) { return r.repeats >= 4 && RoundsTwice(c); })},
      {"DOC-TRP-ODD-REPEAT", Of(RowOf,
                                [](auto& c, auto& r) {
                                  return r.repeats > 1 && r.repeats % 2 == 1 &&
                                         RoundsTwice(c);
                                })},
      {"DOC-TRP-TAIL", Of(RowOf,
                          [](auto& c, auto& r) {
                            return r.repeats > 0 && r.tail != 0 &&
                                   RoundsTwice(c);
                          })},
      {"DOC-TRP-NEUTRAL",
       Of(RowOf, [](auto& c,
                    auto&) { return c.Had({kInfinityInput, kNanSaturated}); })},
      {"DOC-TRP-DST-VALID-COL",
       Of(CallsOf("TROWPROD"),
          [](auto&, auto& t) { return t.tiles[0].valid_col != 1; })},
      {"DOC-VT-UNITS", Of(TransposeOf,
                          [](auto&, auto& t) {
                            return Repeats(t) && t.RepStride(0) != 0;
                          })},
      {"DOC-VT-HEAD-TO-HEAD", Of(TransposeOf, skipped)},
      {"DOC-WRS-PRODUCTS",
       Of(Wrs,
          [](auto& c, auto&) { return c.On({kAtlasA3, kAtlas200i500A2}); })},
      {"DOC-WRS-TRAINING-FLOAT", Of(Wrs, training_float)},
      {"DOC-WRS-35604", Of(Wrs, rounds)},
      {"DOC-WRS-NEGATIVE-BOUND", Of(Wrs, low)},
      {"DOC-WRS-MODE", Of(Wrs,
                          [](auto& c, auto& s) {
                            return s.dtype == DType::kHalf &&
                                   c.Had({kOverflowed});
                          })},
      {"DOC-WRS-MISSING-LANES",
       Of(Wrs,
          [](auto& c, auto&) { return c.Had({kMinusZero, kInfinityInput}); })},
      {"DOC-WRS-EMPTY-MASK",
       [](const LegalCall& c) { return c.Noted("WRS-MASK-EMPTY"); }},
      {"DOC-WRS-COMPLETE-OVERLAP", Of(Wrs, in_place)},
      {"DOC-WRS-DST-ALIGN", Of(Wrs, unaligned)},
      {"DOC-WRS-SKIPPED-BLOCKS", Of(Wrs, skipped)},
      {"DOC-ELEMENTWISE-A3",
       Of(FamilyOf, [](auto& c, auto&) { return c.On({kAtlasA3}); })},
      {"DOC-INTEGER-OVERFLOW",
       [](const LegalCall& c) {
         return c.Had({kIntegerSaturated}) &&
                (c.Is("TROWPROD") || BinaryOf(c) != nullptr);
       }},
      {"DOC-MAX-ZEROS",
       [](const LegalCall&
              c) { return c.Is("Max") && c.Had({kMinusZeroAgainstPlusZero}); }},
      {"DOC-ELEMENTWISE-SUBNORMALS",
       [](const LegalCall& c) { return c.Is("Mul") && c.Had({kSubnormal}); }},
      {"DOC-ELEMENTWISE-STRIDE-ZERO", Of(FamilyOf, HasOneStride)},
      {"DOC-ELEMENTWISE-ONE-SOURCE",
       Of(FamilyOf,
          [](auto&, auto& b) {
            return b.form != isa::kCountForm &&
                   (b.dst().at == b.src(0).at) != (b.dst().at == b.src(1).at);
          })},
      {"DOC-ELEMENTWISE-CONTIGUOUS-256",
       Of(FamilyOf,
          [](auto&, auto& b) {
            return b.form != isa::kCountForm &&
                   (b.BlkStride(0) != 1 || b.BlkStride(1) != 1 ||
                    b.BlkStride(2) != 1);
          })},
      {"DOC-ELEMENTWISE-UNMASKED",
       Of(FamilyOf, [](auto&, auto& b) { return HasSomeLanes(b); })},
      {"DOC-ELEMENTWISE-COUNT-REGISTER",
       Of(FamilyOf,
          [](auto& c, auto& b) {
            return b.form == isa::kCountForm &&
                   c.On({kAtlasTraining, kAtlas200i500A2});
          })},
      {"DOC-ELEMENTWISE-EMPTY-MASK",
       Of(FamilyOf,
          [](auto& c, auto& b) {
            return !b.is_set_mask && !c.On({kAtlasA2, kAtlasA3}) &&
                   (c.Noted("MAX-NOP") || c.Noted("ADD-NOP") ||
                    c.Noted("SUB-NOP") || c.Noted("MUL-NOP"));
          })},
      {"DOC-LEAKY-RELU-SIGN",
       [](const LegalCall& c) {
         const auto* const call = c.call();
         return c.Is("LeakyRelu") && call->dtype == DType::kHalf &&
                (call->scalar & 0x7fff) == 0x7c00 &&
                c.Had({kSaturatedLow, kSaturatedHigh}) &&
                HoldsHalf(c.c, call->src(0), 0xfbff);
       }},
      {"DOC-BRS-65344",
       [](const LegalCall& c) {
         return c.Is("BlockReduceSum") && c.call()->dtype == DType::kHalf &&
                c.Had({kSaturatedLow, kSaturatedHigh}) &&
                c.Had({kInfinityInput});
       }},
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
