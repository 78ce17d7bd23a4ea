#include "audit/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "audit/blame.h"
#include "audit/conditions.h"
#include "case/element.h"
#include "diff/compare.h"
#include "diff/memory/changed_memory.h"
#include "diff/the_oracle.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "make/reduce_sum.h"

namespace lanediff::audit {
namespace {

using isa::RuleId;
using Accesses = std::vector<isa::Access>;
/// Bit i of the first word is lane i, of the second lane 64 + i.
using Lanes = std::array<std::uint64_t, 2>;

/// The program of `c` until `step`, and nothing that is expected of it.
Case Until(const Case& c, std::size_t step) {
  Case shorter = c;
  shorter.program.resize(step + 1);
  shorter.expect.reset();
  shorter.requirement.clear();
  return shorter;
}

bool IsAboutMemory(const diff::Finding& finding) {
  return finding.kind == diff::FindingKind::kMemory ||
         finding.kind == diff::FindingKind::kReadsOutside;
}

/// What a case shows of its last step.
struct Shown {
  Accesses accesses;
  isa::NumericEvents events;
  std::optional<diff::Finding> wrong;
};

/// Whether the case was run and its last step is wrong.
bool IsWrong(const std::optional<Shown>& shown) {
  return shown && shown->wrong;
}

/// Nothing where the last step is not legal, or not compared.
std::optional<Shown> Run(const Case& c, const diff::Target& target) {
  Shown shown;
  bool executed = false;
  const diff::Comparison compared = diff::CompareCase(
      c, target, diff::TheOracle(), [&](const diff::ReferenceStep& step) {
        if (step.index + 1 != c.program.size()) return;
        executed = step.result.status == isa::StepResult::Status::kExecuted;
        shown.accesses = step.accesses;
        shown.events = step.events;
      });
  if (!executed || compared.unsupported || compared.malformed) {
    return std::nullopt;
  }
  for (const diff::Finding& finding : compared.findings) {
    if (finding.kind == diff::FindingKind::kNotes) continue;
    if (!IsAboutMemory(finding)) return std::nullopt;
    if (!shown.wrong) shown.wrong = finding;
  }
  return shown;
}

bool IsRight(const std::optional<Shown>& shown) {
  return shown && !shown->wrong;
}

/// The lanes that the first iteration reads, a bit each; elements of a call by
/// count have no mask.
Lanes LanesOf(const Accesses& accesses) {
  Lanes words = {};
  const auto first = std::ranges::find(accesses, false, &isa::Access::write);
  for (const isa::Access& access : accesses) {
    if (access.write || access.iteration != first->iteration ||
        access.operand != first->operand) {
      continue;
    }
    const std::int64_t lanes = access.bytes / isa::SizeBytes(access.dtype);
    const std::int64_t end = std::min<std::int64_t>(access.lane + lanes, 128);
    for (std::int64_t i = access.lane; i < end; ++i) {
      words.at(static_cast<std::size_t>(i / 64)) |= std::uint64_t{1} << i % 64;
    }
  }
  return words;
}

/// All lanes of an iteration.
Lanes AllLanesOf(isa::DType dtype) {
  constexpr std::uint64_t kWord = ~std::uint64_t{0};
  const bool one_word =
      isa::kIterationBytes / isa::SizeBytes(dtype) <= std::int64_t{64};
  return {kWord, one_word ? 0 : kWord};
}

/// As many lanes as `words` has, without gaps.
Lanes FirstLanes(const Lanes& words) {
  const auto ones = [](int count) {
    return count <= 0 ? 0 : ~std::uint64_t{0} >> (64 - std::min(count, 64));
  };
  const int count = std::popcount(words[0]) + std::popcount(words[1]);
  return {ones(count), ones(count - 64)};
}

/// The number of lanes in `words` where these are the first ones.
std::optional<std::int64_t> CountOf(const Lanes& words) {
  const int low = std::countr_one(words[0]);
  const int count = low < 64 ? low : 64 + std::countr_one(words[1]);
  const int bits = std::popcount(words[0]) + std::popcount(words[1]);
  if (count != bits || count == 0) return std::nullopt;
  return count;
}

/// Gives a call its own mask; false where it has no form for these lanes.
template <class S>
bool SetOwnMask(const Lanes& lanes, S& call) {
  if constexpr (requires { call.is_set_mask; }) {
    if constexpr (isa::Elementwise<S>) {
      if (call.form == S::kCount) return false;
    }
    const auto count = CountOf(lanes);
    call.is_set_mask = true;
    if constexpr (std::is_same_v<S, isa::RepeatReduceSum>) {
      if (!count) return false;
      call.elems_in_one_repeat = *count;
      return true;
    } else {
      call.form = count ? S::kContiguous : S::kBitwise;
      call.mask = count.value_or(0);
      call.mask_words = count ? Lanes{} : lanes;
      return lanes != Lanes{};
    }
  } else {
    return false;
  }
}

std::optional<Case> WithOwnMask(const Case& c, const Lanes& lanes) {
  Case own = c;
  const bool is_set = std::visit(
      [&](auto& call) { return SetOwnMask(lanes, call); }, own.program.back());
  if (!is_set) return std::nullopt;
  return own;
}

/// The type of a call of Min's family or of a sum.
std::optional<isa::DType> TypeOf(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) -> std::optional<isa::DType> {
        if constexpr (isa::Elementwise<S> || make::ReduceSum<S>) {
          return s.dtype;
        } else {
          return std::nullopt;
        }
      },
      step);
}

