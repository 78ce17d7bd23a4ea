#include "audit/characterize/characterise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/characterize/fold.h"
#include "audit/characterize/probe_runner.h"
#include "audit/characterize/probes.h"

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

void Write(ProbeRunner& runner, const Fold& fold, ProbedLength probed,
           std::string_view common) {
  FoundOrder& found = probed.found;
  found.answer = AnswerOf(found, common);
  std::erase(found.names, std::string_view(found.answer));
  if (found.kind == Kind::kNoAnswer) found.note.clear();
  if (!found.names.empty()) {
    found.note += fmt::format("{}as well: {}", found.note.empty() ? "" : "; ",
                              fmt::join(found.names, ", "));
  }
  std::string about;
  if (fold.order) about = fmt::format("order {}", isa::Name(*fold.order));
  if (!fold.lanes.empty()) about = "lanes " + LeavesText(fold.lanes);
  Answer& written = runner.Write(
      {"order", fold.op, fold.dtype, std::move(about), probed.length}, found);
  written.tree = std::move(found.tree);
}

void ProbeAll(ProbeRunner& runner, const Fold& fold,
              const std::vector<std::size_t>& lengths) {
  Prober prober(runner, fold);
  std::vector<ProbedLength> all;
  for (const std::size_t length : lengths) {
    if (!fold.takes(length)) continue;
    all.push_back({length, FindOrder(prober, length)});
    if (all.back().found.kind == Kind::kNoAnswer) break;
  }
  const std::string_view common = CommonName(all);
  for (ProbedLength& probed : all) {
    Write(runner, fold, std::move(probed), common);
  }
}

/// The lengths probed by default: of a sum lanes, of a product columns.
std::vector<std::size_t> DefaultLengths(const Fold& fold) {
  if (fold.combine == Combine::kProduct) {
    // Both sides of a block, a register and pairs of registers, and numbers of
    // pairs that are no power of two.
    return {1,   2,   3,   5,   17,  64,  65,  128, 129,
            192, 256, 320, 384, 448, 512, 640, 768, 1024};
  }
  return {2, 3, 5, 17, 64, 127, 128};
}

/// Probes in which order `fold` combines each of `lengths`, and a sum lanes
/// that lie apart, and writes the answers. An order with several names gets the
/// one that fits at all lengths.
void ProbeOrders(ProbeRunner& runner, const Fold& fold,
                 const std::vector<std::size_t>& lengths) {
  ProbeAll(runner, fold, lengths);
  if (fold.combine != Combine::kSum) return;
  Fold apart = fold;
  apart.lanes = {0, 2, 3, 9, 10, 12, 21, 32, 63};
  ProbeAll(runner, apart, {apart.lanes.size()});
}

/// Whether it answers at all; its failure is written once.
bool Answers(ProbeRunner& runner, const Fold& fold) {
  Prober prober(runner, fold);
  ProbeSeries series(prober);
  series.Probe(std::vector<double>(fold.reduces() ? 2 : fold.most(), 1.0));
  if (!series.failed()) return true;
  const bool compares =
      fold.combine == Combine::kMinimum || fold.combine == Combine::kMaximum;
  runner.Write({fold.reduces()                    ? "order"
                : compares                        ? "nan"
                : fold.combine == Combine::kOther ? "iterations"
                                                  : "rounding",
                fold.op, fold.dtype},
               series.Finish(""));
  return false;
}

/// The orders of TROWPROD that can be requested.
void ProbeRequestedOrders(ProbeRunner& runner, Fold fold,
                          const std::vector<std::size_t>& lengths) {
  const auto& claimed = runner.capabilities().orders;
  for (std::size_t o = 0; o < isa::kCount<isa::Order>; ++o) {
    fold.order = static_cast<isa::Order>(o);
    if (claimed && std::ranges::count(*claimed, *fold.order) == 0) continue;
    Prober prober(runner, fold);
    if (!prober.Probe({1, 1})) continue;
    ProbeOrders(runner, fold, lengths);
    ProbeArithmetic(runner, fold);
  }
}

/// Whether the target has it.
bool ProbeFold(ProbeRunner& runner, const Fold& fold, const Options& options) {
  if (!Answers(runner, fold)) return false;
  const auto lengths =
      options.lengths.empty() ? DefaultLengths(fold) : options.lengths;
  if (fold.reduces()) ProbeOrders(runner, fold, lengths);
  ProbeArithmetic(runner, fold);
  ProbeIterations(runner, fold);
  ProbeOneDestination(runner, fold);
  ProbeOtherBytes(runner, fold);
  ProbeMaskAfter(runner, fold);
  if (fold.family() == isa::Family::kTile) {
    ProbeRequestedOrders(runner, fold, lengths);
  }
  return true;
}

}  // namespace

Character Characterise(const diff::Target& target, const Options& options) {
  ProbeRunner runner(target, options.goes_on, options.edition);
  std::set<std::string_view> without;  // instructions that it has not
  for (const std::string_view op : FoldOps()) {
    if (!options.instruction.empty() && op != options.instruction) continue;
    bool any = false;
    for (const Fold& fold :
         FoldsOf(op, runner.capabilities(), options.edition)) {
      any = ProbeFold(runner, fold, options) || any;
    }
    if (!any) without.insert(op);
  }
  if (!runner.capabilities().legal_only) {
    ProbeIllegal(runner, options.instruction, without);
  }
  return runner.Take();
}

}  // namespace lanediff::character
