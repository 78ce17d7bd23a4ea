#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "audit/case_result.h"
#include "audit/conditions.h"
#include "audit/stream.h"
#include "audit/suspects.h"
#include "differential/testcase/record.h"
#include "reports/audit_record.h"

/// Sums over cases, the same in whatever order they are added. Processes hand
/// theirs over as documents, shards theirs in files.
namespace lanediff::audit {

/// Why a text that a target's process sent is refused; empty where it may be
/// printed.
std::string NotPlain(const std::string& text);
/// Why `text` names no source of cases; empty where it names one.
std::string NoSource(const std::string& text);
inline constexpr Allowed kPlain = {.check = NotPlain};

/// A case that may become evidence, by which it can be made again.
struct Candidate {
  std::string slug;
  std::uint64_t number = 0;
  Side side = Side::kBreaks;
  Showing showing = Showing::kRefused;
  std::uint64_t distance = 0;  ///< of the field from the end of its range
  std::int64_t size = 0;       ///< of its memories, in units of 16 KiB
  std::string what;
  std::string message;
  std::string signature;

  /// The nearer, then the smaller, then the earlier comes first.
  auto Rank() const { return std::tie(distance, size, slug, number); }

  static void Fields(auto& c, auto& v) {
    v.Required("source", c.slug, {.check = NoSource});
    LANEDIFF_REQUIRED(v, c.number, c.side, c.showing, c.distance, c.size);
    v.Required("what", c.what, kPlain);
    v.Required("message", c.message, kPlain);
    v.Required("signature", c.signature, kPlain);
  }
};

/// A point with its value as a number, whatever its size.
struct TalliedPoint : Point {
  void Add(const TalliedPoint& more) {
    accepted += more.accepted;
    refused += more.refused;
  }

  static void Fields(auto& p, auto& v) {
    Point::Fields(p, v);
    v.Required("exact", p.value);
  }
};

/// What was seen of one rule on one product.
struct CellTally {
  isa::RuleId rule;
  isa::Product product = isa::Product::kAtlasA2;
  std::uint64_t cases = 0;  ///< that showed something of the rule
  /// Cases that would have, had the target supported them.
  std::uint64_t unsupported = 0;
  /// Cases made for it that are beyond what the target claims: not in `cases`.
  std::uint64_t beyond = 0;
  /// Of a semantics rule: every case with a right result that rests on it is
  /// one `kAsDocumented`, every wrong one that is blamed on it one
  /// `kDifferently`.
  ShowingCounts alone{};
  ShowingCounts together{};
  std::vector<Tried> tried = {};          ///< ascending by their keys
  std::vector<TalliedPoint> points = {};  ///< likewise
  Numeric numeric = {};
  /// The best of each side, whatever the target showed: the same cases for
  /// every target. And the best of each showing that is not as it should be.
  std::vector<Candidate> typical = {};
  std::vector<Candidate> bad = {};

  // Of semantics rules, once faults are localized.
  /// Wrong cases that rest on the rule, by the one that they are blamed on.
  std::map<isa::RuleId, std::uint64_t> elsewhere = {};
  std::vector<WrongPart> parts = {};  ///< what is blamed on it
  std::set<isa::RuleId> co_suspects = {};
  /// It is a co-suspect of another.
  bool suspected = false;

  auto Key() const { return std::tie(rule, product); }
  void Add(const CellTally& more);

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.rule, c.product, c.cases, c.unsupported, c.beyond,
                      c.alone, c.together, c.tried, c.points, c.numeric,
                      c.typical, c.bad);
  }
  /// What is printed of it is plain text.
  std::optional<CaseError> Fault() const;
};

/// Cases that rest on a rule of which a variant of each clears it.
struct ClearedRule {
  isa::RuleId rule;
  std::uint64_t cases = 0;

  auto Key() const { return rule; }
  void Add(const ClearedRule& more) { cases += more.cases; }

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.rule, c.cases);
  }
};

/// Wrong results that may speak against the same rules.
struct FailingRuns {
  isa::Product product = isa::Product::kAtlasA2;
  std::vector<isa::RuleId> suspects = {};  ///< sorted, at least one
  std::optional<isa::RuleId> made_for = {};
  Conditions conditions = 0;
  MismatchKind mismatch = MismatchKind::kOther;  ///< of the first wrong element
  std::uint64_t cases = 0;
  std::uint64_t largest_ulp = 0;
  std::vector<Candidate> best = {};
  std::vector<ClearedRule> cleared = {};  ///< ascending

