#include "audit/characterize/orders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "audit/characterize/leaves.h"
#include "audit/characterize/order.h"

namespace lanediff::character {
namespace {

using Kind = FoundOrder::Kind;

struct ProbedLength {
  std::size_t length;
  FoundOrder found;
};

bool HasName(const FoundOrder& found, std::string_view name) {
  return std::ranges::count(found.names, name) != 0;
}

/// The likeliest name that fits wherever there is one; empty where none does.
std::string_view CommonName(const std::vector<ProbedLength>& all) {
  const FoundOrder* longest = nullptr;
  for (const ProbedLength& probed : all) {
    if (!probed.found.names.empty()) longest = &probed.found;
  }
  if (longest == nullptr) return {};
  for (const std::string_view name : longest->names) {
    if (std::ranges::all_of(all, [&](const ProbedLength& probed) {
          return probed.found.names.empty() || HasName(probed.found, name);
        })) {
      return name;
    }
  }
  return {};
}

std::string AnswerOf(const FoundOrder& found, std::string_view common) {
  switch (found.kind) {
    case Kind::kNoAnswer:
      return found.note;
    case Kind::kNotATree:
      return "not a fixed tree";
    case Kind::kTree:
      break;
  }
  if (found.names.empty()) return "other";
  return std::string(HasName(found, common) ? common : found.names.front());
}

void Write(const Fold& fold, ProbedLength probed, std::string_view common,
           ProfileBuilder& profile) {
  FoundOrder& found = probed.found;
  const std::string answer = AnswerOf(found, common);
  std::erase(found.names, std::string_view(answer));
  std::string note = found.kind == Kind::kNoAnswer ? "" : found.note;
  if (!found.names.empty()) {
    note += fmt::format("{}as well: {}", note.empty() ? "" : "; ",
                        fmt::join(found.names, ", "));
  }
  std::string about;
  if (fold.order) about = fmt::format("order {}", isa::Name(*fold.order));
  if (!fold.lanes.empty()) about = "lanes " + LeavesText(fold.lanes);
  Answer& written = profile.Write(
      {"order", fold.op, fold.dtype, std::move(about), probed.length},
      {.answer = answer,
       .note = std::move(note),
       .cases = std::move(found.cases),
       .probes = found.probes});
  written.tree = std::move(found.tree);
}

void ProbeAll(ProbeRunner& runner, const Fold& fold,
              const std::vector<std::size_t>& lengths,
              ProfileBuilder& profile) {
  Prober prober(runner, fold);
  std::vector<ProbedLength> all;
  for (const std::size_t length : lengths) {
    if (!fold.takes(length)) continue;
    all.push_back({length, FindOrder(prober, length)});
    if (all.back().found.kind == Kind::kNoAnswer) break;
  }
  const std::string_view common = CommonName(all);
  for (ProbedLength& probed : all)
    Write(fold, std::move(probed), common, profile);
}

}  // namespace

std::vector<std::size_t> DefaultLengths(const Fold& fold) {
  if (fold.combine == Combine::kProduct) {
    // Both sides of a block, a register and pairs of registers, and numbers of
    // pairs that are no power of two.
    return {1,   2,   3,   5,   17,  64,  65,  128, 129,
            192, 256, 320, 384, 448, 512, 640, 768, 1024};
  }
  return {2, 3, 5, 17, 64, 127, 128};
}

void ProbeOrders(ProbeRunner& runner, const Fold& fold,
                 const std::vector<std::size_t>& lengths,
                 ProfileBuilder& profile) {
  ProbeAll(runner, fold, lengths, profile);
  if (fold.combine != Combine::kSum) return;
  Fold apart = fold;
  apart.lanes = {0, 2, 3, 9, 10, 12, 21, 32, 63};
  ProbeAll(runner, apart, {apart.lanes.size()}, profile);
}

}  // namespace lanediff::character
