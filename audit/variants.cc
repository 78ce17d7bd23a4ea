#include "audit/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "audit/conditions.h"
#include "audit/suspects.h"
#include "differential/compare/compare.h"
#include "differential/memory/filled_memory.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/element.h"
#include "generators/random.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::audit {
namespace {

using isa::RuleId;
using Accesses = std::vector<isa::Access>;
using isa::Lanes;

/// Of a mask of two words.
constexpr std::int64_t kMostLanes = 128;

/// The program of `c` until `step`, and nothing that is expected of it.
Case Until(const Case& c, std::size_t step) {
  Case shorter = c;
  shorter.program.resize(step + 1);
  shorter.expect.reset();
  shorter.requirement.clear();
  return shorter;
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

/// Nothing where the last step is not legal, or not compared. `of_end` is set
/// where the target answers whole cases, so that an earlier step may be wrong.
std::optional<Shown> RunWhole(const Case& c, const diff::Target& target,
                              bool& of_end) {
  Shown shown;
  bool executed = false;
  const diff::Comparison compared = diff::CompareCase(
      c, target, diff::TheOracle(), [&](const diff::ReferenceStep& step) {
        if (step.index + 1 != c.program.size()) return;
        executed = step.result.status == isa::StepResult::Status::kExecuted;
        shown.accesses = step.accesses;
        shown.events = step.events;
      });
  of_end = compared.outcome.has_value();
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

/// The same; nothing where a step before the last is wrong.
std::optional<Shown> Run(const Case& c, const diff::Target& target) {
  bool of_end = false;
  auto shown = RunWhole(c, target, of_end);
  const std::size_t last = c.program.size() - 1;
  if (IsWrong(shown) && (of_end ? FirstWrong(c, last, target).has_value()
                                : shown->wrong->step != last)) {
    return std::nullopt;
  }
  return shown;
}

bool IsRight(const std::optional<Shown>& shown) {
  return shown && !shown->wrong;
}

/// The lanes that the first iteration reads, or writes where it reads nothing;
/// elements of a call by count have no mask. There are `accesses`.
Lanes LanesOf(const Accesses& accesses) {
  Lanes lanes;
  const isa::Access& first = accesses.front();
  for (const isa::Access& access : accesses) {
    if (access.iteration != first.iteration ||
        access.operand != first.operand) {
      continue;
    }
    const std::int64_t more = access.bytes / isa::SizeBytes(access.dtype);
    const std::int64_t end = std::min(access.lane + more, kMostLanes);
    for (std::int64_t i = access.lane; i < end; ++i) {
      lanes.set(static_cast<std::size_t>(i));
    }
  }
  return lanes;
}

/// All lanes of the words that an iteration has some of.
Lanes AllLanesOf(isa::DType dtype) {
  const bool one_word = isa::kIterationBytes / isa::SizeBytes(dtype) <= 64;
  return isa::FirstLanes(one_word ? 64 : kMostLanes, kMostLanes);
}

/// As many lanes as `lanes`, without gaps.
Lanes WithoutGaps(const Lanes& lanes) {
  return isa::FirstLanes(static_cast<std::int64_t>(lanes.count()), kMostLanes);
}

/// Gives the last call its own mask; nothing where it has no form for these
/// lanes.
std::optional<Case> WithOwnMask(const Case& c, const Lanes& lanes) {
  using isa::Param;
  Case own = c;
  auto* const call = std::get_if<isa::Call>(&own.program.back());
  const bool by_count = lanes == WithoutGaps(lanes);
  const Param param = by_count ? Param::kMask : Param::kMaskWords;
  if (call == nullptr || !call->IsMasked() || !call->signature->Has(param) ||
      lanes.none()) {
    return std::nullopt;
  }
  const Lanes word(~std::uint64_t{0});
  call->is_set_mask = true;
  call->form = call->signature->FormWith(param);
  (*call)[Param::kMask] = 0;
  call->mask_words = {};
  if (by_count) {
    (*call)[Param::kMask] = static_cast<std::int64_t>(lanes.count());
  } else {
    call->mask_words = {(lanes & word).to_ullong(),
                        (lanes >> 64 & word).to_ullong()};
  }
  return own;
}

/// So many contents make a result that is right by chance unlikely.
constexpr std::uint64_t kContents = 4;

/// Elements from 1 to 13 of a sum, of which 128 are added without rounding;
/// else to 45, of which two are multiplied without rounding. Of the contents 1
/// and 3 of the latter, the larger elements are the smaller of 0 and 2: a
/// minimum is another operand.
class SmallIntegers {
 public:
  SmallIntegers(isa::DType dtype, bool is_sum)
      : dtype_(dtype), is_sum_(is_sum) {
    const int most = is_sum ? 13 : 45;
    for (int i = 1; i <= most; ++i) {
      bits_.push_back(ElementFromNumber(dtype, fmt::format("{}", i)).value());
    }
  }

  std::vector<std::uint8_t> Bytes(std::uint64_t contents,
                                  std::int64_t bytes) const {
    make::Random random(is_sum_ ? contents : contents / 2);
    std::vector<std::uint8_t> elements;
    elements.reserve(static_cast<std::size_t>(bytes));
    for (std::int64_t i = 0; i < bytes / isa::SizeBytes(dtype_); ++i) {
      std::size_t place = random.Bits() % bits_.size();
      if (!is_sum_ && contents % 2 == 1) place = bits_.size() - 1 - place;
      AppendElement(dtype_, bits_[place], elements);
    }
    return elements;
  }

  /// `c` with them wherever `accesses` are.
  Case In(const Case& c, const Accesses& accesses,
          std::uint64_t contents) const {
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
          {.at = from, .dtype = dtype_, .bytes = Bytes(contents, to - from)}};
    }
    auto* const call = std::get_if<isa::Call>(&exact.program.back());
    if (call != nullptr && call->Has(isa::Param::kScalar)) {
      call->scalar = bits_[contents];
    }
    return exact;
  }

 private:
  isa::DType dtype_;
  bool is_sum_;
  std::vector<std::uint64_t> bits_;  ///< of 1, 2, …
};

bool Overlap(const isa::Access& a, const isa::Access& b) {
  return a.memory == b.memory && a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}

/// What the first iteration alone may write; empty where a later one writes
/// some of that, or where there is none.
Accesses OfFirstIteration(const Accesses& accesses) {
  Accesses first;
  Accesses later;
  for (const isa::Access& access : accesses) {
    if (access.write) {
      (access.iteration == 0 ? first : later).push_back(access);
    }
  }
  const bool overlap = std::ranges::any_of(first, [&](const isa::Access& a) {
    return std::ranges::any_of(
        later, [&](const isa::Access& b) { return Overlap(a, b); });
  });
  return overlap || later.empty() ? Accesses() : first;
}

/// Whether all of these bytes come out right.
bool AreRight(const Accesses& bytes, const Case& c,
              const diff::Target& target) {
  const auto actual = target.Run(c);
  const auto expected = diff::TheOracle().Run(c);
  if (!actual || !expected || !actual->memory || !expected->memory) {
    return false;
  }
  const diff::MemorySet is = diff::Overwritten(c, *actual->memory);
  const diff::MemorySet right = diff::Overwritten(c, *expected->memory);
  return std::ranges::all_of(bytes, [&](const isa::Access& access) {
    const auto at = static_cast<std::size_t>(access.at);
    const auto size = static_cast<std::size_t>(access.bytes);
    return std::ranges::equal(is[access.memory].subspan(at, size),
                              right[access.memory].subspan(at, size));
  });
}

/// Whether it is the rule of which lanes a mask takes.
bool IsAboutLanes(RuleId rule) { return rule.text().ends_with("-MASK-LANES"); }
bool IsAboutOrder(RuleId rule) { return rule.text().ends_with("-IN-ORDER"); }
bool IsAboutValue(RuleId rule) {
  return isa::TopicOf(rule) == isa::Topic::kValue;
}

/// Nothing where there are no several iterations.
std::optional<Case> WithOneIteration(const Case& c) {
  using isa::Param;
  Case one = c;
  auto* const call = std::get_if<isa::Call>(&one.program.back());
  if (call == nullptr || !call->Has(Param::kRepeatTimes) ||
      std::exchange((*call)[Param::kRepeatTimes], 1) <= 1) {
    return std::nullopt;
  }
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
  /// `c` ends with the step that is wrong, of `dtype`.
  Variants(const Case& c, isa::DType dtype, const Accesses& accesses,
           const diff::Target& target, std::vector<RuleId>& suspects)
      : case_(c),
        integers_(dtype, isa::IsOf(c.program.back(), isa::Family::kReduction)),
        lanes_(LanesOf(accesses)),
        all_lanes_(AllLanesOf(dtype)),
        accesses_(accesses),
        target_(target),
        suspects_(suspects) {
    const auto all = WithOwnMask(case_, all_lanes_);
    if (const auto shown = all ? Run(*all, diff::TheOracle()) : std::nullopt) {
      accesses_ = shown->accesses;
    }
  }

  void Try(const diff::Finding& wrong) {
    TryOwnMask();
    if (IsDecided()) return;
    const auto shown = RunExact(case_);
    if (IsWrong(shown)) {
      // What is wrong without zeros is another defect than their sign.
      if (MismatchKindOf(wrong) == MismatchKind::kZeroSign) return;
      ClearUnused(*shown);
      if (std::ranges::none_of(suspects_, IsAboutSomeValues)) TryPlaces(*shown);
    } else if (shown && MismatchKindOf(wrong) != MismatchKind::kMissing) {
      // A value that equals what stood there looks like one that is missing.
      Clear([](RuleId rule) { return !IsAboutValues(rule); });
      TryTwoLanes();
    }
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

  /// `c` with small integers: the first contents that are wrong; right where
  /// all are.
  std::optional<Shown> RunExact(const std::optional<Case>& c) const {
    std::optional<Shown> shown;
    for (std::uint64_t i = 0; c && i < kContents; ++i) {
      shown = Run(integers_.In(*c, accesses_, i), target_);
      if (!IsRight(shown)) break;
    }
    return shown;
  }

  /// The same under a mask of the call's own, if it can have that.
  std::optional<Shown> RunExactWithMask(const Lanes& lanes) const {
    return RunExact(WithOwnMask(case_, lanes));
  }

  bool MayBeTheRegister() const {
    return ReadsMaskRegister(step()) &&
           std::ranges::find(suspects_, isa::state::kMaskRegister) !=
               suspects_.end();
  }

  /// A right result under a mask of the call's own speaks against the register.
  void TryOwnMask() {
    if (!MayBeTheRegister()) return;
    const auto own = WithOwnMask(case_, lanes_);
    if (own && IsRight(Run(*own, target_))) {
      suspects_ = {isa::state::kMaskRegister};
    }
  }

  /// Small integers are wrong: by no rule about some values that these don't
  /// show.
  void ClearUnused(const Shown& shown) {
    const auto used = SuspectsOf(step(), shown.events, *shown.wrong);
    Clear([&](RuleId rule) {
      return IsAboutSomeValues(rule) && !std::ranges::binary_search(used, rule);
    });
  }

  /// Small integers are wrong: by their lanes, their addresses or what is done
  /// with them.
  void TryPlaces(const Shown& shown) {
    if (MayBeTheRegister()) {
      const auto own = RunExactWithMask(lanes_);
      if (IsRight(own)) {
        suspects_ = {isa::state::kMaskRegister};
      } else if (own && IsSame(*own->wrong, *shown.wrong)) {
        Clear([](RuleId rule) { return rule == isa::state::kMaskRegister; });
      }
    }
    if (!IsDecided() && isa::IsOf(step(), isa::Family::kReduction)) {
      if (IsWrong(RunExactWithMask(Lanes(1))) ||
          IsRight(RunExactWithMask(WithoutGaps(lanes_)))) {
        Clear(IsAboutValue);
      }
    }
    if (!IsDecided() && !ReadsMaskRegister(step()) && lanes_ != all_lanes_) {
      if (IsRight(RunExactWithMask(all_lanes_))) {
        Clear([](RuleId rule) {
          return !IsAboutLanes(rule) &&
                 isa::TopicOf(rule) != isa::Topic::kOutside;
        });
      }
    }
    if (IsDecided()) return;
    const auto one = RunExact(WithOneIteration(case_));
    if (IsWrong(one)) Clear(IsAboutOrder);
    if (!IsDecided() && (IsRight(one) || IsFirstIterationRight())) {
      Clear([](RuleId rule) {
        return IsAboutValue(rule) || IsAboutLanes(rule) ||
               rule == isa::state::kMaskRegister;
      });
    }
  }

  /// Of several iterations that share no byte: all lanes of the first, those
  /// that the mask leaves out too.
  bool IsFirstIterationRight() const {
    const Accesses bytes = OfFirstIteration(accesses_);
    if (bytes.empty()) return false;
    for (std::uint64_t i = 0; i < kContents; ++i) {
      if (!AreRight(bytes, integers_.In(case_, accesses_, i), target_)) {
        return false;
      }
    }
    return true;
  }

  /// A sum is right but for its values: two lanes have one order.
  void TryTwoLanes() {
    if (IsDecided() || !isa::IsOf(step(), isa::Family::kReduction)) return;
    const auto two = WithOwnMask(case_, Lanes(3));
    const auto shown = two ? Run(*two, target_) : std::nullopt;
    if (!IsWrong(shown)) return;
    const auto still = SuspectsOf(step(), shown->events, *shown->wrong);
    Clear([&](RuleId rule) {
      return IsAboutValue(rule) || !std::ranges::binary_search(still, rule);
    });
  }

  const Case& case_;
  SmallIntegers integers_;
  Lanes lanes_;
  Lanes all_lanes_;
  Accesses accesses_;  ///< of all lanes, where the call can have these
  const diff::Target& target_;
  std::vector<RuleId>& suspects_;
};

}  // namespace

std::optional<diff::Finding> FirstWrong(const Case& c, std::size_t step,
                                        const diff::Target& target) {
  for (std::size_t i = 0; i < step; ++i) {
    bool of_end = false;
    const auto shown = RunWhole(Until(c, i), target, of_end);
    if (!IsWrong(shown)) continue;
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
  const auto* const call = std::get_if<isa::Call>(&shorter.program.back());
  if (call == nullptr || !call->signature->IsMasked()) return;
  // Of the reference alone: what the target does is known.
  const auto expected = Run(shorter, diff::TheOracle());
  if (!expected || expected->accesses.empty()) return;
  Variants(shorter, call->dtype, expected->accesses, target, suspects)
      .Try(wrong);
}

}  // namespace lanediff::audit