  auto Key() const {
    return std::tie(product, made_for, suspects, conditions, mismatch);
  }
  void Add(const FailingRuns& more);

  static void Fields(auto& f, auto& v) {
    LANEDIFF_REQUIRED(v, f.product, f.suspects);
    v.Optional("madeFor", f.made_for);
    v.Required("conditions", f.conditions, kAllBits);
    LANEDIFF_REQUIRED(v, f.mismatch, f.cases, f.largest_ulp, f.best, f.cleared);
  }
  std::optional<CaseError> Fault() const;
};

/// Right results that speak for the same rules.
struct PassingRuns {
  isa::Product product = isa::Product::kAtlasA2;
  std::vector<isa::RuleId> rules = {};  ///< sorted
  Conditions conditions = 0;
  std::uint64_t cases = 0;

  auto Key() const { return std::tie(product, conditions, rules); }
  void Add(const PassingRuns& more) { cases += more.cases; }

  static void Fields(auto& p, auto& v) {
    LANEDIFF_REQUIRED(v, p.product, p.rules);
    v.Required("conditions", p.conditions, kAllBits);
    v.Required("cases", p.cases);
  }
};

struct SourceFailures : FailureCounts {
  std::string source;

  auto Key() const { return std::string_view(source); }

  static void Fields(auto& f, auto& v) {
    v.Required("source", f.source, {.check = NoSource});
    FailureCounts::Fields(f, v);
  }
};

/// Legal programs that the target executed.
struct AcceptedCalls {
  std::string instruction;  ///< one of these; empty: any program
  isa::Product product = isa::Product::kAtlasA2;

  auto operator<=>(const AcceptedCalls&) const = default;

  static void Fields(auto& a, auto& v) {
    v.Required("instruction", a.instruction, kPlain);
    v.Required("product", a.product);
  }
};

struct TallyCounts {
  std::uint64_t cases = 0;
  std::uint64_t crashed = 0;  ///< cases in which the target ended
  std::uint64_t hung = 0;     ///< cases that it never answered
  /// Of those that were skipped: the target had failed too often.
  std::uint64_t given_up = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t steps = 0;
  std::int64_t compared_bytes = 0;
  std::uint64_t nodes = 0;
  std::uint64_t malformed = 0;  ///< what was recorded of them can't be read
  std::uint64_t skipped = 0;    ///< could not be run here
  /// Of what the target claims an instruction and a product of, but not all:
  /// they are not in `cases`.
  std::uint64_t beyond = 0;

  static void Fields(auto& t, auto& v) {
    LANEDIFF_REQUIRED(v, t.cases, t.crashed, t.hung, t.given_up, t.unsupported,
                      t.steps, t.compared_bytes, t.nodes, t.malformed,
                      t.skipped, t.beyond);
  }
};

/// Lists are in ascending order of their keys.
struct Tally : TallyCounts {
  /// Of malformed and skipped ones: the first few, a line each.
  std::vector<std::string> problems;
  std::vector<CellTally> cells;
  std::vector<FailingRuns> failing;
  std::vector<PassingRuns> passing;
  std::vector<SourceFailures> failures;
  std::set<AcceptedCalls> accepted;

  void Add(const AuditCase& c, const CaseResult& result);
  /// Adds one that the target does not claim and that is not run.
  void LeaveOut(const AuditCase& c);
  void Merge(const Tally& other);

  CellTally& CellOf(isa::RuleId rule, isa::Product product);
  /// Nothing where no case showed anything of it.
  const CellTally* FindCell(isa::RuleId rule, isa::Product product) const;
  /// Whether the target executed a legal call of those that `rule` speaks of,
  /// on `product`, or on any product where it is a rule about products.
  bool Accepted(const isa::Rule& rule, isa::Product product) const;

  std::string Serialized() const;
  /// A target may have written over `text`, and a shard's file is a file like
  /// any other.
  static std::expected<Tally, CaseError> Parse(std::string_view text);

  static void Fields(auto& t, auto& v) {
    TallyCounts::Fields(t, v);
    v.Required("problems", t.problems, {.each = &kPlain});
    LANEDIFF_REQUIRED(v, t.cells, t.failing, t.passing, t.failures, t.accepted);
  }

 private:
  void AddFailure(const AuditCase& c, const CaseResult& result);
  void AddPasses(const AuditCase& c, const CaseResult& result);
};

}  // namespace lanediff::audit
