#include "audit/corpus_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>

#include "audit/case_result.h"
#include "audit/child.h"
#include "audit/guarded.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

CaseResult ResultOfGiven(const AuditCase& c, const diff::Target& target) {
  Case own = c.swept.c;
  own.id = c.swept.what;  // under which its outcome may be recorded
  CaseResult result = ResultOf(own, c.swept.rule, target);
  if (!result.failing) return result;
  std::vector<isa::RuleId> named = c.swept.c.requirement;
  std::erase_if(named, [](isa::RuleId rule) {
    return isa::FindRule(rule.text())->effect != isa::Effect::kSemantics;
  });
  std::ranges::sort(named);
  // What was measured may have another reason.
  if (c.slug == kMeasuredSource &&
      !std::ranges::includes(result.failing->suspects, named)) {
    result.failing.reset();
  } else if (!named.empty()) {
    result.failing->suspects = std::move(named);
  }
  return result;
}

Tally TallyOf(const AuditCase& c, const CaseResult& result) {
  Tally tally;
  // Questions are no cases of the audit, but for those that show a defect.
  if (c.slug != kMeasuredSource || result.failing) tally.Add(c, result);
  return tally;
}

}  // namespace

AuditCase GivenCase(const std::vector<Case>& given, std::uint64_t number,
                    std::string_view source) {
  AuditCase c{.slug = source, .number = number, .moved = false, .swept = {}};
  c.swept.number = number;
  c.swept.c = given[static_cast<std::size_t>(number)];
  c.swept.what = c.swept.c.id;
  if (!c.swept.c.requirement.empty()) {
    c.swept.rule = c.swept.c.requirement.front();
  }
  c.swept.c.id = fmt::format("{}/{}/{}/{}", kIdFolder, source, number,
                             isa::Name(c.swept.c.product));
  return c;
}

Tally RunGivenCase(const AuditCase& c, const diff::Target& target,
                   double hang_seconds) {
  const GuardedTarget guarded(target);
  const Apart apart = RunApart(
      [&](Beacon&) {
        return TallyOf(c, ResultOfGiven(c, guarded)).Serialized();
      },
      hang_seconds);
  try {
    if (apart.end == Child::End::kDone) return Tally::Parse(apart.bytes);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {  // the target wrote over the answer
  }
  return TallyOf(c, ResultOfEnd(c, apart.end));
}

std::vector<Case> MeasuredCases(const std::vector<Measurement>& measured,
                                const std::vector<isa::Product>& products) {
  std::vector<Case> all;
  for (const Measurement& one : measured) {
    if (one.follows) continue;
    for (Case c : one.cases) {
      c.requirement = {isa::FindRule(one.rule)->id};
      for (isa::Product product : products) {
        c.product = product;
        if (IsSupported(c, product)) all.push_back(c);
      }
    }
  }
  return all;
}

}  // namespace lanediff::audit
