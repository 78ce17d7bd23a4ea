#include "audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "audit/applicable_rules.h"
#include "audit/corpus_cases.h"
#include "audit/evidence.h"
#include "audit/fault_localization.h"
#include "audit/process_pool.h"
#include "audit/stream.h"
#include "differential/ordered_parallel_for.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/recorded/target.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

/// The slugs whose cases speak of the instruction with the slug `instruction`.
std::vector<std::string_view> SlugsFor(std::string_view instruction) {
  const auto all = make::SweepModules();
  if (instruction.empty()) return {all.begin(), all.end()};
  // Machine state is what its rules are about too.
  return {instruction, all.back()};
}

std::vector<isa::Product> ProductsFor(const AuditOptions& options) {
  if (options.product) return {*options.product};
  std::vector<isa::Product> all;
  for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
    all.push_back(static_cast<isa::Product>(p));
  }
  return all;
}

/// What was tried by type and form; of many places some are named.
std::vector<Tried> Summed(const CellTally& cell) {
  constexpr std::size_t kNamed = 4;
  std::vector<Tried> sums;
  std::size_t places = 0;
  const auto finish = [&] {
    if (places > kNamed) {
      sums.back().positions += fmt::format("; {} in all", places);
    }
  };
  for (const Tried& tried : cell.tried) {
    const bool same = !sums.empty() && sums.back().dtype == tried.dtype &&
                      sums.back().form == tried.form;
    if (!same) {
      finish();
      sums.push_back({tried.dtype, tried.form, tried.positions, 0, 0});
      places = 0;
    } else if (places < kNamed) {
      sums.back().positions += "; " + tried.positions;
    }
    ++places;
    sums.back().breaks += tried.breaks;
    sums.back().keeps += tried.keeps;
  }
  finish();
  return sums;
}

bool Tolerates(const diff::Capabilities& can) {
  return can.legality == diff::Capabilities::Legality::kNone;
}

/// Whether more of the cases that rest on the rule are wrong, if for another
/// rule, than are right.
bool IsInDoubt(const CellTally& cell) {
  std::uint64_t wrong = 0;
  for (const auto& [rule, cases] : cell.elsewhere) wrong += cases;
  const std::uint64_t right =
      cell.alone[static_cast<std::size_t>(Showing::kAsDocumented)];
  return right > 0 && wrong > right;
}

/// Whether a call that the documents refuse ran to its end.
bool IsRunIllegal(Showing showing) {
  return showing == Showing::kRanAsExtended ||
         showing == Showing::kRanUndefined ||
         showing == Showing::kRanOtherwise || showing == Showing::kWroteOutside;
}

/// Writes down what a run showed.
class Scribe {
 public:
  /// `op`: of the only instruction; empty: of all.
  Scribe(const ProcessPoolResult& pool, const diff::Target& target,
         const std::vector<Measurement>& measured, std::string_view op,
         isa::Edition edition, EvidenceMaker& evidence)
      : pool_(pool),
        measured_(measured),
        edition_(edition),
        can_(target.capabilities()),
        recorded_(!target.runs_any_case()),
        op_(op),
        evidence_(evidence) {}

  AuditedRule Write(const isa::Rule& rule,
                    const std::vector<isa::Product>& products) {
    AuditedRule audited;
    audited.rule = &rule;
    bool first = true;
    bool open = false;  // still without a verdict of a cell that can have one
    for (isa::Product product : products) {
      const CellTally* const cell = pool_.tally.FindCell(rule.id, product);
      const bool bad = cell != nullptr && !cell->bad.empty();
      if (!AppliesTo(rule, {product, edition_}) && !bad) continue;
      audited.cells.push_back(WriteCell(rule, product, cell));
      const Verdict verdict = audited.cells.back().verdict;
      // Where no call can break it there is nothing to be worse or better.
      const bool idle = verdict == Verdict::kNotExercised &&
                        rule.effect == isa::Effect::kReject &&
                        !CanBeBroken(rule, {product, edition_});
      if (idle && !first) continue;
      audited.verdict =
          first || open ? verdict : Worse(audited.verdict, verdict);
      open = idle;
      first = false;
    }
    return audited;
  }

