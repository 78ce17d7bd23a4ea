#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "audit/applicable_rules.h"
#include "audit/audit.h"
#include "audit/case_result.h"
#include "audit/child.h"
#include "audit/process_pool.h"
#include "audit/stream.h"
#include "differential/ordered_parallel_for.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/recorded/target.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

CaseResult ResultOfGiven(const AuditCase& c, const diff::Target& target) {
  Case own = c.c;
  own.id = c.what;  // under which its outcome may be recorded
  CaseResult result = ResultOf(own, c.rule, target);
  if (!result.failing) return result;
  std::vector<isa::RuleId> named = c.c.requirement;
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

/// The slugs whose cases speak of the instruction with the slug `instruction`.
std::vector<std::string_view> SlugsFor(std::string_view instruction) {
  const auto all = make::SweepModules();
  if (instruction.empty()) return {all.begin(), all.end()};
  // Machine state is what its rules are about too.
  return {instruction, all.back()};
}

/// Of each instruction, what `options.sample` requests, of what the target
/// claims.
std::map<std::string_view, make::Sample> SamplesOf(
    const std::vector<std::string_view>& slugs, const AuditOptions& options,
    const diff::Capabilities& can, const std::vector<isa::Product>& products) {
  const auto cases_of = [&](const Case& c) {
    std::uint64_t cases = 0;
    if (c.edition != options.edition) return cases;
    Case moved = c;
    for (isa::Product product : products) {
      if (product != c.product && !IsSupported(c, product)) continue;
      moved.product = product;
      cases += !diff::BeyondCapabilities(moved, can);
    }
    return cases;
  };
  std::map<std::string_view, make::Sample> all;
  std::size_t next = 0;
  diff::OrderedParallelFor(
      slugs.size(), {.jobs = options.jobs},
      [&](std::size_t i, std::size_t) {
        return make::DrawSample(slugs[i], options.sample, options.shard,
                                cases_of, {}, options.edition);
      },
      [&](make::Sample&& sample) { all[slugs[next++]] = std::move(sample); });
  return all;
}

/// Leaves in `options` the cases with these ids, "audit/SOURCE/NUMBER/PRODUCT".
void SelectCases(const std::vector<std::string>& ids,
                 std::vector<std::string_view>& slugs,
                 ProcessPoolOptions& options) {
  std::map<std::string_view, std::set<std::uint64_t>> numbers;
  options.only.emplace(ids.begin(), ids.end());
  for (std::string_view id : ids) {
    for (std::string_view slug : slugs) {
      const std::string start = fmt::format("{}/{}/", kIdFolder, slug);
      if (!id.starts_with(start)) continue;
      std::uint64_t number = 0;
      const char* const from = id.data() + start.size();
      const auto end = std::from_chars(from, id.data() + id.size(), number);
      if (end.ec == std::errc()) numbers[slug].insert(number);
    }
  }
  std::erase_if(slugs,
                [&](std::string_view slug) { return !numbers.contains(slug); });
  for (const auto& [slug, there] : numbers) {
    const auto sampled = options.sample.find(slug);
    make::Sample sample;
    for (std::uint64_t number : there) {
      if (!options.shard.Holds(number)) continue;
      if (sampled != options.sample.end() && !sampled->second.Holds(number)) {
        continue;
      }
      sample.numbers.push_back(number);
    }
    sample.size.cases = sample.numbers.size();
    options.sample[slug] = std::move(sample);
  }
}

/// Whether a given case is about what `options` select.
bool IsWanted(const Case& c, const AuditOptions& options) {
  const isa::Instruction* const only =
      isa::FindInstruction(options.instruction);
  return !c.requirement.empty() &&
         (!options.product || c.product == *options.product) &&
         (only == nullptr ||
          std::ranges::any_of(c.requirement, [&](isa::RuleId rule) {
            return IsUsedBy(*isa::FindRule(rule.text()), only->op);
          }));
}

void RunGiven(const diff::Target& target, const AuditOptions& options,
              const diff::Capabilities& can, ProcessPoolResult& result) {
  for (std::uint64_t i = 0; i < options.given.size(); ++i) {
    const AuditCase c = GivenCase(options.given, i);
    if (!options.shard.Holds(i) || !IsWanted(c.c, options) ||
        diff::BeyondClaims(c.c, can)) {
      continue;
    }
    if (result.interrupted || !result.stopped.empty()) return;
    const Tally tally = RunGivenCase(c, target, options.hang_seconds);
    if (tally.unsupported > 0 && !target.runs_any_case()) continue;
    result.crashed += tally.crashed;
    result.hung += tally.hung;
    result.tally.Merge(tally);
    result.interrupted =
        options.goes_on &&
        !options.goes_on(result.tally.cases, result.tally.cases);
  }
}

}  // namespace

Tally RunGivenCase(const AuditCase& c, const diff::Target& target,
                   double hang_seconds) {
  const GuardedTarget guarded(target);
  const Apart apart = RunApart(
      [&](Beacon&) {
        return TallyOf(c, ResultOfGiven(c, guarded)).Serialized();
      },
      hang_seconds);
  if (apart.end == Child::End::kDone) {
    // The target may have written over the answer.
    if (auto tally = Tally::Parse(apart.bytes)) return *std::move(tally);
  }
  return TallyOf(c, ResultOfEnd(c, apart.end));
}

ProcessPoolResult RunCases(const diff::Target& target,
                           const AuditOptions& options) {
  const diff::Capabilities can = target.capabilities();
  auto slugs = SlugsFor(options.instruction);
  std::erase_if(
      slugs, [&](std::string_view slug) { return !diff::Claims(can, slug); });
  ProcessPoolOptions pool_options;
  static_cast<RunOptions&>(pool_options) = options;
  pool_options.products = ProductsFor(options);
  std::erase_if(pool_options.products, [&](isa::Product product) {
    return can.products &&
           std::ranges::find(*can.products, product) == can.products->end();
  });
  std::optional<make::SampleSize> sample;
  if (options.sample > 0) {
    sample.emplace();
    pool_options.sample = SamplesOf(slugs, options, can, pool_options.products);
    for (const auto& [slug, drawn] : pool_options.sample) {
      sample->Add(drawn.size);
    }
  }
  if (const auto ids = diff::RecordedIds(target.name(), kIdFolder)) {
    SelectCases(*ids, slugs, pool_options);
  }
  const auto chunks = ChunksOf(slugs, pool_options);
  std::uint64_t total = 0;
  for (const Chunk& chunk : chunks) total += chunk.cases;
  pool_options.goes_on = [&](std::uint64_t done) {
    return !options.goes_on || options.goes_on(done, total);
  };
  ProcessPoolResult result = RunProcessPool(target, chunks, pool_options);
  result.sample = sample;
  RunGiven(target, options, can, result);
  return result;
}

}  // namespace lanediff::audit