bool IsSum(const isa::Step& step) {
  return std::visit([]<class S>(const S&) { return make::ReduceSum<S>; }, step);
}

/// 1 to 13 in an order of their own: 128 of them are added without rounding.
std::vector<std::uint8_t> SmallIntegers(isa::DType dtype, std::int64_t from,
                                        std::int64_t bytes) {
  constexpr std::int64_t kPeriod = 13;
  constexpr std::int64_t kStep = 5;
  std::array<std::uint64_t, kPeriod> bits = {};
  for (std::int64_t i = 0; i < kPeriod; ++i) {
    bits.at(static_cast<std::size_t>(i)) =
        ElementFromNumber(dtype, fmt::format("{}", 1 + i * kStep % kPeriod))
            .value();
  }
  const std::int64_t size = isa::SizeBytes(dtype);
  std::vector<std::uint8_t> elements;
  elements.reserve(static_cast<std::size_t>(bytes));
  for (std::int64_t i = 0; i < bytes / size; ++i) {
    const std::int64_t place = (from / size + i) % kPeriod;
    AppendElement(dtype, bits.at(static_cast<std::size_t>(place)), elements);
  }
  return elements;
}

/// `c` with small integers wherever its last step reads or writes.
Case WithSmallIntegers(const Case& c, isa::DType dtype,
                       const Accesses& accesses) {
  Case exact = c;
  for (std::size_t m = 0; m < exact.memory.size(); ++m) {
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (const isa::Access& access : accesses) {
      if (access.memory != static_cast<isa::Memory>(m)) continue;
      from = to == 0 ? access.at : std::min(from, access.at);
      to = std::max(to, access.at + access.bytes);
    }
    if (!exact.memory[m] || to == 0) continue;
    exact.memory[m]->regions = {
        {.at = from,
         .dtype = dtype,
         .bytes = SmallIntegers(dtype, from, to - from)}};
  }
  return exact;
}

/// Whether the element that was not written has its value before `c` runs, so
/// that no result shows whether it is written.
bool WasThereBefore(const Case& c, const diff::Finding& wrong) {
  if (BlotOf(wrong) != Blot::kMissing || !wrong.difference) return false;
  const auto& d = *wrong.difference;
  const auto expected = diff::TheOracle().Run(c);
  if (!expected || !expected->memory) return true;
  const diff::MemorySet right = diff::Overwritten(c, *expected->memory);
  const diff::MemorySet before(c);
  const auto at = static_cast<std::size_t>(d.at);
  const auto bytes = static_cast<std::size_t>(isa::SizeBytes(d.dtype));
  return std::ranges::equal(right[d.memory].subspan(at, bytes),
                            before[d.memory].subspan(at, bytes));
}