 private:
  Cell WriteCell(const isa::Rule& rule, isa::Product product,
                 const CellTally* seen) {
    Cell cell;
    cell.product = product;
    if (seen != nullptr) {
      cell.compared = seen->cases;
      cell.alone = seen->alone;
      cell.together = seen->together;
      cell.verdict =
          VerdictOf(rule.effect, cell.alone, cell.together, Tolerates(can_));
      if (RefusesAll(rule, product, *seen) &&
          cell.verdict == Verdict::kEnforced) {
        cell.verdict = Verdict::kNotExercised;
      }
      if ((seen->suspected || IsInDoubt(*seen)) &&
          cell.verdict != Verdict::kContradicted) {
        cell.verdict = Verdict::kSuspected;
      }
      AddMeasured(rule, cell);
      cell.wrong = seen->parts;
      for (const auto& [blamed, cases] : seen->elsewhere) {
        cell.elsewhere.push_back({blamed, cases});
      }
      cell.co_suspects.assign(seen->co_suspects.begin(),
                              seen->co_suspects.end());
      cell.tried = Summed(*seen);
      cell.points.assign(seen->points.begin(), seen->points.end());
      cell.evidence = evidence_.Make(rule, product, *seen);
      for (Evidence& one : cell.evidence) {
        one.tolerated = Tolerates(can_) && IsRunIllegal(one.showing);
      }
      if (rule.effect == isa::Effect::kSemantics && seen->numeric.nodes > 0) {
        cell.numeric = seen->numeric;
        if (!cell.evidence.empty()) {
          ShowRounding(evidence_.files().at(cell.evidence.front().file),
                       *cell.numeric);
        }
        if (cell.verdict == Verdict::kConfirmed) {
          cell.numeric->actual = cell.numeric->expected;
        }
      }
    }
    if (cell.verdict == Verdict::kNotExercised) {
      cell.reason = Why(rule, product, seen == nullptr ? CellTally() : *seen);
      cell.claimed = WhatIsNotClaimed(rule, product).empty();
    }
    return cell;
  }

  /// What was measured speaks against the rule, if no case of its own does.
  void AddMeasured(const isa::Rule& rule, Cell& cell) const {
    for (const Measurement& one : measured_) {
      if (one.rule != rule.id.text() || one.follows) continue;
      cell.measured.push_back(one.text);
      if (cell.verdict == Verdict::kConfirmed ||
          cell.verdict == Verdict::kNotExercised) {
        cell.verdict = Verdict::kSuspected;
      }
    }
  }

  /// Whether what breaks the rule was refused, and every legal call as well.
  bool RefusesAll(const isa::Rule& rule, isa::Product product,
                  const CellTally& seen) const {
    return seen.alone[static_cast<std::size_t>(Showing::kRefused)] +
                   seen.together[static_cast<std::size_t>(Showing::kRefused)] >
               0 &&
           !pool_.tally.Accepted(rule, product);
  }

  std::string Why(const isa::Rule& rule, isa::Product product,
                  const CellTally& seen) const {
    if (rule.effect == isa::Effect::kReject &&
        !CanBeBroken(rule, {product, edition_})) {
      return "no call can break it on this product";
    }
    const auto reason = WhyNotExercised(rule, {product, edition_});
    if (!reason.empty()) return std::string(reason);
    if (pool_.interrupted) return "the audit was interrupted";
    if (!pool_.stopped.empty()) return pool_.stopped;
    if (recorded_ && seen.cases == 0) {
      return "no outcome that shows it was recorded";
    }
    const std::string claims = WhatIsNotClaimed(rule, product);
    if (!claims.empty()) return claims;
    if (RefusesAll(rule, product, seen)) {
      return "no legal call was executed, without which a refusal shows "
             "nothing";
    }
    if (!seen.elsewhere.empty()) {
      return fmt::format(
          "all {} cases that exercise it and were compared are wrong, and "
          "blamed on other rules",
          seen.cases);
    }
    if (pool_.sample) return "no case of the sample shows it";
    if (seen.unsupported + seen.beyond > 0) return WhatWasLeftOut(rule, seen);
    if (seen.cases > 0) {
      return "every case that breaks it was refused for a rule that is looked "
             "at earlier";
    }
    return op_.empty() && !can_.instructions
               ? "no case was compared"
               : fmt::format("no case of {} exercises it",
                             op_.empty() ? "what the target claims" : op_);
  }

  /// Why no case could run at all; empty where some could.
  std::string WhatIsNotClaimed(const isa::Rule& rule,
                               isa::Product product) const {
    if (can_.products &&
        std::ranges::find(*can_.products, product) == can_.products->end()) {
      return "the target does not claim this product";
    }
    const isa::Instruction* const own = isa::FindInstruction(rule.instruction);
    if (own != nullptr && !diff::Claims(can_, own->slug)) {
      return fmt::format("the target does not claim {}", own->op);
    }
    if (rule.effect == isa::Effect::kNote && !can_.notes) {
      return "the target reports no notes";
    }
    return "";
  }

