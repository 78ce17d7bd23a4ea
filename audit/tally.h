#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "audit/blaming.h"
#include "audit/conditions.h"
#include "audit/exam.h"
#include "audit/mismatch_kind.h"
#include "audit/stream.h"
#include "reports/audit_record.h"

namespace lanediff::audit {

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
};

/// What was seen of one rule on one product.
struct CellTally {
  using Counts = std::array<std::uint64_t, isa::kCount<Showing>>;
  using Where = std::tuple<isa::DType, std::string, std::string>;
  using Place = std::tuple<std::string, int, std::int64_t>;

  std::uint64_t cases = 0;  ///< that showed something of the rule
  /// Cases that would have, had the target supported them.
  std::uint64_t unsupported = 0;
  /// Cases made for it that are beyond what the target claims: not in `cases`.
  std::uint64_t beyond = 0;
  /// Of a semantics rule: every case with a right result that rests on it is
  /// one `kAsDocumented`, every wrong one that is blamed on it one
  /// `kDifferently`.
  Counts alone{};
  Counts together{};
  std::map<Where, Tried> tried;
  std::map<Place, Point> points;
  Numeric numeric;
  /// The best of each side, whatever the target showed: the same cases for
  /// every target. And the best of each showing that is not as it should be.
  std::vector<Candidate> typical;
  std::vector<Candidate> bad;

  // Of semantics rules, once results are attributed.
  /// Wrong cases that rest on the rule, by the one that they are blamed on.
  std::map<std::string_view, std::uint64_t> elsewhere;
  std::vector<WrongPart> parts;  ///< what is blamed on it
  std::set<std::string_view> co_suspects;
  /// It is a co-suspect of another.
  bool suspected = false;
};

/// Wrong results of which one of the same rules was not followed.
struct DoubtTally {
  std::uint64_t cases = 0;
  std::uint64_t largest_ulp = 0;
  std::vector<Candidate> best;
  /// Cases that rest on other rules as well, which are cleared of them.
  std::map<std::string_view, std::uint64_t> cleared;
};

/// Whether a showing is as documented.
bool IsGood(Showing showing);

/// Sums over cases, the same in whatever order they are added.
class Tally {
 public:
  using Key = std::pair<std::string_view, isa::Product>;  // rule, product
  /// Product, the rule that the cases were made for or nothing, suspects.
  /// The conditions of the calls, and what is wrong with the first element.
  using DoubtKey =
      std::tuple<isa::Product, std::string_view, std::vector<std::string_view>,
                 Conditions, MismatchKind>;
  /// Product, the conditions of the calls, the rules that they rest on.
  using ProofKey =
      std::tuple<isa::Product, Conditions, std::vector<std::string_view>>;

  void Add(const AuditCase& c, const Exam& exam);
  /// Adds one that the target does not claim and that is not run.
  void LeaveOut(const AuditCase& c);
  void Merge(const Tally& other);

  /// Finds the rules that wrong results speak against and adds these to their
  /// cells, once all cases are in (blaming.h). What a rule explains speaks
  /// against no other, which counts it as one that is blamed elsewhere.
  /// `measured` is what else is known of rules.
  void Attribute(const std::vector<Measurement>& measured = {});

  /// For the way from one process to another of the same version.
  std::vector<std::uint8_t> Serialized() const;
  /// Throws a std::exception, the JSON library's or one of its own, if `bytes`
  /// are not from `Serialized`: a target may have written over them, and a
  /// shard's file is a file like any other.
  static Tally Parse(std::span<const std::uint8_t> bytes);

  const std::map<Key, CellTally>& cells() const { return cells_; }
  /// Whether the target executed a legal call of those that `rule` speaks of,
  /// on `product`, or on any product where it is a rule about products.
  bool Accepted(const isa::Rule& rule, isa::Product product) const;

  std::uint64_t cases = 0;
  std::uint64_t crashed = 0;  ///< cases in which the target ended
  std::uint64_t hung = 0;     ///< cases that it never answered
  std::map<std::string, FailureCounts> failures;  ///< the same by instruction
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
  /// Of malformed and skipped ones: the first few, a line each.
  std::vector<std::string> problems;

 private:
  void AddDoubt(const AuditCase& c, const Exam& exam, std::int64_t size);
  void AddProofs(const AuditCase& c, const Exam& exam);
  void AttributeOn(isa::Product product,
                   const std::vector<Measurement>& measured);

  std::map<Key, CellTally> cells_;
  std::map<DoubtKey, DoubtTally> doubts_;
  std::map<ProofKey, std::uint64_t> proofs_;
  /// Each instruction of the legal programs that the target executed, and "" of
  /// any program, with the product.
  std::set<Key> accepted_;
};

}  // namespace lanediff::audit