/// Whether there are several iterations, and what the first one alone writes
/// comes out right.
bool IsFirstIterationRight(const Case& c, const Accesses& accesses,
                           const diff::Target& target) {
  std::vector<isa::Access> first;
  std::vector<isa::Access> later;
  for (const isa::Access& access : accesses) {
    if (access.write) {
      (access.iteration == 0 ? first : later).push_back(access);
    }
  }
  std::erase_if(first, [&](const isa::Access& access) {
    return std::ranges::any_of(later, [&](const isa::Access& other) {
      return access.memory == other.memory &&
             access.at < other.at + other.bytes &&
             other.at < access.at + access.bytes;
    });
  });
  if (first.empty() || later.empty()) return false;
  const auto actual = target.Run(c);
  const auto expected = diff::TheOracle().Run(c);
  if (!actual || !expected || !actual->memory || !expected->memory) {
    return false;
  }
  const diff::MemorySet right = diff::Overwritten(c, *expected->memory);
  const auto is_right = [&](const diff::MemorySet& memory) {
    return std::ranges::all_of(first, [&](const isa::Access& access) {
      const auto at = static_cast<std::size_t>(access.at);
      const auto bytes = static_cast<std::size_t>(access.bytes);
      return std::ranges::equal(memory[access.memory].subspan(at, bytes),
                                right[access.memory].subspan(at, bytes));
    });
  };
  return is_right(diff::Overwritten(c, *actual->memory)) &&
         !is_right(diff::MemorySet(c));
}

/// The rule of which lanes a mask takes.
RuleId LanesRuleOf(const isa::Step& step) {
  if (std::holds_alternative<isa::WholeReduceSum>(step)) {
    return isa::wrs::kMaskLanes;
  }
  return std::visit(
      []<class S>(const S& s) {
        const auto of = []<class Tag>(const isa::ElementwiseCall<Tag>&) {
          return isa::ElementwiseRules<Tag>::kMaskLanes;
        };
        if constexpr (isa::Elementwise<S>) {
          return of(s);
        } else {
          return RuleId();
        }
      },
      step);
}

RuleId InOrderRuleOf(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) {
        const auto of = []<class Tag>(const isa::ElementwiseCall<Tag>&) {
          return isa::ElementwiseRules<Tag>::kInOrder;
        };
        if constexpr (isa::Elementwise<S>) {
          return of(s);
        } else if constexpr (std::is_same_v<S, isa::RepeatReduceSum>) {
          return isa::rrs::kInOrder;
        } else {
          return isa::wrs::kInOrder;
        }
      },
      step);
}

/// Nothing where there are no several iterations.
std::optional<Case> WithOneIteration(const Case& c) {
  Case one = c;
  const bool had_more = std::visit(
      []<class S>(S& s) {
        std::int64_t* repeat = nullptr;
        if constexpr (make::ReduceSum<S>) repeat = &make::RepeatOf(s);
        if constexpr (isa::Elementwise<S>) {
          if (s.form != S::kCount) repeat = &s.repeat_times;
        }
        return repeat != nullptr && std::exchange(*repeat, 1) > 1;
      },
      one.program.back());
  if (!had_more) return std::nullopt;
  return one;
}

/// Whether the same element is wrong in the same way.
bool IsSame(const diff::Finding& a, const diff::Finding& b) {
  return a.difference && b.difference && a.difference->at == b.difference->at &&
         a.difference->actual == b.difference->actual &&
         a.difference->differing_bytes == b.difference->differing_bytes;
}

/// What variants of one case show of the rules that may be the reason.
class Variants {
 public:
  /// `c` ends with the step that is wrong, `lanes` are those of its mask.
  Variants(const Case& c, const Accesses& accesses, const diff::Target& target,
           std::vector<RuleId>& suspects)
      : case_(c),
        accesses_(accesses),
        lanes_(LanesOf(accesses)),
        target_(target),
        suspects_(suspects) {}

  void Try(const diff::Finding& wrong, isa::DType dtype) {
    TryOwnMask(case_, nullptr);
    if (IsDecided()) return;
    const Case exact = WithSmallIntegers(case_, dtype, accesses_);
    const auto shown = Run(exact, target_);
    if (!shown) return;
    if (!shown->wrong) {
      if (WasThereBefore(exact, wrong)) return;
      Clear([](RuleId rule) { return !IsAboutValues(rule); });
      TryTwoLanes();
    } else if (BlotOf(wrong) != Blot::kZeroSign) {
      Clear([](RuleId rule) { return IsAboutSomeValues(rule); });
      TryPlaces(exact, *shown, dtype);
    }  // else what is wrong without zeros is another defect
  }

 private:
  const isa::Step& step() const { return case_.program.back(); }
  bool IsDecided() const { return suspects_.size() < 2; }

