#include "audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "audit/crew.h"
#include "audit/evidence.h"
#include "audit/judging.h"
#include "audit/speaks.h"
#include "audit/stream.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

/// The rooms whose cases speak of `instruction`, a room's name.
std::vector<std::string_view> RoomsFor(std::string_view instruction) {
  const auto all = make::SweepRooms();
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

/// What was tried by type and form; places that are many are told of by some.
std::vector<Tried> Summed(const CellTally& cell) {
  constexpr std::size_t kNamed = 4;
  std::vector<Tried> sums;
  std::size_t places = 0;
  const auto finish = [&] {
    if (places > kNamed) {
      sums.back().positions += fmt::format("; {} in all", places);
    }
  };
  for (const auto& [where, tried] : cell.tried) {
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

/// Writes down what a run showed.
class Scribe {
 public:
  Scribe(const CrewResult& crew, bool restricted, bool recorded,
         EvidenceMaker& evidence)
      : crew_(crew),
        restricted_(restricted),
        recorded_(recorded),
        evidence_(evidence) {}

  AuditedRule Write(const isa::Rule& rule,
                    const std::vector<isa::Product>& products) {
    AuditedRule audited;
    audited.rule = &rule;
    bool first = true;
    bool open = false;  // still without a verdict of a cell that can have one
    for (isa::Product product : products) {
      const auto found = crew_.tally.cells().find({rule.id.text(), product});
      const CellTally* const cell =
          found == crew_.tally.cells().end() ? nullptr : &found->second;
      const bool bad = cell != nullptr && !cell->bad.empty();
      if (!Speaks(rule, product) && !bad) continue;
      audited.cells.push_back(WriteCell(rule, product, cell));
      const Verdict verdict = audited.cells.back().verdict;
      // Where no call can break it there is nothing to be worse or better.
      const bool idle = verdict == Verdict::kNotExercised &&
                        rule.effect == isa::Effect::kReject &&
                        !CanBeBroken(rule, product);
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
      cell.verdict = VerdictOf(rule.effect, cell.alone, cell.together);
      cell.tried = Summed(*seen);
      for (const auto& [place, point] : seen->points) {
        cell.points.push_back(point);
      }
      cell.evidence = evidence_.Make(rule, product, *seen);
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
      cell.reason = Why(rule, product, seen != nullptr && seen->cases > 0);
    }
    return cell;
  }

  std::string Why(const isa::Rule& rule, isa::Product product,
                  bool seen) const {
    if (rule.effect == isa::Effect::kReject && !CanBeBroken(rule, product)) {
      return "no call can break it on this product";
    }
    const auto reason = WhyNotExercised(rule, product);
    if (!reason.empty()) return std::string(reason);
    if (crew_.interrupted) return "the audit was interrupted";
    if (!crew_.stopped.empty()) return crew_.stopped;
    if (recorded_ && !seen) return "no outcome that shows it was recorded";
    if (IsRestricted()) return "the target does not support it";
    return seen ? "every case that breaks it was refused for a rule that is "
                  "looked at earlier"
                : "no case was compared";
  }

  /// Some cases could not be put to it.
  bool IsRestricted() const {
    return crew_.tally.unsupported + crew_.tally.beyond > 0 || restricted_;
  }

  const CrewResult& crew_;
  bool restricted_;  ///< it does not claim all instructions and products
  bool recorded_;    ///< the target only has outcomes of given cases
  EvidenceMaker& evidence_;
};

}  // namespace

CrewResult RunCases(const diff::Target& target, const AuditOptions& options) {
  const diff::Capabilities can = target.capabilities();
  auto rooms = RoomsFor(options.instruction);
  std::erase_if(
      rooms, [&](std::string_view room) { return !diff::Claims(can, room); });
  const auto chunks = ChunksOf(rooms, options.shard.count);
  CrewOptions crew_options;
  crew_options.products = ProductsFor(options);
  std::erase_if(crew_options.products, [&](isa::Product product) {
    return can.products &&
           std::ranges::find(*can.products, product) == can.products->end();
  });
  crew_options.shard = options.shard;
  crew_options.jobs = options.jobs;
  crew_options.hang_seconds = options.hang_seconds;
  std::uint64_t total = 0;
  for (const Chunk& chunk : chunks) total += chunk.to - chunk.from;
  const std::uint64_t parts = options.shard.count;
  crew_options.goes_on = [&](std::uint64_t done) {
    return !options.goes_on || options.goes_on(done / parts, total / parts);
  };
  return RunCrew(target, chunks, crew_options);
}

Audit Judge(const diff::Target& target, const AuditOptions& options,
            const CrewResult& ran) {
  CrewResult crew = ran;
  crew.tally.Attribute();
  const auto products = ProductsFor(options);
  Audit audit;
  AuditRecord& record = audit.record;
  record.target = target.name();
  record.vectors = target.vectors();
  record.reference = "oracle";
  record.cases = crew.tally.cases;
  record.unsupported = crew.tally.unsupported;
  record.beyond = crew.tally.beyond;
  record.malformed = crew.tally.malformed;
  record.skipped = crew.tally.skipped;
  record.problems = crew.tally.problems;
  record.crashed = crew.crashed;
  record.hung = crew.hung;
  record.steps = crew.tally.steps;
  record.compared_bytes = crew.tally.compared_bytes;
  record.nodes = crew.tally.nodes;
  record.interrupted = crew.interrupted;
  record.stopped = crew.stopped;

  EvidenceMaker evidence(target, options.target_word);
  const bool whole = !options.shard.IsPart();
  if (whole) evidence.Prepare(crew.tally, products);
  const diff::Capabilities can = target.capabilities();
  Scribe scribe(crew, can.instructions || can.products, !target.runs_any_case(),
                evidence);
  const isa::Instruction* const of_room =
      isa::FindInstruction(options.instruction);
  const std::string_view op = of_room == nullptr
                                  ? std::string_view()
                                  : of_room->op;  // none of programs
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (isa::IsOfLint(rule)) continue;  // targets have no part in it
    if (!op.empty() && !IsUsedBy(rule, op)) continue;
    AuditedRule audited = scribe.Write(rule, products);
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
