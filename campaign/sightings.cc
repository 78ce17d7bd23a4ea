#include "campaign/sightings.h"

#include <fmt/format.h>

#include <cstdint>
#include <tuple>
#include <utility>

#include "campaign/scope.h"
#include "case/allowed_text.h"
#include "case/json.h"
#include "reports/groups.h"

namespace lanediff::campaign {
namespace {

auto SizeOf(const Sighting& sighting) {
  return std::tie(sighting.steps, sighting.nodes, sighting.path);
}

}  // namespace

std::string Short(const std::string& message) {
  return reports::Shortened(message, reports::kMostMessageBytes);
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
  const std::uint64_t times = sum.times + more.times;
  const std::string known = sum.known.empty() ? more.known : sum.known;
  if (SizeOf(more) < SizeOf(sum)) sum = std::move(more);
  sum.times = times;
  sum.known = known;
}

}  // namespace lanediff::campaign
