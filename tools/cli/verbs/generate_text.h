#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "differential/compare/signature_counts.h"
#include "differential/targets/pace.h"
#include "generators/random/tally.h"
#include "reports/rates.h"
#include "reports/record.h"
#include "tools/cli/target_options.h"

/// The output of `lanediff generate`.
namespace lanediff::cli {

struct GenerateOptions {
  std::string instruction;      ///< empty: all
  std::int64_t count = 10'000;  ///< cases of each instruction
  std::uint64_t seed = 1;
  std::string edition;  ///< empty: the newest
  std::string style = "by-intent";
  bool check = false;        ///< run each on target and oracle
  bool until_found = false;  ///< check up to an instruction's first finding
  TargetOptions target;
  std::string out = "out";  ///< folder for findings
  std::string json;         ///< file; empty: none
};

/// One instruction's turn.
struct GenerateTurn {
  explicit GenerateTurn(const make::Generator& g) : tally(g) {}

  /// Seconds of making and checking cases; judging what they are worth is not
  /// among them.
  double seconds() const {
    return generate_seconds + pace.legal.seconds + pace.illegal.seconds;
  }

  make::Tally tally;
  double generate_seconds = 0;
  // With --check:
  diff::Pace pace;  ///< of the cases that both sides could do
  std::uint64_t unsupported = 0;
  std::uint64_t tolerated = 0;  ///< illegal, and executed by the target
  std::uint64_t nodes = 0;      ///< of all checked cases
  std::uint64_t findings = 0;
  diff::SignatureCounts signatures;       ///< of all findings
  std::vector<reports::CaseRecord> kept;  ///< of each signature the first
};

/// Its lines of the rate table; none without --check.
std::vector<reports::RateLine> RatesOf(const GenerateTurn& turn);

/// A table for people.
std::string GenerateText(const GenerateTurn& turn,
                         const GenerateOptions& options);

/// The findings by signature, worst first, with how many cases showed each;
/// empty without one.
std::string FindingsText(const std::vector<GenerateTurn>& turns);

/// All turns as one document, lanediff-generate/1. `unfinished`: why not all
/// was done; empty where all was.
std::string GenerateJson(const std::vector<GenerateTurn>& turns,
                         const GenerateOptions& options,
                         const std::string& unfinished);

}  // namespace lanediff::cli
