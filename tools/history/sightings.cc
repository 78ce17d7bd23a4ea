#include "tools/history/sightings.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "differential/testcase/allowed_text.h"
#include "differential/testcase/json.h"
#include "reports/groups.h"
#include "tools/history/scope.h"

namespace lanediff::campaign {
namespace {

/// By which the smallest is known; one of its own is before another finding's.
auto SizeOf(const Sighting& sighting, const std::string& signature) {
  return std::tuple(IsOfAnother(sighting.case_name, signature), sighting.steps,
                    sighting.nodes, std::string_view(sighting.path));
}

}  // namespace

std::string Short(const std::string& message) {
  return reports::Shortened(message, reports::kMostMessageBytes);
}

bool IsOfAnother(const std::string& case_name, const std::string& signature) {
  return IsSignature(case_name) && case_name != signature;
}

void AddSighting(const std::string& signature, Sighting more, Part& part) {
  const auto [place, fresh] = part.findings.try_emplace(signature, more);
  if (fresh) {
    if (IsSignature(signature)) return;
    throw CaseError{"",
                    fmt::format("found the signature \"{}\"; "
                                "kind/instruction/what/type[/form] is allowed",
                                Quote(signature))};
  }
  Sighting& sum = place->second;
  std::uint64_t times = sum.times;
  AddTo(times, more.times);
  const std::string known = sum.known.empty() ? more.known : sum.known;
  if (SizeOf(more, signature) < SizeOf(sum, signature)) sum = std::move(more);
  sum.times = times;
  sum.known = known;
}

}  // namespace lanediff::campaign
