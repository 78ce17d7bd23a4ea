#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/compare/open_elements.h"
#include "differential/compare/signature.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

/// Small spaces that are compared completely: all pairs of half through an
/// instruction, all parameters of an instruction within bounds. A space is a
/// numbered list of calls; each call holds one or more points, and every point
/// of the space is in exactly one call.
namespace lanediff::make::exhaust {

/// A point on which the two sides differ, as a case that shows it.
struct Disagreement {
  std::uint64_t call = 0;
  Case c;
  diff::Finding finding;
};

/// What became of some calls.
struct Tally {
  std::uint64_t calls = 0;        ///< run, unsupported ones included
  std::uint64_t points = 0;       ///< compared
  std::uint64_t unsupported = 0;  ///< points that a side can't do
  std::uint64_t disagree = 0;     ///< points that differ
  diff::OpenCounts open = {};     ///< results compared by their distance
  /// The first ones of each signature, in the order of their calls.
  std::vector<Disagreement> shown;

  /// Whether `shown` has fewer than `diff::kKeptOfSignature` of `signature`.
  bool Wants(std::string_view signature) const {
    return static_cast<std::uint64_t>(std::ranges::count(
               shown, signature, [](const Disagreement& d) -> std::string_view {
                 return d.finding.signature;
               })) < diff::kKeptOfSignature;
  }
};

/// Runs calls of one space on two targets whose memories stay allocated. Used
/// by one thread at a time.
class Walker {
 public:
  virtual ~Walker() = default;

  /// Runs call `call` on both sides and compares outcome, rules, notes and
  /// every byte. Disagreements of signatures that the tally wants are shown.
  virtual void Run(std::uint64_t call, Tally& tally) = 0;
};

class Space {
 public:
  virtual ~Space() = default;

  /// As it is spelt on the command line.
  virtual std::string_view name() const = 0;
  /// Where its cases belong: an instruction's word, such as "min".
  virtual std::string_view slug() const = 0;
  /// "pairs" or "cases".
  virtual std::string_view point_word() const = 0;
  /// What is enumerated, one line for each form: every field and its values.
  virtual std::vector<std::string> Bounds() const = 0;

  virtual std::uint64_t calls() const = 0;
  virtual std::uint64_t points() const = 0;
  /// How many of the points are in call `call`.
  virtual std::uint64_t PointsIn(std::uint64_t call) const = 0;
  /// Call `call`, below `calls()`, as a case without expectation.
  virtual Case CaseAt(std::uint64_t call) const = 0;

  /// A walker that holds `target` against `reference`, which both must go step
  /// by step, in cases of `edition`; all three must outlive it.
  virtual std::unique_ptr<Walker> Open(
      const diff::Target& target, const diff::Target& reference,
      isa::Edition edition = isa::kNewestEdition) const = 0;
};

/// Every space, in the order in which they are listed.
const std::vector<std::unique_ptr<Space>>& Spaces();

/// The space spelt `name`; null if there is none.
const Space* FindSpace(std::string_view name);

/// A word that changes when the numbering of `space` does: made from its name,
/// size and bounds. Numbers of one version mean nothing in another.
std::string VersionOf(const Space& space);

}  // namespace lanediff::make::exhaust
