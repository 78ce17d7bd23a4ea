// Determines what a target does where documents are silent.

#include "audit/characterize/characterise.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/characterize/fold.h"
#include "isa/catalogue.h"
#include "reports/character_record.h"
#include "reports/report.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/program.h"
#include "tools/cli/progress.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

constexpr std::size_t kMostLeaves = 4096;

struct CharacteriseOptions {
  TargetOptions target;
  std::string instruction;  ///< empty: all
  std::string edition;      ///< empty: the newest
  std::vector<std::string> lengths;
  std::string json;
};

std::vector<std::size_t> LengthsOf(const std::vector<std::string>& words) {
  std::vector<std::size_t> lengths;
  for (const std::string& word : words) {
    std::size_t length = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, length);
    if (error != std::errc() || rest != end || length < 1 ||
        length > kMostLeaves) {
      Fail("--length: found \"{}\"; 1 to {} are allowed", word, kMostLeaves);
    }
    if (std::ranges::count(lengths, length) == 0) lengths.push_back(length);
  }
  return lengths;
}

int StatusOf(const character::Character& c) {
  if (c.failures != 0) {
    FailUsage("{} failed {} of {} probes", c.target, c.failures, c.probes);
    return kTargetFailed;
  }
  const auto reasons = reports::ReasonsOf(c);
  return reasons.empty() ? kAgree : FailUsage(reasons.front().text);
}

int RunCharacterise(const CharacteriseOptions& options) {
  const diff::Target* const target =
      FindTarget(options.target, Takes::kRunning);
  const isa::Instruction* const only =
      isa::FindInstruction(options.instruction);
  auto lengths = LengthsOf(options.lengths);
  WatchInterrupt();
  std::optional<Progress> progress(std::in_place, 0, "probes");
  std::uint64_t probes = 0;
  const character::Character found = character::Characterise(
      *target, {.instruction = only == nullptr ? "" : std::string(only->op),
                .edition = EditionOf(options.edition),
                .lengths = std::move(lengths),
                .goes_on = [&] {
                  progress->Step(probes++, 0);
                  return !Interrupted();
                }});
  progress.reset();
  fmt::print("{}", reports::ToText(reports::ToReport(found)));
  if (!WriteTo(options.json, [&] { return reports::CharacterJson(found); })) {
    return kUsage;
  }
  return FinishTarget(*target, StatusOf(found));
}

}  // namespace

void AddCharacterise(CommandLine& line) {
  auto [verb, options] = line.Add(
      "audit --characterise",
      "find what a target does where documents are silent", RunCharacterise);
  verb.older = "characterise";
  verb.footer =
      "Found by questions alone: in which order it adds and multiplies, how it "
      "rounds and saturates, what becomes of subnormals, zeros and NaN, of "
      "calls that break a rule, of the mask register. Status 0: it answered; "
      "2: it answered nothing; 3: it failed, if only in calls that break a "
      "rule.";
  AddTarget(verb, options.target, "whose character is determined");
  AddProduct(verb, options.target);
  AddLegalOnly(verb, options.target);
  AddEdition(verb, options.edition);
  AddInstruction(verb, options.instruction, "only this one; all if not given");
  verb.Add("--length N,...", options.lengths,
           "lanes of sums and columns of products to probe, 1 to 4096; may be "
           "given more than once")
      .ByCommas();
  verb.Add("--json FILE", options.json,
           "write the answers, with the cases that show them");
  verb.Docs("audit.md",
            {{"audit --characterise --instruction min"},
             {"audit --characterise --instruction min --json character.json"}});
}

}  // namespace lanediff::cli
