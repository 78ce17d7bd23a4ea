#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "differential/compare/signature.h"
#include "differential/records/exhaust_state.h"
#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/headline.h"
#include "reports/reasons.h"

/// Reports of the sources of `lanediff test` that keep figures alone, and of
/// the list of the functional coverage.
namespace lanediff::reports {

/// Random cases of one instruction that were compared.
struct GenerateCheck {
  double seconds = 0;
  std::uint64_t legal = 0;
  std::uint64_t illegal = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t tolerated = 0;
  std::uint64_t nodes = 0;
  std::uint64_t findings = 0;
  std::vector<diff::SignatureCount> signatures = {};
  std::vector<RateLine> rates = {};

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.seconds, c.legal, c.illegal, c.unsupported);
    v.Required("tolerated", c.tolerated,
               {.description = "of the illegal: the target executed them"});
    LANEDIFF_REQUIRED(v, c.nodes, c.findings, c.signatures, c.rates);
  }
};

/// What random cases of one instruction are worth.
struct GenerateTally {
  std::string instruction;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;
  std::uint64_t mutated = 0;
  std::uint64_t nodes = 0;
  std::uint64_t operations = 0;
  std::uint64_t long_repeats = 0;
  std::uint64_t bytes = 0;
  double legal_share = 0;
  double mean_operations = 0;
  double long_share = 0;
  double mean_bytes = 0;
  double generate_seconds = 0;
  std::map<std::string, std::uint64_t> broken_rules = {};
  std::map<std::string, std::uint64_t> layouts = {};
  std::map<std::string, std::uint64_t> data = {};
  std::optional<GenerateCheck> check = {};

  static void Fields(auto& t, auto& v) {
    v.Required("instruction", t.instruction, kFilled);
    LANEDIFF_REQUIRED(v, t.cases, t.legal, t.mutated);
    v.Required("nodes", t.nodes, {.description = "of legal cases"});
    v.Required("operations", t.operations, {.description = "of legal cases"});
    v.Required("longRepeats", t.long_repeats,
               {.description = "legal cases of 64 iterations or more"});
    v.Required("bytes", t.bytes, {.description = "of memories"});
    LANEDIFF_REQUIRED(v, t.legal_share, t.mean_operations, t.long_share,
                      t.mean_bytes, t.generate_seconds, t.broken_rules,
                      t.layouts, t.data);
    v.Optional("check", t.check, {.description = "with --check"});
  }
};

struct GenerateRecord {
  Reasons reasons = {};
  std::uint64_t seed = 0;
  std::string style = {};
  isa::Edition edition = isa::kNewestEdition;
  std::optional<std::string> target = {};
  std::string unfinished = {};
  std::vector<GenerateTally> instructions = {};

  static void Fields(auto& r, auto& v) {
    v.Document("generate");
    CompleteFields(v, r.reasons);
    v.Required("seed", r.seed, kAllBits);
    LANEDIFF_REQUIRED(v, r.style, r.edition);
    v.Required("target", r.target, {.description = "null without --check"});
    v.Optional("unfinished", r.unfinished);
    v.Required("instructions", r.instructions);
  }
};

/// A case that an enumeration saved.
struct SpaceFinding : make::exhaust::SavedFinding {
  std::string reproduce;

  static void Fields(auto& f, auto& v) {
    make::exhaust::SavedFinding::Fields(f, v);
    v.Required("reproduce", f.reproduce);
  }
};

/// A part of a space that was enumerated.
struct SpaceRecord {
  make::exhaust::State state = {};
  std::string point_word = {};
  std::uint64_t points = 0;  ///< of the space, as `calls`
  std::uint64_t calls = 0;
  std::vector<SpaceFinding> findings = {};

  double seconds() const {
    return static_cast<double>(state.milliseconds) / 1000;
  }
  double rate() const {
    return state.milliseconds == 0
               ? 0
               : static_cast<double>(state.points) / seconds();
  }

  static void Fields(auto& r, auto& v) {
    auto& s = r.state;
    v.Required("space", s.space, kFilled);
    v.Required("version", s.version);
    v.Derived("edition", [&] { return s.Edition(); });
    v.Required("pointsAre", r.point_word,
               {.description = "one word for what is enumerated: pairs"});
    v.Required("spacePoints", r.points, {.description = "of the whole space"});
    v.Required("spaceCalls", r.calls, {.description = "of the whole space"});
    v.Required("from", s.part.from, {.description = "the first call"});
    v.Required("to", s.part.to, {.description = "behind the last call"});
    v.Derived("shard", [&] {
      return std::to_string(s.part.index) + "/" + std::to_string(s.part.count);
    });
    v.Derived("partCalls", [&] { return s.part.size(); });
    v.Required("calls", s.next, {.description = "of the part: compared"});
    v.Required("points", s.points, {.description = "that were compared"});
    LANEDIFF_REQUIRED(v, s.unsupported, s.disagree);
    v.Derived("complete", [&] { return s.complete(); });
    v.Derived("seconds", [&] { return r.seconds(); });
    v.Derived("pointsPerSecond", [&] { return r.rate(); });
    v.Required("findings", r.findings);
  }
};

struct ExhaustRecord {
  std::string target = {};
  std::string reference = "oracle";
  Reasons reasons = {};
  std::string unfinished = {};
  std::vector<SpaceRecord> spaces = {};

  static void Fields(auto& r, auto& v) {
    v.Document("exhaust");
    LANEDIFF_REQUIRED(v, r.target, r.reference);
    CompleteFields(v, r.reasons);
    v.Optional("unfinished", r.unfinished);
    v.Required("spaces", r.spaces);
  }
};

/// A bin of the functional coverage.
struct BinRecord {
  std::string bin;
  std::string reached_by = {};
  std::string path = {};
  std::string never = {};

  static void Fields(auto& b, auto& v) {
    v.Required("bin", b.bin, kFilled);
    v.Optional("reachedBy", b.reached_by);
    v.Optional("case", b.path, {.description = "where --out saved it"});
    v.Optional("never", b.never, {.description = "why no case can"});
  }
};

struct BinsRecord {
  isa::Edition edition = isa::kNewestEdition;
  std::string product = {};  ///< bins of other products are left out
  Reasons reasons = {};
  std::vector<BinRecord> bins = {};

  static void Fields(auto& r, auto& v) {
    v.Document("coverage");
    v.Required("edition", r.edition);
    v.Optional(
        "product", r.product,
        {.description = "bins of other products are left out", .filled = true});
    CompleteFields(v, r.reasons);
    v.Required("bins", r.bins);
  }
};

}  // namespace lanediff::reports
