#include "audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "audit/applicable_rules.h"
#include "audit/evidence.h"
#include "audit/fault_localization.h"
#include "audit/process_pool.h"
#include "audit/stream.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/recorded/target.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

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

}  // namespace

std::vector<isa::Product> ProductsFor(const AuditOptions& options) {
  if (options.product) return {*options.product};
  std::vector<isa::Product> all;
  for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
    all.push_back(static_cast<isa::Product>(p));
  }
  return all;
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
