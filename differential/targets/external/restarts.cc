#include "differential/targets/external/restarts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "differential/subprocess/options.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {
namespace {

std::string OneLine(const Outcome& outcome) {
  Outcome unnamed = outcome;
  unnamed.observed.clear();
  std::string text = WriteOutcome(unnamed, "");
  std::erase(text, '\n');
  std::string line;
  for (const char c : text) {
    if (c != ' ' || line.empty() || line.back() != ' ') line += c;
  }
  return line.size() <= 160 ? line : line.substr(0, 160) + "…";
}

}  // namespace

bool Restarts::given_up() const {
  return failures_ > TheOutsideOptions().max_restarts;
}

std::optional<NoOutcome> Restarts::WhyNot(std::string_view name) const {
  if (!given_up()) return std::nullopt;
  return NoOutcome{NoOutcome::Kind::kGivenUp,
                   fmt::format("{} was given up after {} restarts", name,
                               TheOutsideOptions().max_restarts),
                   {}};
}

std::optional<NoOutcome> StateDifference(const Outcome& had,
                                         const Outcome& fresh,
                                         std::string_view last) {
  Outcome other = fresh;
  other.observed = had.observed;
  if (other == had) return std::nullopt;
  return NoOutcome{
      NoOutcome::Kind::kState,
      fmt::format("a fresh process has another outcome of the same case: {} "
                  "{}, {} in the fresh one",
                  OneLine(had),
                  last.empty() ? std::string("where others came before it")
                               : fmt::format("after case {}", last),
                  OneLine(fresh)),
      {}};
}

}  // namespace lanediff::diff