  /// What became of the cases that would have shown something of the rule.
  std::string WhatWasLeftOut(const isa::Rule& rule,
                             const CellTally& seen) const {
    const std::string_view which =
        rule.effect == isa::Effect::kReject ? "break" : "exercise";
    std::string text;
    if (seen.unsupported > 0) {
      const bool legal_only =
          can_.legal_only && rule.effect == isa::Effect::kReject;
      text = fmt::format(
          "all {} cases that {} it {}", seen.unsupported, which,
          legal_only ? "were left out (legal only), or answered `unsupported`"
                     : "were answered `unsupported`");
    }
    if (seen.beyond > 0) {
      text += fmt::format(
          "{}{} cases made for it were left out, as they are beyond what the "
          "target claims",
          text.empty() ? "" : "; ", seen.beyond);
    }
    return text;
  }

  const ProcessPoolResult& pool_;
  const std::vector<Measurement>& measured_;
  isa::Edition edition_;
  diff::Capabilities can_;
  bool recorded_;  ///< the target only has outcomes of given cases
  std::string_view op_;
  EvidenceMaker& evidence_;
};

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
    if (!options.shard.Holds(i) || !IsWanted(c.swept.c, options) ||
        diff::BeyondClaims(c.swept.c, can)) {
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

ProcessPoolResult RunCases(const diff::Target& target,
                           const AuditOptions& options) {
  const diff::Capabilities can = target.capabilities();
  auto slugs = SlugsFor(options.instruction);
  std::erase_if(
      slugs, [&](std::string_view slug) { return !diff::Claims(can, slug); });
  ProcessPoolOptions pool_options;
  pool_options.products = ProductsFor(options);
  std::erase_if(pool_options.products, [&](isa::Product product) {
    return can.products &&
           std::ranges::find(*can.products, product) == can.products->end();
  });
  pool_options.edition = options.edition;
  pool_options.shard = options.shard;
  pool_options.jobs = options.jobs;
  pool_options.hang_seconds = options.hang_seconds;
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

Audit Judge(const diff::Target& target, const AuditOptions& options,
            const ProcessPoolResult& ran) {
  ProcessPoolResult pool = ran;
  const auto products = ProductsFor(options);
  const bool goes_on = !pool.interrupted && pool.stopped.empty();
  const auto measured = goes_on && target.runs_any_case()
                            ? MeasuredCases(options.measured, products)
                            : std::vector<Case>();
  for (std::uint64_t i = 0; i < measured.size(); ++i) {
    const Tally tally = RunGivenCase(GivenCase(measured, i, kMeasuredSource),
                                     target, options.hang_seconds);
    pool.tally.Merge(tally);
  }
  AddFaults(options.measured, pool.tally);
  Audit audit;
  AuditRecord& record = audit.record;
  record.target = target.name();
  record.vectors = target.vectors();
  record.reference = "oracle";
  record.edition = options.edition;
  record.cases = pool.tally.cases;
  record.unsupported = pool.tally.unsupported;
  record.beyond = pool.tally.beyond;
  record.malformed = pool.tally.malformed;
  record.skipped = pool.tally.skipped;
  record.problems = pool.tally.problems;
  record.crashed = pool.crashed;
  record.hung = pool.hung;
  for (const SourceFailures& one : pool.tally.failures) {
    record.failures[one.source] = one;
  }
  record.steps = pool.tally.steps;
  record.compared_bytes = pool.tally.compared_bytes;
  record.nodes = pool.tally.nodes;
  record.tolerates = Tolerates(target.capabilities());
  record.interrupted = pool.interrupted;
  record.stopped = pool.stopped;
  record.sample = pool.sample;
  record.sample_is_meant = options.sample_is_meant;
  record.recorded = diff::RecordedIds(target.name(), kIdFolder).has_value();

  EvidenceMaker evidence(target, options.target_word);
  const bool whole = !options.shard.IsPart();
  if (whole) {
    evidence.Prepare(
        pool.tally, products,
        {{kGivenSource, options.given}, {kMeasuredSource, measured}},
        options.edition);
  }
  const isa::Instruction* const of_slug =
      isa::FindInstruction(options.instruction);
  const std::string_view op = of_slug == nullptr
                                  ? std::string_view()
                                  : of_slug->op;  // empty for programs
  Scribe scribe(pool, target, options.measured, op, options.edition, evidence);
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (isa::IsOfLint(rule)) continue;  // targets have no part in it
    if (!rule.HoldsIn(options.edition)) continue;
    if (!op.empty() && !IsUsedBy(rule, op)) continue;
    AuditedRule audited = scribe.Write(rule, products);
    if (record.IsSampled()) audited.share = record.sample;
    if (!audited.cells.empty()) record.rules.push_back(std::move(audited));
  }
  audit.files = std::move(evidence.files());
  if (!record.interrupted && whole) {
    AddDisagreements(target, options, op, audit);
  }
  return audit;
}

Audit RunAudit(const diff::Target& target, const AuditOptions& options) {
  return Judge(target, options, RunCases(target, options));
}

}  // namespace lanediff::audit