  /// Takes the suspects away of which `is_cleared` is true, unless that is all.
  void Clear(const auto& is_cleared) {
    std::vector<RuleId> left;
    for (RuleId rule : suspects_) {
      if (!is_cleared(rule)) left.push_back(rule);
    }
    if (!left.empty()) suspects_ = std::move(left);
  }

  /// `c` with a mask of the call's own; nothing where it can't have that.
  std::optional<Shown> RunWithMask(const Case& c, const Lanes& lanes) const {
    const auto own = WithOwnMask(c, lanes);
    return own ? Run(*own, target_) : std::nullopt;
  }

  /// A right result of `c` under a mask of its own speaks against the register;
  /// one that is wrong as `wrong` is, if that is given, for it.
  void TryOwnMask(const Case& c, const diff::Finding* wrong) {
    constexpr RuleId kRegister = isa::state::kMaskRegister;
    if (!ReadsMaskRegister(step()) ||
        std::ranges::find(suspects_, kRegister) == suspects_.end()) {
      return;
    }
    const auto shown = RunWithMask(c, lanes_);
    if (!shown) return;
    if (!shown->wrong) {
      suspects_ = {kRegister};
    } else if (wrong != nullptr && IsSame(*shown->wrong, *wrong)) {
      Clear([](RuleId rule) { return rule == kRegister; });
    }
  }

  /// `exact` is wrong: by its lanes, its addresses or what it does with them.
  void TryPlaces(const Case& exact, const Shown& shown, isa::DType dtype) {
    TryOwnMask(exact, &*shown.wrong);
    const RuleId lanes = LanesRuleOf(step());
    const auto is_value = [](RuleId rule) {
      return isa::TopicOf(rule) == isa::Topic::kValue;
    };
    if (!IsDecided() && IsSum(step())) {
      const auto first = RunWithMask(exact, FirstLanes(lanes_));
      if (IsRight(first) || IsWrong(RunWithMask(exact, {1, 0}))) {
        Clear(is_value);
      }
    }
    const Lanes all = AllLanesOf(dtype);
    if (!IsDecided() && !ReadsMaskRegister(step()) && lanes_ != all) {
      if (IsRight(RunWithMask(exact, all))) {
        Clear([&](RuleId rule) {
          return rule != lanes && isa::TopicOf(rule) != isa::Topic::kOutside;
        });
      }
    }
    if (IsDecided()) return;
    if (const auto one = WithOneIteration(exact)) {
      if (IsWrong(Run(*one, target_))) {
        Clear([&](RuleId rule) { return rule == InOrderRuleOf(step()); });
      }
    }
    if (!IsDecided() && IsFirstIterationRight(exact, shown.accesses, target_)) {
      Clear([&](RuleId rule) {
        return is_value(rule) || rule == lanes ||
               rule == isa::state::kMaskRegister;
      });
    }
  }

  /// A sum is right but for its values: two lanes have one order.
  void TryTwoLanes() {
    if (IsDecided() || !IsSum(step())) return;
    const auto shown = RunWithMask(case_, {3, 0});
    if (!IsWrong(shown)) return;
    const auto still = SuspectsOf(step(), shown->events, *shown->wrong);
    Clear([&](RuleId rule) {
      return isa::TopicOf(rule) == isa::Topic::kValue ||
             !std::ranges::binary_search(still, rule);
    });
  }

  const Case& case_;
  const Accesses& accesses_;
  Lanes lanes_;
  const diff::Target& target_;
  std::vector<RuleId>& suspects_;
};

}  // namespace

std::optional<diff::Finding> FirstWrong(const Case& c, std::size_t step,
                                        const diff::Target& target) {
  for (std::size_t i = 0; i < step; ++i) {
    const auto shown = Run(Until(c, i), target);
    if (!shown || !shown->wrong) continue;
    diff::Finding wrong = *shown->wrong;
    wrong.step = i;
    return wrong;
  }
  return std::nullopt;
}

void ClearByVariants(const Case& c, const diff::Finding& wrong,
                     const diff::Target& target,
                     std::vector<RuleId>& suspects) {
  if (suspects.size() < 2) return;
  const Case shorter = Until(c, wrong.step);
  const auto dtype = TypeOf(shorter.program.back());
  if (!dtype) return;
  // Of the reference alone: what the target does is known.
  const auto expected = Run(shorter, diff::TheOracle());
  if (!expected || expected->accesses.empty()) return;
  Variants(shorter, expected->accesses, target, suspects).Try(wrong, *dtype);
}

}  // namespace lanediff::audit
