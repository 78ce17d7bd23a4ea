#include "sanitizer/resources/gm_conflicts.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace lanediff::machine {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

}  // namespace

std::optional<GmConflicts::Conflict> GmConflicts::Take(
    const isa::Access& access, const Toucher& toucher) {
  const std::int64_t end = access.at + access.bytes;
  const bool atomic =
      access.write && !toucher.atomic.empty() && toucher.atomic != "none";
  const Way way{toucher.phase, toucher.block, access.write,
                std::string(atomic ? toucher.atomic : "")};
  std::optional<Conflict> found;
  for (auto it =
           touched_.lower_bound(Way{.phase = toucher.phase, .block = kLeast});
       it != touched_.end() && it->first.phase == toucher.phase; ++it) {
    const auto& [other, pieces] = *it;
    if (other.block == way.block || !(other.write || way.write)) continue;
    if (atomic && other.atomic == way.atomic) continue;
    auto piece = pieces.upper_bound(access.at);
    if (piece != pieces.begin() && std::prev(piece)->second.end > access.at) {
      --piece;
    }
    if (piece == pieces.end() || piece->first >= end) continue;
    const std::int64_t at = std::max(piece->first, access.at);
    if (found && found->at <= at) continue;
    found = {at, other.block, piece->second.step, other.write};
  }
  Add(access, toucher.step, touched_[way]);
  return found;
}

void GmConflicts::Add(const isa::Access& access, std::size_t step,
                      Pieces& pieces) {
  std::int64_t at = access.at;
  const std::int64_t end = access.at + access.bytes;
  auto next = pieces.upper_bound(at);
  if (next != pieces.begin()) {
    at = std::max(at, std::prev(next)->second.end);
  }
  // Only what no piece has yet.
  while (at < end) {
    const std::int64_t until =
        next == pieces.end() ? end : std::min(end, next->first);
    if (at < until) pieces.emplace_hint(next, at, Piece{until, step});
    if (next == pieces.end()) return;
    at = std::max(at, next->second.end);
    ++next;
  }
}

}  // namespace lanediff::machine
